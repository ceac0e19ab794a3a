// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves include/reprise/recording.h: what a game in plain C writes with it is
// a replay to every reader, its digests are those that the format's own library
// computes, its schemas say what the messages are, and the verbs that need no
// simulation understand it.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "gtest/gtest.h"
#include "replays/container/mcap_reader.h"
#include "replays/container/mcap_records.h"
#include "replays/format/digest_batch.h"
#include "replays/format/replay_reader.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/run_end.pb.h"
#include "sim/base/digest.h"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace {

// How often memory is still given before it is refused, once; -1: always.
int allocations_left = -1;

void* ReallocateOrRefuse(void* memory, size_t size) {
  if (allocations_left >= 0 && allocations_left-- == 0) return nullptr;
  return std::realloc(memory, size);
}

}  // namespace

#define REPRISE_RECORDING_IMPLEMENTATION
#define realloc ReallocateOrRefuse
#include "include/reprise/recording.h"
#undef realloc

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr char kSource[] = "docs/examples/recording/volley.c";

// Builds the example as a user does, and plays it; once more with a mistake
// from tick 90 on.
class ForeignRecordingTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string program = TemporaryPath("volley");
    const CommandResult built =
        RunCommand({"cc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic",
                    "-Werror", "-I", "include", kSource, "-o", program});
    ASSERT_EQ(built.exit_code, 0) << built.err;
    ASSERT_EQ(RunCommand({program, Replay()}).exit_code, 0);
    ASSERT_EQ(RunCommand({program, Mistaken(), "90"}).exit_code, 0);
  }

  static std::string Replay() { return TemporaryPath("volley.mcap"); }
  static std::string Mistaken() { return TemporaryPath("mistaken.mcap"); }
};

TEST_F(ForeignRecordingTest, InfoAndCatSayWhatWasRecorded) {
  const CommandResult info = Reprise({"info", Replay()});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_THAT(info.out, AllOf(HasSubstr("simulation  volley, rules 0 (not in "),
                              HasSubstr("ticks       273 at 60 Hz"),
                              HasSubstr("outcome     won: three hits"),
                              HasSubstr("274, every 1 ticks, of ball player"),
                              HasSubstr("events      3\n")));

  const CommandResult cat = Reprise({"cat", Replay(), "--events"});
  EXPECT_EQ(cat.exit_code, 0) << cat.err;
  EXPECT_THAT(cat.out,
              AllOf(HasSubstr("ticks { tick: 0 frames { device { axes: "),
                    HasSubstr("hit")));
}

TEST_F(ForeignRecordingTest, StoreKeepsAndFindsIt) {
  const std::string store = TemporaryPath("foreign_store");
  RunCommand({"rm", "-rf", store});
  EXPECT_EQ(Reprise({"store", "add", Replay(), "--store", store}).exit_code, 0);

  const CommandResult list =
      Reprise({"store", "list", "--pack", "hall", "--store", store});

  EXPECT_THAT(list.out, HasSubstr("273  won"));
}

TEST_F(ForeignRecordingTest, DiffNamesTheTickAndTheRoom) {
  const CommandResult same = Reprise({"diff", Replay(), Replay()});
  EXPECT_EQ(same.exit_code, 0) << same.err;

  const CommandResult result = Reprise({"diff", Replay(), Mistaken()});

  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("no simulation 'volley'"));
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("tick 90, "), HasSubstr("ball.digest: ")));
}

TEST_F(ForeignRecordingTest, QueryAsksForEventsAndOutcome) {
  const CommandResult hits =
      Reprise({"query", Replay(), "event(hit) > 0", "--count"});
  EXPECT_EQ(hits.out, "3\n") << hits.err;
  const CommandResult won =
      Reprise({"query", Replay(), "outcome == won", "--first"});
  EXPECT_EQ(won.out, "tick 273\n") << won.err;
  EXPECT_EQ(Reprise({"query", Replay(), "event(miss) > 0"}).exit_code, 2);
}

