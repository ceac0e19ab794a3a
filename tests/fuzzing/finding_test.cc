// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a campaign finds what small packs hide, and mistakes that were
// planted in packs that ship, in far fewer ticks than random inputs; that it
// finds the same again; and that what it found comes down to little more than a
// witness's inputs, and is the mistake's doing. tools/fuzz/finding.sh prints
// the long table.

#include "tests/fuzzing/finding.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/fuzzing/checks/run_check.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/inputs/action_changes.h"
#include "replays/fuzzing/minimizing/minimization.h"
#include "tests/fuzzing/planted_bugs.h"

namespace reprise::tests {
namespace {

using replays::FuzzCampaign;

// What a campaign of this seed finds, and how long it may take: about twice
// what it did.
struct Expectation {
  const char* game;
  uint64_t seed;
  uint64_t ticks_max;
  // Random inputs don't find it in so many ticks; 0: they may.
  uint64_t random_ticks;

  friend std::ostream& operator<<(std::ostream& out, const Expectation& each) {
    return out << each.game;
  }
};

class FindingTest : public ::testing::TestWithParam<Expectation> {};

// Leaps, and the bugs that are missing, take longer; the program has them.
INSTANTIATE_TEST_SUITE_P(
    Packs, FindingTest,
    ::testing::Values(Expectation{"lock", 1, 60'000, 250'000},
                      Expectation{"maze", 1, 350'000, 90'000},
                      Expectation{"hops", 1, 200'000, 90'000},
                      Expectation{"wall", 1, 100'000, 250'000}));

INSTANTIATE_TEST_SUITE_P(
    PlantedBugs, FindingTest,
    ::testing::Values(Expectation{"fighter_edge", 1, 10'000, 0},
                      Expectation{"harbour_edge", 1, 30'000, 0},
                      Expectation{"parlour_wall", 1, 40'000, 0},
                      Expectation{"pong_paddle", 1, 10'000, 0},
                      Expectation{"pong_points", 1, 210'000, 50'000},
                      Expectation{"pong_speed", 1, 600'000, 0}));

TEST_P(FindingTest, CampaignFindsWhatRandomInputsDoNot) {
  const HidingGame game = OpenGame(GetParam().game);
  const Finding campaign =
      FindByCampaign(game, GetParam().seed, GetParam().ticks_max);
  EXPECT_TRUE(campaign.is_found);
  RecordProperty("ticks", static_cast<int>(campaign.ticks));
  const Finding random = FindByRandomInputs(
      game, /*seed=*/1, GetParam().random_ticks, /*run_ticks=*/3600);
  EXPECT_FALSE(random.is_found) << random.ticks;
}

TEST(FindingProgramTest, KnowsEveryPackAndBug) {
  for (const std::string& pack : HidingPacks()) {
    EXPECT_FALSE(OpenGame(pack).rules.unreachable.empty() &&
                 OpenGame(pack).rules.always.empty())
        << pack;
  }
  EXPECT_EQ(PlantedBugs().size(), 10);
  for (const PlantedBug& bug : PlantedBugs()) {
    EXPECT_EQ(OpenGame(std::string(bug.name)).signature, bug.signature);
  }
}

TEST(FindingProgramTest, SameSeedBudgetAndJobsFindTheSame) {
  const HidingGame game = OpenGame("maze");
  const auto run = [&game](uint64_t seed) {
    auto campaign = *FuzzCampaign::Create(*game.start, game.rules,
                                          {.seed = seed, .jobs = 3});
    for (int round = 0; round < 4; ++round) campaign->RunRound(20'000);
    return std::pair(campaign->TakeRuns(true), campaign->progress());
  };
  const auto one = run(5);
  const auto same = run(5);
  EXPECT_EQ(one.first, same.first);
  EXPECT_EQ(one.second, same.second);
  EXPECT_NE(run(6).first, one.first);
}

// A game, and the run in which a campaign found its failure first.
struct FoundRun {
  HidingGame game;
  replays::FoundFailure found;
};

FoundRun Find(const std::string& name, uint64_t ticks_max) {
  FoundRun run{.game = OpenGame(name), .found = {}};
  auto campaign =
      *FuzzCampaign::Create(*run.game.start, run.game.rules, {.seed = 1});
  const auto& failures = campaign->failures();
  const std::string& wanted = run.game.signature;
  const auto found = [&] {
    return wanted.empty() ? failures.begin() : failures.find(wanted);
  };
  while (found() == failures.end() && campaign->progress().ticks < ticks_max) {
    campaign->RunRound(FuzzCampaign::kRoundTicks);
  }
  EXPECT_NE(found(), failures.end()) << name;
  if (found() != failures.end()) run.found = found()->second;
  return run;
}

replays::MinimizedRun Minimize(const FoundRun& run, uint64_t ticks_max,
                               uint32_t jobs = 1) {
  const auto small =
      replays::MinimizeRun(*run.game.start, run.game.rules, run.found.inputs,
                           {.jobs = jobs, .ticks_max = ticks_max});
  EXPECT_TRUE(small.ok()) << small.status();
  return small.value_or(replays::MinimizedRun());
}

TEST(WitnessTest, LocksFailureComesDownToTenPresses) {
  const FoundRun run = Find("lock", 400'000);
  EXPECT_EQ(run.found.failure.signature, "unreachable opened");
  const replays::MinimizedRun small = Minimize(run, 0);
  EXPECT_TRUE(small.is_done);
  EXPECT_EQ(small.failure.signature, "unreachable opened");
  // Ten presses; only where a button comes twice in a row it has to be let go.
  EXPECT_LE(small.changes.size(), 18);
  EXPECT_GE(small.changes.size(), 10);
  EXPECT_LT(small.inputs.tick_count, 40u);
  const replays::MinimizedRun by_three = Minimize(run, 0, /*jobs=*/3);
  EXPECT_EQ(by_three.inputs, small.inputs);
  EXPECT_EQ(by_three.ticks_run, small.ticks_run);
}

// The run fails by the mistake alone: with the pack as it ships, or the ball as
// it should be, it doesn't.
TEST(WitnessTest, PlantedBugIsWhatMakesItsRunFail) {
  const FoundRun run = Find("harbour_edge", 200'000);
  const replays::MinimizedRun small = Minimize(run, 200'000);
  EXPECT_EQ(small.failure.signature, "always harbour_edge");
  EXPECT_LE(small.changes.size(), 2);  // one push, held
  const HidingGame shipped = OpenGame("harbour_edge", /*is_mended=*/true);
  EXPECT_EQ(replays::FindFailure(*shipped.start, run.game.rules, small.inputs)
                .status()
                .code(),
            absl::StatusCode::kNotFound);
}

TEST(WitnessTest, GlitchThroughTheWallIsNoneForAContinuousBall) {
  const FoundRun run = Find("wall", 400'000);
  EXPECT_EQ(run.found.failure.signature, "unreachable passed");
  const HidingGame mended = OpenGame("wall", /*is_mended=*/true);
  EXPECT_EQ(replays::FindFailure(*mended.start, mended.rules, run.found.inputs)
                .status()
                .code(),
            absl::StatusCode::kNotFound);
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

// That a campaign fails as the witness does within `ticks_max`, where random
// inputs don't, and that its failure comes down to at most 1.2 times what the
// witness does.
void ExpectFoundAsByWitness(const std::string& pack,
                            const std::vector<Deed>& witness,
                            uint64_t ticks_max) {
  const FoundRun run = Find(pack, ticks_max);
  const auto expected = replays::FindFailure(
      *run.game.start, run.game.rules, InputsOf(*run.game.start, witness));
  ASSERT_TRUE(expected.ok()) << expected.status();
  EXPECT_EQ(expected->tick, witness.back().tick + 1);
  EXPECT_EQ(run.found.failure.signature, expected->signature);
  EXPECT_FALSE(FindByRandomInputs(run.game, /*seed=*/1, ticks_max,
                                  /*run_ticks=*/3600)
                   .is_found);
  const replays::MinimizedRun small = Minimize(run, 0);
  EXPECT_EQ(small.failure.signature, expected->signature);
  EXPECT_LE(10 * small.changes.size(), 12 * witness.size());
}

// Both have asked before either takes: there is no shorter way.
TEST(WitnessTest, BothTakeTheOneCoinAsTheWitnessDoes) {
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
TEST(WitnessTest, TraderBecomesRichAsTheWitnessDoes) {
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
