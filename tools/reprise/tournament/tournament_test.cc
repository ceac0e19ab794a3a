// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a tournament plays every pair on both sides with each seed, that
// its counts are those of its games, that threads change nothing, and that what
// can't be played is refused with its reason.

#include "tools/reprise/tournament/tournament.h"

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/pack_archive.h"

namespace reprise::tools {
namespace {

using ::testing::HasSubstr;

// Two counters, which bots push: one always, one every other tick, and one by
// chance.
constexpr char kManifest[] = R"(
name: "race"
tick_rate: 60
players { count: 2 actions { name: "go" button: 0 } actions { name: "stop" button: 1 } }
components { name: "lane" properties { name: "player" type: TYPE_INTEGER } properties { name: "way" type: TYPE_INTEGER } }
events { name: "over" }
types { name: "lane" components { component: "lane" } behaviours { file: "lane.lua" } }
objects { name: "one" type: "lane" }
objects { name: "two" type: "lane" set { property: "lane.player" to: "1" } }
connections { name: "over" event: "over" then { outcome { decision: DECISION_WON reason: "over" } } }
bots { name: "fast" file: "bot.lua" every_ticks: 1 parameters { parameter: "chance" number: 1 } }
bots { name: "slow" file: "bot.lua" reserve: true every_ticks: 1 parameters { parameter: "chance" number: 0.45 } }
bots { name: "fair" file: "bot.lua" reserve: true every_ticks: 1 parameters { parameter: "chance" number: 0.5 } }
bots { name: "still" file: "bot.lua" reserve: true every_ticks: 1 parameters { parameter: "chance" number: 0 } }
bots { name: "left" file: "bot.lua" players: 0 reserve: true every_ticks: 1 parameters { parameter: "chance" number: 0 } }
)";
constexpr char kLane[] = R"(
return {
  update = function()
    if player.holds(own.get("lane.player"), "go") then
      own.set("lane.way", own.get("lane.way") + 1)
      if own.get("lane.way") == 40 then event.post("over") end
    end
  end,
}
)";
constexpr char kBot[] = R"(
return { decide = function() act.hold("go", bot.random() < bot.number("chance")) end }
)";

sim::PackArchive Race() {
  sim::PackArchive pack;
  EXPECT_TRUE(pack.Add("pack.txtpb", kManifest).ok());
  EXPECT_TRUE(pack.Add("lane.lua", kLane).ok());
  EXPECT_TRUE(pack.Add("bot.lua", kBot).ok());
  return pack;
}

TournamentOptions Options(std::vector<std::string> bots) {
  return {.bots = std::move(bots),
          .scores = {"one.lane.way", "two.lane.way"},
          .seed_count = 8,
          .ticks_max = 200};
}

TournamentResult Play(const TournamentOptions& options) {
  const auto result = PlayTournament(options, Race(), [](uint64_t) {});
  EXPECT_TRUE(result.ok()) << result.status();
  return result.value_or(TournamentResult());
}

absl::Status Refusal(const TournamentOptions& options) {
  return PlayTournament(options, Race(), [](uint64_t) {}).status();
}

TEST(TournamentTest, EveryPairPlaysOnBothSidesWithEachSeed) {
  const TournamentResult result = Play(Options({"fast", "fair", "still"}));
  std::set<std::tuple<uint32_t, uint32_t, uint64_t>> games;
  for (const TournamentGame& game : result.games) {
    games.insert({game.bots[0], game.bots[1], game.seed});
    EXPECT_NE(game.bots[0], game.bots[1]);
    EXPECT_EQ(game.failed_decisions, 0u);
  }
  EXPECT_EQ(games.size(), 3u * 2 * 8);
  EXPECT_EQ(result.games.size(), games.size());
  EXPECT_EQ(result.pairs.size(), 3u);
}

TEST(TournamentTest, WhoeverHasMorePointsHasWon) {
  const TournamentResult result = Play(Options({"still", "fast"}));
  EXPECT_EQ(result.bots[0], (GameCount{.won = 0, .lost = 16, .drawn = 0}));
  EXPECT_EQ(result.bots[1], (GameCount{.won = 16, .lost = 0, .drawn = 0}));
  EXPECT_EQ(result.pairs[0].count, result.bots[0]);
  EXPECT_TRUE(result.upsets.empty());
  for (const TournamentGame& game : result.games) {
    // Decided by the 40th push, which is seen a tick after it.
    EXPECT_LE(game.tick_count, 42u);
    EXPECT_EQ(game.bots[*game.winner], 1u);
  }
}

