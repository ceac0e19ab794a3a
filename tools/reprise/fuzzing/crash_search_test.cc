// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a run which wants more memory than it may have is told as that,
// at its tick and with its inputs, by a process that lives on; and that a crash
// which takes somebody who looks at the run is told as that.

#include "tools/reprise/fuzzing/crash_search.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/perturbed_run.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/minimizing/minimization.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "tools/reprise/fuzzing/testing_greedy_simulation.h"
#include "tools/reprise/fuzzing/testing_shy_simulation.h"

namespace reprise::tools {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasSanitizer = true;
#else
constexpr bool kHasSanitizer = false;
#endif

constexpr ProcessLimits kLimits = {.memory_max_mib = 1024};

GreedySimulation MakeGreedy() {
  return GreedySimulation(
      *replays::TinySimulation::Create(replays::MakeTinyPack(), /*seed=*/1));
}

// A player steers at tick 10 and gives the command that eats memory at 40.
replays::PlayedInputs Inputs(sim::Tick tick_count) {
  sim::InputFrame steering;
  steering.device.axes[0] = 1000;
  sim::InputFrame command = steering;
  command.commands = {
      {.name = sim::IdOf("teleport"), .arguments = {int64_t{5}}}};
  return {.ticks = {{.tick = 10, .frames = {steering}},
                    {.tick = 40, .frames = {command}}},
          .tick_count = tick_count};
}

class CrashSearchTest : public testing::Test {
 protected:
  void SetUp() override {
    if (kHasSanitizer) GTEST_SKIP() << "sanitizers take more than any limit";
  }
};

TEST_F(CrashSearchTest, MemoryBeyondTheLimitIsAFailureOfItsTick) {
  const GreedySimulation start = MakeGreedy();
  ASSERT_TRUE(start.Validate(Inputs(60).ticks[1].frames).ok());
  const auto found = FindCrash(start, Inputs(60), kLimits);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->failure.signature, kNoMemory);
  EXPECT_EQ(found->failure.message, "the tick wants more than 1024 MiB");
  EXPECT_EQ(found->failure.tick, 41u);
  EXPECT_EQ(found->inputs, Inputs(41));
}

TEST_F(CrashSearchTest, RunThatEndsBeforeLives) {
  const GreedySimulation start = MakeGreedy();
  EXPECT_EQ(FindCrash(start, Inputs(40), kLimits).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(CrashSearchTest, RunOutOfMemoryIsMadeShort) {
  const GreedySimulation start = MakeGreedy();
  CrashOracle oracle(&start, &kLimits);
  const replays::MinimizedRun small = replays::MinimizeRun(
      start.info().inputs, oracle, Inputs(60), std::string(kNoMemory), {});
  EXPECT_EQ(small.failure.signature, kNoMemory);
  // The command alone, in the first tick.
  EXPECT_EQ(small.changes.size(), 1u);
  EXPECT_EQ(small.inputs.tick_count, 1u);
}

TEST_F(CrashSearchTest, CrashOfARunThatIsLookedAtTakesTheLooking) {
  const ShySimulation start(
      *replays::TinySimulation::Create(replays::MakeTinyPack(), /*seed=*/1));
  EXPECT_EQ(FindCrash(start, Inputs(60), kLimits).status().code(),
            absl::StatusCode::kNotFound);
  const auto crash = FindPerturbedCrash(start, Inputs(60), kLimits);
  ASSERT_TRUE(crash.ok()) << crash.status();
  EXPECT_EQ(crash->perturbation, replays::Perturbation::kWatched);
  EXPECT_EQ(crash->found.failure.signature,
            "perturbation watched crash SIGKILL");
  // After the tick it is looked at, too.
  EXPECT_EQ(crash->found.failure.tick, 5u);
  EXPECT_EQ(crash->found.inputs.tick_count, 5u);

  CrashOracle oracle(&start, &kLimits, crash->perturbation);
  const replays::MinimizedRun small =
      replays::MinimizeRun(start.info().inputs, oracle, crash->found.inputs,
                           crash->found.failure.signature, {});
  EXPECT_EQ(small.inputs.tick_count, 5u);
  EXPECT_TRUE(small.changes.empty());
}

}  // namespace
}  // namespace reprise::tools
