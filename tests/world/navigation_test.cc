// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that navigators find their way, notice when it changes, and say why
// there is none; that searches take turns and go on over ticks, and that a
// snapshot in the middle of one goes on to the same bits.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/systems/navigation/navigation_rows.h"
#include "sim/systems/navigation/path_requests.h"
#include "tests/world/acting_behaviour.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A wall with a gap at its lower end, and a cell that nobody gets to.
constexpr std::string_view kYard = R"(
grids {
  name: "yard"
  neighbours: NEIGHBOURS_EIGHT
  rows: "...#...#"
  rows: "...#..#."
  rows: "...#...#"
  rows: "........"
}
)";

constexpr std::string_view kWalker = R"(
types { name: "walker" navigator { space: "yard" speed: 6 } }
types { name: "door" }
objects { name: "door" type: "door" position { x: 3.5 z: 3.5 } }
)";

// Commands change cells: the gap is shut, mud and open again; cells and weights
// that can't be.
constexpr std::string_view kCommands = R"(
players {
  actions { name: "shut" command { } }
  actions { name: "mud" command { } }
  actions { name: "open" command { } }
  actions { name: "odd" command { } }
  actions { name: "nowhere" command { } }
  actions { name: "halt" command { } }
  actions { name: "send" command { arguments { name: "x" minimum: -9 maximum: 99 } arguments { name: "z" minimum: -9 maximum: 99 } } }
  commands_per_tick_max: 4
}
connections { name: "shut" event: "shut" then { send { event: "change_cell" object: "door" with { argument: "grid" to: "yard" } with { argument: "weight" to: "0" } } } }
connections { name: "mud" event: "mud" then { send { event: "change_cell" object: "door" with { argument: "grid" to: "yard" } with { argument: "weight" to: "9" } } } }
connections { name: "open" event: "open" then { send { event: "change_cell" object: "door" with { argument: "grid" to: "yard" } with { argument: "weight" to: "1" } } } }
connections { name: "odd" event: "odd" then { send { event: "change_cell" object: "door" with { argument: "grid" to: "yard" } with { argument: "weight" to: "-1" } } } }
connections { name: "nowhere" event: "nowhere" then { send { event: "change_cell" object: "door" with { argument: "grid" to: "yard" } with { argument: "weight" to: "1" } with { argument: "x" to: "-5" } } } }
connections { name: "halt" event: "halt" target: "anna" send: "navigate_stop" }
connections { name: "send" event: "send" target: "anna" send: "navigate" pass { from: "x" } pass { from: "z" } }
)";

std::string Navigation(std::string_view more) {
  return fmt::format("navigation {{ {} {} }}\n", kYard, more);
}

// A walker that wants to a place.
std::string Anna(std::string_view goal, std::string_view more = "") {
  return fmt::format(
      "objects {{ name: 'anna' type: 'walker' position {{ x: 0.5 z: 0.5 }} set "
      "{{ property: 'navigator.goal' to: '{}' }} set {{ property: "
      "'navigator.is_active' to: '1' }} {} }}\n",
      goal, more);
}

double Place(const Simulation& world, std::string_view object,
             std::string_view scalar) {
  return ValueOf(world, "world", "places", object, scalar)->AsDouble();
}

int64_t Number(const Simulation& world, std::string_view object,
               std::string_view property) {
  return static_cast<int64_t>(
      ValueOf(world, "components", "navigator", object, property)->bits);
}

void Command(Simulation& world, std::string_view name,
             std::vector<int64_t> arguments = {}) {
  InputFrame frame;
  frame.commands.push_back(
      {.name = IdOf(name), .arguments = {arguments.begin(), arguments.end()}});
  world.Step(std::vector{frame}, nullptr);
}

// What is told of paths in so many ticks: "3: path_found", with a reason where
// there is one.
std::vector<std::string> Told(Simulation& world, int ticks) {
  std::vector<std::string> told;
  for (int i = 0; i < ticks; ++i) {
    world.Step({}, nullptr);
    for (const Event& event : world.DrainEvents()) {
      EXPECT_TRUE(IsDeclared(world.description(), event))
          << world.IdName(event.type);
      std::string line =
          fmt::format("{}: {}", event.tick, world.IdName(event.type));
      for (const EventArgument& argument : event.arguments) {
        if (argument.name == IdOf("reason")) {
          line += " " + world.IdName(Id{argument.value.bits});
        }
      }
      told.push_back(line);
    }
  }
  return told;
}

TEST(NavigationTest, WalksRoundAWall) {
  auto world =
      WorldOf(Manifest({Navigation(""), kWalker, Anna("5.25 0 0.25")}));
  // Asked in tick 0, answered in tick 1; 2 + 4 + 2 cells at 6 m/s and 60 Hz.
  const std::vector<std::string> told = Told(*world, 120);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0], "1: path_found");
  EXPECT_THAT(told[1], ::testing::EndsWith(": path_arrived"));
  EXPECT_NEAR(Place(*world, "anna", "position.x"), 5.25, 0.1);
  EXPECT_NEAR(Place(*world, "anna", "position.z"), 0.25, 0.1);
  EXPECT_EQ(Place(*world, "anna", "position.y"), 0.0);
  EXPECT_EQ(Number(*world, "anna", "status"), kNavigatorArrived);
  EXPECT_EQ(RowCount(*world, "navigation", "path_points"), 0u);
}

