// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a campaign finds what small packs hide, in far fewer ticks than
// random inputs, that it finds the same again, and that what it found comes
// down to the fewest inputs there can be. finding_main prints the long table.

#include "tests/fuzzing/finding.h"

#include <vector>

#include "gtest/gtest.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/fuzz_rules.h"
#include "replays/fuzzing/minimization.h"

namespace reprise::tests {
namespace {

using replays::FuzzCampaign;
using replays::FuzzRules;

constexpr uint64_t kSeeds = 3;

Finding CampaignsOf(const std::string& pack, uint64_t ticks_max) {
  const auto start = OpenFuzzingPack(pack);
  std::vector<Finding> findings;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    findings.push_back(FindByCampaign(*start, seed, ticks_max));
  }
  return MedianOf(findings);
}

TEST(FindingTest, CampaignOpensTheLockWhereRandomInputsDoNot) {
  const Finding campaign = CampaignsOf("lock", 400'000);
  EXPECT_TRUE(campaign.is_found);
  const Finding random = FindByRandomInputs(
      *OpenFuzzingPack("lock"), 1, 10 * campaign.ticks, /*run_ticks=*/3600);
  EXPECT_FALSE(random.is_found) << random.ticks;
  RecordProperty("ticks", static_cast<int>(campaign.ticks));
}

TEST(FindingTest, CampaignRingsTheBellBehindTheMaze) {
  const Finding campaign = CampaignsOf("maze", 400'000);
  EXPECT_TRUE(campaign.is_found);
  const Finding random = FindByRandomInputs(
      *OpenFuzzingPack("maze"), 1, 2 * campaign.ticks, /*run_ticks=*/3600);
  EXPECT_FALSE(random.is_found) << random.ticks;
}

TEST(FindingTest, CampaignHopsToTheLastStone) {
  const Finding campaign = CampaignsOf("hops", 400'000);
  EXPECT_TRUE(campaign.is_found);
  const Finding random = FindByRandomInputs(
      *OpenFuzzingPack("hops"), 1, 2 * campaign.ticks, /*run_ticks=*/3600);
  EXPECT_FALSE(random.is_found) << random.ticks;
}

TEST(FindingTest, SameSeedBudgetAndJobsFindTheSame) {
  const auto start = OpenFuzzingPack("maze");
  const auto run = [&start](uint64_t seed) {
    const auto rules = FuzzRules::Create(start->description().fuzzing, *start);
    auto campaign =
        *FuzzCampaign::Create(*start, *rules, {.seed = seed, .jobs = 3});
    for (int round = 0; round < 4; ++round) campaign->RunRound(20'000);
    return std::pair(campaign->TakeRuns(true), campaign->progress());
  };
  const auto one = run(5);
  const auto same = run(5);
  EXPECT_EQ(one.first, same.first);
  EXPECT_EQ(one.second, same.second);
  EXPECT_NE(run(6).first, one.first);
}

TEST(FindingTest, LocksFailureComesDownToTenPresses) {
  const auto start = OpenFuzzingPack("lock");
  const auto rules = FuzzRules::Create(start->description().fuzzing, *start);
  ASSERT_TRUE(rules.ok());
  auto campaign = *FuzzCampaign::Create(*start, *rules, {.seed = 1});
  while (campaign->failures().empty() &&
         campaign->progress().ticks < 1'000'000) {
    campaign->RunRound(4096);
  }
  ASSERT_EQ(campaign->failures().size(), 1);
  const replays::FoundFailure& found = campaign->failures().begin()->second;
  EXPECT_EQ(found.failure.signature, "unreachable opened");
  const auto small = replays::MinimizeRun(*start, *rules, found.inputs, {});
  ASSERT_TRUE(small.ok()) << small.status();
  EXPECT_TRUE(small->is_done);
  EXPECT_EQ(small->failure.signature, "unreachable opened");
  // Ten presses; only where a button comes twice in a row it has to be let go.
  EXPECT_LE(small->changes.size(), 18);
  EXPECT_GE(small->changes.size(), 10);
  EXPECT_LT(small->inputs.tick_count, 40u);
}

}  // namespace
}  // namespace reprise::tests
