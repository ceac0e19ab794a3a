// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves of the skirmish, which is data and Lua alone, what must be so whoever
// plays: both sides begin as mirror images on a field that is its own, nobody
// stands in a wall, who is there or dead was made, a flow field costs what a
// search costs, and the losses of equal bots are equal within what chance
// allows. And that it is a game: all that it has happens, and no script fails.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/handle.h"
#include "sim/base/math.h"
#include "sim/bots/bot_players.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/state/field_value.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

constexpr int64_t kColumns = 49;
constexpr int64_t kRows = 27;

struct Place {
  double x = 0.0;
  double z = 0.0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

// The characters of the field, from the pack's text.
class Field {
 public:
  explicit Field(const PackArchive& pack) {
    const std::string manifest(*pack.Find("pack.txtpb"));
    constexpr std::string_view kRow = "    rows: \"";
    for (size_t at = manifest.find(kRow); at != std::string::npos;
         at = manifest.find(kRow, at + 1)) {
      rows_.push_back(manifest.substr(at + kRow.size(), kColumns));
    }
  }

  const std::vector<std::string>& rows() const { return rows_; }
  bool IsWall(Place place) const {
    return rows_.at(static_cast<size_t>(Floor(place.z)))
               .at(static_cast<size_t>(Floor(place.x))) == '#';
  }

 private:
  std::vector<std::string> rows_;
};

class Game {
 public:
  explicit Game(uint64_t seed = 1) {
    auto world = CreateWorld(BatteryPack("skirmish"), seed);
    EXPECT_TRUE(world.ok()) << world.status();
    world_ = *std::move(world);
  }

  Simulation& world() { return *world_; }

  void Seat(const std::string& west, const std::string& east) {
    auto bots = BotPlayers::Create(
        *world_, std::vector<BotChoice>{{.player = 0, .name = west},
                                        {.player = 1, .name = east}});
    ASSERT_TRUE(bots.ok()) << bots.status();
    bots_ = *std::move(bots);
  }

  // One tick with the bots, if any; what happened.
  std::vector<Event> Step() {
    if (bots_ == nullptr) {
      world_->Step({}, nullptr);
      return world_->DrainEvents();
    }
    world_->Step(bots_->Decide(*world_), nullptr);
    std::vector<Event> events = world_->DrainEvents();
    bots_->Hear(events);
    return events;
  }
  uint64_t failed_decisions() const { return bots_->error_count(); }

  const Table& Rows(std::string_view room, std::string_view name) const {
    return world_->state().table(*world_->state().Find(room, name));
  }
  static FieldValue Value(const Table& table, uint32_t row,
                          std::string_view field) {
    return ReadScalar(table.schema(), table.Row(row),
                      *table.schema().Find(field));
  }
  static ObjectId OwnerOf(const Table& table, uint32_t row) {
    return ObjectId{
        ReadScalar(table.schema(), table.Row(row), {.field = 0}).bits};
  }

  int64_t Integer(std::string_view component, std::string_view object,
                  std::string_view field) const {
    const Table& table = Rows("components", component);
    for (uint32_t row = 0; row < table.row_count(); ++row) {
      if (world_->ObjectName(OwnerOf(table, row)) == object) {
        return static_cast<int64_t>(Value(table, row, field).bits);
      }
    }
    ADD_FAILURE() << object;
    return 0;
  }

  std::set<ObjectId> SquadOf(std::string_view name) const {
    std::set<ObjectId> units;
    const Table& objects = Rows("world", "objects");
    std::optional<Handle> squad;
    for (uint32_t row = 0; row < objects.row_count(); ++row) {
      if (world_->ObjectName(OwnerOf(objects, row)) == name) {
        squad = Value(objects, row, "handle").AsHandle();
      }
    }
    EXPECT_TRUE(squad.has_value()) << name;
    const Table& rows = Rows("components", "unit");
    for (uint32_t row = 0; row < rows.row_count(); ++row) {
      if (Value(rows, row, "squad").AsHandle() == squad) {
        units.insert(OwnerOf(rows, row));
      }
    }
    return units;
  }

