// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a soft lock is found, at the tick that made it, and that a game
// without one has none.

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/goals/soft_locks.h"
#include "replays/fuzzing/minimizing/minimization.h"
#include "sim/base/id.h"
#include "sim/input/input_frame.h"
#include "tests/fuzzing/finding.h"

namespace reprise::tests {
namespace {

using replays::FindSoftLocks;

// In the well's game it takes two commands, so that this finds a way with
// certainty; where there is none, it is soon searched through.
constexpr uint64_t kGoalTicks = 10'000;

std::vector<replays::PlayedInputs> EndsOf(const HidingGame& game,
                                          replays::FuzzRules rules) {
  auto campaign = *replays::FuzzCampaign::Create(*game.start, std::move(rules),
                                                 {.seed = 1});
  campaign->RunRound(replays::FuzzCampaign::kRoundTicks);
  return campaign->OpenEnds(8);
}

TEST(SoftLockTest, KeyInTheWellIsFoundAtTheTickItIsThrown) {
  const HidingGame game = OpenGame("well");
  const auto ends = EndsOf(game, game.rules);
  ASSERT_FALSE(ends.empty());
  const auto locks = FindSoftLocks(
      *game.start, ends, {.goal = "outcome == won", .goal_ticks = kGoalTicks});
  ASSERT_TRUE(locks.ok()) << locks.status();
  ASSERT_TRUE(locks->failure.has_value());
  EXPECT_GE(locks->states_tried, locks->states_locked);
  EXPECT_EQ(locks->failure->count, locks->states_locked);
  EXPECT_EQ(locks->failure->failure.signature, "soft lock");
  const replays::PlayedInputs& inputs = locks->failure->inputs;
  EXPECT_EQ(inputs.tick_count, locks->failure->failure.tick);
  ASSERT_FALSE(inputs.ticks.empty());
  EXPECT_EQ(inputs.ticks.back().tick + 1, inputs.tick_count);
  const auto& commands = inputs.ticks.back().frames.front().commands;
  EXPECT_EQ(
      std::ranges::count(commands, sim::IdOf("throw"), &sim::Command::name), 1);
}

TEST(SoftLockTest, NobodyThrowsTheKeyAndNothingIsLocked) {
  const HidingGame game = OpenGame("well");
  replays::FuzzRules rules = game.rules;
  rules.description.never_used = {"throw"};
  const auto ends = EndsOf(game, rules);
  ASSERT_FALSE(ends.empty());
  const auto locks = FindSoftLocks(
      *game.start, ends, {.goal = "outcome == won", .goal_ticks = kGoalTicks});
  ASSERT_TRUE(locks.ok()) << locks.status();
  EXPECT_GT(locks->states_tried, 0u);
  EXPECT_EQ(locks->states_locked, 0u);
  EXPECT_FALSE(locks->failure.has_value());
}

// Of what a search did before, what it takes: the key, and throwing it away.
TEST(SoftLockTest, RunIsMadeShortWhileItLocks) {
  const HidingGame game = OpenGame("well");
  const replays::SoftLockOptions options = {.goal = "outcome == won",
                                            .goal_ticks = kGoalTicks};
  const auto locks =
      FindSoftLocks(*game.start, EndsOf(game, game.rules), options);
  ASSERT_TRUE(locks.ok()) << locks.status();
  ASSERT_TRUE(locks->failure.has_value());
  const auto oracle =
      replays::SoftLockOracle::Create(game.start.get(), options);
  ASSERT_TRUE(oracle.ok()) << oracle.status();

  const replays::MinimizedRun small =
      MinimizeRun(game.start->info().inputs, **oracle, locks->failure->inputs,
                  "soft lock", {});

  EXPECT_TRUE(small.is_done);
  EXPECT_EQ(small.failure.signature, "soft lock");
  EXPECT_EQ(small.failure.tick, 2u);
  ASSERT_EQ(small.inputs.ticks.size(), 2u);
  EXPECT_EQ(small.inputs.ticks[0].frames.front().commands.front().name,
            sim::IdOf("take"));
  EXPECT_EQ(small.inputs.ticks[1].frames.front().commands.front().name,
            sim::IdOf("throw"));
  // Without the throw there is a way.
  EXPECT_FALSE((*oracle)->Run(std::span(small.inputs.ticks).first(1), 2));
}

TEST(SoftLockTest, GoalThatIsNoneIsSaid) {
  const HidingGame game = OpenGame("well");
  const auto never = FindSoftLocks(
      *game.start, {}, {.goal = "outcome == lost", .goal_ticks = kGoalTicks});
  EXPECT_EQ(never.status().code(), absl::StatusCode::kNotFound);
  const auto wrong = FindSoftLocks(*game.start, {}, {.goal = "tick + 1"});
  EXPECT_EQ(wrong.status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace reprise::tests
