// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the ghosts, which are data and Lua alone, do what their four
// characters are: the tile that each makes for, and the way that it takes at
// each tile, are held against a calculation of their own, from places alone.
// And that the maze is a game: it is won and lost, every state is entered, no
// script fails, and a snapshot of every single tick goes on as the game did.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/bots/bot_players.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/random_input_source.h"
#include "sim/pack_archive.h"
#include "sim/state/field_value.h"
#include "sim/state/state_codec.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

struct Tile {
  int64_t column = 0;
  int64_t row = 0;

  friend bool operator==(const Tile&, const Tile&) = default;
};

Tile operator+(Tile a, Tile b) { return {a.column + b.column, a.row + b.row}; }
Tile operator-(Tile a, Tile b) { return {a.column - b.column, a.row - b.row}; }
Tile operator*(int64_t n, Tile a) { return {n * a.column, n * a.row}; }
int64_t Squared(Tile a) { return a.column * a.column + a.row * a.row; }

// In the order in which equally good ways are taken.
struct Way {
  std::string_view name;
  Tile step;
};
constexpr std::array<Way, 4> kWays = {
    {{"up", {0, -1}}, {"left", {-1, 0}}, {"down", {0, 1}}, {"right", {1, 0}}}};
constexpr std::array<std::string_view, 4> kGhosts = {"ambusher", "chaser",
                                                     "flanker", "loner"};
constexpr Tile kLonersCorner = {1, 15};

Tile StepOf(Id way) {
  for (const Way& known : kWays) {
    if (IdOf(known.name) == way) return known.step;
  }
  ADD_FAILURE() << "no way";
  return {};
}

// The maze as the pack's grid has it; its door is shut.
class Maze {
 public:
  explicit Maze(const PackArchive& pack) {
    const std::string text(*pack.Find("pack.txtpb"));
    constexpr std::string_view kMark = "rows: \"";
    for (size_t at = text.find(kMark); at != std::string::npos;
         at = text.find(kMark, at + 1)) {
      const size_t begin = at + kMark.size();
      rows_.push_back(text.substr(begin, text.find('"', begin) - begin));
    }
  }

  const std::vector<std::string>& rows() const { return rows_; }
  // The pen lies in row 7.
  bool IsOpen(Tile tile) const {
    const bool is_pen = tile.row == 7 && tile.column >= 7 && tile.column <= 11;
    return rows_[tile.row][tile.column] == '.' && !is_pen;
  }

 private:
  std::vector<std::string> rows_;
};

// One ghost, or the runner, at one tick.
struct Walker {
  Tile place;  // where its middle is
  Tile tile;   // that it leaves
  Id way;
  Id state;
  Tile target;
  bool turns_back = false;
};

class Game {
 public:
  explicit Game(uint64_t seed = 1) {
    auto world = CreateWorld(BatteryPack("ghosts"), seed);
    EXPECT_TRUE(world.ok()) << world.status();
    world_ = *std::move(world);
  }

  Simulation& world() { return *world_; }

  FieldValue Value(std::string_view room, std::string_view table_name,
                   std::string_view object, std::string_view field) const {
    const Table& table =
        world_->state().table(*world_->state().Find(room, table_name));
    for (uint32_t row = 0; row < table.row_count(); ++row) {
      const ObjectId owner{
          ReadScalar(table.schema(), table.Row(row), {.field = 0}).bits};
      if (world_->ObjectName(owner) != object) continue;
      return ReadScalar(table.schema(), table.Row(row),
                        *table.schema().Find(field));
    }
    ADD_FAILURE() << object << " has no " << table_name;
    return {};
  }
  int64_t Integer(std::string_view component, std::string_view object,
                  std::string_view field) const {
    return static_cast<int64_t>(
        Value("components", component, object, field).bits);
  }
  Id Name(std::string_view component, std::string_view object,
          std::string_view field) const {
    return Id{Value("components", component, object, field).bits};
  }

