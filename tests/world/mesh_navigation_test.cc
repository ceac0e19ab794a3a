// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that navigators find their way on a navigation mesh: straight where
// that is possible, through a door while it is open, over links; that they say
// why there is no path, and that a snapshot in the middle of a search goes on
// to the same bits.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/systems/navigation/navigation_rows.h"
#include "sim/systems/navigation/testing_mesh_packs.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;

constexpr std::string_view kCommands = R"(
players {
  actions { name: "shut" command { } }
  actions { name: "mud" command { } }
  actions { name: "open" command { } }
  actions { name: "odd" command { } }
  actions { name: "nowhere" command { } }
  commands_per_tick_max: 1
}
types { name: "door" }
objects { name: "door" type: "door" position { x: 5.5 z: 2.5 } }
connections { name: "shut" event: "shut" then { send { event: "change_area" object: "door" with { argument: "mesh" to: "house" } with { argument: "area" to: "door" } with { argument: "weight" to: "0" } } } }
connections { name: "mud" event: "mud" then { send { event: "change_area" object: "door" with { argument: "mesh" to: "house" } with { argument: "area" to: "door" } with { argument: "weight" to: "9" } } } }
connections { name: "open" event: "open" then { send { event: "change_area" object: "door" with { argument: "mesh" to: "house" } with { argument: "area" to: "door" } with { argument: "weight" to: "1" } } } }
connections { name: "odd" event: "odd" then { send { event: "change_area" object: "door" with { argument: "mesh" to: "house" } with { argument: "area" to: "door" } with { argument: "weight" to: "1001" } } } }
connections { name: "nowhere" event: "nowhere" then { send { event: "change_area" object: "door" with { argument: "mesh" to: "house" } with { argument: "area" to: "house" } with { argument: "weight" to: "1" } } } }
)";

// A walker at a place that wants to another one.
std::string Anna(std::string_view from, std::string_view goal,
                 std::string_view more = "") {
  return fmt::format(
      "types {{ name: 'walker' navigator {{ space: 'house' speed: 6 {} }} }}\n"
      "objects {{ name: 'anna' type: 'walker' position {{ {} }} set {{ "
      "property: 'navigator.goal' to: '{}' }} set {{ property: "
      "'navigator.is_active' to: '1' }} }}\n",
      more, from, goal);
}

// The manifest of the two rooms, with more in the navigation and in the mesh.
std::string House(std::string_view navigation, std::string_view mesh,
                  std::initializer_list<std::string_view> parts) {
  std::string manifest =
      Manifest({"navigation {", navigation, kRoomsMesh, mesh, "\n} }\n"});
  for (const std::string_view part : parts) manifest += part;
  return manifest;
}