// Not the pack that it lacks, which would be of no use.
TEST_F(ForeignRecordingTest, WhoWouldShowItNamesTheSimulation) {
  for (const std::string verb : {"view", "export", "render"}) {
    const CommandResult result =
        Reprise({verb, Replay(), "--output", TemporaryPath("foreign_shown")});
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("no simulation 'volley'"),
                                  HasSubstr("--plugin LIBRARY")));
  }
}

TEST_F(ForeignRecordingTest, NobodyTakesItForVerified) {
  const CommandResult result = Reprise({"verify", Replay(), "--allow-partial"});

  EXPECT_EQ(result.exit_code, 3) << result.out;
}

// A recording of so many rooms, held against the library's own digests.
TEST_F(ForeignRecordingTest, ChainsAreThoseOfXxh3ForAnyNumberOfRooms) {
  for (int rooms = 1; rooms <= REPRISE_ROOMS_MAX; ++rooms) {
    std::string names = "r0";
    for (int i = 1; i < rooms; ++i) names += fmt::format(",r{}", i);
    const std::string path = TemporaryPath("rooms.mcap");
    const reprise_recording_options options = {
        .game = "rooms", .rooms = names.c_str(), .ticks_per_second = 90};
    reprise_recording* const recording =
        reprise_record_begin(path.c_str(), &options);
    ASSERT_NE(recording, nullptr);
    std::array<uint64_t, REPRISE_ROOMS_MAX> digests = {};
    const auto next = [&digests] {
      for (uint64_t& digest : digests) {
        digest = sim::ExtendChain({digest}, {digest + 1}).value;
      }
      return digests.data();
    };
    for (int tick = 0; tick < 1300; ++tick) {
      reprise_record_state(recording, next());
    }
    ASSERT_EQ(reprise_record_end(recording, next(), REPRISE_LOST, "it rains"),
              0);

    const auto replay = replays::ReplayReader::OpenFile(path);
    ASSERT_TRUE(replay.ok()) << replay.status();
    EXPECT_TRUE((*replay)->file().VerifyWholeFile().ok());
    EXPECT_EQ((*replay)->tick_count(), 1300u);
    sim::Digest chain;
    uint64_t count = 0;
    const auto cursor = (*replay)->ReadDigests();
    for (auto entry = cursor->Next(); entry.ok() && entry->has_value();
         entry = cursor->Next()) {
      chain = sim::ExtendChain(chain, (*entry)->root);
      ASSERT_EQ((*entry)->chain, chain) << rooms << " rooms, " << count;
      ++count;
    }
    EXPECT_EQ(count, 1301u);
    EXPECT_EQ((*replay)->end()->chain, chain);
    EXPECT_EQ((*replay)->end()->outcome.reason, "it rains");
  }
}

