// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/navigation/mesh_path.h"

#include <algorithm>

#include "sim/base/math.h"
#include "sim/navigation/mesh_space.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kNoPortal = 0xffffffff;

// What can be reached from the start in a straight line or along the sides: two
// chains of portals' ends from the apex, the left one bent to the left and the
// right one to the right. Lee's and Preparata's algorithm for the shortest way
// in a polygon (1984), which adds and takes away each end once.
class Funnel {
 public:
  Funnel(MeshPoint start, size_t portal_count)
      : chain_(2 * portal_count + 3),
        front_(portal_count + 1),
        apex_(front_),
        back_(front_) {
    knots_.push_back({.point = start, .portal = kNoPortal, .before = 0});
    chain_[front_] = 0;
  }

  // Adds a point that is seen through the portal before it, whose right end is
  // `right`. Returns the knot of the point.
  uint32_t AddLeft(MeshPoint point, MeshPoint right, uint32_t portal) {
    while (PointAt(front_) != point && front_ < back_) {
      const MeshPoint end = PointAt(front_);
      const MeshPoint next = PointAt(front_ + 1);
      const int64_t turn = TurnOf(next, end, point);
      const bool is_taut =
          front_ < apex_
              ? turn > 0 || (turn == 0 && IsBack(next, end, point, right))
              : TurnOf(end, next, point) >= 0;
      if (is_taut) break;
      ++front_;
    }
    apex_ = std::max(apex_, front_);
    if (PointAt(front_) != point) {
      const uint32_t knot = Tie(point, portal, chain_[front_]);
      chain_[--front_] = knot;
    }
    return chain_[front_];
  }

  void AddRight(MeshPoint point, MeshPoint left, uint32_t portal) {
    while (PointAt(back_) != point && front_ < back_) {
      const MeshPoint end = PointAt(back_);
      const MeshPoint next = PointAt(back_ - 1);
      const int64_t turn = TurnOf(next, end, point);
      const bool is_taut =
          back_ > apex_
              ? turn < 0 || (turn == 0 && IsBack(next, end, point, left))
              : TurnOf(end, next, point) <= 0;
      if (is_taut) break;
      --back_;
    }
    apex_ = std::min(apex_, back_);
    if (PointAt(back_) != point) {
      const uint32_t knot = Tie(point, portal, chain_[back_]);
      chain_[++back_] = knot;
    }
  }

  // What is between the start and a knot.
  std::vector<TautCorner> CornersBefore(uint32_t knot) const {
    std::vector<TautCorner> corners;
    for (uint32_t at = knots_[knot].before; at != 0; at = knots_[at].before) {
      corners.push_back({knots_[at].point, knots_[at].portal});
    }
    std::ranges::reverse(corners);
    return corners;
  }

 private:
  // The string from the start to a point comes from the knot `before`.
  struct Knot {
    MeshPoint point;
    uint32_t portal = 0;
    uint32_t before = 0;
  };

  // Whether the way from `from` by `bend` to `to`, which are in one line, goes
  // back around the end of a wall without thickness, as where two floors touch
  // that aren't joined. It doesn't where the portal with the ends `bend` and
  // `other` is in that line, and leads back as well.
  static bool IsBack(MeshPoint from, MeshPoint bend, MeshPoint to,
                     MeshPoint other) {
    return Along(from, bend, to) < 0 &&
           (TurnOf(from, bend, other) != 0 || Along(from, bend, other) > 0);
  }
  // Below 0 where the way from a by b to c goes back.
  static int64_t Along(MeshPoint a, MeshPoint b, MeshPoint c) {
    return int64_t{b.x - a.x} * (c.x - b.x) + int64_t{b.z - a.z} * (c.z - b.z);
  }

  MeshPoint PointAt(size_t place) const { return knots_[chain_[place]].point; }
  uint32_t Tie(MeshPoint point, uint32_t portal, uint32_t before) {
    knots_.push_back({.point = point, .portal = portal, .before = before});
    return static_cast<uint32_t>(knots_.size() - 1);
  }

  std::vector<Knot> knots_;
  // Knots from the left end by the apex to the right end.
  std::vector<uint32_t> chain_;
  size_t front_;
  size_t apex_;
  size_t back_;
};

// Where a straight way crosses an edge, and how high the edge is there.
struct Crossing {
  MeshPoint point;
  double height_m = 0.0;
};