TEST(NavigationTest, NeverEntersAWallAndGoesAtItsSpeed) {
  auto world =
      WorldOf(Manifest({Navigation(""), kWalker, Anna("5.25 0 0.25")}));
  constexpr std::array<std::string_view, 4> kRows = {"...#...#", "...#..#.",
                                                     "...#...#", "........"};
  double x = 0.5;
  double z = 0.5;
  for (int tick = 0; tick < 120; ++tick) {
    StepTimes(*world, 1);
    const double next_x = Place(*world, "anna", "position.x");
    const double next_z = Place(*world, "anna", "position.z");
    EXPECT_NE(kRows[static_cast<size_t>(next_z)][static_cast<size_t>(next_x)],
              '#');
    EXPECT_LE((next_x - x) * (next_x - x) + (next_z - z) * (next_z - z),
              0.1 * 0.1 + 1e-12);
    x = next_x;
    z = next_z;
  }
}

TEST(NavigationTest, SaysWhyThereIsNoPath) {
  const auto told_of = [](std::string_view goal, std::string_view more) {
    auto world = WorldOf(Manifest({Navigation(more), kWalker, Anna(goal)}));
    const std::vector<std::string> told = Told(*world, 5);
    EXPECT_EQ(Number(*world, "anna", "status"), kNavigatorFailed);
    EXPECT_EQ(Number(*world, "anna", "is_active"), 0);
    EXPECT_EQ(RowCount(*world, "navigation", "searches"), 0u);
    EXPECT_EQ(RowCount(*world, "navigation", "reached_nodes"), 0u);
    return told;
  };
  EXPECT_THAT(told_of("3.5 0 0.5", ""),
              ElementsAre("1: path_failed goal_blocked"));
  EXPECT_THAT(told_of("-1 0 0.5", ""),
              ElementsAre("1: path_failed goal_outside"));
  EXPECT_THAT(told_of("7.5 0 1.5", ""),
              ElementsAre("1: path_failed unreachable"));
  EXPECT_THAT(told_of("5.5 0 0.5", "expansions_per_search: 5"),
              ElementsAre("1: path_failed too_far"));
}

TEST(NavigationTest, OutsideThereIsNoStart) {
  auto world = WorldOf(Manifest(
      {Navigation(""), kWalker,
       "objects { name: 'anna' type: 'walker' position { x: -3 } set { "
       "property: 'navigator.is_active' to: '1' } }\n"}));
  EXPECT_THAT(Told(*world, 5), ElementsAre("1: path_failed start_outside"));
}

TEST(NavigationTest, GoesWhereEventsSayAndStays) {
  auto world = WorldOf(Manifest({Navigation(""), kWalker, kCommands,
                                 "objects { name: 'anna' type: 'walker' "
                                 "position { x: 0.5 z: 0.5 } }\n"}));
  StepTimes(*world, 10);
  EXPECT_EQ(Place(*world, "anna", "position.x"), 0.5);
  Command(*world, "send", {2, 2});
  StepTimes(*world, 10);
  EXPECT_EQ(Number(*world, "anna", "status"), kNavigatorGoing);
  Command(*world, "halt");
  StepTimes(*world, 1);
  const double x = Place(*world, "anna", "position.x");
  StepTimes(*world, 10);
  EXPECT_EQ(Place(*world, "anna", "position.x"), x);
  EXPECT_EQ(Number(*world, "anna", "status"), kNavigatorIdle);
  Command(*world, "send", {2, 2});
  StepTimes(*world, 60);
  EXPECT_NEAR(Place(*world, "anna", "position.x"), 2.0, 0.1);
}

TEST(NavigationTest, AsksAnewWhenItsPathIsShut) {
  auto world = WorldOf(
      Manifest({Navigation(""), kWalker, kCommands, Anna("5.5 0 0.5")}));
  StepTimes(*world, 10);
  world->DrainEvents();
  Command(*world, "shut");
  EXPECT_THAT(Told(*world, 3),
              ElementsAre("10: shut", "10: change_cell", "10: cell_changed",
                          "10: path_stale", "11: path_failed unreachable"));
  EXPECT_EQ(RowCount(*world, "navigation", "changed_cells"), 1u);
  EXPECT_EQ(RowCount(*world, "navigation", "path_points"), 0u);
  Command(*world, "open");
  // As the pack has it: there is nothing to keep.
  StepTimes(*world, 1);
  EXPECT_EQ(RowCount(*world, "navigation", "changed_cells"), 0u);
}

TEST(NavigationTest, MudOnAPathMakesItStaleAndElsewhereDoesNot) {
  auto world = WorldOf(
      Manifest({Navigation(""), kWalker, kCommands, Anna("5.5 0 0.5")}));
  StepTimes(*world, 10);
  Command(*world, "mud");
  StepTimes(*world, 2);
  EXPECT_EQ(EventsOf(*world, "path_stale").size(), 1u);
  // What was mud and is dry again makes no path dearer.
  Command(*world, "open");
  StepTimes(*world, 2);
  EXPECT_EQ(EventsOf(*world, "path_stale").size(), 0u);
  StepTimes(*world, 120);
  EXPECT_NEAR(Place(*world, "anna", "position.x"), 5.5, 0.1);
}

TEST(NavigationTest, CellsThatCanNotBeAreRefused) {
  auto world = WorldOf(
      Manifest({Navigation(""), kWalker, kCommands, Anna("5.5 0 0.5")}));
  Command(*world, "odd");
  EXPECT_EQ(EventsOf(*world, "cell_refused").size(), 1u);
  Command(*world, "nowhere");
  EXPECT_EQ(EventsOf(*world, "cell_refused").size(), 1u);
  EXPECT_EQ(RowCount(*world, "navigation", "changed_cells"), 0u);
}

