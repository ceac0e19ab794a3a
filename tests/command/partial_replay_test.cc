// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that `reprise verify` passes nothing that it didn't verify: recordings
// of which most digests, the keyframes or the end were taken away are right as
// far as they go, and fail all the same, to people, programs and CI systems,
// unless they are allowed to.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_topics.h"
#include "replays/testing/edited_replay.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "reprise/v1/run_end.pb.h"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using Json = nlohmann::json;
using Message = std::optional<std::string>;

// A replay of 870 ticks, its parts, and what is left of them.
class PartialReplayTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const CommandResult result =
        Reprise({"run", "marble", "--random-inputs", "3", "--ticks", "870",
                 "--record", Whole()});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  static std::string Whole() { return TemporaryPath("whole_870.mcap"); }

  static std::string Edit(const std::string& name,
                          const replays::MessageEdit& edit) {
    const std::string bytes = ReadFileBytes(Whole());
    const replays::Bytes edited =
        replays::EditReplay(std::as_bytes(std::span(bytes)), edit);
    const std::string path = TemporaryPath(name);
    WriteFileBytes(
        path, {reinterpret_cast<const char*>(edited.data()), edited.size()});
    return path;
  }

  // The digests of tick 0 and 10 are all there is.
  static std::string WriteWithTwoDigests() {
    bool is_first = true;
    return Edit("two_digests.mcap",
                [&is_first](std::string_view topic,
                            const std::string& data) -> Message {
                  if (topic == replays::kKeyframesTopic) return std::nullopt;
                  if (topic == replays::kEndTopic) return std::nullopt;
                  if (topic != replays::kDigestsTopic) return data;
                  if (!std::exchange(is_first, false)) return std::nullopt;
                  v1::DigestBatch batch;
                  EXPECT_TRUE(batch.ParseFromString(data));
                  const int rooms = batch.rooms_size() / batch.chains_size();
                  batch.mutable_chains()->Truncate(2);
                  batch.mutable_rooms()->Truncate(2 * rooms);
                  return batch.SerializeAsString();
                });
  }

  // Their tables are nobody's.
  static std::string WriteWithForeignKeyframes() {
    return Edit("foreign_keyframes.mcap",
                [](std::string_view topic, const std::string& data) -> Message {
                  if (topic != replays::kKeyframesTopic) return data;
                  v1::Keyframe keyframe;
                  EXPECT_TRUE(keyframe.ParseFromString(data));
                  keyframe.clear_schema();
                  keyframe.mutable_state()->replace(8, 8, "tangible");
                  return keyframe.SerializeAsString();
                });
  }

  // Some bytes of its last chunk are gone, as a crash leaves it.
  static std::string WriteCutOff() {
    const std::string bytes = ReadFileBytes(Whole());
    const std::string path = TemporaryPath("cut_off_870.mcap");
    WriteFileBytes(path, bytes.substr(0, bytes.size() * 3 / 4));
    return path;
  }
};

TEST_F(PartialReplayTest, WhatIsntVerifiedIsntPassedAndSaysWhatWasLeftOut) {
  EXPECT_EQ(Reprise({"verify", Whole()}).exit_code, 0);
  const std::vector<std::pair<std::string, std::string>> partial = {
      {WriteWithTwoDigests(), "verified 10 of 870 ticks, digest "},
      {WriteWithTwoDigests(),
       "; not covered: the ticks from 11 to 870, of which no digest was "
       "recorded"},
      {WriteWithForeignKeyframes(), "verified 870 of 870 ticks, digest "},
      {WriteWithForeignKeyframes(),
       "; not covered: keyframes that can't be compared: "},
      {WriteCutOff(),
       "; not covered: what stood behind tick 600: the file "
       "ends too early"}};
  for (const auto& [path, summary] : partial) {
    const CommandResult result = Reprise({"verify", path});
    EXPECT_EQ(result.exit_code, 1) << path << result.err;
    EXPECT_THAT(result.out,
                AllOf(HasSubstr(summary), HasSubstr("--allow-partial")));

    const CommandResult allowed = Reprise({"verify", path, "--allow-partial"});
    EXPECT_EQ(allowed.exit_code, 0) << path << allowed.err;
    EXPECT_THAT(allowed.out, HasSubstr(summary));
  }
}

TEST_F(PartialReplayTest, NoTickAtAllFailsEvenWhereItIsAllowed) {
  const std::string path =
      Edit("nothing.mcap",
           [](std::string_view topic, const std::string& data) -> Message {
             if (topic == replays::kInputsTopic) return data;
             return std::nullopt;
           });

  const CommandResult result = Reprise({"verify", path, "--allow-partial"});

  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("nothing to verify, 0 of 870 ticks"));
}

TEST_F(PartialReplayTest, ProgramsAndCiAreToldTheSame) {
  const std::string path = WriteWithTwoDigests();
  const std::string junit = TemporaryPath("partial.xml");

  const CommandResult result =
      Reprise({"verify", path, Whole(), "--junit", junit, "--format", "json"});

  EXPECT_EQ(result.exit_code, 1);
  const Json document = Json::parse(result.out);
  EXPECT_EQ(document["passed"], false);
  const Json& file = document["files"][0]["file"] == path
                         ? document["files"][0]
                         : document["files"][1];
  EXPECT_EQ(file["verdict"], "partial");
  EXPECT_EQ(file["exit_code"], 1);
  EXPECT_EQ(file["not_covered"],
            Json::array({"the ticks from 11 to 870, of which no digest was "
                         "recorded"}));
  EXPECT_EQ(file["reproduce"], "reprise verify " + path);
  EXPECT_THAT(ReadFileBytes(junit),
              AllOf(HasSubstr("tests=\"2\" failures=\"1\" errors=\"0\""),
                    HasSubstr("<failure type=\"partial\" message=\"verified 10 "
                              "of 870 ticks, ")));
}