  Walker Look(std::string_view object) const {
    const auto tile = [&](std::string_view field) {
      return static_cast<int64_t>(
          Floor(Value("physics", "bodies", object, field).AsDouble()));
    };
    Walker walker = {.place = {tile("position.x"), tile("position.z")},
                     .tile = {Integer("walker", object, "column"),
                              Integer("walker", object, "row")},
                     .way = Name("walker", object, "way")};
    if (object == "runner") return walker;
    walker.state = Name("script", object, "state");
    walker.target = {Integer("ghost", object, "target_column"),
                     Integer("ghost", object, "target_row")};
    walker.turns_back = Integer("ghost", object, "turns_back") != 0;
    return walker;
  }

  bool IsPlaying() const {
    return Name("match", "referee", "stage") == IdOf("play");
  }

 private:
  std::unique_ptr<Simulation> world_;
};

// The table of the four: what each makes for while it chases. `before` is the
// ghost when it decided, `chaser` and `runner` when they had moved.
Tile ExpectedTarget(std::string_view ghost, const Walker& before,
                    const Walker& runner, const Walker& chaser) {
  if (ghost == "chaser") return runner.place;
  if (ghost == "ambusher") return runner.place + 4 * StepOf(runner.way);
  if (ghost == "flanker") {
    const Tile ahead = runner.place + 2 * StepOf(runner.way);
    return ahead + (ahead - chaser.place);
  }
  constexpr int64_t kNearTiles = 8;
  return Squared(runner.place - before.place) > kNearTiles * kNearTiles
             ? runner.place
             : kLonersCorner;
}

// Of the ways on from a tile, but back, the one that leads nearest.
Id ExpectedWay(const Maze& maze, Tile tile, Id way_before, Tile target) {
  Id best;
  int64_t best_distance = -1;
  for (const Way& way : kWays) {
    const bool is_back = way.step + StepOf(way_before) == Tile{};
    if (is_back || !maze.IsOpen(tile + way.step)) continue;
    const int64_t distance = Squared(tile + way.step - target);
    if (best_distance >= 0 && distance >= best_distance) continue;
    best = IdOf(way.name);
    best_distance = distance;
  }
  return best;
}

struct Tally {
  int targets = 0;
  int turns = 0;
};

// Plays on with random inputs, and holds each ghost that chases against the
// table, and each that chases or scatters against its next way.
void PlayAndCheck(Game& game, const Maze& maze, uint64_t seed, int ticks,
                  std::array<Tally, 4>& tallies) {
  RandomInputSource inputs(game.world().info().inputs, seed);
  const Id chase = IdOf("chase");
  const Id scatter = IdOf("scatter");
  for (int tick = 0; tick < ticks; ++tick) {
    std::array<Walker, 4> before;
    for (size_t i = 0; i < kGhosts.size(); ++i) {
      before[i] = game.Look(kGhosts[i]);
    }
    const bool was_playing = game.IsPlaying();
    game.world().Step(inputs.Next(), nullptr);
    if (!was_playing || !game.IsPlaying()) continue;
    const Walker runner = game.Look("runner");
    const Walker chaser = game.Look("chaser");
    for (size_t i = 0; i < kGhosts.size(); ++i) {
      const Walker after = game.Look(kGhosts[i]);
      if (after.state != before[i].state ||
          (after.state != chase && after.state != scatter)) {
        continue;
      }
      ASSERT_TRUE(maze.IsOpen(after.tile));
      if (after.state == chase) {
        ASSERT_EQ(after.target,
                  ExpectedTarget(kGhosts[i], before[i], runner, chaser))
            << kGhosts[i] << " at tick " << game.world().tick();
        ++tallies[i].targets;
      }
      if (after.tile == before[i].tile) continue;
      ASSERT_EQ(after.tile, before[i].tile + StepOf(before[i].way));
      if (before[i].turns_back) continue;
      ASSERT_EQ(after.way,
                ExpectedWay(maze, after.tile, before[i].way, after.target))
          << kGhosts[i] << " at tick " << game.world().tick();
      ++tallies[i].turns;
    }
  }
}