// A field of 40 by 40 with a comb of walls, and two that walk through it.
std::string Comb(std::string_view more, std::string_view of_grid = "") {
  std::string rows;
  for (int row = 0; row < 40; ++row) {
    std::string cells(40, '.');
    for (int column = 2; column < 39; column += 4) {
      for (int k = 0; k < 40; ++k) {
        const bool is_gap = column % 8 == 2 ? k == 39 : k == 0;
        if (k == row && !is_gap) cells[static_cast<size_t>(column)] = '#';
      }
    }
    rows += "  rows: \"" + cells + "\"\n";
  }
  return fmt::format(
      "navigation {{ grids {{ name: 'yard' neighbours: NEIGHBOURS_EIGHT {}\n{} "
      "}} "
      "{} }}\n",
      of_grid, rows, more);
}

constexpr std::string_view kTwo = R"(
types { name: "walker" navigator { space: "yard" speed: 60 } }
types { name: "door" }
objects { name: "door" type: "door" position { x: 2.5 z: 39.5 } }
objects { name: "anna" type: "walker" position { x: 0.5 z: 0.5 } set { property: "navigator.goal" to: "39.5 0 0.5" } set { property: "navigator.is_active" to: "1" } }
objects { name: "bert" type: "walker" position { x: 1.5 z: 0.5 } set { property: "navigator.goal" to: "5.5 0 39.5" } set { property: "navigator.is_active" to: "1" } }
)";

TEST(NavigationTest, SearchesGoOnOverTicksInTurn) {
  auto generous = WorldOf(Manifest({Comb(""), kTwo}));
  const std::vector<std::string> at_once = Told(*generous, 2);
  EXPECT_THAT(at_once, ElementsAre("1: path_found", "1: path_found"));
  auto world = WorldOf(Manifest({Comb("expansions_per_tick: 50"), kTwo}));
  const std::vector<std::string> told = Told(*world, 60);
  // Anna's takes many ticks, in each of which both wait; then it is Bert's
  // turn.
  EXPECT_EQ(std::ranges::count(told, "5: path_budget_passed"), 1);
  std::vector<std::string> found;
  std::ranges::copy_if(told, std::back_inserter(found), [](const auto& line) {
    return line.ends_with("path_found");
  });
  ASSERT_EQ(found.size(), 2u);
  EXPECT_GT(std::stoi(found[0]), 10);
  EXPECT_GE(std::stoi(found[1]), std::stoi(found[0]));
}

class SearchBudgetTest : public testing::TestWithParam<const char*> {};

TEST_P(SearchBudgetTest, ChangesWhenAPathIsFoundAndNotWhich) {
  const auto path_of = [](std::string_view budget) {
    auto world = WorldOf(Manifest({Comb(budget, GetParam()), kTwo}));
    for (int tick = 0; tick < 2000; ++tick) {
      StepTimes(*world, 1);
      if (Number(*world, "anna", "path") != 0) break;
    }
    const Table& points =
        world->state().table(*world->state().Find("navigation", "path_points"));
    std::vector<uint64_t> nodes;
    for (uint32_t row = 0; row < points.row_count(); ++row) {
      const auto& point = points.Get<PathPointRow>(row);
      if (point.path == 1) nodes.push_back(point.node);
    }
    return nodes;
  };
  const std::vector<uint64_t> expected = path_of("");
  ASSERT_GT(expected.size(), 300u);
  EXPECT_EQ(path_of("expansions_per_tick: 1"), expected);
  EXPECT_EQ(path_of("expansions_per_tick: 77"), expected);
}

INSTANTIATE_TEST_SUITE_P(PlainAndByClusters, SearchBudgetTest,
                         testing::Values("", "cluster_size: 8"));

// Each tick's rows are restored into another world, while both searches by
// clusters are under way and cells change.
TEST(NavigationTest, SearchesByClustersGoOnFromTheirRows) {
  const std::string manifest = Manifest(
      {Comb("expansions_per_tick: 23", "cluster_size: 8"), kTwo, kCommands});
  const auto world = WorldOf(manifest);
  int in_corridor = 0;
  int between_clusters = 0;
  for (int tick = 0; tick < 250; ++tick) {
    const auto restored = WorldOf(manifest);
    ASSERT_EQ(restored->Restore(world->state()), absl::OkStatus()) << tick;
    for (Simulation* const each : {world.get(), restored.get()}) {
      if (tick == 40 || tick == 180) {
        Command(*each, "mud");
      } else {
        StepTimes(*each, 1);
      }
    }
    ASSERT_EQ(restored->state().ComputeRootDigest(),
              world->state().ComputeRootDigest())
        << tick;
    const bool is_under_way =
        RowCount(*world, "navigation", "reached_nodes") > 0;
    const bool has_corridor = RowCount(*world, "navigation", "corridor") > 0;
    ASSERT_TRUE(is_under_way || !has_corridor);
    in_corridor += has_corridor ? 1 : 0;
    between_clusters += is_under_way && !has_corridor ? 1 : 0;
  }
  EXPECT_GT(in_corridor, 10);
  EXPECT_GT(between_clusters, 5);
}

