// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves of random scenes that ways by sight are those that nothing stands
// between, by distances of lines from boxes; and that baked meshes lead where a
// flood of a fine grid gets, and nowhere else.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/geometry/vector3.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/mesh_space.h"
#include "sim/systems/navigation/navigation_definition.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/systems/system.h"
#include "tests/world/testing_boxes.h"
#include "tests/world/testing_worlds.h"
#include "tools/reprise/baking/pack_baker.h"

namespace reprise::sim {
namespace {

std::shared_ptr<const WorldDefinition> Compiled(const PackArchive& pack) {
  PackReport report;
  auto world = CompilePack(pack, 1, report);
  EXPECT_TRUE(report.ok()) << report.ToStatus();
  return world;
}

TEST(NavigationScenesTest, WaysBySightAreThoseThatNothingStandsBetween) {
  RandomStream random = MakeRandomStream(20, IdOf("sight"));
  constexpr double kRange = 14.0;
  // Nearer than that to the bound nothing is asserted.
  constexpr double kMargin = 1e-3;
  int seen = 0;
  int hidden = 0;
  for (int scene = 0; scene < 12; ++scene) {
    const double radius = scene % 2 == 0 ? 0.0 : Between(random, 0.1, 0.8);
    std::vector<Box> boxes;
    for (int i = 0; i < 8; ++i) {
      boxes.push_back(
          {.centre = {Between(random, -8, 8), Between(random, -2, 2),
                      Between(random, -8, 8)},
           .half = {Between(random, 0.2, 2), Between(random, 0.5, 3),
                    Between(random, 0.2, 2)}});
    }
    std::vector<Vector3> points;
    std::string text = fmt::format(
        "navigation {{ graphs {{ name: 'net' sight_range: {} sight_radius: {} ",
        kRange, radius);
    while (points.size() < 20) {
      const Vector3 point = {Between(random, -9, 9), Between(random, -3, 3),
                             Between(random, -9, 9)};
      const bool is_free = std::ranges::all_of(boxes, [&](const Box& box) {
        return DistanceTo(box, point) > radius + kMargin;
      });
      if (!is_free) continue;
      text += fmt::format(
          "points {{ name: 'p{}' position {{ x: {} y: {} z: {} }} }} ",
          points.size(), point.x, point.y, point.z);
      points.push_back(point);
    }
    text += "} }\n" + BoxesOf(boxes);
    const auto world = Compiled(PackOf(Manifest({text})));
    ASSERT_NE(world, nullptr);
    const WaypointGraph& graph =
        *FindSystem<NavigationDefinition>(*world)->spaces[0].graph;
    for (uint32_t a = 0; a < points.size(); ++a) {
      for (uint32_t b = 0; b < points.size(); ++b) {
        if (a == b) continue;
        const double length = Length(points[b] - points[a]);
        double free = 1e9;
        for (const Box& box : boxes) {
          free = std::min(free, DistanceBetween(box, points[a], points[b]));
        }
        if (Abs(length - kRange) < kMargin || Abs(free - radius) < kMargin) {
          continue;
        }
        const bool is_seen = length < kRange && free > radius;
        ASSERT_EQ(graph.StepCost(a, b).has_value(), is_seen)
            << "scene " << scene << ", " << a << " to " << b << ": " << free
            << " m free for " << radius;
        ++(is_seen ? seen : hidden);
      }
    }
  }
  EXPECT_GT(seen, 300);
  EXPECT_GT(hidden, 300);
}

// A floor of 8 by 8 m with walls on it, seen in cells of 5 cm: where somebody
// of a radius can stand, and which such places hang together.
class Flood {
 public:
  Flood(const std::vector<Box>& walls, double radius_m) : part_(kSide * kSide) {
    std::vector<bool> is_free(part_.size());
    for (uint32_t cell = 0; cell < part_.size(); ++cell) {
      const Vector3 place = PlaceOf(cell);
      is_free[cell] = Abs(place.x) <= kHalfM - radius_m &&
                      Abs(place.z) <= kHalfM - radius_m &&
                      std::ranges::all_of(walls, [&](const Box& wall) {
                        return DistanceTo(wall, {place.x, wall.centre.y,
                                                 place.z}) >= radius_m;
                      });
    }
    uint32_t parts = 0;
    std::vector<uint32_t> waiting;
    for (uint32_t first = 0; first < part_.size(); ++first) {
      if (!is_free[first] || part_[first] != 0) continue;
      part_[first] = ++parts;
      waiting.push_back(first);
      while (!waiting.empty()) {
        const uint32_t cell = waiting.back();
        waiting.pop_back();
        for (const int32_t step : {-1, 1, -static_cast<int32_t>(kSide),
                                   static_cast<int32_t>(kSide)}) {
          const uint32_t next = cell + static_cast<uint32_t>(step);
          const bool is_beside =
              next < part_.size() && (Abs(static_cast<double>(step)) > 1.0 ||
                                      next / kSide == cell / kSide);
          if (!is_beside || !is_free[next] || part_[next] != 0) continue;
          part_[next] = parts;
          waiting.push_back(next);
        }
      }
    }
  }

