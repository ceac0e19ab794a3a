// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a run which fails only by what is made beside it is found to fail
// by that, under its name, and that both states are there afterwards.

#include "replays/fuzzing/checks/run_check.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/perturbed_run.h"
#include "replays/fuzzing/checks/testing_flaws.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

using testing::HasSubstr;

std::unique_ptr<sim::Simulation> MakeTiny() {
  return *TinySimulation::Create(MakeTinyPack(), /*seed=*/1);
}

// The runner goes right from tick 3 on.
const std::vector<TickInputs> kInputs = {
    {.tick = 3,
     .frames = {{.player = 0, .device = {.axes = {sim::kAxisMax}}}}}};

FuzzRules RulesOf(const sim::Simulation& start) {
  auto rules = FuzzRules::Create({}, start);
  EXPECT_TRUE(rules.ok()) << rules.status();
  return *std::move(rules);
}

TEST(RunCheckTest, ShadowThatShowsTheFailureIsNamed) {
  const WritesWhenWatched start(MakeTiny());
  const FuzzRules rules = RulesOf(start);
  RunShadow shadow;
  const auto failure =
      FindFailure(start, rules, {.ticks = kInputs, .tick_count = 40}, &shadow);
  ASSERT_TRUE(failure.ok()) << failure.status();
  EXPECT_EQ(failure->signature, "perturbation watched board.pieces.y");
  EXPECT_THAT(failure->message, HasSubstr("a run that was looked at: "));
  EXPECT_EQ(failure->tick, 1u);
  EXPECT_EQ(shadow.perturbation, Perturbation::kWatched);
  EXPECT_FALSE(shadow.is_restored);
  EXPECT_EQ(FindFailure(start, rules, {.ticks = kInputs, .tick_count = 40},
                        nullptr, RunShadows().first(2))
                .status()
                .code(),
            absl::StatusCode::kNotFound);
}

// Two simulations that take turns fail by one another, whatever is done to one
// of them.
TEST(RunCheckTest, FailureThatTakesASecondSimulationIsNamedByThat) {
  for (const bool knows_one_game : {true, false}) {
    std::unique_ptr<sim::Simulation> start;
    if (knows_one_game) {
      start = std::make_unique<KnowsOneGame>(MakeTiny());
    } else {
      start = std::make_unique<SharesAVariable>(MakeTiny());
    }
    const FuzzRules rules = RulesOf(*start);
    RunShadow shadow;
    const auto failure = FindFailure(
        *start, rules, {.ticks = kInputs, .tick_count = 40}, &shadow);
    ASSERT_TRUE(failure.ok()) << failure.status();
    EXPECT_EQ(failure->signature, "perturbation accompanied board.pieces.y");
    EXPECT_EQ(shadow.perturbation, Perturbation::kAccompanied);
    EXPECT_FALSE(shadow.is_restored);
    // The oracle that goes by it says the same of the run up to there.
    RunCheck check(&rules, *start, shadow);
    EXPECT_EQ(check.Run(kInputs, failure->tick), *failure);
    EXPECT_EQ(check.tick(), failure->tick);
    EXPECT_EQ(check.Run(kInputs, failure->tick - 1), std::nullopt);
  }
}

TEST(RunCheckTest, FailureThatTakesASavedStateIsNamedByThat) {
  const ForgetsByRestoring start(MakeTiny());
  const FuzzRules rules = RulesOf(start);
  RunShadow shadow;
  const auto failure =
      FindFailure(start, rules, {.ticks = kInputs, .tick_count = 40}, &shadow);
  ASSERT_TRUE(failure.ok()) << failure.status();
  EXPECT_EQ(failure->signature, "restore board.pieces.y");
  EXPECT_THAT(failure->message, HasSubstr("the state saved at tick 16: "));
  EXPECT_EQ(failure->tick, 20u);
  EXPECT_TRUE(shadow.is_restored);
}

// It takes a saved state alone, though a second simulation shows it, too, and
// that of the first tick doesn't.
TEST(RunCheckTest, VariableThatIsNoStateIsNamedByASavedState) {
  const CountsForAll start(MakeTiny());
  const FuzzRules rules = RulesOf(start);
  RunShadow shadow;
  const auto failure =
      FindFailure(start, rules, {.ticks = kInputs, .tick_count = 40}, &shadow);
  ASSERT_TRUE(failure.ok()) << failure.status();
  EXPECT_EQ(failure->signature, "restore board.pieces.y");
  EXPECT_TRUE(shadow.is_restored);
}

TEST(RunCheckTest, StatesOfBothRunsAreThereAfterAFailure) {
  const LosesByMoving start(MakeTiny());
  const FuzzRules rules = RulesOf(start);
  RunCheck check(&rules, start, {.perturbation = Perturbation::kMoved});
  const auto failure = check.Run(kInputs, 40);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->signature, "perturbation moved board.pieces.y");
  ASSERT_NE(check.shadow_state(), nullptr);
  EXPECT_NE(check.shadow_state()->ComputeRootDigest(),
            check.state().ComputeRootDigest());
}

}  // namespace
}  // namespace reprise::replays
