// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what was played outlasts the states that it led to, and goes
// without a call for each step, however deep a run is.

#include "replays/fuzzing/state_archive.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/tick.h"

namespace reprise::replays {
namespace {

using Step = std::shared_ptr<const PlayedStep>;

Step MakeStep(Step before, sim::Tick end) {
  auto step = std::make_shared<PlayedStep>();
  step->before = std::move(before);
  step->end = end;
  return step;
}

Step MakeChain(Step first, size_t count) {
  Step last = std::move(first);
  for (size_t i = 0; i < count; ++i) last = MakeStep(std::move(last), i + 1);
  return last;
}

constexpr size_t kDeep = 1'000'000;

TEST(PlayedStepTest, DeepRunGoesWithoutRecursion) {
  Step last = MakeChain(nullptr, kDeep);
  const std::weak_ptr<const PlayedStep> before = last->before;
  EXPECT_EQ(InputsOf(*last).tick_count, kDeep);
  last.reset();
  EXPECT_TRUE(before.expired());
}

TEST(PlayedStepTest, StepThatAnotherRunGoesThroughStays) {
  const Step shared = MakeChain(nullptr, 3);
  Step one = MakeChain(shared, kDeep);
  const Step other = MakeStep(shared, 9);
  one.reset();
  EXPECT_EQ(other->before, shared);
  EXPECT_EQ(shared.use_count(), 2);
  ASSERT_NE(shared->before, nullptr);
  EXPECT_EQ(shared->before->end, 2u);
}

// More states than are kept, each the end of a run of its own, which only
// tables tell apart.
constexpr size_t kMany = 9000;

void AddMany(StateArchive& archive) {
  const Step start = MakeStep(nullptr, 0);
  for (size_t i = 0; i <= kMany; ++i) {
    auto state = std::make_unique<ArchivedState>();
    state->tick = i;
    state->played = i == 0 ? start : MakeStep(start, i);
    archive.Add(std::move(state));
  }
}

TEST(StateArchiveTest, RunsOfDroppedStatesAreTakenWhereTheyAreKept) {
  StateArchive archive(/*score_count=*/0, UINT64_MAX);
  AddMany(archive);
  EXPECT_GT(archive.DropLeastUseful(/*keeps_runs=*/true), 0u);
  EXPECT_LT(archive.states().size(), kMany);
  EXPECT_EQ(archive.TakeRuns(/*has_all=*/true).size(), kMany);
  EXPECT_TRUE(archive.TakeRuns(/*has_all=*/true).empty());
}

TEST(StateArchiveTest, RunsThatOnlyTablesTellApartAreLeftOut) {
  StateArchive archive(/*score_count=*/0, UINT64_MAX);
  AddMany(archive);
  archive.DropLeastUseful(/*keeps_runs=*/true);
  EXPECT_TRUE(archive.TakeRuns(/*has_all=*/false).empty());
}

}  // namespace
}  // namespace reprise::replays