TEST(GhostsTest, TargetsAndWaysAreThoseOfTheTable) {
  const Maze maze(BatteryPack("ghosts"));
  std::array<Tally, 4> tallies;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Game game(seed);
    PlayAndCheck(game, maze, seed, 3600, tallies);
  }
  for (size_t i = 0; i < kGhosts.size(); ++i) {
    EXPECT_GT(tallies[i].targets, 300) << kGhosts[i];
    EXPECT_GT(tallies[i].turns, 50) << kGhosts[i];
  }
}

// What scripts hold to be the maze and what navigators do are the same.
TEST(GhostsTest, ScriptsAndGridHaveOneMaze) {
  const PackArchive pack = BatteryPack("ghosts");
  const std::string script(*pack.Find("scripts/maze.lua"));
  std::vector<std::string> rows;
  for (size_t at = script.find("\n  \"#"); at != std::string::npos;
       at = script.find("\n  \"#", at + 1)) {
    std::string row = script.substr(at + 4, script.find("\",", at) - at - 4);
    for (char& tile : row) {
      if (tile == '*' || tile == ' ' || tile == 'p') tile = '.';
    }
    rows.push_back(row);
  }
  EXPECT_EQ(rows, Maze(pack).rows());
}

struct Played {
  Outcome outcome;
  std::set<std::string> states;
  std::set<std::string> events;
};

Played PlayBot(const std::string& bot, uint64_t seed, int ticks) {
  Game game(seed);
  const auto bots = BotPlayers::Create(
      game.world(), std::vector<BotChoice>{{.player = 0, .name = bot}});
  EXPECT_TRUE(bots.ok()) << bots.status();
  Played played;
  for (int tick = 0; tick < ticks; ++tick) {
    game.world().Step((*bots)->Decide(game.world()), nullptr);
    const std::vector<Event> events = game.world().DrainEvents();
    (*bots)->Hear(events);
    for (const Event& event : events) {
      played.events.insert(std::string(game.world().IdName(event.type)));
    }
    for (const std::string_view ghost : kGhosts) {
      played.states.insert(std::string(
          game.world().IdName(game.Name("script", ghost, "state"))));
    }
    if (game.world().outcome().status != Outcome::Status::kRunning) break;
  }
  EXPECT_EQ((*bots)->error_count(), 0u);
  played.outcome = game.world().outcome();
  return played;
}

TEST(GhostsTest, BotsMeetAllThatTheGameHas) {
  std::set<std::string> states;
  std::set<std::string> events;
  int decided = 0;
  for (const std::string bot : {"careful", "bold"}) {
    for (uint64_t seed = 1; seed <= 2; ++seed) {
      Played played = PlayBot(bot, seed, 10'000);
      states.merge(played.states);
      events.merge(played.events);
      decided += played.outcome.status != Outcome::Status::kRunning ? 1 : 0;
    }
  }
  EXPECT_GE(decided, 2);
  for (const char* const state :
       {"waiting", "leaving", "scatter", "chase", "frightened", "returning"}) {
    EXPECT_TRUE(states.contains(state)) << state;
  }
  for (const char* const event :
       {"crumb_taken", "charm_taken", "fear_ends", "mode_changes", "caught",
        "runner_caught", "round_begins", "path_arrived"}) {
    EXPECT_TRUE(events.contains(event)) << event;
  }
  for (const char* const event :
       {"script_failed", "property_refused", "path_failed", "object_failed"}) {
    EXPECT_FALSE(events.contains(event)) << event;
  }
}

TEST(GhostsTest, SnapshotOfEveryTickGoesOnAsTheGameDid) {
  Game game;
  Game other;
  RandomInputSource inputs(game.world().info().inputs, 7);
  for (int tick = 0; tick < 600; ++tick) {
    const std::string bytes = EncodeState(game.world().state());
    const auto state =
        DecodeState(std::as_bytes(std::span(bytes)), other.world().state());
    ASSERT_TRUE(state.ok()) << state.status();
    ASSERT_TRUE(other.world().Restore(*state).ok()) << tick;
    const std::vector<InputFrame> frames = inputs.Next();
    game.world().Step(frames, nullptr);
    other.world().Step(frames, nullptr);
    ASSERT_EQ(other.world().state().ComputeRootDigest(),
              game.world().state().ComputeRootDigest())
        << tick;
  }
}

}  // namespace
}  // namespace reprise::sim
