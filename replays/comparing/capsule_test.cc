// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a capsule is a replay of its own which leads to the difference
// again, at the tick where it was found, from a keyframe just before it; and
// that what is attached is what both runs came to.

#include "replays/comparing/capsule.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/comparing/replay_comparison.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/playing/replay_player.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/verifying/verifier.h"

namespace reprise::replays {
namespace {

constexpr sim::Tick kTicks = 400;
constexpr sim::Tick kNudge = 333;

Injection Nudge(sim::Tick tick = kNudge) {
  return OneUlpMore(*MakeTiny(), "board", "pieces", 1, "y", tick);
}

Bytes Record(bool is_nudged) {
  TinyRecordingOptions options;
  options.tick_count = kTicks;
  if (is_nudged) options.injection = Nudge();
  return RecordTiny(options);
}

// The capsule of a run and the same with a nudge.
Bytes WriteTestCapsule() {
  const Bytes expected = Record(false);
  const Bytes actual = Record(true);
  const std::unique_ptr<ReplayReader> left = *OpenReplay(expected);
  const std::unique_ptr<ReplayReader> right = *OpenReplay(actual);
  const std::unique_ptr<sim::Simulation> left_run = MakeTiny();
  InjectingSimulation right_run(MakeTiny(), Nudge());
  const ReplaySide a = {left.get(), left_run.get()};
  const ReplaySide b = {right.get(), &right_run};
  const RunComparison comparison = *CompareReplays(a, b, {});
  const Capsule capsule =
      *MakeCapsule(a, b, /*actual_pack=*/nullptr, comparison);
  Bytes file;
  MemorySink sink(&file);
  EXPECT_TRUE(WriteCapsule(capsule, "{\"a\": 1}", &sink).ok());
  return file;
}

TEST(CapsuleTest, IsAWholeReplayUpToTheDifference) {
  const Bytes file = WriteTestCapsule();
  const std::unique_ptr<ReplayReader> capsule = *OpenReplay(file);

  EXPECT_TRUE(IsCapsule(*capsule));
  EXPECT_TRUE(capsule->file().VerifyWholeFile().ok());
  EXPECT_EQ(capsule->tick_count(), kNudge + 1);
  EXPECT_EQ((*capsule->FindKeyframe(kTicks))->tick, kNudge + 1);
  EXPECT_EQ((*capsule->FindKeyframe(kNudge))->tick, kNudge);
  EXPECT_EQ(*capsule->FindKeyframe(kNudge - 1), std::nullopt);
  // It is the run as it should be, to the end.
  const VerificationReport report = *VerifyReplay(*capsule, {});
  EXPECT_TRUE(report.passed());
  EXPECT_EQ(report.ticks_verified, kNudge + 1);
}

TEST(CapsuleTest, BothRunsPartAgainAfterOneTick) {
  const Bytes file = WriteTestCapsule();
  const std::unique_ptr<ReplayReader> expected = *OpenReplay(file);
  const Bytes other = *ReadActualReplay(*expected);
  const std::unique_ptr<ReplayReader> actual = *OpenReplay(other);
  InjectingSimulation left(MakeTiny(), Nudge(sim::kTickMax));
  InjectingSimulation right(MakeTiny(), Nudge());

  const RunComparison comparison =
      *CompareReplays({expected.get(), &left}, {actual.get(), &right}, {});

  EXPECT_EQ(comparison.divergence->last_equal_tick, kNudge);
  EXPECT_EQ(comparison.divergence->phase, "input");
  EXPECT_EQ(comparison.divergence->fields[0].field, "y");
  // One tick, made three times.
  EXPECT_EQ(left.step_count(), 3u);
}

TEST(CapsuleTest, HoldsBothStatesAndTheReport) {
  const Bytes file = WriteTestCapsule();
  const std::unique_ptr<ReplayReader> capsule = *OpenReplay(file);
  const auto read = [&](std::string_view name) {
    const Bytes data =
        *capsule->file().ReadAttachment(*capsule->file().FindAttachment(name));
    return std::string(reinterpret_cast<const char*>(data.data()), data.size());
  };

  EXPECT_EQ(read(kReportAttachment), "{\"a\": 1}");
  EXPECT_EQ(read(kExpectedStateAttachment),
            (*capsule->FindKeyframe(kNudge + 1))->state);
  EXPECT_NE(read(kActualStateAttachment), read(kExpectedStateAttachment));
}

TEST(CapsuleTest, OfAVerificationFailsAsItDid) {
  // Recorded by a build with a mistake that this one lacks.
  const Bytes recorded = Record(true);
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(recorded);
  const VerificationReport failure = *VerifyReplay(*replay, {});
  ASSERT_FALSE(failure.passed());
  const absl::StatusOr<Capsule> made =
      MakeCapsule(*replay, /*pack=*/nullptr, *failure.divergence);
  ASSERT_TRUE(made.ok()) << made.status();
  Bytes file;
  MemorySink sink(&file);
  ASSERT_TRUE(WriteCapsule(*made, "{}", &sink).ok());
  const std::unique_ptr<ReplayReader> capsule = *OpenReplay(file);

  const VerificationReport again = *VerifyReplay(*capsule, {});

  ASSERT_TRUE(again.divergence.has_value());
  EXPECT_EQ(again.divergence->last_equal_tick,
            failure.divergence->last_equal_tick);
  EXPECT_EQ(again.divergence->first_different_tick,
            failure.divergence->first_different_tick);
  EXPECT_EQ(again.divergence->fields, failure.divergence->fields);
  // What this build made of it is a replay that it verifies.
  const Bytes other = *ReadActualReplay(*capsule);
  EXPECT_TRUE(VerifyReplay(**OpenReplay(other), {})->passed());
}

TEST(CapsuleTest, DifferencesWithoutATickHaveNone) {
  Divergence divergence;
  const Bytes recorded = Record(false);
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(recorded);

  EXPECT_EQ(MakeCapsule(*replay, nullptr, divergence).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ReadActualReplay(*replay).status().code(),
            absl::StatusCode::kNotFound);
}

// On another pack every tick from 0 on is played again: who waits is told.
TEST(CapsuleTest, LongWayToTheFailureIsTold) {
  const Bytes file = RecordTiny({.tick_count = 900});
  const auto replay = *OpenReplay(file);
  const sim::PackArchive pack = MakeTinyPack();
  Divergence divergence;
  divergence.last_equal_tick = 840;
  divergence.first_different_tick = 850;
  std::vector<sim::Tick> told;

  const auto capsule =
      MakeCapsule(*replay, &pack, divergence, [&](sim::Tick tick, sim::Tick) {
        told.push_back(tick);
        return absl::OkStatus();
      });
  const auto ended =
      MakeCapsule(*replay, &pack, divergence, [&](sim::Tick, sim::Tick) {
        return absl::CancelledError("no longer wanted");
      });

  EXPECT_TRUE(capsule.ok()) << capsule.status();
  EXPECT_THAT(told, testing::ElementsAre(256, 512, 768));
  EXPECT_TRUE(absl::IsCancelled(ended.status()));
}

}  // namespace
}  // namespace reprise::replays
