// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves of whole paths on random meshes, with holes, islands, closed areas and
// ways off them, what no search is needed for to know: there is one exactly
// where a flood comes to the goal; each straight part of it lies on the open
// polygons; and it is no longer than the shortest way of all, found by looking
// along all lines between corners, by more than a bound that follows from how
// paths are made.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/length_costs.h"
#include "sim/navigation/mesh_path.h"
#include "sim/navigation/mesh_space.h"
#include "sim/navigation/testing_meshes.h"

namespace reprise::sim {
namespace {

constexpr uint64_t kPlenty = 1u << 30;
// Areas from 1 on: the last one may be closed.
constexpr uint64_t kAreas = 2;

struct Level {
  NavigationMeshData data;
  NavigationMesh mesh;
  std::vector<uint16_t> weights;
  MeshPlace start;
  MeshPlace goal;

  bool IsOpen(uint32_t polygon) const {
    return WeightOfArea(data.polygons[polygon].area, weights) != 0;
  }
};

Level MakeLevel(uint64_t walls, uint64_t ways_max, RandomStream& stream) {
  const auto columns = static_cast<uint32_t>(2 + NextBelow(stream, 5));
  const auto rows = static_cast<uint32_t>(2 + NextBelow(stream, 5));
  NavigationMeshData data;
  while (data.polygons.empty()) {
    data = RandomLevel(columns, rows, walls, kAreas, stream);
  }
  // Flat: lengths in plan are lengths.
  for (NavigationVertex& vertex : data.vertices) vertex.y = 0;
  Level level = {.data = data, .mesh = NavigationMesh(data, {})};
  level.weights = {1, static_cast<uint16_t>(NextBelow(stream, 2))};
  for (uint64_t i = NextBelow(stream, ways_max + 1); i > 0; --i) {
    const MeshPlace from = RandomPlace(level.mesh, stream);
    const MeshPlace to = RandomPlace(level.mesh, stream);
    const double length =
        Length(level.mesh.PositionOf(to) - level.mesh.PositionOf(from));
    level.mesh.AddWay(
        {.from = from, .to = to, .cost = CostOfLength(length, 1.0)});
  }
  level.start = RandomPlace(level.mesh, stream);
  level.goal = RandomPlace(level.mesh, stream);
  return level;
}

// The path; nullopt where there is none.
std::optional<std::vector<MeshPlace>> PathOn(const Level& level) {
  const MeshSpace space(level.mesh, level.weights, level.start, level.goal);
  BestFirstSearch search;
  search.Begin(space.node_count(), MeshStartNode(level.mesh),
               MeshGoalNode(level.mesh), SearchPolicy::kAStar);
  uint64_t budget = kPlenty;
  if (search.Advance(space, budget) != SearchStatus::kFound) {
    return std::nullopt;
  }
  return MakeMeshPath(level.mesh, search.Path(), level.start, level.goal);
}

// Whether a flood from the start comes to the goal's polygon: into open ones
// that have two corners in common with one that it is in, and along ways. It
// reads the data alone.
bool IsReachable(const Level& level) {
  const auto& polygons = level.data.polygons;
  std::set<uint32_t> in = {level.start.polygon};
  const auto touch = [&](uint32_t a, uint32_t b) {
    int common = 0;
    for (uint32_t i = 0; i < polygons[a].corner_count; ++i) {
      for (uint32_t k = 0; k < polygons[b].corner_count; ++k) {
        common += polygons[a].corners[i] == polygons[b].corners[k] ? 1 : 0;
      }
    }
    return common >= 2;
  };
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (const uint32_t from : std::set<uint32_t>(in)) {
      for (uint32_t to = 0; to < polygons.size(); ++to) {
        if (!level.IsOpen(to) || !touch(from, to)) continue;
        is_more |= in.insert(to).second;
      }
      for (const MeshWay& way : level.mesh.ways()) {
        if (way.from.polygon != from || !level.IsOpen(way.to.polygon)) continue;
        is_more |= in.insert(way.to.polygon).second;
      }
    }
  }
  return in.contains(level.goal.polygon);
}

// The part of the line from a to b, as shares of it, that is on a polygon.
std::optional<std::pair<double, double>> ClipTo(const Level& level,
                                                uint32_t polygon, MeshPoint a,
                                                MeshPoint b, double slack) {
  double first = 0.0;
  double last = 1.0;
  const uint32_t begin = level.mesh.first_edge(polygon);
  for (uint32_t edge = begin; edge < level.mesh.first_edge(polygon + 1);
       ++edge) {
    const MeshPoint from = level.mesh.edge_from(edge);
    const MeshPoint to = level.mesh.edge_to(edge);
    const double x = to.x - from.x;
    const double z = to.z - from.z;
    const double margin = slack * Sqrt(x * x + z * z);
    const double at_a = static_cast<double>(TurnOf(from, to, a)) + margin;
    const double at_b = static_cast<double>(TurnOf(from, to, b)) + margin;
    if (at_a < 0.0 && at_b < 0.0) return std::nullopt;
    if (at_a < 0.0) first = std::max(first, at_a / (at_a - at_b));
    if (at_b < 0.0) last = std::min(last, at_a / (at_a - at_b));
  }
  if (first > last) return std::nullopt;
  return std::pair(first, last);
}

// Whether all of the line is on open polygons, or within `slack` steps of one.
bool IsOnMesh(const Level& level, MeshPoint a, MeshPoint b, double slack) {
  // Shares of lines of 2^16 steps are right to 2^-36.
  constexpr double kShareError = 1e-9;
  std::vector<std::pair<double, double>> parts;
  for (uint32_t i = 0; i < level.mesh.polygon_count(); ++i) {
    // The first one is left, whatever its area is.
    if (!level.IsOpen(i) && i != level.start.polygon) continue;
    if (const auto part = ClipTo(level, i, a, b, slack)) parts.push_back(*part);
  }
  std::ranges::sort(parts);
  double covered = 0.0;
  for (const auto& [first, last] : parts) {
    if (first > covered + kShareError) return false;
    covered = std::max(covered, last);
  }
  return covered >= 1.0 - kShareError;
}

double Distance(MeshPoint a, MeshPoint b) {
  const double x = a.x - b.x;
  const double z = a.z - b.z;
  return Sqrt(x * x + z * z);
}

TEST(MeshOptimumTest, PathsAreWhereAFloodComesAndOnTheMesh) {
  RandomStream stream = MakeRandomStream(21, IdOf("floods"));
  int found = 0;
  int none = 0;
  int by_way = 0;
  for (int round = 0; round < 3'000; ++round) {
    const Level level = MakeLevel(35, 3, stream);
    const auto path = PathOn(level);
    ASSERT_EQ(path.has_value(), IsReachable(level)) << round;
    if (!path.has_value()) {
      ++none;
      continue;
    }
    ++found;
    ASSERT_EQ(path->front(), level.start);
    ASSERT_EQ(path->back(), level.goal);
    for (size_t i = 1; i < path->size(); ++i) {
      const MeshPlace& from = (*path)[i - 1];
      const MeshPlace& to = (*path)[i];
      const bool is_way =
          std::ranges::any_of(level.mesh.ways(), [&](const MeshWay& way) {
            return way.from.point == from.point && way.to == to;
          });
      if (is_way) {
        ++by_way;
        continue;
      }
      // Where a line crosses a border of areas it has a place, which is
      // rounded to a whole step: half of one off, along each axis.
      ASSERT_TRUE(IsOnMesh(level, from.point, to.point, 0.75))
          << round << ", part " << i;
    }
  }
  EXPECT_GT(found, 1'000);
  EXPECT_GT(none, 500);
  EXPECT_GT(by_way, 100);
}

// Corners where polygons meet that have no edge in common there: nobody goes
// through, though lines do.
std::set<uint16_t> Pinches(const Level& level) {
  std::set<uint16_t> pinches;
  const auto& polygons = level.data.polygons;
  for (uint16_t vertex = 0; vertex < level.data.vertices.size(); ++vertex) {
    std::vector<uint32_t> around;
    for (uint32_t i = 0; i < polygons.size(); ++i) {
      const auto& corners = polygons[i].corners;
      const auto end = corners.begin() + polygons[i].corner_count;
      if (level.IsOpen(i) && std::find(corners.begin(), end, vertex) != end) {
        around.push_back(i);
      }
    }
    // Each of a fan but one has an edge from this corner in common with the
    // next; an edge that is there twice joins two.
    std::multiset<std::pair<uint16_t, uint16_t>> edges;
    for (const uint32_t i : around) {
      for (uint32_t k = 0; k < polygons[i].corner_count; ++k) {
        const uint16_t a = polygons[i].corners[k];
        const uint16_t b =
            polygons[i].corners[(k + 1) % polygons[i].corner_count];
        if (a == vertex || b == vertex) {
          edges.insert({std::min(a, b), std::max(a, b)});
        }
      }
    }
    size_t joined = 0;
    for (const auto& edge : edges) joined += edges.count(edge) == 2 ? 1 : 0;
    joined /= 2;
    if (around.size() > joined + 1) pinches.insert(vertex);
  }
  return pinches;
}

// The shortest way from the start to the goal along lines between corners that
// are all on the mesh, none of which goes through a pinch: Dijkstra over all of
// them. Empty: there is none.
std::vector<MeshPoint> ShortestWay(const Level& level,
                                   const std::set<uint16_t>& pinches) {
  std::vector<MeshPoint> points = {level.start.point, level.goal.point};
  std::vector<MeshPoint> shut;
  for (uint16_t i = 0; i < level.data.vertices.size(); ++i) {
    (pinches.contains(i) ? shut : points)
        .push_back(PointOf(level.data.vertices[i]));
  }
  const auto is_clear = [&](MeshPoint a, MeshPoint b) {
    const bool is_pinched = std::ranges::any_of(shut, [&](MeshPoint pinch) {
      return TurnOf(a, b, pinch) == 0 && pinch.x >= std::min(a.x, b.x) &&
             pinch.x <= std::max(a.x, b.x) && pinch.z >= std::min(a.z, b.z) &&
             pinch.z <= std::max(a.z, b.z);
    });
    return !is_pinched && IsOnMesh(level, a, b, 0.0);
  };
  constexpr double kFar = 1e300;
  std::vector<double> lengths(points.size(), kFar);
  std::vector<size_t> before(points.size());
  std::vector<bool> is_done(points.size());
  lengths[0] = 0.0;
  for (;;) {
    size_t best = points.size();
    for (size_t i = 0; i < points.size(); ++i) {
      if (is_done[i] || lengths[i] == kFar) continue;
      if (best == points.size() || lengths[i] < lengths[best]) best = i;
    }
    if (best == points.size()) return {};
    if (best == 1) break;
    is_done[best] = true;
    for (size_t i = 0; i < points.size(); ++i) {
      const double length = lengths[best] + Distance(points[best], points[i]);
      if (is_done[i] || length >= lengths[i] ||
          !is_clear(points[best], points[i])) {
        continue;
      }
      lengths[i] = length;
      before[i] = best;
    }
  }
  std::vector<MeshPoint> way = {points[1]};
  for (size_t at = 1; at != 0; at = before[at]) {
    way.push_back(points[before[at]]);
  }
  std::ranges::reverse(way);
  return way;
}

double LengthOf(const std::vector<MeshPoint>& way) {
  double length = 0.0;
  for (size_t i = 1; i < way.size(); ++i)
    length += Distance(way[i - 1], way[i]);
  return length;
}

// How long all edges are together that a way touches, each once, and how many.
std::pair<double, size_t> EdgesAlong(const Level& level,
                                     const std::vector<MeshPoint>& way) {
  double length = 0.0;
  size_t count = 0;
  for (uint32_t edge = 0; edge < level.mesh.edge_count(); ++edge) {
    const uint32_t twin = level.mesh.twin(edge);
    if (twin == kNoNode || twin < edge) continue;
    const MeshPoint a = level.mesh.edge_from(edge);
    const MeshPoint b = level.mesh.edge_to(edge);
    bool is_touched = false;
    for (size_t i = 1; i < way.size(); ++i) {
      const auto side = [](int64_t turn) { return (turn > 0) - (turn < 0); };
      const bool crosses =
          side(TurnOf(way[i - 1], way[i], a)) *
                  side(TurnOf(way[i - 1], way[i], b)) <=
              0 &&
          side(TurnOf(a, b, way[i - 1])) * side(TurnOf(a, b, way[i])) <= 0;
      is_touched |= crosses;
    }
    if (!is_touched) continue;
    length += Distance(a, b);
    ++count;
  }
  return {length, count};
}

// A search compares ways through the middles of edges. The shortest way of all
// crosses some edges; through their middles it is longer by at most the length
// of each, since a middle is at most half of that away and two parts end
// there. The way that the search takes is not longer than that through its own
// middles, and pulled taut it gets no longer. Costs are rounded up to whole
// thousandths of a voxel for each edge.
TEST(MeshOptimumTest, PathsAreNotMuchLongerThanTheShortestWay) {
  RandomStream stream = MakeRandomStream(21, IdOf("optima"));
  int count = 0;
  int exact = 0;
  int shortest = 0;
  double sum = 0.0;
  double worst = 1.0;
  for (int round = 0; round < 600; ++round) {
    Level level = MakeLevel(round % 2 == 0 ? 8 : 30, 0, stream);
    if (!level.IsOpen(level.start.polygon)) continue;
    const auto path = PathOn(level);
    if (!path.has_value()) continue;
    const std::set<uint16_t> pinches = Pinches(level);
    std::vector<MeshPoint> points;
    for (const MeshPlace& place : *path) points.push_back(place.point);
    const double length = LengthOf(points);
    const std::vector<MeshPoint> way = ShortestWay(level, pinches);
    // Without the corners that it may not use there may be none.
    if (way.empty()) continue;
    const double least = LengthOf(way);
    const auto [edges, edge_count] = EdgesAlong(level, way);
    ++count;
    const double rounding =
        0.001 * kStepsPerVoxel * static_cast<double>(edge_count + 2) +
        // Places at borders of areas are off by less than a step.
        static_cast<double>(points.size());
    ASSERT_LE(length, least + edges + rounding) << round;
    if (pinches.empty()) {
      // Nothing is shorter than the shortest, but for what rounding cuts off.
      ASSERT_GE(length, least - static_cast<double>(points.size())) << round;
      ++exact;
      shortest += length <= least + static_cast<double>(points.size()) ? 1 : 0;
    }
    if (least > kStepsPerVoxel) {
      sum += length / least;
      worst = std::max(worst, length / least);
    } else {
      sum += 1.0;
    }
  }
  EXPECT_GT(count, 300);
  EXPECT_GT(exact, 50);
  // Mostly it is the shortest way itself.
  EXPECT_GT(2 * shortest, exact);
  EXPECT_LT(sum / count, 1.05);
  RecordProperty("count", count);
  RecordProperty("mean", std::to_string(sum / count));
  RecordProperty("worst", std::to_string(worst));
}

}  // namespace
}  // namespace reprise::sim