// Of the fields that it has, each is one of the messages'.
TEST_F(ForeignRecordingTest, SchemasSayWhatTheMessagesAre) {
  const auto replay = replays::ReplayReader::OpenFile(Replay());
  ASSERT_TRUE(replay.ok()) << replay.status();
  int field_count = 0;
  for (const auto& [topic, real] :
       {std::pair("/inputs", v1::InputBatch::descriptor()),
        std::pair("/digests", v1::DigestBatch::descriptor()),
        std::pair("/events", v1::EventBatch::descriptor()),
        std::pair("/end", v1::RunEnd::descriptor())}) {
    const replays::McapReader& file = (*replay)->file();
    const replays::McapChannel* const channel = file.FindChannel(topic);
    ASSERT_NE(channel, nullptr);
    const replays::McapSchema* const schema =
        &file.schemas().at(channel->schema_id);
    EXPECT_EQ(schema->name, real->full_name());
    google::protobuf::FileDescriptorSet set;
    ASSERT_TRUE(set.ParseFromArray(schema->data.data(),
                                   static_cast<int>(schema->data.size())));
    google::protobuf::DescriptorPool pool;
    ASSERT_NE(pool.BuildFile(set.file(0)), nullptr);
    ASSERT_NE(pool.FindMessageTypeByName(schema->name), nullptr);
    for (const auto& message : set.file(0).message_type()) {
      const auto* const described =
          pool.FindMessageTypeByName("reprise.v1." + message.name());
      const auto* const known =
          google::protobuf::DescriptorPool::generated_pool()
              ->FindMessageTypeByName("reprise.v1." + message.name());
      ASSERT_NE(known, nullptr) << message.name();
      for (int i = 0; i < described->field_count(); ++i) {
        const auto* const field = described->field(i);
        const auto* const same = known->FindFieldByNumber(field->number());
        ASSERT_NE(same, nullptr) << field->full_name();
        EXPECT_EQ(field->name(), same->name());
        EXPECT_EQ(field->type(), same->type()) << field->full_name();
        EXPECT_EQ(field->is_repeated(), same->is_repeated());
        EXPECT_EQ(field->is_packed(), same->is_packed()) << field->full_name();
        ++field_count;
      }
    }
  }
  EXPECT_EQ(field_count, 24);
}

// What the players gave comes out as it went in, at the edges of its ranges.
TEST_F(ForeignRecordingTest, InputsComeOutAsTheyWentIn) {
  const std::string path = TemporaryPath("edges.mcap");
  const reprise_recording_options options = {.game = "edges",
                                             .seed = UINT64_MAX};
  reprise_recording* const recording =
      reprise_record_begin(path.c_str(), &options);
  ASSERT_NE(recording, nullptr);
  const uint64_t digest = 1;
  const reprise_device edge = {.buttons = UINT64_MAX,
                               .axes = {-32767, 32767, 0, 1, -1, 0, 0, 0}};
  const reprise_device rest = {};
  for (int tick = 0; tick < 10; ++tick) {
    reprise_record_state(recording, &digest);
    reprise_record_input(recording, 63, tick == 3 ? &edge : &rest);
  }
  ASSERT_EQ(reprise_record_end(recording, &digest, REPRISE_RUNNING, nullptr),
            0);

  const auto replay = replays::ReplayReader::OpenFile(path);
  ASSERT_TRUE(replay.ok()) << replay.status();
  EXPECT_EQ((*replay)->metadata().seed, UINT64_MAX);
  const auto inputs = (*replay)->ReadTickInputs();
  const auto held = inputs->Next();
  ASSERT_TRUE(held.ok() && held->has_value()) << held.status();
  EXPECT_EQ((*held)->tick, 3u);
  EXPECT_EQ((*held)->frames[0].player, 63u);
  EXPECT_EQ((*held)->frames[0].device.buttons, UINT64_MAX);
  EXPECT_THAT((*held)->frames[0].device.axes,
              testing::ElementsAre(-32767, 32767, 0, 1, -1, 0, 0, 0));
  const auto released = inputs->Next();
  ASSERT_TRUE(released.ok() && released->has_value());
  EXPECT_EQ((*released)->tick, 4u);
  EXPECT_EQ((*released)->frames[0].device.buttons, 0u);
}

TEST_F(ForeignRecordingTest, WhatAKilledGameWroteIsThere) {
  const std::string path = TemporaryPath("killed.mcap");
  const reprise_recording_options options = {.game = "killed"};
  reprise_recording* const recording =
      reprise_record_begin(path.c_str(), &options);
  ASSERT_NE(recording, nullptr);
  const uint64_t digest = 1;
  for (int tick = 0; tick < 1300; ++tick) {
    reprise_record_state(recording, &digest);
  }

  const CommandResult info = Reprise({"info", path});

  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_THAT(info.out, AllOf(HasSubstr("ticks       1200 at 60 Hz"),
                              HasSubstr("outcome     unknown: cut off")));
  EXPECT_EQ(reprise_record_end(recording, &digest, REPRISE_RUNNING, ""), 0);
}

