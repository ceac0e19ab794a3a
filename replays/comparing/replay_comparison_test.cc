// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the digests of two replays lead to their difference wherever it
// is made, exactly as stepping from the start does, and at the cost of a
// keyframe interval, or of one verification where the pack is another one,
// counted in ticks; that equal replays cost nothing; and that recordings which
// contradict what this build makes of them are told from runs that differ.

#include "replays/comparing/replay_comparison.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"

namespace reprise::replays {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr sim::Tick kTicks = 400;
constexpr uint64_t kDigestStride = 10;
constexpr uint64_t kKeyframeStride = 40;

// Another place for the drifter at `tick`, from where it goes on.
Injection NudgeAt(sim::Tick tick) {
  return OneUlpMore(*MakeTiny(), "board", "pieces", 1, "x", tick);
}

// A recording, and the simulation that it came from.
struct Recorded {
  explicit Recorded(TinyRecordingOptions options)
      : file(RecordTiny(options)),
        replay(*OpenReplay(file)),
        simulation(MakeTiny(), options.injection.value_or(NudgeAt(kNever))) {}

  static constexpr sim::Tick kNever = sim::kTickMax;

  ReplaySide side() { return {replay.get(), &simulation}; }

  Bytes file;
  std::unique_ptr<ReplayReader> replay;
  InjectingSimulation simulation;
};

TinyRecordingOptions Options(std::optional<sim::Tick> nudge = std::nullopt) {
  TinyRecordingOptions options;
  options.tick_count = kTicks;
  options.writer.digest_stride = kDigestStride;
  options.writer.keyframe_stride = kKeyframeStride;
  if (nudge) options.injection = NudgeAt(*nudge);
  return options;
}

RunComparison Compare(Recorded& expected, Recorded& actual) {
  return *CompareReplays(expected.side(), actual.side(), {.growth_ticks = 0});
}

TEST(ReplayComparisonTest, EqualReplaysCostNothing) {
  Recorded a(Options());
  Recorded b(Options());

  const RunComparison comparison = Compare(a, b);

  EXPECT_TRUE(comparison.is_equal());
  EXPECT_EQ(comparison.ticks_compared, kTicks);
  EXPECT_EQ(comparison.ticks_stepped, 0u);
  EXPECT_EQ(a.simulation.step_count(), 0u);
}

TEST(ReplayComparisonTest, DifferenceIsFoundAtEveryTickForAnInterval) {
  for (sim::Tick tick = 0; tick < kTicks; tick += 7) {
    Recorded a(Options());
    Recorded b(Options(tick));

    const RunComparison comparison = Compare(a, b);

    ASSERT_TRUE(comparison.divergence.has_value()) << tick;
    ASSERT_EQ(comparison.divergence->last_equal_tick, tick);
    ASSERT_TRUE(comparison.divergence->is_exact()) << tick;
    ASSERT_EQ(comparison.divergence->phase, "input") << tick;
    ASSERT_EQ(comparison.divergence->fields[0].field, "x") << tick;
    // The tick of the difference is made three times: to see it, to look
    // between its phases, and to watch who writes.
    const uint64_t ticks_max = kKeyframeStride + kDigestStride + 2;
    ASSERT_LE(a.simulation.step_count(), ticks_max) << tick;
    ASSERT_LE(b.simulation.step_count(), ticks_max) << tick;
    ASSERT_EQ(comparison.ticks_stepped,
              a.simulation.step_count() + b.simulation.step_count());
  }
}

TEST(ReplayComparisonTest, StridesThatDifferShareSomeDigests) {
  TinyRecordingOptions options = Options(333);
  options.writer.digest_stride = 4;
  Recorded a(Options());
  Recorded b(options);

  const absl::StatusOr<DigestBracket> bracket =
      FindDigestBracket(*a.replay, *b.replay);

  ASSERT_TRUE(bracket.ok()) << bracket.status();
  EXPECT_EQ(bracket->last_equal, 320u);
  EXPECT_EQ(bracket->first_different, 340u);
  EXPECT_EQ(Compare(a, b).divergence->last_equal_tick, 333u);
}

TEST(ReplayComparisonTest, ReplaysWithoutKeyframesAreRunFromTheStart) {
  TinyRecordingOptions options = Options();
  options.writer.keyframe_stride = 0;
  Recorded a(options);
  options.injection = NudgeAt(333);
  Recorded b(options);

  EXPECT_EQ(Compare(a, b).divergence->last_equal_tick, 333u);
  EXPECT_EQ(a.simulation.step_count(), 336u);
}

TEST(ReplayComparisonTest, DifferenceBehindTheLastDigestIsFound) {
  TinyRecordingOptions options = Options();
  options.tick_count = 395;
  Recorded a(options);
  options.injection = NudgeAt(393);
  Recorded b(options);

  EXPECT_EQ(Compare(a, b).divergence->last_equal_tick, 393u);
  EXPECT_LE(a.simulation.step_count(), kKeyframeStride + kDigestStride + 2);
}

TEST(ReplayComparisonTest, CutOffReplayIsComparedAsFarAsItGoes) {
  TinyRecordingOptions options = Options(333);
  options.is_finished = false;
  Recorded a(Options());
  Recorded b(options);

  EXPECT_EQ(Compare(a, b).divergence->last_equal_tick, 333u);
}

TEST(ReplayComparisonTest, EmptyReplayIsEqualAsFarAsItGoes) {
  TinyRecordingOptions options = Options();
  options.tick_count = 0;
  Recorded a(Options());
  Recorded b(options);

  const RunComparison comparison = Compare(a, b);

  EXPECT_FALSE(comparison.divergence.has_value());
  EXPECT_FALSE(comparison.is_equal());
  EXPECT_EQ(comparison.ticks_compared, 0u);
}

TEST(ReplayComparisonTest, InputsThatDifferAreNamedAlthoughNotRun) {
  TinyRecordingOptions options = Options();
  options.is_idle = true;
  Recorded a(Options());
  Recorded b(options);

  const RunComparison comparison = Compare(a, b);

  ASSERT_TRUE(comparison.first_input_difference.has_value());
  EXPECT_EQ(comparison.divergence->last_equal_tick,
            comparison.first_input_difference);
}

TEST(ReplayComparisonTest, OnlyTheRecordingsMayDiffer) {
  Recorded a(Options());
  Recorded b(Options(333));
  const std::unique_ptr<sim::Simulation> b_now = MakeTiny();

  const RunComparison comparison =
      *CompareReplays(a.side(), {b.replay.get(), b_now.get()}, {});

  const Divergence& divergence = comparison.divergence.value();
  EXPECT_THAT(divergence.remark, HasSubstr("only the recordings differ"));
  EXPECT_EQ(divergence.last_equal_tick, 330u);
  EXPECT_EQ(divergence.first_different_tick, 340u);
  EXPECT_THAT(divergence.rooms, ElementsAre("board"));
  // Those of the next keyframe.
  EXPECT_EQ(divergence.fields_tick, 360u);
  EXPECT_FALSE(divergence.fields.empty());
}

TEST(ReplayComparisonTest, BuildThatPlaysAnotherRunIsTold) {
  Recorded a(Options());
  Recorded b(Options(333));
  InjectingSimulation wrong(MakeTiny(), NudgeAt(325));

  const RunComparison comparison =
      *CompareReplays({a.replay.get(), &wrong}, b.side(), {});

  EXPECT_EQ(comparison.divergence->last_equal_tick, 325u);
  EXPECT_THAT(comparison.divergence->remark,
              HasSubstr("the recordings are equal up to tick 330"));
}

TEST(ReplayComparisonTest, StatesOfBothSidesAndTheChainAreKept) {
  Recorded a(Options());
  Recorded b(Options(333));

  const RunComparison comparison = Compare(a, b);

  const DivergedStates& states = comparison.states.value();
  EXPECT_EQ(states.tick, 333u);
  EXPECT_NE(states.expected.ComputeRootDigest(),
            states.actual.ComputeRootDigest());
  // The chain of the same run, recorded at every tick.
  TinyRecordingOptions dense = Options();
  dense.writer.digest_stride = 1;
  Recorded all(dense);
  const auto entry = *all.replay->ReadDigests(333)->Next();
  EXPECT_EQ(states.chain, entry->chain);
  EXPECT_EQ(states.before.ComputeRootDigest(), entry->root);
}

TEST(ReplayComparisonTest, AnotherPackIsNamedExactly) {
  Recorded a(Options());
  const std::unique_ptr<sim::Simulation> faster =
      MakeTiny(7, MakeTinyPack(0.11));

  const RunComparison comparison =
      *CompareReplays(a.side(), {a.replay.get(), faster.get()}, {});

  EXPECT_TRUE(comparison.divergence->is_exact());
  EXPECT_EQ(comparison.divergence->phase, "move");
  EXPECT_EQ(comparison.first_input_difference, std::nullopt);
}

// A pack that plays as the recorded one does, until it is nudged.
InjectingSimulation MakeChanged(sim::Tick tick = Recorded::kNever) {
  return InjectingSimulation(MakeTiny(7, MakeTinyPack(0.1, /*goal=*/1e9)),
                             NudgeAt(tick));
}

TEST(ReplayComparisonTest, AnotherPackCostsOneVerificationAndTwoStrides) {
  for (sim::Tick tick = 0; tick < kTicks; tick += 7) {
    Recorded a(Options());
    InjectingSimulation changed = MakeChanged(tick);

    const RunComparison comparison = *CompareReplays(
        a.side(), {a.replay.get(), &changed}, {.growth_ticks = 0});

    ASSERT_TRUE(comparison.divergence.has_value()) << tick;
    ASSERT_EQ(comparison.divergence->last_equal_tick, tick);
    ASSERT_EQ(comparison.divergence->phase, "input") << tick;
    ASSERT_EQ(comparison.divergence->fields[0].field, "x") << tick;
    ASSERT_EQ(comparison.divergence->remark, "") << tick;
    // The tick of the difference is made three times by either side.
    ASSERT_LE(a.simulation.step_count(), kDigestStride + 2) << tick;
    ASSERT_LE(comparison.ticks_stepped, tick + 3 * kDigestStride + 4) << tick;
    ASSERT_LE(comparison.ticks_stepped, 2 * kTicks) << tick;
    ASSERT_EQ(comparison.ticks_stepped,
              a.simulation.step_count() + changed.step_count());
  }
}

TEST(ReplayComparisonTest, AnotherPackThatPlaysTheSameCostsOneVerification) {
  Recorded a(Options());
  InjectingSimulation changed = MakeChanged();

  const RunComparison comparison =
      *CompareReplays(a.side(), {a.replay.get(), &changed}, {});

  EXPECT_TRUE(comparison.is_equal());
  EXPECT_EQ(comparison.ticks_compared, kTicks);
  EXPECT_EQ(comparison.ticks_stepped, kTicks);
  EXPECT_EQ(a.simulation.step_count(), 0u);
}

TEST(ReplayComparisonTest, AnotherPackWithFewDigestsCostsTwoRuns) {
  TinyRecordingOptions options = Options();
  options.writer.digest_stride = kTicks / 2;
  Recorded a(options);
  InjectingSimulation changed = MakeChanged(kTicks - 1);

  const RunComparison comparison = *CompareReplays(
      a.side(), {a.replay.get(), &changed}, {.growth_ticks = 0});

  EXPECT_EQ(comparison.divergence->last_equal_tick, kTicks - 1);
  EXPECT_LE(comparison.ticks_stepped, 2 * (kTicks + 2));
}

TEST(ReplayComparisonTest, DifferenceOfAnotherPackIsFollowedAndKept) {
  Recorded a(Options());
  InjectingSimulation changed = MakeChanged(333);

  const RunComparison comparison =
      *CompareReplays(a.side(), {a.replay.get(), &changed}, {});

  EXPECT_EQ(comparison.growth->samples.front().tick, 334u);
  TinyRecordingOptions dense = Options();
  dense.writer.digest_stride = 1;
  Recorded all(dense);
  EXPECT_EQ(comparison.states->chain,
            (*all.replay->ReadDigests(333)->Next())->chain);
}

TEST(ReplayComparisonTest, RecordingThatNoPackPlaysIsTold) {
  Recorded a(Options(333));
  const std::unique_ptr<sim::Simulation> a_now = MakeTiny();
  InjectingSimulation changed = MakeChanged();

  const RunComparison alike = *CompareReplays({a.replay.get(), a_now.get()},
                                              {a.replay.get(), &changed}, {});

  EXPECT_EQ(alike.divergence->last_equal_tick, 330u);
  EXPECT_EQ(alike.divergence->first_different_tick, 340u);
  EXPECT_THAT(alike.divergence->remark,
              HasSubstr("on both packs it plays it alike"));
}

TEST(ReplayComparisonTest, FewDigestsAlsoShowThatNoPackPlaysTheRecording) {
  // The end is no multiple: it says itself what the last state was.
  TinyRecordingOptions options = Options(333);
  options.writer.digest_stride = kTicks / 2 - 50;
  Recorded a(options);
  const std::unique_ptr<sim::Simulation> a_now = MakeTiny();
  InjectingSimulation changed = MakeChanged();

  const RunComparison alike = *CompareReplays({a.replay.get(), a_now.get()},
                                              {a.replay.get(), &changed}, {});

  EXPECT_EQ(alike.divergence->first_different_tick, kTicks);
  EXPECT_EQ(alike.divergence->expected_root, a.replay->end()->root);
  EXPECT_THAT(alike.divergence->remark,
              HasSubstr("by tick 400 this build doesn't play the replay as it "
                        "was recorded"));
}

TEST(ReplayComparisonTest, DifferenceBehindTheRecordingsIsTold) {
  Recorded a(Options(333));
  const std::unique_ptr<sim::Simulation> a_now = MakeTiny();
  InjectingSimulation changed = MakeChanged(350);

  const RunComparison later = *CompareReplays({a.replay.get(), a_now.get()},
                                              {a.replay.get(), &changed}, {});

  EXPECT_EQ(later.divergence->last_equal_tick, 350u);
  EXPECT_THAT(later.divergence->remark,
              HasSubstr("by tick 340 this build doesn't play the replay"));
}

}  // namespace
}  // namespace reprise::replays
