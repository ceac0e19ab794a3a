// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what people read of events: the same of a run as it is made and of its
// recording, with the names of what is gone; that a recording which tells other
// events is no verification; and tables of what expressions are over time.

#include <filesystem>
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
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Json = nlohmann::json;
namespace fs = std::filesystem;

// A host that makes sparks, of which each dies after a tenth of a second, and a
// mayfly of the pack's own that does so, too.
constexpr char kPack[] =
    "name: \"sparks\"\n"
    "types { name: \"fly\" timers { name: \"life\" event: \"died\" delay_s: "
    "0.1 } }\n"
    "types { name: \"host\" timers { name: \"go\" event: \"breed\" period_s: "
    "0.2 } }\n"
    "objects { name: \"host\" type: \"host\" }\n"
    "objects { name: \"mayfly\" type: \"fly\" }\n"
    "connections { name: \"breeding\" source_type: \"host\" event: \"breed\" "
    "then { spawn { archetype: \"fly\" object: \"host\" name: \"spark\" } } "
    "}\n"
    "connections { name: \"dying\" source_type: \"fly\" event: \"died\" then "
    "{ destroy { object: \"sender\" } } }\n";

class EventsTest : public testing::Test {
 protected:
  EventsTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_ + "/sparks");
    WriteFileBytes(folder_ + "/sparks/pack.txtpb", kPack);
    run_ = Reprise({"run", folder_ + "/sparks", "--ticks", "40", "--events",
                    "--keyframe-stride", "10", "--record", replay_});
    EXPECT_EQ(run_.exit_code, 0) << run_.err;
  }

  // The recording with every `type` called something else.
  std::string Forge(const std::string& type, const std::string& other) const {
    const std::string bytes = ReadFileBytes(replay_);
    const replays::Bytes forged = replays::EditReplay(
        std::as_bytes(std::span(bytes)),
        [&](std::string_view topic,
            const std::string& data) -> std::optional<std::string> {
          v1::EventBatch batch;
          if (topic != replays::kEventsTopic) return data;
          EXPECT_TRUE(batch.ParseFromString(data));
          for (v1::Event& event : *batch.mutable_events()) {
            if (event.type() == type) event.set_type(other);
          }
          return batch.SerializeAsString();
        });
    const std::string path = folder_ + "/forged.mcap";
    WriteFileBytes(
        path, {reinterpret_cast<const char*>(forged.data()), forged.size()});
    return path;
  }

  const std::string folder_ = TemporaryPath("events");
  const std::string replay_ = folder_ + "/sparks.mcap";
  CommandResult run_;
};

TEST_F(EventsTest, WhatIsGoneHasItsName) {
  const CommandResult cat = Reprise({"cat", "--events", replay_});
  EXPECT_EQ(cat.exit_code, 0) << cat.err;
  EXPECT_THAT(cat.out,
              AllOf(HasSubstr("# tick 6: event died mayfly timer=life\n"),
                    HasSubstr("# tick 7: event died spark timer=life\n"),
                    HasSubstr("# tick 7: event object_destroyed spark "
                              "type=fly\n"),
                    Not(HasSubstr("object#"))));
}

TEST_F(EventsTest, RunTellsWhatItsRecordingDoes) {
  std::string recorded;
  for (std::string line : Lines(Reprise({"cat", "--events", replay_}).out)) {
    const size_t event = line.find(": event ");
    if (event == std::string::npos) continue;
    line.replace(event, 8, ": ");
    recorded += line.substr(2) + "\n";
  }
  ASSERT_FALSE(recorded.empty());
  EXPECT_THAT(run_.out, StartsWith(recorded));
  const Json json = Json::parse(Reprise({"run", folder_ + "/sparks", "--ticks",
                                         "40", "--events", "--format", "json"})
                                    .out);
  ASSERT_EQ(json["events"].size(), json["event_count"]);
  EXPECT_EQ(json["events"][0]["tick"], 1);
  EXPECT_EQ(json["events"][0]["event"], "breed host timer=go");
}

TEST_F(EventsTest, ForgedEventsAreADifferenceWithTheirTick) {
  EXPECT_EQ(Reprise({"verify", replay_, "--threads", "3"}).exit_code, 0);
  for (const char* const threads : {"1", "3"}) {
    const CommandResult result =
        Reprise({"verify", Forge("died", "escaped"), "--threads", threads});
    EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
    EXPECT_THAT(
        result.out,
        AllOf(HasSubstr("tick 6: the events differ"),
              HasSubstr("recorded is \"escaped mayfly timer=life\", this run "
                        "has \"died mayfly timer=life\"")));
  }
  const Json json = Json::parse(
      Reprise({"verify", Forge("died", "escaped"), "--format", "json"})
          .out)["files"][0];
  EXPECT_EQ(json["verdict"], "diverged");
  EXPECT_EQ(json["divergence"]["kind"], "events");
}

// A right file, and nothing in it that a run needs is missing.
TEST_F(EventsTest, EventsThatWereTakenOutAreMissed) {
  const std::string bytes = ReadFileBytes(replay_);
  const replays::Bytes edited = replays::EditReplay(
      std::as_bytes(std::span(bytes)), replays::Without(replays::kEventsTopic));
  const std::string path = folder_ + "/silent.mcap";
  WriteFileBytes(path,
                 {reinterpret_cast<const char*>(edited.data()), edited.size()});

  const CommandResult verified = Reprise({"verify", path});
  EXPECT_EQ(verified.exit_code, 1) << verified.out << verified.err;
  EXPECT_THAT(verified.out,
              AllOf(HasSubstr("tick 1: the events differ"),
                    HasSubstr("recorded is no event, this run has \"breed host "
                              "timer=go\"")));
  EXPECT_THAT(Reprise({"info", path}).out,
              ContainsRegex("events      0, and the end counts [0-9]+\n"));
  const CommandResult added =
      Reprise({"store", "add", path, "--store", folder_ + "/store"});
  EXPECT_EQ(added.exit_code, 2) << added.out;
  EXPECT_THAT(added.err, HasSubstr("events, and there are 0"));
  const std::string saved = folder_ + "/saved.mcap";
  const CommandResult recovered = Reprise({"recover", path, "--output", saved});
  EXPECT_THAT(recovered.out, HasSubstr("events, and there are 0"));
  EXPECT_EQ(Reprise({"verify", saved}).exit_code, 0);
}

TEST_F(EventsTest, TableHasARowEveryNthTick) {
  const CommandResult result =
      Reprise({"query", replay_, "--print",
               "tick, count(objects.type == 'fly')", "--every", "10"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), 6u) << result.out;
  EXPECT_THAT(lines[0], StartsWith("tick,time_s,"));
  EXPECT_THAT(lines[1], StartsWith("0,0,"));
  EXPECT_THAT(lines[5], StartsWith("40,"));
  EXPECT_EQ(Reprise({"query", replay_, "tick > 3", "--every", "10"}).exit_code,
            2);
  EXPECT_EQ(Reprise({"query", replay_, replay_, "--print", "tick"}).exit_code,
            2);
  EXPECT_EQ(Reprise({"query", replay_, "--print", "tick", "--count"}).exit_code,
            2);
}

}  // namespace
}  // namespace reprise::tests
