// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a script which is replaced while a game runs is replaced for
// bots, too: from that tick on they decide by it, remember what they did, and
// go back with a state that is restored; and that a source by which a bot
// couldn't decide is refused.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/bots/bot_players.h"
#include "sim/input/input_frame.h"
#include "sim/state/state.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kPack = R"(
players {
  count: 2
  commands_per_tick_max: 1
  actions { name: "reload" script_reload {} }
  actions { name: "push" axis: 0 }
}
bots { name: "pusher" players: 0 file: "bot.lua" modules: "lib.lua" every_ticks: 1 }
types { name: "counter" components { component: "marker" } behaviours { file: "counter.lua" modules: "lib.lua" } }
objects { name: "one" type: "counter" }
)";

constexpr std::string_view kCounter = R"(local step = require("lib")
return { update = function()
  own.set("marker.hits", own.get("marker.hits") + step)
end })";

// Pushes as far as the library says, and counts its decisions.
constexpr std::string_view kBot = R"(local step = require("lib")
return { decide = function()
  local count = (memory.number("count") or 0) + 1
  memory.set_number("count", count)
  bot.log(string.format("%d", count))
  act.axis("push", step / 8)
end })";

constexpr std::string_view kStillBot = R"(return { decide = function()
  local count = (memory.number("count") or 0) + 1
  memory.set_number("count", count)
  bot.log(string.format("still %d", count))
  act.axis("push", 0)
end })";

constexpr int16_t kPushOfOne = 4096;  // an eighth of the way, rounded
constexpr int16_t kPushOfFour = 16384;

struct Game {
  std::unique_ptr<Simulation> world;
  std::unique_ptr<BotPlayers> bots;
};

std::unique_ptr<BotPlayers> Seat(const Simulation& world) {
  const BotChoice choice = {.player = 0, .name = "pusher"};
  auto bots = BotPlayers::Create(world, std::span(&choice, 1));
  EXPECT_TRUE(bots.ok()) << bots.status();
  return bots.ok() ? *std::move(bots) : nullptr;
}

Game MakeGame() {
  PackArchive pack = PackOf(Manifest({kMarker, kPack}));
  EXPECT_TRUE(pack.Add("lib.lua", "return 1").ok());
  EXPECT_TRUE(pack.Add("counter.lua", std::string(kCounter)).ok());
  EXPECT_TRUE(pack.Add("bot.lua", std::string(kBot)).ok());
  auto world = CreateWorld(pack, 1);
  EXPECT_TRUE(world.ok()) << world.status();
  Game game{.world = *std::move(world), .bots = nullptr};
  game.bots = Seat(*game.world);
  return game;
}

// One tick of the bot and of what player 1 does. Returns the bot's push, or -1
// where it goes on as before.
int Play(Game& game, std::string file = "", std::string source = "") {
  std::vector<InputFrame> frames = game.bots->Decide(*game.world);
  const int push = frames.empty() ? -1 : frames[0].device.axes[0];
  if (!file.empty()) {
    frames.push_back(
        {.player = 1,
         .commands = {{.name = IdOf("reload"),
                       .arguments = {std::move(file), std::move(source)}}}});
  }
  EXPECT_TRUE(game.world->Validate(frames).ok());
  game.world->Step(frames, nullptr);
  return push;
}

std::string LastNote(Game& game) {
  const std::vector<BotLogEntry> log = game.bots->DrainLog();
  return log.empty() ? "" : log.back().text;
}

std::string Refusal(Game& game) {
  const std::vector<Event> events =
      EventsOf(*game.world, "script_reload_refused");
  if (events.size() != 1) return "";
  for (const EventArgument& argument : events[0].arguments) {
    if (argument.name == IdOf("message")) {
      return game.world->IdName(Id{argument.value.bits});
    }
  }
  return "";
}

TEST(BotReloadTest, ABotRunsASourceOfItsOwnScript) {
  Game game = MakeGame();
  EXPECT_EQ(Play(game), kPushOfOne);
  EXPECT_EQ(Play(game, "bot.lua", std::string(kStillBot)), -1);
  EXPECT_EQ(EventsOf(*game.world, "script_reloaded").size(), 1u);
  EXPECT_EQ(Play(game), 0);
  EXPECT_EQ(LastNote(game), "still 3");  // it remembers
  EXPECT_EQ(game.bots->error_count(), 0u);
}

TEST(BotReloadTest, WhatAModuleSaysIsNewForBehavioursAndBots) {
  Game game = MakeGame();
  EXPECT_EQ(Play(game, "lib.lua", "return 4"), kPushOfOne);
  EXPECT_EQ(HitsOf(*game.world, "one"), 4);
  EXPECT_EQ(Play(game), kPushOfFour);
  EXPECT_EQ(LastNote(game), "2");
  EXPECT_EQ(HitsOf(*game.world, "one"), 8);
}

TEST(BotReloadTest, WhatABotCantDecideByIsRefused) {
  const struct {
    const char* file;
    const char* source;
    const char* message;
  } cases[] = {
      {"bot.lua", "return {}", "the bot pusher: bot.lua: it returns no table"},
      {"bot.lua", "return { decide = 3 }", "the bot pusher: bot.lua"},
      {"bot.lua", "return +", "the bot pusher: bot.lua:1:"},
      {"bot.lua", "while true do end", "budget of instructions"},
      {"bot.lua", "local t = {} while true do t[#t + 1] = {} end",
       "budget of bytes"},
      // Loads where behaviours ask for it, and not where bots do.
      {"lib.lua", "local get = own.get\nreturn 1", "the bot pusher: lib.lua:1"},
  };
  for (const auto& each : cases) {
    Game game = MakeGame();
    Game twin = MakeGame();
    Play(game, each.file, each.source);
    Play(twin);
    EXPECT_NE(Refusal(game).find(each.message), std::string::npos)
        << each.source;
    EXPECT_EQ(RowCount(*game.world, "script_reloads", "script_sources"), 0u);
    for (int tick = 0; tick < 5; ++tick) EXPECT_EQ(Play(game), Play(twin));
    EXPECT_EQ(HitsOf(*game.world, "one"), HitsOf(*twin.world, "one"));
    EXPECT_EQ(LastNote(game), LastNote(twin));
  }
}

TEST(BotReloadTest, BotsFollowTheStateThatIsRestored) {
  Game game = MakeGame();
  Play(game);
  const State before = game.world->state();
  Play(game, "lib.lua", "return 4");
  EXPECT_EQ(Play(game), kPushOfFour);
  const State behind = game.world->state();
  ASSERT_TRUE(game.world->Restore(before).ok());
  EXPECT_EQ(Play(game), kPushOfOne);
  ASSERT_TRUE(game.world->Restore(behind).ok());
  EXPECT_EQ(Play(game), kPushOfFour);
  // Bots that come then, too.
  Game later{.world = game.world->Fork(), .bots = nullptr};
  later.bots = Seat(*later.world);
  EXPECT_EQ(Play(later), kPushOfFour);
}

}  // namespace
}  // namespace reprise::sim