TEST_F(PartialReplayTest, CacheKnowsWhatWasAllowed) {
  const std::string path = WriteWithTwoDigests();
  const std::string cache = TemporaryPath("partial_cache");
  RunCommand({"rm", "-rf", cache});

  EXPECT_EQ(
      Reprise({"verify", path, "--cache", cache, "--allow-partial"}).exit_code,
      0);
  EXPECT_EQ(Reprise({"verify", path, "--cache", cache}).exit_code, 1);
}

TEST_F(PartialReplayTest, WhatRecoverSavesVerifies) {
  const std::string saved = TemporaryPath("saved_870.mcap");
  RunCommand({"rm", "-f", saved});
  ASSERT_EQ(Reprise({"recover", WriteCutOff(), "--output", saved}).exit_code,
            0);

  const CommandResult result = Reprise({"verify", saved});

  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("verified 600 of 600 ticks"));
}

// A small file whose batch of inputs claims more ticks than anybody has time
// for; with an end that says so, too.
TEST_F(PartialReplayTest, TicksThatNothingStandsForAreRefusedAtOnce) {
  for (const bool has_end : {false, true}) {
    const std::string path = Edit(
        "claim.mcap",
        [has_end](std::string_view topic, const std::string& data) -> Message {
          constexpr uint64_t kTicks = uint64_t{1} << 53;
          if (topic == replays::kInputsTopic) {
            v1::InputBatch batch;
            EXPECT_TRUE(batch.ParseFromString(data));
            batch.set_tick_count(kTicks - batch.first_tick());
            return batch.SerializeAsString();
          }
          if (topic != replays::kEndTopic) return data;
          if (!has_end) return std::nullopt;
          v1::RunEnd end;
          EXPECT_TRUE(end.ParseFromString(data));
          end.set_tick_count(kTicks);
          return end.SerializeAsString();
        });
    for (const char* const verb : {"info", "verify", "cat", "query"}) {
      std::vector<std::string> words = {"timeout", "20", kReprise, verb, path};
      if (verb == std::string_view("query")) words.push_back("tick > 0");
      const CommandResult result = RunCommand(words);
      EXPECT_EQ(result.exit_code, 2) << verb << result.err;
      EXPECT_THAT(result.err, HasSubstr("no digest or keyframe stands for"));
    }
  }
}

// 32 MiB of empty entries, which compress to a few kilobytes.
TEST_F(PartialReplayTest, MillionsOfEmptyEntriesTakeNoMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take more than any limit";
#endif
  for (const std::string_view topic :
       {replays::kEventsTopic, replays::kInputsTopic}) {
    std::string entries(size_t{32} << 20, '\0');
    for (size_t i = 0; i < entries.size(); i += 2) entries[i] = '\x1a';
    const std::string path =
        Edit("entries.mcap",
             [&](std::string_view found, const std::string& data) -> Message {
               return found == topic ? entries : data;
             });
    EXPECT_LT(ReadFileBytes(path).size(), size_t{100} << 10);

    const CommandResult result =
        Reprise({"verify", path, "--memory-max-mib", "400"});

    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("would unpack into more than"));
  }
}

// Keyframes of the right tables with wrong bytes in them: whatever is wrong, no
// run with any number of threads passes them, and none takes memory for what a
// few bytes claim.
TEST_F(PartialReplayTest, GarbageInKeyframesIsNeverPassed) {
  const auto with_state = [](const char* name,
                             const std::function<void(std::string&)>& spoil) {
    return Edit(
        name,
        [&spoil](std::string_view topic, const std::string& data) -> Message {
          if (topic != replays::kKeyframesTopic) return data;
          v1::Keyframe keyframe;
          EXPECT_TRUE(keyframe.ParseFromString(data));
          if (keyframe.tick() > 0) spoil(*keyframe.mutable_state());
          return keyframe.SerializeAsString();
        });
  };
  const std::vector<std::pair<const char*, std::function<void(std::string&)>>>
      spoils = {
          {"bytes", [](std::string& s) { s.replace(s.size() / 2, 4, "evil"); }},
          {"short", [](std::string& s) { s.resize(s.size() - 9); }},
          {"empty", [](std::string& s) { s.clear(); }},
          {"rows",
           [](std::string& s) { s.replace(16, 4, "\xff\xff\xff\xff"); }},
          {"long", [](std::string& s) { s.append(1 << 20, 'x'); }},
      };
  for (const auto& [name, spoil] : spoils) {
    const std::string path = with_state(name, spoil);
    for (const char* const threads : {"1", "2"}) {
      for (const char* const then : {"stop", "continue", "resync"}) {
        const CommandResult result =
            Reprise({"verify", path, "--threads", threads, "--on-divergence",
                     then, "--allow-partial"});
        EXPECT_THAT(result.exit_code, testing::AnyOf(1, 2))
            << name << threads << then << result.out << result.err;
      }
    }
  }
}

// A file whose checksums are right, and whose events no verb needs to run.
TEST_F(PartialReplayTest, EventsAreReadByVerifyAndByTheStore) {
  const std::string path =
      Edit("events.mcap",
           [](std::string_view topic, const std::string& data) -> Message {
             return topic == replays::kEventsTopic ? "not events" : data;
           });
  const std::string reason = "/events, message 0 (in chunk ";
  const std::string store = TemporaryPath("store_of_events");

  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{
           {"verify", path}, {"store", "add", path, "--store", store}}) {
    const CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, 2) << words[0];
    EXPECT_THAT(result.err, HasSubstr(reason)) << words[0];
  }
}

}  // namespace
}  // namespace reprise::tests
