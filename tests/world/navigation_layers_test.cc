// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves of what is shown of navigation beside objects: where one can walk, as
// it is now; paths, as they are in rows; and how far a search has come. And
// that what would be too much to look at is left out.

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/debug_frame.h"
#include "sim/systems/navigation/navigation_rows.h"
#include "sim/systems/navigation/testing_mesh_packs.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

std::vector<DebugGuide> GuidesOf(const Simulation& world,
                                 DebugGuide::Kind kind) {
  std::vector<DebugGuide> guides = world.ProduceDebugFrame().guides;
  std::erase_if(guides,
                [&](const DebugGuide& guide) { return guide.kind != kind; });
  return guides;
}

// Of all guides of a kind, or of those that are active or not.
std::vector<DebugLine> LinesOf(const Simulation& world, DebugGuide::Kind kind,
                               bool is_active) {
  std::vector<DebugLine> lines;
  for (const DebugGuide& guide : GuidesOf(world, kind)) {
    if (guide.is_active != is_active) continue;
    lines.insert(lines.end(), guide.lines.begin(), guide.lines.end());
  }
  return lines;
}

// A line in plan, to whole millimetres, whichever way round.
using PlanLine =
    std::pair<std::pair<int64_t, int64_t>, std::pair<int64_t, int64_t>>;
PlanLine InPlan(const DebugLine& line) {
  const auto whole = [](double metres) {
    return static_cast<int64_t>(Floor(1000.0 * metres + 0.5));
  };
  const std::pair a = {whole(line.start.x), whole(line.start.z)};
  const std::pair b = {whole(line.end.x), whole(line.end.z)};
  return std::minmax(a, b);
}

std::set<PlanLine> InPlan(const std::vector<DebugLine>& lines) {
  std::set<PlanLine> all;
  for (const DebugLine& line : lines) all.insert(InPlan(line));
  return all;
}

constexpr std::string_view kCommands = R"(
players {
  actions { name: "shut" command { } }
  commands_per_tick_max: 1
}
types { name: "door" }
objects { name: "door" type: "door" position { x: 1.5 z: 0.5 } }
)";

void Shut(Simulation& world) {
  InputFrame frame;
  frame.commands.push_back({.name = IdOf("shut"), .arguments = {}});
  world.Step(std::vector{frame}, nullptr);
  StepTimes(world, 2);
}

TEST(NavigationLayersTest, GridsAreTheBordersOfTheirOpenCells) {
  const auto world = WorldOf(Manifest(
      {"navigation { grids { name: 'yard' rows: '..#' } }\n", kCommands,
       "connections { name: 'shut' event: 'shut' then { send { event: "
       "'change_cell' object: 'door' with { argument: 'grid' to: 'yard' } with "
       "{ argument: 'weight' to: '0' } } } }\n"}));
  // Two cells beside each other: six sides, and none between them.
  const auto lines = LinesOf(*world, DebugGuide::Kind::kSpace, true);
  EXPECT_EQ(lines.size(), 6u);
  EXPECT_EQ(InPlan(lines), (std::set<PlanLine>{{{0, 0}, {0, 1000}},
                                               {{0, 0}, {1000, 0}},
                                               {{0, 1000}, {1000, 1000}},
                                               {{1000, 0}, {2000, 0}},
                                               {{1000, 1000}, {2000, 1000}},
                                               {{2000, 0}, {2000, 1000}}}));
  // The second one is shut.
  Shut(*world);
  EXPECT_EQ(InPlan(LinesOf(*world, DebugGuide::Kind::kSpace, true)),
            (std::set<PlanLine>{{{0, 0}, {0, 1000}},
                                {{0, 0}, {1000, 0}},
                                {{0, 1000}, {1000, 1000}},
                                {{1000, 0}, {1000, 1000}}}));
}

// A hexagon has six sides; two beside each other have ten that are borders, in
// whichever row.
TEST(NavigationLayersTest, HexagonsHaveTheirSides) {
  for (const auto& [rows, count] :
       std::vector<std::pair<std::string_view, size_t>>{
           {"rows: '.'", 6u},
           {"rows: '..'", 10u},
           {"rows: '.' rows: '.'", 10u},
           {"rows: '#.' rows: '.#'", 10u},
           {"rows: '.#' rows: '#.'", 12u}}) {
    const auto world = WorldOf(Manifest(
        {"navigation { grids { name: 'yard' neighbours: NEIGHBOURS_HEXAGONAL ",
         rows, " } }\n"}));
    const auto lines = LinesOf(*world, DebugGuide::Kind::kSpace, true);
    EXPECT_EQ(lines.size(), count) << rows;
    for (const DebugLine& line : lines) {
      // The root of 1/3, for cells of 1 m.
      EXPECT_NEAR(Length(line.end - line.start), 0.57735, 1e-5) << rows;
    }
  }
}

TEST(NavigationLayersTest, GraphsAreTheirWays) {
  const auto world = WorldOf(Manifest(
      {"navigation { graphs { name: 'net' sight_range: 1.5 points { name: 'a' "
       "} points { name: 'b' position { x: 1 } } points { name: 'c' position { "
       "x: 2 } } } }\n"}));
  EXPECT_EQ(InPlan(LinesOf(*world, DebugGuide::Kind::kSpace, true)),
            (std::set<PlanLine>{{{0, 0}, {1000, 0}}, {{1000, 0}, {2000, 0}}}));
}