TEST(NavigationTest, CorridorsThatCanNotBeAreRefused) {
  const std::string manifest =
      Manifest({Comb("expansions_per_tick: 23", "cluster_size: 8"), kTwo});
  const auto world = WorldOf(manifest);
  for (int tick = 0;
       RowCount(*world, "navigation", "corridor") == 0 && tick < 200; ++tick) {
    StepTimes(*world, 1);
  }
  ASSERT_GT(RowCount(*world, "navigation", "corridor"), 1u);
  const auto refused = [&](std::string_view of, const auto& change) {
    State bad = world->state();
    change(bad.mutable_table(*bad.Find("navigation", "corridor")));
    return WorldOf(std::string(of))->Restore(bad).code() ==
           absl::StatusCode::kDataLoss;
  };
  const auto set = [](uint32_t row, uint64_t cluster) {
    return
        [=](Table& rows) { rows.Mutable<CorridorRow>(row).cluster = cluster; };
  };
  EXPECT_FALSE(refused(manifest, [](Table&) {}));
  EXPECT_TRUE(refused(manifest,
                      set(RowCount(*world, "navigation", "corridor") - 1, 25)));
  EXPECT_TRUE(refused(
      manifest,
      set(RowCount(*world, "navigation", "corridor") - 1, kNowhere + 3)));
  EXPECT_TRUE(refused(manifest, set(0, 24)));  // not ascending
  // One that leads nowhere is no harm.
  State astray = world->state();
  astray.mutable_table(*astray.Find("navigation", "corridor")).Resize(1);
  const auto other = WorldOf(manifest);
  ASSERT_EQ(other->Restore(astray), absl::OkStatus());
  StepTimes(*other, 200);
}

// Snapshots of every tick, while searches are under way and cells change.
TEST(NavigationTest, SnapshotsOfAnyTickGoOnAsTheRunDid) {
  const std::string manifest =
      Manifest({Comb("expansions_per_tick: 37"), kTwo, kCommands});
  const auto world = WorldOf(manifest);
  uint32_t most_reached = 0;
  for (int tick = 0; tick < 140; ++tick) {
    const auto restored = WorldOf(manifest);
    ASSERT_EQ(restored->Restore(world->state()), absl::OkStatus()) << tick;
    for (Simulation* const each : {world.get(), restored.get()}) {
      if (tick == 15) {
        Command(*each, "mud");  // begins the search anew
      } else if (tick == 90) {
        Command(*each, "shut");
      } else {
        StepTimes(*each, 1);
      }
    }
    ASSERT_EQ(restored->state().ComputeRootDigest(),
              world->state().ComputeRootDigest())
        << tick;
    most_reached =
        std::max(most_reached, RowCount(*world, "navigation", "reached_nodes"));
  }
  EXPECT_GT(most_reached, 500u);
}

TEST(NavigationTest, OneRestoredRunEndsLikeTheOther) {
  const std::string manifest =
      Manifest({Comb("expansions_per_tick: 37"), kTwo});
  const auto world = WorldOf(manifest);
  StepTimes(*world, 11);
  ASSERT_GT(RowCount(*world, "navigation", "reached_nodes"), 100u);
  const auto restored = WorldOf(manifest);
  ASSERT_EQ(restored->Restore(world->state()), absl::OkStatus());
  for (int tick = 0; tick < 500; ++tick) {
    StepTimes(*world, 1);
    StepTimes(*restored, 1);
    ASSERT_EQ(restored->state().ComputeRootDigest(),
              world->state().ComputeRootDigest());
  }
  EXPECT_EQ(Number(*world, "anna", "status"), kNavigatorArrived);
}

TEST(NavigationTest, WhoIsGoneIsSearchedForNoLonger) {
  auto world = WorldOf(Manifest(
      {Comb("expansions_per_tick: 5"), kTwo,
       "players { actions { name: 'end' command { } } commands_per_tick_max: 1 "
       "}\nconnections { name: 'end' event: 'end' then { destroy { object: "
       "'anna' } } }\n"}));
  StepTimes(*world, 5);
  ASSERT_GT(RowCount(*world, "navigation", "reached_nodes"), 0u);
  Command(*world, "end");
  StepTimes(*world, 200);
  EXPECT_EQ(RowCount(*world, "navigation", "searches"), 0u);
  EXPECT_EQ(RowCount(*world, "navigation", "reached_nodes"), 0u);
  EXPECT_GE(Number(*world, "bert", "status"), kNavigatorGoing);
}

TEST(NavigationTest, FollowsWhoeverMoves) {
  auto world = WorldOf(Manifest(
      {Navigation(""), kWalker,
       "types { name: 'hound' navigator { space: 'yard' speed: 9 } }\n"
       "objects { name: 'hound' type: 'hound' position { x: 0.5 z: 3.5 } set { "
       "property: 'navigator.target' to: 'anna' } set { property: "
       "'navigator.is_active' to: '1' } }\n",
       Anna("5.5 0 0.5")}));
  // It is there when it has come up with her, wherever that is.
  int ticks = 0;
  for (; ticks < 100; ++ticks) {
    if (Number(*world, "hound", "status") == kNavigatorArrived) break;
    StepTimes(*world, 1);
  }
  EXPECT_GE(ticks, 15);
  const double x = Place(*world, "hound", "position.x") -
                   Place(*world, "anna", "position.x");
  const double z = Place(*world, "hound", "position.z") -
                   Place(*world, "anna", "position.z");
  EXPECT_LE(x * x + z * z, 0.25 * 0.25);
}

