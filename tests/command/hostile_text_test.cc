// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that nothing a file says reaches a terminal raw, whichever verb prints
// it, for people and as JSON; and that `reprise cat` loses nothing by that.

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_topics.h"
#include "replays/testing/edited_replay.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/run_end.pb.h"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

using Json = nlohmann::json;

// Clears the screen, in seven bits and in eight, and turns text around.
constexpr char kHostile[] = "a\x1b[2J\xc2\x9b[2J\xe2\x80\xae\rb";

bool IsRaw(std::string_view text) {
  return std::ranges::any_of(
             text,
             [](char byte) {
               const auto code = static_cast<unsigned char>(byte);
               return code == 0x7F ||
                      (code < 0x20 && byte != '\n' && byte != '\t');
             }) ||
         text.find("\xc2\x9b") != std::string_view::npos ||
         text.find("\xe2\x80\xae") != std::string_view::npos;
}

class HostileTextTest : public MarbleReplayTest {
 protected:
  // The replay with hostile names, texts and reasons wherever there are any.
  static std::string WriteHostile() {
    const std::string bytes = ReadFileBytes(replay());
    const auto edit =
        [](std::string_view topic,
           const std::string& data) -> std::optional<std::string> {
      if (topic == replays::kEventsTopic) {
        v1::EventBatch batch;
        EXPECT_TRUE(batch.ParseFromString(data));
        for (v1::Event& event : *batch.mutable_events()) {
          event.set_type(kHostile);
          event.set_object_name(kHostile);
        }
        return batch.SerializeAsString();
      }
      if (topic == replays::kInputsTopic) {
        v1::InputBatch batch;
        EXPECT_TRUE(batch.ParseFromString(data));
        for (v1::TickInputs& tick : *batch.mutable_ticks()) {
          v1::InputFrame& frame = *tick.mutable_frames(0);
          frame.mutable_activity()->set_text(kHostile);
          frame.add_commands()->set_name(kHostile);
        }
        return batch.SerializeAsString();
      }
      if (topic == replays::kEndTopic) {
        v1::RunEnd end;
        EXPECT_TRUE(end.ParseFromString(data));
        end.set_reason(kHostile);
        return end.SerializeAsString();
      }
      return data;
    };
    const replays::Bytes edited = replays::EditReplay(
        std::as_bytes(std::span(bytes)), edit,
        {{"pack", kHostile}, {"build", kHostile}, {"platform", kHostile}});
    const std::string path = TemporaryPath("hostile.mcap");
    WriteFileBytes(
        path, {reinterpret_cast<const char*>(edited.data()), edited.size()});
    return path;
  }
};

TEST_F(HostileTextTest, NoVerbPrintsWhatATerminalObeys) {
  const std::string path = WriteHostile();
  const std::string store = TemporaryPath("hostile_store");
  RunCommand({"rm", "-rf", store});
  EXPECT_EQ(Reprise({"store", "add", path, "--store", store}).exit_code, 0);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{
           {"info", path},
           {"cat", path, "--events", "--digests"},
           {"inspect", path, "--tick", "9"},
           {"diff", path, replay()},
           {"diff", replay(), path},
           {"query", path, "tick > 0", "--count"},
           {"query", path, "event.a > 0", "--count"},
           {"verify", path},
           {"verify", path, replay()},
           {"describe", path},
           {"run", "--inputs", path},
           {"export", path, "--to", "3"},
           {"store", "list", "--store", store},
           {"store", "show", "--store", store},
           {"info", kHostile},
           {"no such verb \x1b[2J"}}) {
    for (const bool is_json : {false, true}) {
      std::vector<std::string> all = words;
      if (is_json) all.insert(all.end(), {"--format", "json"});
      const CommandResult result = Reprise(all);
      EXPECT_FALSE(IsRaw(result.out)) << words[0] << ": " << result.out;
      EXPECT_FALSE(IsRaw(result.err)) << words[0] << ": " << result.err;
    }
  }
  const CommandResult info = Reprise({"info", path});
  EXPECT_THAT(info.out,
              HasSubstr("a\\x1b[2J\\xc2\\x9b[2J\\xe2\\x80\\xae\\x0db"));
}

TEST_F(HostileTextTest, JsonSaysWhatTheFileSays) {
  const CommandResult result =
      Reprise({"info", WriteHostile(), "--format", "json"});

  EXPECT_EQ(Json::parse(result.out)["pack"], kHostile);
}

TEST_F(HostileTextTest, ALineOfTheReportIsNobodysButOurs) {
  const std::string bytes = ReadFileBytes(replay());
  const replays::Bytes edited =
      replays::EditReplay(std::as_bytes(std::span(bytes)),
                          [](std::string_view, const std::string& data) {
                            return std::optional<std::string>(data);
                          },
                          {{"build", "gcc\noutcome     won"}});
  const std::string path = TemporaryPath("lines.mcap");
  WriteFileBytes(path,
                 {reinterpret_cast<const char*>(edited.data()), edited.size()});

  const CommandResult result = Reprise({"info", path});

  EXPECT_THAT(result.out, Not(HasSubstr("\noutcome     won")));
}

// Whatever is typed is recorded; cat escapes it, and assemble reads it back.
TEST_F(HostileTextTest, CatOfHostileTextMakesTheSameReplayAgain) {
  const std::string track = TemporaryPath("typed.txtpb");
  WriteFileBytes(track,
                 "pack: \"parlour\"\ntick_count: 5\n"
                 "ticks { tick: 1 frames { activity { text: "
                 "\"\\033[2J\\302\\233[2J\\342\\200\\256\" } } }\n");
  const std::string path = TemporaryPath("typed.mcap");
  const CommandResult recorded = Reprise(
      {"run", "parlour", "--inputs", track, "--ticks", "5", "--record", path});
  ASSERT_EQ(recorded.exit_code, 0) << recorded.err;

  const CommandResult text = Reprise({"cat", path});
  EXPECT_FALSE(IsRaw(text.out));
  const std::string again = TemporaryPath("again.txtpb");
  const std::string assembled = TemporaryPath("again.mcap");
  WriteFileBytes(again, text.out);
  const CommandResult result =
      Reprise({"assemble", again, "--output", assembled});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(ReadFileBytes(assembled), ReadFileBytes(path));
}

}  // namespace
}  // namespace reprise::tests