TEST(NavigationLayersTest, MeshesAreTheirEdgesAndClosedAreasAreTold) {
  const std::string manifest = Manifest(
      {"navigation {", kRoomsMesh, "\n} }\n", kCommands,
       "connections { name: 'shut' event: 'shut' then { send { event: "
       "'change_area' object: 'door' with { argument: 'mesh' to: 'house' } "
       "with { argument: 'area' to: 'door' } with { argument: 'weight' to: '0' "
       "} } } }\n"});
  auto created = CreateWorld(
      PackOf(manifest, "house.mesh", BakedAs(manifest, TwoRooms())), 1);
  ASSERT_TRUE(created.ok()) << created.status();
  const auto world = *std::move(created);
  // 6, 4, 6 and 4 edges, of which two are common to two polygons.
  EXPECT_EQ(LinesOf(*world, DebugGuide::Kind::kSpace, true).size(), 18u);
  EXPECT_TRUE(LinesOf(*world, DebugGuide::Kind::kSpace, false).empty());
  Shut(*world);
  // Both sides of the door, which are edges of it alone.
  EXPECT_EQ(LinesOf(*world, DebugGuide::Kind::kSpace, true).size(), 16u);
  EXPECT_EQ(InPlan(LinesOf(*world, DebugGuide::Kind::kSpace, false)),
            (std::set<PlanLine>{{{5000, 2000}, {6000, 2000}},
                                {{5000, 3000}, {6000, 3000}}}));
}

std::string Yard(std::string_view budget) {
  return Manifest(
      {"navigation { grids { name: 'yard' columns: 12 row_count: 9 neighbours: "
       "NEIGHBOURS_EIGHT } ",
       budget,
       " }\ntypes { name: 'walker' navigator { space: 'yard' speed: 2 } }\n"
       "objects { name: 'anna' type: 'walker' position { x: 0.5 z: 0.5 } set { "
       "property: 'navigator.goal' to: '10.5 0 6.5' } set { property: "
       "'navigator.is_active' to: '1' } }\n"});
}

TEST(NavigationLayersTest, PathsAreThoseOfTheRows) {
  const auto world = WorldOf(Yard(""));
  EXPECT_TRUE(GuidesOf(*world, DebugGuide::Kind::kPath).empty());
  StepTimes(*world, 5);
  const auto guides = GuidesOf(*world, DebugGuide::Kind::kPath);
  ASSERT_EQ(guides.size(), 1u);
  EXPECT_EQ(guides[0].name, "anna");
  EXPECT_TRUE(guides[0].is_active);
  // Else she would be drawn as lines.
  EXPECT_EQ(guides[0].owner, kNoObject);
  const Table& points =
      world->state().table(*world->state().Find("navigation", "path_points"));
  ASSERT_GT(points.row_count(), 5u);
  ASSERT_EQ(guides[0].lines.size(), points.row_count() - 1);
  for (uint32_t i = 0; i + 1 < points.row_count(); ++i) {
    const DebugLine& line = guides[0].lines[i];
    const Vector3 from = points.Get<PathPointRow>(i).position;
    const Vector3 to = points.Get<PathPointRow>(i + 1).position;
    EXPECT_EQ(std::tuple(line.start.x, line.start.z, line.end.x, line.end.z),
              std::tuple(from.x, from.z, to.x, to.z));
    EXPECT_GT(line.start.y, from.y);
  }
  // It stays the same while she goes along it, and is gone when she is there.
  StepTimes(*world, 60);
  EXPECT_EQ(GuidesOf(*world, DebugGuide::Kind::kPath), guides);
  StepTimes(*world, 900);
  EXPECT_TRUE(GuidesOf(*world, DebugGuide::Kind::kPath).empty());
}

TEST(NavigationLayersTest, SearchesShowWhatIsExpandedAndWhatIsOpen) {
  const auto world = WorldOf(Yard("expansions_per_tick: 1"));
  StepTimes(*world, 5);
  const auto guides = GuidesOf(*world, DebugGuide::Kind::kPath);
  ASSERT_EQ(guides.size(), 1u);
  EXPECT_EQ(guides[0].name, "search of anna");
  const Table& reached =
      world->state().table(*world->state().Find("navigation", "reached_nodes"));
  int64_t expanded = 0;
  for (uint32_t row = 0; row < reached.row_count(); ++row) {
    expanded += reached.Get<ReachedNodeRow>(row).is_expanded != 0 ? 1 : 0;
  }
  const auto count = [&](DebugRole role) {
    return std::ranges::count(guides[0].lines, role, &DebugLine::role);
  };
  // The start has come from nowhere.
  ASSERT_GT(expanded, 2);
  EXPECT_EQ(count(DebugRole::kAxis), expanded - 1);
  EXPECT_EQ(count(DebugRole::kLimit), int64_t{reached.row_count()} - expanded);
  for (const DebugLine& line : guides[0].lines) {
    // From a cell to one beside it.
    EXPECT_LE(Length(line.end - line.start), 1.5);
  }
}

TEST(NavigationLayersTest, WhatIsTooMuchIsLeftOut) {
  const auto outline = [](int columns, int rows) {
    const auto world = WorldOf(
        Manifest({fmt::format("navigation {{ grids {{ name: 'yard' columns: {} "
                              "row_count: {} }} }}\n",
                              columns, rows)}));
    return LinesOf(*world, DebugGuide::Kind::kSpace, true).size();
  };
  EXPECT_EQ(outline(256, 256), 1024u);
  EXPECT_EQ(outline(257, 256), 0u);
}

}  // namespace
}  // namespace reprise::sim