constexpr std::string_view kFlow = R"(
flow_fields { name: "home" grid: "yard" goal { x: 5.5 z: 0.5 } }
)";
constexpr std::string_view kCrowd = R"(
types { name: "sheep" navigator { flow_field: "home" speed: 6 } }
types { name: "door" }
objects { name: "door" type: "door" position { x: 3.5 z: 3.5 } }
objects { name: "sheep" type: "sheep" position { x: 0.5 z: 0.5 } grid { count_x: 3 count_z: 3 spacing { x: 1 z: 1 } } set { property: "navigator.is_active" to: "1" } }
players { actions { name: "move" command { } } actions { name: "shut" command { } } commands_per_tick_max: 1 }
connections { name: "move" event: "move" then { send { event: "move_flow_goal" object: "door" with { argument: "field" to: "home" } with { argument: "x" to: "0.5" } with { argument: "z" to: "3.5" } } } }
connections { name: "shut" event: "shut" then { send { event: "change_cell" object: "door" with { argument: "grid" to: "yard" } with { argument: "weight" to: "0" } } } }
)";

TEST(NavigationTest, CrowdFollowsAFlowField) {
  auto world = WorldOf(Manifest({Navigation(kFlow), kCrowd}));
  StepTimes(*world, 200);
  EXPECT_EQ(EventsOf(*world, "path_arrived").size(), 9u);
  EXPECT_NEAR(Place(*world, "sheep_0", "position.x"), 5.5, 0.1);
}

TEST(NavigationTest, FlowFieldsFollowGoalsAndCells) {
  auto world = WorldOf(Manifest({Navigation(kFlow), kCrowd}));
  StepTimes(*world, 10);
  Command(*world, "move");
  StepTimes(*world, 100);
  EXPECT_EQ(EventsOf(*world, "path_arrived").size(), 9u);
  EXPECT_NEAR(Place(*world, "sheep_0", "position.z"), 3.5, 0.1);
  auto other = WorldOf(Manifest({Navigation(kFlow), kCrowd}));
  StepTimes(*other, 5);
  Command(*other, "shut");
  StepTimes(*other, 1);
  EXPECT_EQ(EventsOf(*other, "path_failed").size(), 9u);
}

TEST(NavigationTest, WaysOfAGraphGoRoundWhatStandsBetween) {
  constexpr std::string_view kGraph = R"(
navigation {
  graphs {
    name: "net" sight_range: 11 sight_radius: 0.2
    points { name: "a" position { x: 0 y: 1 } }
    points { name: "b" position { x: 10 y: 1 } }
    points { name: "c" position { x: 5 y: 1 z: 6 } }
  }
}
types { name: "block" body { motion: MOTION_FIXED shapes { box { half_extents { x: 1 y: 2 z: 2 } } } } }
types { name: "barrel" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.5 } } } }
types { name: "drone" navigator { space: "net" speed: 6 } }
objects { name: "drone" type: "drone" position { x: 0 y: 1 } set { property: "navigator.goal" to: "10 1 0" } set { property: "navigator.is_active" to: "1" } }
)";
  const auto cost_with = [&](std::string_view object) {
    auto world = WorldOf(Manifest({kGraph, "objects { name: 'thing' type: '",
                                   object, "' position { x: 5 y: 1 } }\n"}));
    StepTimes(*world, 2);
    const std::vector<Event> found = EventsOf(*world, "path_found");
    EXPECT_EQ(found.size(), 1u);
    StepTimes(*world, 250);
    EXPECT_EQ(Number(*world, "drone", "status"), kNavigatorArrived);
    for (const EventArgument& argument : found.at(0).arguments) {
      if (argument.name == IdOf("cost")) return argument.value.bits;
    }
    return uint64_t{0};
  };
  EXPECT_EQ(cost_with("barrel"), 10000u);
  // Twice the square root of 61, each rounded up to millimetres.
  EXPECT_EQ(cost_with("block"), 2u * 7811);
}