  // Where units are, by the side that has them.
  std::map<ObjectId, Place> UnitsOf(std::string_view side) const {
    std::set<ObjectId> units;
    const Table& rows = Rows("components", "unit");
    for (uint32_t row = 0; row < rows.row_count(); ++row) {
      units.insert(OwnerOf(rows, row));
    }
    std::set<ObjectId> of_side;
    const Table& sides = Rows("components", "side");
    for (uint32_t row = 0; row < sides.row_count(); ++row) {
      const ObjectId owner = OwnerOf(sides, row);
      if (units.contains(owner) &&
          Value(sides, row, "name").bits == IdOf(side).value) {
        of_side.insert(owner);
      }
    }
    std::map<ObjectId, Place> places;
    const Table& at = Rows("world", "places");
    for (uint32_t row = 0; row < at.row_count(); ++row) {
      const ObjectId owner = OwnerOf(at, row);
      if (!of_side.contains(owner)) continue;
      places[owner] = {Value(at, row, "position.x").AsDouble(),
                       Value(at, row, "position.z").AsDouble()};
    }
    EXPECT_EQ(places.size(), of_side.size());
    return places;
  }

 private:
  std::unique_ptr<Simulation> world_;
  std::unique_ptr<BotPlayers> bots_;
};

double DistanceOf(Place one, Place other) {
  const double x = one.x - other.x;
  const double z = one.z - other.z;
  return Sqrt(x * x + z * z);
}

// To whole millimetres: what is mirrored is rounded elsewhere.
std::multiset<Place> PlacesOf(const std::map<ObjectId, Place>& units,
                              bool is_mirrored) {
  std::multiset<Place> places;
  for (const auto& [unit, place] : units) {
    const double x = is_mirrored ? kColumns - place.x : place.x;
    places.insert({Floor(x * 1000.0 + 0.5), Floor(place.z * 1000.0 + 0.5)});
  }
  return places;
}

TEST(SkirmishTest, FieldAndArmiesAreTheirOwnMirrorImages) {
  const Field field(BatteryPack("skirmish"));
  ASSERT_EQ(field.rows().size(), static_cast<size_t>(kRows));
  for (const std::string& row : field.rows()) {
    EXPECT_EQ(row, std::string(row.rbegin(), row.rend()));
  }
  const Game game;
  const auto west = game.UnitsOf("west");
  EXPECT_EQ(west.size(), 104u);
  EXPECT_EQ(PlacesOf(west, false), PlacesOf(game.UnitsOf("east"), true));
}

// What stops units and what stops eyes are the same: the boxes, told by the
// names of their types and by where they stand, cover the walls of the grid.
TEST(SkirmishTest, GridAndBoxesHaveTheSameWalls) {
  const PackArchive pack = BatteryPack("skirmish");
  const std::string walls(*pack.Find("walls.txtpb"));
  std::vector<std::string> rows(kRows, std::string(kColumns, '.'));
  constexpr std::string_view kType = " type: \"wall_";
  for (size_t at = walls.find(kType); at != std::string::npos;
       at = walls.find(kType, at + 1)) {
    size_t next = at + kType.size();
    const auto number = [&](std::string_view before) {
      next = walls.find(before, next) + before.size();
      return std::stod(walls.substr(next));
    };
    const double width = std::stod(walls.substr(next));
    const double depth = number("_");
    const double x = number("{ x: ");
    const double z = number(" z: ");
    for (double row = z - depth / 2; row < z + depth / 2; ++row) {
      for (double column = x - width / 2; column < x + width / 2; ++column) {
        rows.at(static_cast<size_t>(row)).at(static_cast<size_t>(column)) = '#';
      }
    }
  }
  EXPECT_EQ(rows, Field(pack).rows());
}

struct Losses {
  int64_t west = 0;
  int64_t east = 0;
};

// Plays a game, and holds what must be so at every tick.
Losses PlayAndCheck(const std::string& bot, uint64_t seed, int ticks,
                    std::set<std::string>& happened) {
  Game game(seed);
  game.Seat(bot, bot);
  const Field field(BatteryPack("skirmish"));
  std::map<std::string, std::set<ObjectId>> made;
  std::map<std::string, int> quiet_since;
  std::map<std::string, size_t> alive;
  for (int tick = 0; tick < ticks; ++tick) {
    for (const Event& event : game.Step()) {
      happened.insert(std::string(game.world().IdName(event.type)));
    }
    for (const std::string side : {"west", "east"}) {
      const auto units = game.UnitsOf(side);
      const size_t made_before = made[side].size();
      for (const auto& [unit, place] : units) {
        made[side].insert(unit);
        EXPECT_FALSE(field.IsWall(place))
            << place.x << ", " << place.z << " at tick " << tick;
      }
      const bool is_quiet =
          alive[side] == units.size() && made_before == made[side].size();
      alive[side] = units.size();
      if (!is_quiet) quiet_since[side] = tick;
      // Who has come or fallen is told by events, of which none is left then.
      if (tick - quiet_since[side] < 3) continue;
      const auto count = [&](std::string_view field_name) {
        return static_cast<size_t>(game.Integer("commander", side, field_name));
      };
      EXPECT_EQ(count("made"), made[side].size()) << tick;
      EXPECT_EQ(count("fallen"), made[side].size() - units.size()) << tick;
      EXPECT_EQ(count("alive"), units.size()) << tick;
    }
  }
  EXPECT_EQ(game.failed_decisions(), 0u);
  return {game.Integer("commander", "west", "fallen"),
          game.Integer("commander", "east", "fallen")};
}

TEST(SkirmishTest, NobodyStandsInAWallAndAllAreCounted) {
  std::set<std::string> happened;
  const Losses losses = PlayAndCheck("broker", 1, 1200, happened);
  EXPECT_GT(losses.west + losses.east, 30);
  for (const char* const event : {"order", "muster", "struck", "made", "fell",
                                  "saw", "well_taken", "move_flow_goal"}) {
    EXPECT_TRUE(happened.contains(event)) << event;
  }
  for (const char* const event :
       {"script_failed", "property_refused", "object_failed", "cell_refused",
        "stale_reference", "order_refused"}) {
    EXPECT_FALSE(happened.contains(event)) << event;
  }
}

// What a flow field says a way costs is what the cheapest way costs: by steps
// of all cells, over and over until nothing gets cheaper (Bellman and Ford),
// from the pack's text alone.
std::vector<std::vector<int64_t>> CostsTo(const Field& field, int64_t column,
                                          int64_t row) {
  constexpr int64_t kFar = 1'000'000'000;
  std::vector<std::vector<int64_t>> costs(kRows,
                                          std::vector<int64_t>(kColumns, kFar));
  costs[static_cast<size_t>(row)][static_cast<size_t>(column)] = 0;
  const auto is_open = [&](int64_t x, int64_t z) {
    return !field.IsWall(
        {static_cast<double>(x) + 0.5, static_cast<double>(z) + 0.5});
  };
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (int64_t z = 1; z + 1 < kRows; ++z) {
      for (int64_t x = 1; x + 1 < kColumns; ++x) {
        if (!is_open(x, z)) continue;
        for (int64_t dz = -1; dz <= 1; ++dz) {
          for (int64_t dx = -1; dx <= 1; ++dx) {
            const bool is_diagonal = dx != 0 && dz != 0;
            if ((dx == 0 && dz == 0) || !is_open(x + dx, z + dz)) continue;
            if (is_diagonal && (!is_open(x + dx, z) || !is_open(x, z + dz))) {
              continue;
            }
            const int64_t cost = costs[static_cast<size_t>(z + dz)]
                                      [static_cast<size_t>(x + dx)] +
                                 (is_diagonal ? 1414 : 1000);
            int64_t& known =
                costs[static_cast<size_t>(z)][static_cast<size_t>(x)];
            if (cost >= known) continue;
            known = cost;
            is_changed = true;
          }
        }
      }
    }
  }
  return costs;
}

