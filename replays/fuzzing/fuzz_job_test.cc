// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that jobs make runs again in ways that must not matter by themselves,
// in few ticks and without the search becoming another one by it, and that what
// they find so comes down to the shortest run.

#include "replays/fuzzing/fuzz_job.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "gtest/gtest.h"
#include "replays/fuzzing/checks/testing_flaws.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/minimizing/minimization.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

std::unique_ptr<sim::Simulation> MakeTiny() {
  return *TinySimulation::Create(MakeTinyPack(), /*seed=*/1);
}

FuzzRules RulesOf(const sim::Simulation& start) {
  auto rules = FuzzRules::Create({}, start);
  EXPECT_TRUE(rules.ok()) << rules.status();
  return *std::move(rules);
}

TEST(FuzzJobTest, MistakeIsFoundAndMadeShort) {
  const WritesWhenWatched start(MakeTiny());
  auto campaign = *FuzzCampaign::Create(start, RulesOf(start), {.seed = 1});
  for (int round = 0; round < 16; ++round) campaign->RunRound(4096);
  ASSERT_EQ(campaign->failures().size(), 1);
  const auto& [signature, found] = *campaign->failures().begin();
  EXPECT_EQ(signature, "perturbation watched board.pieces.y");
  EXPECT_EQ(found.inputs.tick_count, found.failure.tick);
  const auto small = MinimizeRun(start, RulesOf(start), found.inputs, {});
  ASSERT_TRUE(small.ok()) << small.status();
  EXPECT_EQ(small->failure.signature, signature);
  EXPECT_EQ(small->inputs.tick_count, 1u);
  EXPECT_TRUE(small->changes.empty());
}

// What minimizing says of it is what the search said.
TEST(FuzzJobTest, MistakeThatTakesASecondSimulationKeepsItsName) {
  const KnowsOneGame start(MakeTiny());
  auto campaign = *FuzzCampaign::Create(start, RulesOf(start), {.seed = 1});
  for (int round = 0; round < 16; ++round) campaign->RunRound(4096);
  ASSERT_EQ(campaign->failures().size(), 1);
  const auto& [signature, found] = *campaign->failures().begin();
  EXPECT_EQ(signature, "perturbation accompanied board.pieces.y");
  const auto small = MinimizeRun(start, RulesOf(start), found.inputs, {});
  ASSERT_TRUE(small.ok()) << small.status();
  EXPECT_EQ(small->failure.signature, signature);
  EXPECT_EQ(small->inputs.tick_count, 1u);
  EXPECT_TRUE(small->changes.empty());
}

TEST(FuzzJobTest, SearchIsTheSameWithoutAndTicksAreFew) {
  const auto start = MakeTiny();
  const auto run = [&](uint64_t interval) {
    auto campaign = *FuzzCampaign::Create(
        *start, RulesOf(*start),
        {.seed = 4, .jobs = 2, .perturbation_check_interval = interval});
    for (int round = 0; round < 8; ++round) campaign->RunRound(8192);
    EXPECT_TRUE(campaign->failures().empty());
    return std::pair(campaign->TakeRuns(true), campaign->progress());
  };
  const auto with = run(64);
  auto without = run(0);
  EXPECT_EQ(without.second.perturbed_ticks, 0u);
  EXPECT_GT(with.second.perturbed_ticks, 0u);
  // A 64th of the pieces, of each 64 ticks at most; one beside it makes half as
  // many.
  EXPECT_LE(with.second.perturbed_ticks, with.second.pieces / 64 * 96);
  EXPECT_LT(10 * with.second.perturbed_ticks, with.second.ticks);
  EXPECT_EQ(with.first, without.first);
  without.second.perturbed_ticks = with.second.perturbed_ticks;
  EXPECT_EQ(with.second, without.second);
}

}  // namespace
}  // namespace reprise::replays