TEST(NavigationTest, CharactersWalkTheirPaths) {
  auto world = WorldOf(Manifest({Navigation(""), R"(
types { name: "ground" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
objects { name: "ground" type: "ground" }
types {
  name: "walker"
  body { motion: MOTION_KINEMATIC shapes { capsule { radius: 0.2 half_length: 0.3 } } }
  character { speed: 3 acceleration: 60 }
  navigator { space: "yard" speed: 3 arrive_radius: 0.2 }
}
objects { name: "anna" type: "walker" position { x: 0.5 y: 0.6 z: 0.5 } set { property: "navigator.goal" to: "5.5 0 0.5" } set { property: "navigator.is_active" to: "1" } }
)"}));
  StepTimes(*world, 300);
  EXPECT_EQ(Number(*world, "anna", "status"), kNavigatorArrived);
  const auto at = [&](std::string_view scalar) {
    return ValueOf(*world, "physics", "bodies", "anna", scalar)->AsDouble();
  };
  EXPECT_NEAR(at("position.x"), 5.5, 0.3);
  EXPECT_NEAR(at("position.z"), 0.5, 0.3);
  EXPECT_NEAR(at("position.y"), 0.5, 0.1);
}

// Two goals on this side of the wall and one beyond; and one in the cell that
// nobody gets to.
constexpr std::string_view kGoals = R"(
goal_sets { name: "huts" space: "yard" goals { position { x: 4.5 z: 0.5 } } goals { position { x: 2.5 z: 3.5 } } goals { position { x: 1.25 z: 2.75 } } }
goal_sets { name: "far" space: "yard" goals { position { x: 4.5 z: 0.5 } } goals { position { x: 7.5 z: 1.5 } } }
goal_sets { name: "nobodys" space: "yard" goals { position { x: 7.5 z: 1.5 } } }
goal_sets { name: "others" space: "field" goals { position { x: 0.5 z: 0.5 } } }
grids { name: "field" rows: "..." }
)";

constexpr std::string_view kToNearest = R"(
players {
  actions { name: "huts" command { } }
  actions { name: "far" command { } }
  actions { name: "nobodys" command { } }
  actions { name: "others" command { } }
  actions { name: "unknown" command { } }
  actions { name: "corner" command { } }
  actions { name: "shut" command { } }
  commands_per_tick_max: 1
}
connections { name: "huts" event: "huts" target: "anna" send: "navigate" with { argument: "goals" to: "huts" } }
connections { name: "far" event: "far" target: "anna" send: "navigate" with { argument: "goals" to: "far" } }
connections { name: "nobodys" event: "nobodys" target: "anna" send: "navigate" with { argument: "goals" to: "nobodys" } }
connections { name: "others" event: "others" target: "anna" send: "navigate" with { argument: "goals" to: "others" } }
connections { name: "unknown" event: "unknown" target: "anna" send: "navigate" with { argument: "goals" to: "nowhere" } }
connections { name: "corner" event: "corner" target: "anna" send: "navigate" with { argument: "x" to: "0.5" } with { argument: "z" to: "2.5" } }
connections { name: "shut" event: "shut" then { send { event: "change_cell" object: "door" with { argument: "grid" to: "yard" } with { argument: "weight" to: "0" } with { argument: "x" to: "1.5" } with { argument: "z" to: "2.5" } } } }
objects { name: "anna" type: "walker" position { x: 0.5 z: 0.5 } }
)";

std::unique_ptr<Simulation> WorldOfGoals(std::string_view more = "") {
  return WorldOf(Manifest(
      {Navigation(fmt::format("{} {}", kGoals, more)), kWalker, kToNearest}));
}

TEST(NearestGoalTest, GoesToTheNearestAsTheWayIs) {
  const auto world = WorldOfGoals();
  Command(*world, "huts");
  const std::vector<std::string> told = Told(*world, 90);
  EXPECT_THAT(told, Contains(::testing::EndsWith(": path_found")));
  EXPECT_THAT(told.back(), ::testing::EndsWith(": path_arrived"));
  // There itself, not just in its cell.
  EXPECT_NEAR(Place(*world, "anna", "position.x"), 1.25, 0.1);
  EXPECT_NEAR(Place(*world, "anna", "position.z"), 2.75, 0.1);
  EXPECT_EQ(
      ValueOf(*world, "components", "navigator", "anna", "goal.x")->AsDouble(),
      1.25);
  // The other one is out of reach.
  Command(*world, "far");
  StepTimes(*world, 90);
  EXPECT_NEAR(Place(*world, "anna", "position.x"), 4.5, 0.1);
  EXPECT_NEAR(Place(*world, "anna", "position.z"), 0.5, 0.1);
}

TEST(NearestGoalTest, StalePathsLeadToWhatIsTheNearestNow) {
  const auto world = WorldOfGoals();
  Command(*world, "huts");
  StepTimes(*world, 10);
  ASSERT_EQ(Number(*world, "anna", "status"), kNavigatorGoing);
  Command(*world, "shut");
  EXPECT_THAT(Told(*world, 90), Contains(::testing::EndsWith(": path_stale")));
  EXPECT_EQ(Number(*world, "anna", "status"), kNavigatorArrived);
  EXPECT_NEAR(Place(*world, "anna", "position.x"), 2.5, 0.1);
  EXPECT_NEAR(Place(*world, "anna", "position.z"), 3.5, 0.1);
}

TEST(NearestGoalTest, WhatCanNotBeIsTold) {
  const auto reason = [](std::string_view command) {
    const auto world = WorldOfGoals();
    Command(*world, command);
    std::string last;
    for (const std::string& line : Told(*world, 5)) last = line;
    EXPECT_EQ(Number(*world, "anna", "status"), kNavigatorFailed) << command;
    return last.substr(last.find(' ') + 1);
  };
  EXPECT_EQ(reason("unknown"), "path_failed no_such_goals");
  EXPECT_EQ(reason("others"), "path_failed no_such_goals");
  EXPECT_EQ(reason("nobodys"), "path_failed unreachable");
}

TEST(NearestGoalTest, AnotherGoalTakesItsPlace) {
  // However far the search is.
  for (const int ticks : {0, 1, 2, 5, 12}) {
    const auto world = WorldOfGoals("expansions_per_tick: 2");
    Command(*world, "huts");
    StepTimes(*world, ticks);
    Command(*world, "corner");
    StepTimes(*world, 120);
    EXPECT_NEAR(Place(*world, "anna", "position.x"), 0.5, 0.1) << ticks;
    EXPECT_NEAR(Place(*world, "anna", "position.z"), 2.5, 0.1) << ticks;
    EXPECT_EQ(Number(*world, "anna", "status"), kNavigatorArrived) << ticks;
  }
}

TEST(NearestGoalTest, SnapshotOfEveryTickGoesOnAsItDid) {
  const auto world = WorldOfGoals("expansions_per_tick: 1");
  const auto other = WorldOfGoals("expansions_per_tick: 1");
  uint32_t most_reached = 0;
  for (int tick = 0; tick < 150; ++tick) {
    ASSERT_EQ(other->Restore(world->state()), absl::OkStatus()) << tick;
    for (Simulation* const each : {world.get(), other.get()}) {
      if (tick == 2) {
        Command(*each, "huts");
      } else if (tick == 110) {
        Command(*each, "far");
      } else {
        StepTimes(*each, 1);
      }
    }
    ASSERT_EQ(other->state().ComputeRootDigest(),
              world->state().ComputeRootDigest())
        << tick;
    most_reached =
        std::max(most_reached, RowCount(*world, "navigation", "reached_nodes"));
  }
  EXPECT_GT(most_reached, 5u);
}

TEST(NearestGoalTest, SetsOfOtherSpacesAreRefusedInSnapshots) {
  const auto world = WorldOfGoals("expansions_per_tick: 1");
  Command(*world, "huts");
  StepTimes(*world, 2);
  const auto refused = [&](uint64_t goal_node) {
    State bad = world->state();
    bad.mutable_table(*bad.Find("navigation", "searches"))
        .Mutable<PathSearchRow>(0)
        .goal_node = goal_node;
    return WorldOfGoals("expansions_per_tick: 1")->Restore(bad).code() ==
           absl::StatusCode::kDataLoss;
  };
  int refused_count = 0;
  for (uint32_t set = 0; set < 4; ++set) {
    refused_count += refused(NearestOf(set)) ? 1 : 0;
  }
  EXPECT_EQ(refused_count, 1);
  EXPECT_TRUE(refused(NearestOf(4)));
  EXPECT_TRUE(refused(kNearestFirst));
}

class PathRequestsTest : public ::testing::Test {
 protected:
  PathRequestsTest()
      : world_(WorldOf(Manifest({Navigation(""), R"(
types { name: "walker" navigator { space: "yard" speed: 6 } behaviours { behaviour: "testing_act" } }
types { name: "rock" behaviours { behaviour: "testing_act" } }
objects { name: "anna" type: "walker" position { x: 0.5 z: 0.5 } }
)"}))) {
    TheActs().on_event = [this](UpdateContext& context,
                                const WorldEvent& event) {
      const auto found = event.arguments.GetBool(IdOf("found"));
      const auto reason = event.arguments.GetId(IdOf("reason"));
      const auto points = event.arguments.GetInt64(IdOf("points"));
      if (!found.ok()) return false;
      told_.push_back(fmt::format(
          "{}: {}", context.tick(),
          *found ? std::to_string(*points) : world_->IdName(*reason)));
      return true;
    };
  }
  ~PathRequestsTest() override { TheActs() = {}; }

  void Act(std::function<void(UpdateContext&, uint32_t)> act) {
    TheActs().before_physics = std::move(act);
    StepTimes(*world_, 1);
    TheActs().before_physics = {};
  }

  std::unique_ptr<Simulation> world_;
  std::vector<std::string> told_;
};

TEST_F(PathRequestsTest, AnswerComesWhenItIsDue) {
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(RequestPath(context, i, {2.5, 0, 0.5}, 3, IdOf("told")));
    EXPECT_THAT(PathOf(context, i), IsEmpty());
  });
  StepTimes(*world_, 4);
  EXPECT_THAT(told_, ElementsAre("3: 3"));
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_THAT(PathOf(context, i),
                ElementsAre(Vector3{1.5, 0, 0.5}, Vector3{2.5, 0, 0.5}));
  });
  // It isn't active, and stays.
  EXPECT_EQ(Place(*world_, "anna", "position.x"), 0.5);
}