std::unique_ptr<Simulation> WorldOfRooms(const std::string& manifest) {
  auto world = CreateWorld(
      PackOf(manifest, "house.mesh", BakedAs(manifest, TwoRooms())), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *std::move(world) : nullptr;
}

std::unique_ptr<Simulation> WorldOfRooms(
    std::initializer_list<std::string_view> parts) {
  return WorldOfRooms(House("", "", parts));
}

double Place(const Simulation& world, std::string_view object,
             std::string_view scalar) {
  return ValueOf(world, "world", "places", object, scalar)->AsDouble();
}

int64_t Number(const Simulation& world, std::string_view property) {
  return static_cast<int64_t>(
      ValueOf(world, "components", "navigator", "anna", property)->bits);
}

void Command(Simulation& world, std::string_view name) {
  InputFrame frame;
  frame.commands.push_back({.name = IdOf(name), .arguments = {}});
  world.Step(std::vector{frame}, nullptr);
}

// What is told of paths and areas in so many ticks, with reasons.
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

TEST(MeshNavigationTest, GoesStraightThroughADoor) {
  // From (0.5, 0.5) to (10.5, 4.5) the straight way is in the door from 2.3 to
  // 2.7: nothing bends it.
  auto world = WorldOfRooms({Anna("x: 0.5 z: 0.5", "10.5 0 4.5")});
  StepTimes(*world, 2);
  ASSERT_EQ(EventsOf(*world, "path_found").size(), 1u);
  // 10.77 m at 0.1 m a tick, until it is 0.1 m from its goal.
  const double length = Sqrt(10.0 * 10.0 + 4.0 * 4.0);
  int ticks = 0;
  double x = 0.5;
  while (Number(*world, "status") != kNavigatorArrived && ticks < 200) {
    StepTimes(*world, 1);
    ++ticks;
    x = Place(*world, "anna", "position.x");
    // On the line, but for a step of a 256th of a voxel where it enters an
    // area, and leaves it.
    EXPECT_NEAR(Place(*world, "anna", "position.z") - 0.5, 0.4 * (x - 0.5),
                0.5 / 256.0);
  }
  EXPECT_NEAR(ticks, (length - 0.1) / 0.1, 2.0);
  EXPECT_NEAR(x, 10.5, 0.11);
  EXPECT_EQ(RowCount(*world, "navigation", "path_points"), 0u);
}

TEST(MeshNavigationTest, SaysWhyThereIsNoPath) {
  const auto told_of = [](std::string_view from, std::string_view goal,
                          std::string_view navigation) {
    auto world = WorldOfRooms(House(navigation, "", {Anna(from, goal)}));
    const std::vector<std::string> told = Told(*world, 5);
    EXPECT_EQ(Number(*world, "status"), kNavigatorFailed);
    EXPECT_EQ(RowCount(*world, "navigation", "searches"), 0u);
    EXPECT_EQ(RowCount(*world, "navigation", "reached_nodes"), 0u);
    return told;
  };
  constexpr std::string_view kHere = "x: 0.5 z: 0.5";
  EXPECT_THAT(told_of(kHere, "15.5 0 3", ""),
              ElementsAre("1: path_failed unreachable"));
  EXPECT_THAT(told_of(kHere, "5.5 0 1.5", ""),
              ElementsAre("1: path_failed goal_outside"));
  EXPECT_THAT(told_of(kHere, "4.5 3 1.5", ""),
              ElementsAre("1: path_failed goal_outside"));
  EXPECT_THAT(told_of("x: -1 z: 0.5", "1 0 1", ""),
              ElementsAre("1: path_failed start_outside"));
  EXPECT_THAT(told_of(kHere, "10.5 0 4.5", "expansions_per_search: 1"),
              ElementsAre("1: path_failed too_far"));
}

TEST(MeshNavigationTest, WithinReachTheClosestPlaceCounts) {
  // The agent's radius of 0.4 m: 0.3 m outside of the room.
  auto world = WorldOfRooms({Anna("x: -0.3 z: 1", "4.7 0 5.3")});
  StepTimes(*world, 150);
  EXPECT_EQ(Number(*world, "status"), kNavigatorArrived);
  EXPECT_NEAR(Place(*world, "anna", "position.x"), 4.7, 0.1);
  EXPECT_NEAR(Place(*world, "anna", "position.z"), 5.0, 0.1);
}

TEST(MeshNavigationTest, WhoIsThereArrives) {
  auto world = WorldOfRooms({Anna("x: 1 z: 1", "1 0 1")});
  EXPECT_THAT(Told(*world, 5), ElementsAre("1: path_found", "1: path_arrived"));
}

TEST(MeshNavigationTest, ShutDoorsMakePathsStale) {
  auto world = WorldOfRooms({kCommands, Anna("x: 0.5 z: 0.5", "10.5 0 4.5")});
  StepTimes(*world, 10);
  world->DrainEvents();
  Command(*world, "shut");
  EXPECT_THAT(Told(*world, 3),
              ElementsAre("10: shut", "10: change_area", "10: area_changed",
                          "10: path_stale", "11: path_failed unreachable"));
  EXPECT_EQ(RowCount(*world, "navigation", "changed_cells"), 1u);
  Command(*world, "open");
  StepTimes(*world, 1);
  EXPECT_EQ(RowCount(*world, "navigation", "changed_cells"), 0u);
}

TEST(MeshNavigationTest, WhatIsBehindChangesNothing) {
  auto world = WorldOfRooms({kCommands, Anna("x: 0.5 z: 0.5", "10.5 0 4.5")});
  while (Place(*world, "anna", "position.x") < 6.2) StepTimes(*world, 1);
  Command(*world, "shut");
  StepTimes(*world, 1);
  EXPECT_EQ(EventsOf(*world, "path_stale").size(), 0u);
}

TEST(MeshNavigationTest, WhoStandsInAShutDoorLeavesIt) {
  auto world = WorldOfRooms({kCommands, Anna("x: 0.5 z: 0.5", "10.5 0 4.5")});
  while (Place(*world, "anna", "position.x") < 5.3) StepTimes(*world, 1);
  Command(*world, "shut");
  StepTimes(*world, 100);
  EXPECT_EQ(EventsOf(*world, "path_stale").size(), 1u);
  EXPECT_EQ(Number(*world, "status"), kNavigatorArrived);
}

TEST(MeshNavigationTest, MudMakesPathsDearer) {
  const auto cost_after = [](std::string_view command) {
    auto world = WorldOfRooms({kCommands, Anna("x: 0.5 z: 0.5", "10.5 0 4.5")});
    Command(*world, command);
    StepTimes(*world, 5);
    for (const Event& event : EventsOf(*world, "path_found")) {
      for (const EventArgument& argument : event.arguments) {
        if (argument.name == IdOf("cost")) return argument.value.bits;
      }
    }
    return uint64_t{0};
  };
  // A metre of the way is within the door, which weighs 9.
  EXPECT_EQ(cost_after("mud"), cost_after("open") + 8 * 1000);
}

TEST(MeshNavigationTest, AreasThatCanNotBeAreRefused) {
  auto world = WorldOfRooms({kCommands, Anna("x: 0.5 z: 0.5", "10.5 0 4.5")});
  Command(*world, "odd");
  EXPECT_EQ(EventsOf(*world, "cell_refused").size(), 1u);
  Command(*world, "nowhere");
  EXPECT_EQ(EventsOf(*world, "cell_refused").size(), 1u);
  EXPECT_EQ(RowCount(*world, "navigation", "changed_cells"), 0u);
}

TEST(MeshNavigationTest, LinksLeadOffTheMesh) {
  constexpr std::string_view kLink =
      "links { name: 'gap' from { x: 10.5 z: 3 } to { x: 15.5 z: 3 } one_way: "
      "true }";
  auto world = WorldOfRooms(House("", kLink, {Anna("x: 7 z: 3", "16 0 3")}));
  StepTimes(*world, 100);
  EXPECT_EQ(Number(*world, "status"), kNavigatorArrived);
  EXPECT_NEAR(Place(*world, "anna", "position.x"), 16.0, 0.1);
  // Not back again.
  auto other = WorldOfRooms(House("", kLink, {Anna("x: 16 z: 3", "7 0 3")}));
  EXPECT_THAT(Told(*other, 5), ElementsAre("1: path_failed unreachable"));
}

// A bridge between the rooms and the far side: it is drawn and let down again,
// and is dear for a time.
constexpr std::string_view kBridge = R"(
players {
  actions { name: "draw" command { } }
  actions { name: "toll" command { } }
  actions { name: "let_down" command { } }
  actions { name: "odd_link" command { } }
  commands_per_tick_max: 1
}
types { name: "keeper" }
objects { name: "keeper" type: "keeper" }
connections { name: "draw" event: "draw" then { send { event: "change_link" object: "keeper" with { argument: "mesh" to: "house" } with { argument: "link" to: "bridge" } with { argument: "weight" to: "0" } } } }
connections { name: "toll" event: "toll" then { send { event: "change_link" object: "keeper" with { argument: "mesh" to: "house" } with { argument: "link" to: "bridge" } with { argument: "weight" to: "50" } } } }
connections { name: "let_down" event: "let_down" then { send { event: "change_link" object: "keeper" with { argument: "mesh" to: "house" } with { argument: "link" to: "bridge" } with { argument: "weight" to: "1" } } } }
connections { name: "odd_link" event: "odd_link" then { send { event: "change_link" object: "keeper" with { argument: "mesh" to: "house" } with { argument: "link" to: "bride" } with { argument: "weight" to: "1" } } } }
)";