// Whatever memory is missing for: either the file lacks nothing, or it is said.
TEST_F(ForeignRecordingTest, NothingIsLostSilentlyWithoutMemory) {
  const std::string path = TemporaryPath("memory.mcap");
  const reprise_recording_options options = {.game = "memory",
                                             .rooms = "ab,a,b"};
  const auto record = [&] {
    reprise_recording* const recording =
        reprise_record_begin(path.c_str(), &options);
    if (recording == nullptr) return 1;
    const std::array<uint64_t, 3> digests = {1, 2, 3};
    reprise_device device = {.buttons = 1, .axes = {1}};
    for (int tick = 0; tick < 650; ++tick) {
      reprise_record_state(recording, digests.data());
      if (tick % 300 != 0) continue;
      ++device.axes[0];
      reprise_record_input(recording, 0, &device);
      reprise_record_event(recording, "hit", "ball");
    }
    return reprise_record_end(recording, digests.data(), REPRISE_WON, "");
  };
  ASSERT_EQ(record(), 0);
  const std::string whole = ReadFileBytes(path);
  bool was_refused = true;
  int told = 0;
  for (int i = 0; was_refused; ++i) {
    ASSERT_LT(i, 10000);
    allocations_left = i;
    const int failed = record();
    was_refused = allocations_left < 0;
    allocations_left = -1;
    if (failed != 0) {
      ++told;
    } else {
      ASSERT_TRUE(ReadFileBytes(path) == whole) << "allocation " << i;
    }
  }
  EXPECT_GT(told, 50);
}

TEST_F(ForeignRecordingTest, RoomMayHaveTheNameOfTheReadersOwn) {
  const std::string path = TemporaryPath("own_room.mcap");
  const reprise_recording_options options = {.game = "own",
                                             .rooms = "recorded"};
  reprise_recording* const recording =
      reprise_record_begin(path.c_str(), &options);
  ASSERT_NE(recording, nullptr);
  const uint64_t digest = 1;
  reprise_record_state(recording, &digest);
  ASSERT_EQ(reprise_record_end(recording, &digest, REPRISE_WON, ""), 0);

  const CommandResult same = Reprise({"diff", path, path});

  EXPECT_EQ(same.exit_code, 0) << same.err;
}

TEST_F(ForeignRecordingTest, MistakesAreTold) {
  const std::string path = TemporaryPath("mistakes.mcap");
  for (const reprise_recording_options& options :
       {reprise_recording_options{},
        reprise_recording_options{.game = "a", .rooms = "a,,b"},
        reprise_recording_options{.game = "a", .rooms = ""},
        reprise_recording_options{.game = "a", .rooms = "a,b,a"},
        reprise_recording_options{.game = "a", .rooms = "b,ab,a,ab"},
        reprise_recording_options{.game = "a", .ticks_per_second = 1001}}) {
    EXPECT_EQ(reprise_record_begin(path.c_str(), &options), nullptr);
  }
  const reprise_recording_options options = {.game = "a"};
  EXPECT_EQ(reprise_record_begin("/nonexistent/a.mcap", &options), nullptr);
  const uint64_t digest = 1;
  const reprise_device device = {};
  reprise_recording* recording = reprise_record_begin(path.c_str(), &options);
  reprise_record_state(recording, &digest);
  reprise_record_input(recording, 64, &device);
  EXPECT_NE(reprise_record_end(recording, &digest, REPRISE_WON, ""), 0);
  recording = reprise_record_begin(path.c_str(), &options);
  EXPECT_NE(reprise_record_end(recording, &digest, 4, ""), 0);
  recording = reprise_record_begin("/dev/full", &options);
  EXPECT_NE(reprise_record_end(recording, &digest, REPRISE_WON, ""), 0);
}

}  // namespace
}  // namespace reprise::tests