TEST_F(PathRequestsTest, NearestOfSeveralGoalsCanBeAsked) {
  world_ = WorldOf(Manifest({Navigation(kGoals), R"(
types { name: "walker" navigator { space: "yard" speed: 6 } behaviours { behaviour: "testing_act" } }
objects { name: "anna" type: "walker" position { x: 0.5 z: 0.5 } }
)"}));
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(RequestNearestPath(context, i, IdOf("huts"), 1, IdOf("told")));
    EXPECT_FALSE(
        RequestNearestPath(context, i, IdOf("others"), 1, IdOf("told")));
    EXPECT_FALSE(RequestNearestPath(context, i, IdOf("none"), 1, IdOf("told")));
  });
  StepTimes(*world_, 3);
  EXPECT_THAT(told_, ElementsAre("1: 3"));
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_EQ(PathOf(context, i).back(), (Vector3{1.5, 0, 2.5}));
  });
}

TEST_F(PathRequestsTest, LastRequestCounts) {
  Act([](UpdateContext& context, uint32_t i) {
    RequestPath(context, i, {2.5, 0, 0.5}, 1, IdOf("told"));
    RequestPath(context, i, {3.5, 0, 0.5}, 1, IdOf("told"));
  });
  StepTimes(*world_, 4);
  EXPECT_THAT(told_, ElementsAre("1: superseded", "1: goal_blocked"));
}

TEST_F(PathRequestsTest, WhatCanNotBeAskedIsRefused) {
  Act([](UpdateContext& context, uint32_t i) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(RequestPath(context, i, {infinity, 0, 0}, 1, IdOf("told")));
  });
  EXPECT_EQ(RowCount(*world_, "world", "requests"), 0u);
}