constexpr std::string_view kBridgeLink =
    "links { name: 'bridge' from { x: 10.5 z: 3 } to { x: 15.5 z: 3 } }";

TEST(MeshNavigationTest, LinksAreClosedAndOpened) {
  const std::string manifest =
      House("", kBridgeLink, {kBridge, Anna("x: 7 z: 3", "16 0 3")});
  auto world = WorldOfRooms(manifest);
  Command(*world, "draw");
  EXPECT_EQ(RowCount(*world, "navigation", "changed_cells"), 1u);
  StepTimes(*world, 3);
  EXPECT_EQ(Number(*world, "status"), kNavigatorFailed);
  EXPECT_FALSE(EventsOf(*world, "link_changed").empty());
  // As the pack has it: no row is left.
  Command(*world, "let_down");
  EXPECT_EQ(RowCount(*world, "navigation", "changed_cells"), 0u);
  Command(*world, "odd_link");
  EXPECT_EQ(EventsOf(*world, "cell_refused").size(), 1u);

  // On the way there the path is stale; on the bridge it no longer is.
  auto early = WorldOfRooms(manifest);
  StepTimes(*early, 5);
  EXPECT_EQ(Number(*early, "status"), kNavigatorGoing);
  Command(*early, "draw");
  StepTimes(*early, 3);
  EXPECT_EQ(EventsOf(*early, "path_stale").size(), 1u);
  EXPECT_EQ(Number(*early, "status"), kNavigatorFailed);
  auto late = WorldOfRooms(manifest);
  for (int i = 0; i < 200 && Place(*late, "anna", "position.x") < 12.0; ++i) {
    StepTimes(*late, 1);
  }
  Command(*late, "draw");
  StepTimes(*late, 60);
  EXPECT_TRUE(EventsOf(*late, "path_stale").empty());
  EXPECT_EQ(Number(*late, "status"), kNavigatorArrived);
  // What is dearer is gone over where there is no other way.
  auto dear = WorldOfRooms(manifest);
  Command(*dear, "toll");
  StepTimes(*dear, 120);
  EXPECT_EQ(Number(*dear, "status"), kNavigatorArrived);
}

