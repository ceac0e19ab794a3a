// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/shapes/core_proximity.h"

#include <array>

namespace reprise::sim {
namespace {

// Of the square of the distance.
constexpr double kTolerance = 2e-10;

// A distance below this, in metres, gives no direction to push along.
constexpr double kDistanceMinM = 1e-6;

// Corners end after a few steps, curves after a dozen or two.
constexpr uint32_t kStepsMax = 64;

// A tetrahedron with less height than this part of its longest edges is flat.
constexpr double kFlatness = 1e-10;

// A point of the difference a - b, and the point of b that it comes from.
struct Corner {
  Vector3 difference;
  Vector3 point_b;
};

// Up to four corners, and how much each counts in the point of their hull that
// is nearest to the origin.
struct Simplex {
  std::array<Corner, 4> corners;
  std::array<double, 4> weights = {};
  uint32_t size = 0;
};

// The nearest point of a part of the simplex: of some corners, by index.
struct Nearest {
  Vector3 point;
  std::array<uint32_t, 3> corners = {};
  std::array<double, 3> weights = {};
  uint32_t size = 0;
};

Corner FarthestCorner(const CorePair& pair, Vector3 direction) {
  const Matrix3& r = pair.b_rotation;
  // Against b's own directions, by the columns of its rotation.
  const Vector3 direction_b =
      -(direction.x * r.rows[0] + direction.y * r.rows[1] +
        direction.z * r.rows[2]);
  const Vector3 point_b =
      r * FarthestPoint(pair.b, direction_b) + pair.b_position;
  return {.difference = FarthestPoint(pair.a, direction) - point_b,
          .point_b = point_b};
}

Nearest NearestOfCorner(const Simplex& simplex, uint32_t i) {
  return {.point = simplex.corners[i].difference,
          .corners = {i},
          .weights = {1.0},
          .size = 1};
}

Nearest NearestOfEdge(const Simplex& simplex, uint32_t i, uint32_t k) {
  const Vector3& start = simplex.corners[i].difference;
  const Vector3 along = simplex.corners[k].difference - start;
  const double length = Dot(along, along);
  const double t = -Dot(start, along);
  if (t <= 0.0) return NearestOfCorner(simplex, i);
  if (t >= length) return NearestOfCorner(simplex, k);
  const double share = t / length;
  return {.point = start + share * along,
          .corners = {i, k},
          .weights = {1.0 - share, share},
          .size = 2};
}

const Nearest& Nearer(const Nearest& a, const Nearest& b) {
  return Dot(b.point, b.point) < Dot(a.point, a.point) ? b : a;
}

// By the regions in which the origin can lie: Ericson, Real-Time Collision
// Detection, 5.1.5.
Nearest NearestOfTriangle(const Simplex& simplex, uint32_t i, uint32_t j,
                          uint32_t k) {
  const Vector3& a = simplex.corners[i].difference;
  const Vector3& b = simplex.corners[j].difference;
  const Vector3& c = simplex.corners[k].difference;
  const Vector3 ab = b - a;
  const Vector3 ac = c - a;
  const double ab_a = -Dot(ab, a);
  const double ac_a = -Dot(ac, a);
  if (ab_a <= 0.0 && ac_a <= 0.0) return NearestOfCorner(simplex, i);
  const double ab_b = -Dot(ab, b);
  const double ac_b = -Dot(ac, b);
  if (ab_b >= 0.0 && ac_b <= ab_b) return NearestOfCorner(simplex, j);
  const double share_c = ab_a * ac_b - ab_b * ac_a;
  if (share_c <= 0.0 && ab_a >= 0.0 && ab_b <= 0.0) {
    return NearestOfEdge(simplex, i, j);
  }
  const double ab_c = -Dot(ab, c);
  const double ac_c = -Dot(ac, c);
  if (ac_c >= 0.0 && ab_c <= ac_c) return NearestOfCorner(simplex, k);
  const double share_b = ab_c * ac_a - ab_a * ac_c;
  if (share_b <= 0.0 && ac_a >= 0.0 && ac_c <= 0.0) {
    return NearestOfEdge(simplex, i, k);
  }
  const double share_a = ab_b * ac_c - ab_c * ac_b;
  if (share_a <= 0.0 && ac_b - ab_b >= 0.0 && ab_c - ac_c >= 0.0) {
    return NearestOfEdge(simplex, j, k);
  }
  const double sum = share_a + share_b + share_c;
  const Vector3 normal = Cross(ab, ac);
  const double area = Dot(normal, normal);
  if (!(sum > 0.0) || !(area > 0.0)) {
    // All but a line: one of its edges has the point.
    return Nearer(
        NearestOfEdge(simplex, i, j),
        Nearer(NearestOfEdge(simplex, i, k), NearestOfEdge(simplex, j, k)));
  }
  return {.point = (Dot(a, normal) / area) * normal,
          .corners = {i, j, k},
          .weights = {share_a / sum, share_b / sum, share_c / sum},
          .size = 3};
}

// Size 0 where the origin is inside.
Nearest NearestOfTetrahedron(const Simplex& simplex) {
  constexpr std::array<std::array<uint32_t, 4>, 4> kFaces = {
      {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}};
  Nearest nearest;
  double nearest_square = 0.0;
  for (const auto& [i, j, k, opposite] : kFaces) {
    const Vector3& a = simplex.corners[i].difference;
    const Vector3 ab = simplex.corners[j].difference - a;
    const Vector3 ac = simplex.corners[k].difference - a;
    const Vector3 up = simplex.corners[opposite].difference - a;
    const Vector3 normal = Cross(ab, ac);
    const double height = Dot(normal, up);
    const bool is_flat =
        height * height <=
        kFlatness * kFlatness * Dot(normal, normal) * Dot(up, up);
    const double side = -Dot(normal, a);
    if (!is_flat && side * height > 0.0) continue;
    const Nearest of_face = NearestOfTriangle(simplex, i, j, k);
    const double square = Dot(of_face.point, of_face.point);
    if (nearest.size != 0 && square >= nearest_square) continue;
    nearest = of_face;
    nearest_square = square;
  }
  return nearest;
}

// Of the first `size` corners.
Nearest NearestOf(const Simplex& simplex, uint32_t size) {
  switch (size) {
    case 1:
      return NearestOfCorner(simplex, 0);
    case 2:
      return NearestOfEdge(simplex, 0, 1);
    case 3:
      return NearestOfTriangle(simplex, 0, 1, 2);
    default:
      return NearestOfTetrahedron(simplex);
  }
}

// Leaves the corners that have a part in `nearest`.
void Reduce(const Nearest& nearest, Simplex& simplex) {
  // Their indexes ascend, so none is overwritten before it is read.
  for (uint32_t i = 0; i < nearest.size; ++i) {
    simplex.corners[i] = simplex.corners[nearest.corners[i]];
    simplex.weights[i] = nearest.weights[i];
  }
  simplex.size = nearest.size;
}

bool Has(const Simplex& simplex, const Corner& corner) {
  for (uint32_t i = 0; i < simplex.size; ++i) {
    if (simplex.corners[i].difference == corner.difference) return true;
  }
  return false;
}

Vector3 PointOnB(const Simplex& simplex) {
  Vector3 point;
  for (uint32_t i = 0; i < simplex.size; ++i) {
    point = point + simplex.weights[i] * simplex.corners[i].point_b;
  }
  return point;
}

}  // namespace

double GapAlong(const CorePair& pair, Vector3 axis) {
  return Dot(FarthestCorner(pair, -axis).difference, axis);
}

CoreProximity FindProximity(const CorePair& pair, Vector3 guess,
                            double distance_max_m) {
  const double square_max = distance_max_m * distance_max_m;
  const auto is_apart = [&](Vector3 axis, double gap) {
    return gap > 0.0 && gap * gap > square_max * Dot(axis, axis);
  };
  Simplex simplex;
  simplex.corners[0] = FarthestCorner(pair, -guess);
  simplex.weights[0] = 1.0;
  simplex.size = 1;
  Vector3 nearest = simplex.corners[0].difference;
  if (is_apart(guess, Dot(guess, nearest))) {
    return {.proximity = Proximity::kApart, .axis = guess, .point_b = {}};
  }

  double square = Dot(nearest, nearest);
  for (uint32_t step = 0; step < kStepsMax; ++step) {
    if (square < kDistanceMinM * kDistanceMinM) {
      return {.proximity = Proximity::kInside, .axis = {}, .point_b = {}};
    }
    const Corner corner = FarthestCorner(pair, -nearest);
    const double gap = Dot(nearest, corner.difference);
    if (is_apart(nearest, gap)) {
      return {.proximity = Proximity::kApart, .axis = nearest, .point_b = {}};
    }
    if (square - gap <= kTolerance * square || Has(simplex, corner)) break;
    // Behind those that are there: it counts once it has come nearer.
    simplex.corners[simplex.size] = corner;
    const Nearest found = NearestOf(simplex, simplex.size + 1);
    if (found.size == 0) {
      return {.proximity = Proximity::kInside, .axis = {}, .point_b = {}};
    }
    const double next_square = Dot(found.point, found.point);
    // Rounding has the last word: what was found before is as good.
    if (next_square >= square) break;
    Reduce(found, simplex);
    nearest = found.point;
    square = next_square;
  }
  if (square > square_max) {
    return {.proximity = Proximity::kApart, .axis = nearest, .point_b = {}};
  }
  return {.proximity = Proximity::kNear,
          .axis = nearest,
          .point_b = PointOnB(simplex)};
}

}  // namespace reprise::sim