TEST(TournamentTest, PacksSayWhatPointsAre) {
  TournamentOptions options = Options({"still", "fast"});
  options.scores = {};
  EXPECT_THAT(Refusal(options).message(), HasSubstr("points_of_player_0"));
  sim::PackArchive pack;
  ASSERT_TRUE(pack.Add("pack.txtpb", std::string(kManifest) + R"(
fuzzing {
  maximize { name: "points_of_player_1" that: "two.lane.way" }
  maximize { name: "points_of_player_0" that: "one.lane.way" }
}
)")
                  .ok());
  ASSERT_TRUE(pack.Add("lane.lua", kLane).ok());
  ASSERT_TRUE(pack.Add("bot.lua", kBot).ok());
  const auto result = PlayTournament(options, pack, [](uint64_t) {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->bots[1], (GameCount{.won = 16, .lost = 0, .drawn = 0}));
  // What is given counts, whatever the pack says.
  options.scores = {"two.lane.way", "one.lane.way"};
  const auto other = PlayTournament(options, pack, [](uint64_t) {});
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ(other->bots[1], (GameCount{.won = 0, .lost = 16, .drawn = 0}));
}

TEST(TournamentTest, EqualPointsAreADraw) {
  TournamentOptions options = Options({"still", "fast"});
  options.scores = {"one.lane.player", "two.lane.player - 1"};
  const TournamentResult result = Play(options);
  EXPECT_EQ(result.bots[0].drawn, 16u);
  EXPECT_EQ(result.bots[1].drawn, 16u);
}

TEST(TournamentTest, UpsetsAreGamesOfTheWeaker) {
  TournamentOptions options = Options({"fair", "slow"});
  options.seed_count = 40;
  const TournamentResult result = Play(options);
  const GameCount& fair = result.pairs[0].count;
  EXPECT_GT(fair.won, fair.lost);
  EXPECT_EQ(result.upsets.size(), fair.lost);
  EXPECT_GT(fair.lost, 0u);
  for (const size_t i : result.upsets) {
    EXPECT_EQ(result.games[i].bots[*result.games[i].winner], 1u);
  }
}

TEST(TournamentTest, ThreadsChangeNothing) {
  TournamentOptions options = Options({"fair", "slow", "fast"});
  const TournamentResult alone = Play(options);
  options.jobs = 3;
  const TournamentResult together = Play(options);
  ASSERT_EQ(alone.games.size(), together.games.size());
  for (size_t i = 0; i < alone.games.size(); ++i) {
    EXPECT_EQ(alone.games[i].scores, together.games[i].scores) << i;
    EXPECT_EQ(alone.games[i].tick_count, together.games[i].tick_count) << i;
  }
  EXPECT_EQ(alone.bots, together.bots);
  EXPECT_EQ(alone.upsets, together.upsets);
}

TEST(TournamentTest, WhatCannotBePlayedIsRefused) {
  EXPECT_THAT(Refusal(Options({"fast"})).message(), HasSubstr("two or more"));
  EXPECT_THAT(Refusal(Options({"fast", "fast"})).message(),
              HasSubstr("fast comes twice"));
  EXPECT_THAT(Refusal(Options({"fast", "fats"})).message(), HasSubstr("fats"));
  EXPECT_THAT(Refusal(Options({"fast", "left"})).message(),
              HasSubstr("the bot left doesn't play player 1"));
  TournamentOptions options = Options({"fast", "slow"});
  options.scores[1] = "two.lane.was";
  EXPECT_THAT(Refusal(options).message(), HasSubstr("--score 'two.lane.was'"));
  options.scores[1] = "two.lane.way > 3";
  EXPECT_THAT(Refusal(options).message(), HasSubstr("it is no number"));
  options.scores[1] = "lane.way";
  EXPECT_THAT(Refusal(options).message(), HasSubstr("it is of 2 objects"));
  options = Options({"fast", "slow"});
  options.jobs = 0;
  EXPECT_EQ(Refusal(options).code(), absl::StatusCode::kInvalidArgument);
  options.jobs = 1;
  options.seed_count = 0;
  EXPECT_EQ(Refusal(options).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace reprise::tools