TEST(MeshNavigationTest, PathsOverLinksThatBecomeDearerAreStale) {
  const std::string ford =
      "links { name: 'ford' from { x: 10.5 z: 4.5 } to { x: 15.5 z: 3.5 } }";
  auto world = WorldOfRooms(House("", std::string(kBridgeLink) + ford,
                                  {kBridge, Anna("x: 7 z: 3", "16 0 3")}));
  StepTimes(*world, 5);
  Command(*world, "toll");
  double z_max = 0.0;
  for (int i = 0; i < 120; ++i) {
    StepTimes(*world, 1);
    z_max = std::max(z_max, Place(*world, "anna", "position.z"));
  }
  EXPECT_EQ(EventsOf(*world, "path_stale").size(), 1u);
  EXPECT_EQ(Number(*world, "status"), kNavigatorArrived);
  // By the ford.
  EXPECT_GT(z_max, 4.3);
}

TEST(MeshNavigationTest, SnapshotsKeepLinks) {
  const std::string manifest = House("expansions_per_tick: 1", kBridgeLink,
                                     {kBridge, Anna("x: 7 z: 3", "16 0 3")});
  const auto world = WorldOfRooms(manifest);
  for (int tick = 0; tick < 60; ++tick) {
    const auto restored = WorldOfRooms(manifest);
    ASSERT_EQ(restored->Restore(world->state()), absl::OkStatus()) << tick;
    for (Simulation* const each : {world.get(), restored.get()}) {
      if (tick == 3) {
        Command(*each, "toll");
      } else if (tick == 30) {
        Command(*each, "draw");
      } else {
        StepTimes(*each, 1);
      }
    }
    ASSERT_EQ(restored->state().ComputeRootDigest(),
              world->state().ComputeRootDigest())
        << tick;
  }
}

