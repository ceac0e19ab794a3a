// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a campaign finds what small packs hide, in far fewer ticks than
// random inputs, that it finds the same again, and that what it found comes
// down to the fewest inputs there can be. finding_main prints the long table.

#include "tests/fuzzing/finding.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "replays/fuzzing/action_changes.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/fuzz_coverage.h"
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

TEST(FindingTest, CoverageSaysWhatNeverCame) {
  const auto start = OpenFuzzingPack("lock");
  auto rules = FuzzRules::Create(start->description().fuzzing, *start);
  ASSERT_TRUE(rules.ok());
  rules->unreachable.clear();
  auto campaign = *FuzzCampaign::Create(*start, *rules, {.seed = 1});
  const replays::FuzzCoverage before = CoverageOf(*campaign, *start);
  ASSERT_EQ(before.size(), 2);  // the lock is neither won nor lost
  EXPECT_EQ(before[0].name, "events");
  EXPECT_EQ(before[1].name, "actions");
  EXPECT_EQ(before[1].never,
            (std::vector<std::string>{"east", "north", "south", "west"}));
  campaign->RunRound(FuzzCampaign::kRoundTicks);
  const replays::FuzzCoverage after = CoverageOf(*campaign, *start);
  EXPECT_EQ(after[1].count, 4);
  EXPECT_TRUE(after[1].never.empty());
  EXPECT_EQ(std::ranges::count(before[0].never, "north"), 1);
  EXPECT_EQ(std::ranges::count(after[0].never, "north"), 0);
  EXPECT_EQ(std::ranges::count(after[0].never, "opened"), 1);
}

// What a player does at a tick, by a command without arguments.
struct Deed {
  sim::Tick tick = 0;
  uint32_t player = 0;
  std::string command;
};

replays::PlayedInputs InputsOf(const sim::Simulation& start,
                               const std::vector<Deed>& deeds) {
  const sim::InputGrammar& grammar = start.info().inputs;
  std::vector<replays::ActionChange> changes;
  for (const Deed& deed : deeds) {
    const auto action =
        std::ranges::find(grammar.actions, deed.command, &sim::Action::name);
    EXPECT_NE(action, grammar.actions.end()) << deed.command;
    changes.push_back(
        {.tick = deed.tick,
         .player = deed.player,
         .action = static_cast<uint32_t>(action - grammar.actions.begin()),
         .value = {}});
  }
  replays::HeldDevices held(grammar.player_count);
  return {.ticks = replays::ToTickInputs(grammar, changes, held),
          .tick_count = deeds.back().tick + 1};
}

// That a campaign fails as the witness does within `ticks_max` for every seed,
// in a tenth of what random inputs were given, and that the first one's failure
// comes down to at most 1.2 times what the witness does.
void ExpectFoundAsByWitness(const std::string& pack,
                            const std::vector<Deed>& witness,
                            uint64_t ticks_max) {
  const auto start = OpenFuzzingPack(pack);
  const auto rules = FuzzRules::Create(start->description().fuzzing, *start);
  ASSERT_TRUE(rules.ok()) << rules.status();
  const auto expected =
      replays::FindFailure(*start, *rules, InputsOf(*start, witness));
  ASSERT_TRUE(expected.ok()) << expected.status();
  EXPECT_EQ(expected->tick, witness.back().tick + 1);
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    EXPECT_TRUE(FindByCampaign(*start, seed, ticks_max).is_found) << seed;
  }
  EXPECT_FALSE(
      FindByRandomInputs(*start, 1, ticks_max, /*run_ticks=*/3600).is_found);
  auto campaign = *FuzzCampaign::Create(*start, *rules, {.seed = 1});
  while (campaign->failures().empty() &&
         campaign->progress().ticks < ticks_max) {
    campaign->RunRound(FuzzCampaign::kRoundTicks);
  }
  ASSERT_EQ(campaign->failures().count(expected->signature), 1);
  const auto small = replays::MinimizeRun(
      *start, *rules, campaign->failures().at(expected->signature).inputs, {});
  ASSERT_TRUE(small.ok()) << small.status();
  EXPECT_EQ(small->failure.signature, expected->signature);
  EXPECT_LE(10 * small->changes.size(), 12 * witness.size());
}

// Both have asked before either takes: there is no shorter way.
TEST(FindingTest, BothTakeTheOneCoinAsTheWitnessDoes) {
  std::vector<Deed> witness;
  for (const char* const command :
       {"card", "one", "two", "three", "four", "ask", "take"}) {
    const sim::Tick tick = witness.size() / 2;
    witness.push_back({tick, 0, command});
    witness.push_back({tick, 1, command});
  }
  ExpectFoundAsByWitness("race", witness, 400'000);
}

// The shortest way, as a search of all purses breadth-first has it.
TEST(FindingTest, TraderBecomesRichAsTheWitnessDoes) {
  std::vector<std::string> commands = {"buy", "buy", "brew", "enchant",
                                       "dismantle"};
  for (int round = 0; round < 4; ++round) {
    for (const char* const command : {"brew", "enchant", "dismantle", "brew",
                                      "brew", "sell", "enchant", "dismantle"}) {
      commands.emplace_back(command);
    }
  }
  for (const char* const command :
       {"brew", "enchant", "dismantle", "brew", "brew", "sell", "sell"}) {
    commands.emplace_back(command);
  }
  std::vector<Deed> witness;
  for (const std::string& command : commands) {
    witness.push_back({witness.size(), 0, command});
  }
  ExpectFoundAsByWitness("market", witness, 1'000'000);
}

}  // namespace
}  // namespace reprise::tests