// A squad that is ordered across the field, with nobody in its way: none of it
// is there sooner than straight ahead at its speed, nor much later than along
// the cheapest way.
TEST(SkirmishTest, SquadIsThereWhenItsWayIsWalked) {
  constexpr double kSpeed = 2.4;
  constexpr double kNear = 4.0;
  constexpr Place kGoal = {20.5, 22.5};
  constexpr int kTicks = 900;
  Game game;
  const auto costs = CostsTo(Field(BatteryPack("skirmish")), 20, 22);
  const std::set<ObjectId> squad = game.SquadOf("west_2");
  const auto begin = game.UnitsOf("west");
  ASSERT_EQ(squad.size(), 26u);
  InputFrame frame{.player = 0};
  frame.commands.push_back(
      {.name = IdOf("order"),
       .arguments = {InputValue(int64_t{2}), InputValue(int64_t{20}),
                     InputValue(int64_t{22})}});
  game.world().Step({&frame, 1}, nullptr);
  std::map<ObjectId, int> there;
  for (int tick = 1; tick < kTicks; ++tick) {
    game.Step();
    for (const auto& [unit, place] : game.UnitsOf("west")) {
      if (squad.contains(unit) && DistanceOf(place, kGoal) < kNear) {
        there.emplace(unit, tick);
      }
    }
  }
  EXPECT_EQ(there.size(), squad.size());
  for (const auto& [unit, tick] : there) {
    const Place from = begin.at(unit);
    const double cells =
        static_cast<double>(costs.at(static_cast<size_t>(from.z))
                                .at(static_cast<size_t>(from.x))) /
        1000.0;
    EXPECT_GE(tick, 60.0 * (DistanceOf(from, kGoal) - kNear) / kSpeed);
    EXPECT_LE(tick, 60.0 * (1.25 * cells / kSpeed + 2.0));
  }
}