TEST(MeshNavigationTest, PositionsMayBeAboveTheGround) {
  auto world = WorldOfRooms(
      {Anna("x: 0.5 y: 2.5 z: 0.5", "10.5 2.5 4.5", "above_ground: 2.5")});
  StepTimes(*world, 120);
  EXPECT_EQ(Number(*world, "status"), kNavigatorArrived);
  EXPECT_NEAR(Place(*world, "anna", "position.y"), 2.5, 1e-12);
}

// Whoever names a place may mean the ground there.
TEST(MeshNavigationTest, GoalsMayBeOnTheGround) {
  auto world = WorldOfRooms(
      {Anna("x: 0.5 y: 2.5 z: 0.5", "10.5 0 4.5", "above_ground: 2.5")});
  StepTimes(*world, 120);
  EXPECT_EQ(Number(*world, "status"), kNavigatorArrived);
  EXPECT_NEAR(Place(*world, "anna", "position.y"), 2.5, 1e-12);
  EXPECT_NEAR(Place(*world, "anna", "position.x"), 10.5, 0.11);
}

// A wall on both sides of the door, which is a metre wide.
std::string Walled(double radius_m) {
  return House("", "",
               {fmt::format(R"(
types {{ name: "ground" body {{ motion: MOTION_FIXED shapes {{ plane {{ normal {{ y: 1 }} }} }} }} }}
types {{ name: "wall" body {{ motion: MOTION_FIXED shapes {{ box {{ half_extents {{ x: 0.5 y: 1.5 z: 1 }} }} }} }} }}
types {{
  name: "walker"
  body {{ motion: MOTION_KINEMATIC shapes {{ capsule {{ radius: {0} half_length: 0.3 }} }} }}
  character {{ speed: 3 acceleration: 60 }}
  navigator {{ space: "house" speed: 3 arrive_radius: 0.2 above_ground: 1 }}
}}
objects {{ name: "ground" type: "ground" }}
objects {{ name: "south" type: "wall" position {{ x: 5.5 y: 1.5 z: 1 }} }}
objects {{ name: "north" type: "wall" position {{ x: 5.5 y: 1.5 z: 4 }} }}
objects {{ name: "anna" type: "walker" position {{ x: 2.5 y: 1.05 z: 2.5 }} set {{ property: "navigator.goal" to: "8.5 0 2.5" }} set {{ property: "navigator.is_active" to: "1" }} }}
)",
                            radius_m)});
}

TEST(MeshNavigationTest, WhoComesNowhereSaysSo) {
  const auto wide = WorldOfRooms(Walled(0.7));
  StepTimes(*wide, 300);
  const std::vector<Event> blocked = EventsOf(*wide, "path_blocked");
  // It stands before the door after a second, and says so each second.
  EXPECT_GE(blocked.size(), 2u);
  EXPECT_LE(blocked.size(), 4u);
  EXPECT_EQ(Number(*wide, "status"), kNavigatorGoing);
  const auto place = ValueOf(*wide, "physics", "bodies", "anna", "position.x");
  ASSERT_TRUE(place.has_value());
  EXPECT_LT(place->AsDouble(), 5.0);
  const auto thin = WorldOfRooms(Walled(0.3));
  StepTimes(*thin, 300);
  const std::vector<Event> told = thin->DrainEvents();
  EXPECT_EQ(std::ranges::count(told, IdOf("path_blocked"), &Event::type), 0);
  EXPECT_EQ(std::ranges::count(told, IdOf("path_arrived"), &Event::type), 1);
}