Crossing CrossingOf(const NavigationMesh& mesh, MeshPoint from, MeshPoint to,
                    uint32_t edge) {
  const MeshPoint a = mesh.edge_from(edge);
  const MeshPoint b = mesh.edge_to(edge);
  const auto turn_a = static_cast<double>(TurnOf(from, to, a));
  const auto turn_b = static_cast<double>(TurnOf(from, to, b));
  // Along the edge it is on it everywhere.
  double share = turn_a == turn_b ? 0.0 : turn_a / (turn_a - turn_b);
  share = std::clamp(share, 0.0, 1.0);
  const auto between = [&](int32_t first, int32_t second) {
    return static_cast<int32_t>(
        ToInt64Saturated(Floor(first + share * (second - first) + 0.5)));
  };
  const double height = mesh.edge_from_height(edge);
  return {.point = {between(a.x, b.x), between(a.z, b.z)},
          .height_m = height + share * (mesh.edge_to_height(edge) - height)};
}

// How far a point is along the way from one to another, 0 to 1, in plan.
double ShareAlong(Vector3 from, Vector3 to, Vector3 point) {
  const double x = to.x - from.x;
  const double z = to.z - from.z;
  const double squared = x * x + z * z;
  if (squared == 0.0) return 0.0;
  const double along =
      ((point.x - from.x) * x + (point.z - from.z) * z) / squared;
  return std::clamp(along, 0.0, 1.0);
}

uint32_t PolygonBehind(const NavigationMesh& mesh, uint32_t edge) {
  return mesh.polygon_of_edge(mesh.twin(edge));
}

void Append(const MeshPlace& place, std::vector<MeshPlace>& path) {
  if (path.back() != place) path.push_back(place);
}

// What a straight way needs between its ends.
void AppendCrossings(const NavigationMesh& mesh, const MeshPlace& to,
                     std::span<const uint32_t> edges,
                     std::vector<MeshPlace>& path) {
  const MeshPoint from = path.back().point;
  const Vector3 end = mesh.PositionOf(to);
  Vector3 last = mesh.PositionOf(path.back());
  for (const uint32_t edge : edges) {
    const Crossing crossing = CrossingOf(mesh, from, to.point, edge);
    const MeshPlace place = {.polygon = PolygonBehind(mesh, edge),
                             .point = crossing.point};
    Vector3 position = mesh.PositionOf(place);
    position.y = crossing.height_m;
    const double straight_y =
        last.y + ShareAlong(last, end, position) * (end.y - last.y);
    const bool is_border = mesh.polygon(place.polygon).area !=
                           mesh.polygon(mesh.polygon_of_edge(edge)).area;
    if (!is_border &&
        Abs(position.y - straight_y) <= mesh.scale().cell_height_m) {
      continue;
    }
    Append(place, path);
    last = position;
  }
}

// The way through edges to a place, behind what the path has.
void AppendStretch(const NavigationMesh& mesh, std::span<const uint32_t> edges,
                   const MeshPlace& to, std::vector<MeshPlace>& path) {
  std::vector<MeshPortal> portals;
  for (const uint32_t edge : edges) {
    portals.push_back(
        {.left = mesh.edge_to(edge), .right = mesh.edge_from(edge)});
  }
  uint32_t next = 0;
  for (const TautCorner& corner :
       PullString(path.back().point, portals, to.point)) {
    const MeshPlace place = {
        .polygon = PolygonBehind(mesh, edges[corner.portal]),
        .point = corner.point};
    // Portals that don't lie in a row may have their corners in any order.
    const uint32_t stop = std::max(corner.portal, next);
    AppendCrossings(mesh, place, edges.subspan(next, stop - next), path);
    Append(place, path);
    next = std::max(corner.portal + 1, next);
  }
  AppendCrossings(mesh, to, edges.subspan(next), path);
  Append(to, path);
}

}  // namespace

std::vector<TautCorner> PullString(MeshPoint start,
                                   std::span<const MeshPortal> portals,
                                   MeshPoint goal) {
  Funnel funnel(start, portals.size());
  MeshPortal before;  // the first portal is seen from the start alone
  for (uint32_t i = 0; i < portals.size(); ++i) {
    funnel.AddLeft(portals[i].left, before.right, i);
    funnel.AddRight(portals[i].right, before.left, i);
    before = portals[i];
  }
  return funnel.CornersBefore(funnel.AddLeft(
      goal, before.right, static_cast<uint32_t>(portals.size())));
}

std::vector<MeshPlace> MakeMeshPath(const NavigationMesh& mesh,
                                    std::span<const uint32_t> nodes,
                                    const MeshPlace& start,
                                    const MeshPlace& goal) {
  std::vector<MeshPlace> path = {start};
  std::vector<uint32_t> edges;
  for (const uint32_t node : nodes) {
    if (node < mesh.edge_count()) {
      edges.push_back(node);
    } else if (node < MeshStartNode(mesh)) {
      const MeshWay& way = mesh.ways()[node - mesh.edge_count()];
      AppendStretch(mesh, edges, way.from, path);
      edges.clear();
      Append(way.to, path);
    }
  }
  AppendStretch(mesh, edges, goal, path);
  return path;
}

}  // namespace reprise::sim