// Both sides leave the orders to their commanders in the game: squads are
// ordered by tasks, wells are taken, and all is as it must be with other bots.
TEST(SkirmishTest, CommandersInTheGameGiveOrders) {
  std::set<std::string> happened;
  PlayAndCheck("marshal", 2, 1500, happened);
  for (const char* const event : {"delegate", "ordered", "task_begun",
                                  "task_ended", "well_taken", "struck"}) {
    EXPECT_TRUE(happened.contains(event)) << event;
  }
  for (const char* const event :
       {"script_failed", "property_refused", "order_refused"}) {
    EXPECT_FALSE(happened.contains(event)) << event;
  }
  Game game;
  game.Seat("marshal", "hammer");
  for (int tick = 0; tick < 120; ++tick) game.Step();
  // Three wells, a squad for each; nobody commands the other side.
  EXPECT_EQ(game.Integer("command", "west", "units"), 4);
  EXPECT_EQ(game.Integer("command", "west", "tasks"), 3);
  EXPECT_EQ(game.Integer("command", "west", "busy"), 3);
  EXPECT_EQ(game.Integer("command", "east", "busy"), 0);
}

// Bots of one kind lose as many units on either side: of games with different
// seeds the mean of the differences lies within its standard error times
// Student's t (7 degrees of freedom, 99.9 %: 5.41).
TEST(SkirmishTest, EqualSidesLoseAsMany) {
  constexpr int kGames = 8;
  constexpr double kStudent = 5.41;
  std::vector<double> differences;
  double sum = 0.0;
  int64_t losses = 0;
  for (uint64_t seed = 1; seed <= kGames; ++seed) {
    Game game(seed);
    game.Seat("hammer", "hammer");
    for (int tick = 0; tick < 720; ++tick) game.Step();
    const int64_t west = game.Integer("commander", "west", "fallen");
    const int64_t east = game.Integer("commander", "east", "fallen");
    losses += west + east;
    differences.push_back(static_cast<double>(west - east));
    sum += differences.back();
  }
  EXPECT_GT(losses, 20 * kGames);
  const double mean = sum / kGames;
  double squares = 0.0;
  for (const double difference : differences) {
    squares += (difference - mean) * (difference - mean);
  }
  const double error = Sqrt(squares / (kGames - 1) / kGames);
  EXPECT_LE(mean, kStudent * error);
  EXPECT_GE(mean, -kStudent * error);
}

}  // namespace
}  // namespace reprise::sim