TEST(MeshNavigationTest, CharactersThatAreTooWideAreWarnedOf) {
  const auto warnings_of = [](const std::string& manifest) {
    PackReport report;
    CompilePack(PackOf(manifest, "house.mesh", BakedAs(manifest, TwoRooms())),
                1, report);
    EXPECT_TRUE(report.ok()) << report.ToStatus();
    std::vector<std::string> lines;
    for (const PackProblem& warning : report.warnings()) {
      lines.push_back(FormatProblem(warning));
    }
    return lines;
  };
  // Paths keep 0.4 m free on both sides.
  EXPECT_THAT(warnings_of(Walled(0.7)),
              ElementsAre(testing::MatchesRegex(
                  "pack.txtpb:[0-9]+:[0-9]+: types.2..navigator: its body is "
                  "1.4 m wide, and its paths lead where 0.8 m are free.*")));
  EXPECT_THAT(warnings_of(Walled(0.4)), testing::IsEmpty());
  // On a grid a cell is free.
  const auto on_grid = [](double cell_size) {
    return Warnings(Manifest(
        {fmt::format("navigation {{ grids {{ name: 'a' columns: 9 row_count: 9 "
                     "cell_size: {} }} }}\n",
                     cell_size),
         "types { name: 't' navigator { space: 'a' speed: 1 } character { "
         "speed: 1 acceleration: 9 } body { motion: MOTION_KINEMATIC shapes { "
         "capsule { radius: 0.5 half_length: 0.5 } } } }\n"}));
  };
  EXPECT_EQ(on_grid(0.9).size(), 1u);
  EXPECT_EQ(on_grid(1.0).size(), 0u);
}

TEST(MeshNavigationTest, FollowsWithoutAskingEachTick) {
  auto world = WorldOfRooms(
      {Anna("x: 0.5 z: 0.5", "10.5 0 4.5"),
       "types { name: 'hound' navigator { space: 'house' speed: 9 } }\n"
       "objects { name: 'hound' type: 'hound' position { x: 0.5 z: 4.5 } set { "
       "property: 'navigator.target' to: 'anna' } set { property: "
       "'navigator.is_active' to: '1' } }\n"});
  int ticks = 0;
  const auto status = [&] {
    return ValueOf(*world, "components", "navigator", "hound", "status")->bits;
  };
  while (status() != kNavigatorArrived && ticks < 200) {
    StepTimes(*world, 1);
    ++ticks;
  }
  ASSERT_LT(ticks, 200);
  const Table& counters =
      world->state().table(*world->state().Find("navigation", "counters"));
  const uint64_t searches = counters.Get<NavigationCounterRow>(0).searches;
  // She goes 0.1 m a tick, and it asks anew whenever she has gone 0.4 m.
  EXPECT_GT(searches, 3u);
  EXPECT_LE(searches, static_cast<uint64_t>(2 + ticks / 4));
  const double x = Place(*world, "hound", "position.x") -
                   Place(*world, "anna", "position.x");
  const double z = Place(*world, "hound", "position.z") -
                   Place(*world, "anna", "position.z");
  EXPECT_LE(x * x + z * z, 0.7 * 0.7);
}