TEST(NavigationSnapshotTest, RowsThatCanNotBeAreRefused) {
  const std::string manifest =
      Manifest({Comb("expansions_per_tick: 37"), kTwo, kCommands});
  const auto world = WorldOf(manifest);
  // Anna's search is under way; the second time she walks and a cell is mud.
  StepTimes(*world, 10);
  const auto refused = [&](std::string_view room, std::string_view table,
                           const auto& change) {
    State bad = world->state();
    change(bad.mutable_table(*bad.Find(room, table)));
    const auto other = WorldOf(manifest);
    return other->Restore(bad).code() == absl::StatusCode::kDataLoss;
  };
  EXPECT_TRUE(refused("navigation", "reached_nodes",
                      [](Table& rows) { rows.Resize(0); }));
  EXPECT_TRUE(refused("navigation", "reached_nodes", [](Table& rows) {
    rows.Mutable<ReachedNodeRow>(5).came_from = 5;
  }));
  EXPECT_TRUE(refused("navigation", "reached_nodes", [](Table& rows) {
    rows.Mutable<ReachedNodeRow>(5).node = 1u << 20;
  }));
  EXPECT_TRUE(
      refused("navigation", "searches", [](Table& rows) { rows.Resize(0); }));
  EXPECT_TRUE(refused("navigation", "searches", [](Table& rows) {
    rows.Mutable<PathSearchRow>(1).stage = kSearchIsUnderWay;
  }));
  EXPECT_TRUE(refused("navigation", "searches", [](Table& rows) {
    rows.Mutable<PathSearchRow>(1).stage = kSearchIsAsked;
  }));
  EXPECT_TRUE(refused("navigation", "searches", [](Table& rows) {
    rows.Mutable<PathSearchRow>(0).goal_node = 1600;
  }));
  EXPECT_TRUE(
      refused("navigation", "counters", [](Table& rows) { rows.Resize(0); }));
  EXPECT_TRUE(refused("components", "navigator", [](Table& rows) {
    rows.Mutable<NavigatorRow>(0).search = 77;
  }));
  StepTimes(*world, 60);
  Command(*world, "mud");
  StepTimes(*world, 80);
  ASSERT_GT(RowCount(*world, "navigation", "path_points"), 0u);
  ASSERT_EQ(RowCount(*world, "navigation", "changed_cells"), 1u);
  EXPECT_TRUE(refused("navigation", "path_points",
                      [](Table& rows) { rows.Resize(rows.row_count() - 1); }));
  EXPECT_TRUE(refused("navigation", "path_points", [](Table& rows) {
    rows.Mutable<PathPointRow>(0).node = 1600;
  }));
  EXPECT_TRUE(refused("navigation", "path_points", [](Table& rows) {
    rows.Mutable<PathPointRow>(0).position.x += 1.0;
  }));
  EXPECT_TRUE(refused("components", "navigator", [](Table& rows) {
    rows.Mutable<NavigatorRow>(0).next = 5000;
  }));
  EXPECT_TRUE(refused("navigation", "changed_cells", [](Table& rows) {
    rows.Mutable<ChangedCellRow>(0).cell = 1600;
  }));
  EXPECT_TRUE(refused("navigation", "changed_cells", [](Table& rows) {
    rows.Mutable<ChangedCellRow>(0).weight = 1;  // as the pack has it
  }));
  EXPECT_TRUE(refused("navigation", "changed_cells", [](Table& rows) {
    rows.Mutable<ChangedCellRow>(0).weight = 70000;
  }));
}

TEST(NavigationTest, OneCellIsAGridToo) {
  auto world = WorldOf(Manifest(
      {"navigation { grids { name: 'yard' rows: '.' } expansions_per_tick: 1 "
       "}\n",
       kWalker, Anna("0.9 0 0.9")}));
  StepTimes(*world, 20);
  EXPECT_EQ(Number(*world, "anna", "status"), kNavigatorArrived);
  EXPECT_NEAR(Place(*world, "anna", "position.x"), 0.9, 0.1);
}

// An island in 16,777,216 cells: the search ends by its bound, a little in each
// tick.
TEST(NavigationTest, LargestGridEndsByItsBound) {
  auto world = WorldOf(Manifest({R"(
navigation {
  grids {
    name: "yard" columns: 4096 row_count: 4096 neighbours: NEIGHBOURS_EIGHT
    areas { column: 2000 row: 2000 columns: 9 rows: 9 symbol: "#" }
    areas { column: 2001 row: 2001 columns: 7 rows: 7 symbol: "." }
  }
  expansions_per_tick: 2000
  expansions_per_search: 9000
}
)",
                                 kWalker, Anna("2004.5 0 2004.5")}));
  std::vector<std::string> told = Told(*world, 10);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), "5: path_failed too_far");
  EXPECT_EQ(RowCount(*world, "navigation", "reached_nodes"), 0u);
}

// Nobody can have a path for longer than a tick, and everybody asks again.
TEST(NavigationTest, CellsThatChangeInEveryTickHangNothing) {
  auto world = WorldOf(
      Manifest({Comb("expansions_per_tick: 10 expansions_per_search: 200"),
                kTwo, kCommands}));
  for (int tick = 0; tick < 100; ++tick) {
    Command(*world, tick % 2 == 0 ? "mud" : "open");
  }
  EXPECT_EQ(Number(*world, "anna", "status"), kNavigatorFailed);
  EXPECT_EQ(Number(*world, "bert", "status"), kNavigatorFailed);
}

}  // namespace
}  // namespace reprise::sim