  static constexpr uint32_t kSide = 160;
  static constexpr double kHalfM = 4.0;

  static Vector3 PlaceOf(uint32_t cell) {
    constexpr double kCellM = 2.0 * kHalfM / kSide;
    const uint32_t column = cell % kSide;
    const uint32_t row = cell / kSide;
    return {(column + 0.5) * kCellM - kHalfM, 0.0,
            (row + 0.5) * kCellM - kHalfM};
  }
  // 0: nobody can stand there.
  uint32_t PartOf(uint32_t cell) const { return part_[cell]; }

 private:
  std::vector<uint32_t> part_;
};

bool HasWay(const MeshDefinition& mesh, Vector3 from, Vector3 to) {
  const auto start = mesh.mesh.Find(from, ReachOf(mesh));
  const auto goal = mesh.mesh.Find(to, ReachOf(mesh));
  EXPECT_TRUE(start.has_value() && goal.has_value());
  if (!start.has_value() || !goal.has_value()) return false;
  const MeshSpace space(mesh.mesh, {}, *start, *goal, {});
  BestFirstSearch search;
  search.Begin(space.node_count(), MeshStartNode(mesh.mesh),
               MeshGoalNode(mesh.mesh), SearchPolicy::kAStar);
  uint64_t budget = 1u << 20;
  return search.Advance(space, budget) == SearchStatus::kFound;
}

TEST(NavigationScenesTest, BakedMeshesLeadWhereAFloodGets) {
  RandomStream random = MakeRandomStream(21, IdOf("levels"));
  constexpr double kRadius = 0.3;
  // Edges of a mesh are a voxel of 0.1 m off, and cells of the flood are half
  // of one wide.
  constexpr double kOff = 0.2;
  int joined = 0;
  int parted = 0;
  for (int level = 0; level < 12; ++level) {
    std::vector<Box> walls;
    // Two that cross the floor, with gaps that are wide, narrow or none.
    for (const double z : {-1.5, 1.5}) {
      const double gap = level % 3 == 0 ? 0.0 : Between(random, 0.0, 2.5);
      const double at = Between(random, -2.5, 2.5);
      const double left = at - gap / 2.0 + 4.0;
      const double right = 4.0 - at - gap / 2.0;
      walls.push_back({.centre = {-4.0 + left / 2.0, 1.0, z},
                       .half = {left / 2.0, 1.0, 0.15}});
      walls.push_back({.centre = {4.0 - right / 2.0, 1.0, z},
                       .half = {right / 2.0, 1.0, 0.15}});
    }
    for (int i = 0; i < 4; ++i) {
      walls.push_back({.centre = {Between(random, -3.5, 3.5), 1.0,
                                  Between(random, -3.5, 3.5)},
                       .half = {Between(random, 0.1, 0.8), 1.0,
                                Between(random, 0.1, 0.8)}});
    }
    std::vector<Box> boxes = walls;
    boxes.push_back({.centre = {0.0, -0.5, 0.0}, .half = {4.0, 0.5, 4.0}});
    const std::string manifest = Manifest(
        {"navigation { meshes { name: 'level' file: 'level.mesh' cell_size: "
         "0.1 "
         "cell_height: 0.05 agent { radius: 0.3 height: 1.8 step: 0.3 } } }\n",
         BoxesOf(boxes)});
    const auto baked = tools::BakePack(PackOf(manifest));
    ASSERT_TRUE(baked.ok()) << baked.status();
    PackArchive pack = PackOf(manifest);
    ASSERT_TRUE(pack.Add(baked->front().path, baked->front().contents).ok());
    const auto world = Compiled(pack);
    ASSERT_NE(world, nullptr);
    const MeshDefinition& mesh =
        *FindSystem<NavigationDefinition>(*world)->spaces[0].mesh;
    const Flood wide(walls, kRadius + kOff);
    const Flood narrow(walls, kRadius - kOff);
    std::vector<uint32_t> places;
    for (int tries = 0; places.size() < 14 && tries < 10'000; ++tries) {
      const auto cell = static_cast<uint32_t>(
          NextBelow(random, uint64_t{Flood::kSide} * Flood::kSide));
      if (wide.PartOf(cell) != 0) places.push_back(cell);
    }
    for (const uint32_t a : places) {
      for (const uint32_t b : places) {
        const bool is_sure_to = wide.PartOf(a) == wide.PartOf(b);
        const bool cannot = narrow.PartOf(a) != narrow.PartOf(b);
        if (!is_sure_to && !cannot) continue;
        ASSERT_EQ(HasWay(mesh, Flood::PlaceOf(a), Flood::PlaceOf(b)),
                  is_sure_to)
            << "level " << level << ", " << a << " to " << b;
        ++(is_sure_to ? joined : parted);
      }
    }
  }
  EXPECT_GT(joined, 300);
  EXPECT_GT(parted, 100);
}

}  // namespace
}  // namespace reprise::sim