TEST(MeshNavigationTest, CharactersWalkAndJump) {
  constexpr std::string_view kLink =
      "links { name: 'gap' from { x: 10.5 z: 3 } to { x: 15.5 z: 3 } jump: "
      "true }";
  auto world = WorldOfRooms(House("", kLink, {R"(
types { name: "ground" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
objects { name: "ground" type: "ground" }
types {
  name: "walker"
  body { motion: MOTION_KINEMATIC shapes { capsule { radius: 0.2 half_length: 0.3 } } }
  character { speed: 3 acceleration: 60 jump_speed: 4 }
  navigator { space: "house" speed: 3 arrive_radius: 0.2 above_ground: 0.5 }
}
objects { name: "anna" type: "walker" position { x: 7 y: 0.6 z: 3 } set { property: "navigator.goal" to: "16 0.5 3" } set { property: "navigator.is_active" to: "1" } }
)"}));
  StepTimes(*world, 300);
  EXPECT_EQ(Number(*world, "status"), kNavigatorArrived);
  EXPECT_EQ(EventsOf(*world, "jumped").size(), 1u);
  EXPECT_NEAR(
      ValueOf(*world, "physics", "bodies", "anna", "position.x")->AsDouble(),
      16.0, 0.3);
}

// Snapshots of every tick, while searches are under way and the door changes.
TEST(MeshNavigationTest, SnapshotsOfAnyTickGoOnAsTheRunDid) {
  const std::string manifest =
      House("expansions_per_tick: 1", "",
            {kCommands, Anna("x: 0.5 z: 0.5", "10.5 0 4.5")});
  const auto world = WorldOfRooms(manifest);
  uint32_t most_reached = 0;
  for (int tick = 0; tick < 60; ++tick) {
    const auto restored = WorldOfRooms(manifest);
    ASSERT_EQ(restored->Restore(world->state()), absl::OkStatus()) << tick;
    for (Simulation* const each : {world.get(), restored.get()}) {
      if (tick == 2) {
        Command(*each, "mud");  // begins the search anew
      } else if (tick == 30) {
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
  EXPECT_GT(most_reached, 2u);
}

TEST(MeshNavigationTest, RowsThatCanNotBeAreRefused) {
  const std::string manifest =
      House("expansions_per_tick: 1", "",
            {kCommands, Anna("x: 0.5 z: 0.5", "10.5 0 4.5")});
  const auto world = WorldOfRooms(manifest);
  const auto refused = [&](std::string_view room, std::string_view table,
                           const auto& change) {
    State bad = world->state();
    change(bad.mutable_table(*bad.Find(room, table)));
    const auto other = WorldOfRooms(manifest);
    return other->Restore(bad).code() == absl::StatusCode::kDataLoss;
  };
  StepTimes(*world, 3);
  ASSERT_GT(RowCount(*world, "navigation", "reached_nodes"), 1u);
  constexpr uint64_t kNoPolygon = uint64_t{4} << 48;
  EXPECT_TRUE(refused("navigation", "searches", [](Table& rows) {
    rows.Mutable<PathSearchRow>(0).goal_node = kNoPolygon;
  }));
  EXPECT_TRUE(refused("navigation", "searches", [](Table& rows) {
    rows.Mutable<PathSearchRow>(0).start_node = kNoPolygon;
  }));
  // Edge 0 is a wall of the first room.
  EXPECT_TRUE(refused("navigation", "reached_nodes", [](Table& rows) {
    rows.Mutable<ReachedNodeRow>(1).node = 0;
  }));
  EXPECT_TRUE(refused("navigation", "reached_nodes", [](Table& rows) {
    rows.Mutable<ReachedNodeRow>(1).node = 22;  // edges, start and goal: 22
  }));
  Command(*world, "mud");
  StepTimes(*world, 20);
  ASSERT_GT(RowCount(*world, "navigation", "path_points"), 0u);
  EXPECT_TRUE(refused("navigation", "path_points", [](Table& rows) {
    rows.Mutable<PathPointRow>(0).node = kNoPolygon;
  }));
  EXPECT_TRUE(refused("navigation", "changed_cells", [](Table& rows) {
    rows.Mutable<ChangedCellRow>(0).cell = 1;
  }));
  EXPECT_TRUE(refused("navigation", "changed_cells", [](Table& rows) {
    rows.Mutable<ChangedCellRow>(0).weight = 1001;
  }));
  EXPECT_TRUE(refused("navigation", "changed_cells", [](Table& rows) {
    rows.Mutable<ChangedCellRow>(0).weight = 1;  // as the pack has it
  }));
}

}  // namespace
}  // namespace reprise::sim
