// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/outlines.h"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kX = {1, 0, 0};
constexpr Vector3 kY = {0, 1, 0};
constexpr Vector3 kZ = {0, 0, 1};

using Segments = std::vector<Segment>;

void Append(const Segments& more, Segments& all) {
  all.insert(all.end(), more.begin(), more.end());
}

void AddCircle(Vector3 centre, Vector3 x, Vector3 y, Segments& all) {
  Append(ArcOutline(centre, x, y, 0, 2 * kPi), all);
}

// The four lines along y of a tube.
void AddSides(double radius_m, double half_m, Segments& all) {
  for (const Vector3 side : {kX, -kX, kZ, -kZ}) {
    all.push_back(
        {side * radius_m - kY * half_m, side * radius_m + kY * half_m});
  }
}

// What lies on the inner side of a plane: Dot(normal, point) <= offset.
struct HalfSpace {
  Vector3 normal;
  double offset = 0;
};

// The part of the line of two planes that all others leave.
void AddEdge(const std::vector<HalfSpace>& planes, size_t first, size_t second,
             Segments& all) {
  const auto& [n, c] = planes[first];
  const auto& [m, d] = planes[second];
  const Vector3 along = Cross(n, m);
  const double square = Dot(along, along);
  // Parallel ones have no line; unit normals this near have none to be seen.
  constexpr double kParallel = 1e-12;
  if (square < kParallel) return;
  const Vector3 point = Cross(c * m - d * n, along) / square;
  double low = -2 * kVolumeCoordinateMaxM / Sqrt(square);
  double high = -low;
  // A corner may be on several planes, each a rounding off.
  constexpr double kSlack = 1e-9;
  for (size_t i = 0; i < planes.size(); ++i) {
    if (i == first || i == second) continue;
    const double rise = Dot(planes[i].normal, along);
    const double room = planes[i].offset - Dot(planes[i].normal, point);
    if (Abs(rise) < kParallel) {
      if (room < -kSlack) return;
    } else if (rise > 0) {
      high = std::min(high, room / rise);
    } else {
      low = std::max(low, room / rise);
    }
  }
  if (high - low <= kSlack) return;
  all.push_back({point + along * low, point + along * high});
}

struct OutlineMaker {
  Segments operator()(const SphereVolume& ball) const {
    Segments all = BallOutline(ball.radius_m);
    for (Segment& segment : all) {
      for (Vector3& end : segment) end = ball.centre + end;
    }
    return all;
  }

  Segments operator()(const OrientedBoxVolume& box) const {
    Segments all = BoxOutline(box.half_extents_m);
    for (Segment& segment : all) {
      for (Vector3& end : segment) end = box.centre + Rotate(box.rotation, end);
    }
    return all;
  }

  Segments operator()(const ConvexPrismVolume& prism) const {
    Segments all;
    for (size_t i = 0; i < prism.corners.size(); ++i) {
      const PlanPoint& a = prism.corners[i];
      const PlanPoint& b = prism.corners[(i + 1) % prism.corners.size()];
      for (const double y : {prism.bottom_m, prism.top_m}) {
        all.push_back({Vector3{a.x, y, a.z}, Vector3{b.x, y, b.z}});
      }
      all.push_back(
          {Vector3{a.x, prism.bottom_m, a.z}, Vector3{a.x, prism.top_m, a.z}});
    }
    return all;
  }

  Segments operator()(const SlabVolume& volume) const {
    std::vector<HalfSpace> planes = {{kX, volume.high.x}, {-kX, -volume.low.x},
                                     {kY, volume.high.y}, {-kY, -volume.low.y},
                                     {kZ, volume.high.z}, {-kZ, -volume.low.z}};
    for (const Slab& slab : volume.slabs) {
      planes.push_back({slab.normal, slab.high_m});
      planes.push_back({-slab.normal, -slab.low_m});
    }
    Segments all;
    for (size_t i = 0; i < planes.size(); ++i) {
      for (size_t j = i + 1; j < planes.size(); ++j) {
        AddEdge(planes, i, j, all);
      }
    }
    return all;
  }
};

}  // namespace

Vector3 OnCircle(Vector3 centre, Vector3 x, Vector3 y, double angle_rad) {
  return centre + x * Cos(angle_rad) + y * Sin(angle_rad);
}

std::vector<Segment> ArcOutline(Vector3 centre, Vector3 x, Vector3 y,
                                double from_rad, double to_rad) {
  const double step_rad = 2 * kPi / kCircleCorners;
  // What goes round more than once is seen once.
  const double span_rad = std::clamp(to_rad - from_rad, 0.0, 2 * kPi);
  const int count =
      std::max(1, static_cast<int>(Ceil(span_rad / step_rad - 1e-9)));
  Segments all;
  Vector3 start = OnCircle(centre, x, y, from_rad);
  for (int i = 1; i <= count; ++i) {
    const Vector3 end = OnCircle(centre, x, y, from_rad + span_rad * i / count);
    all.push_back({start, end});
    start = end;
  }
  return all;
}

std::vector<Segment> BallOutline(double radius_m) {
  Segments all;
  AddCircle({}, kX * radius_m, kY * radius_m, all);
  AddCircle({}, kY * radius_m, kZ * radius_m, all);
  AddCircle({}, kZ * radius_m, kX * radius_m, all);
  return all;
}

std::vector<Segment> BoxOutline(Vector3 half) {
  Segments all;
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-1.0, 1.0}) {
      all.push_back({Vector3{-half.x, a * half.y, b * half.z},
                     Vector3{half.x, a * half.y, b * half.z}});
      all.push_back({Vector3{a * half.x, -half.y, b * half.z},
                     Vector3{a * half.x, half.y, b * half.z}});
      all.push_back({Vector3{a * half.x, b * half.y, -half.z},
                     Vector3{a * half.x, b * half.y, half.z}});
    }
  }
  return all;
}

std::vector<Segment> CylinderOutline(double radius_m, double height_m) {
  Segments all;
  const double half_m = 0.5 * height_m;
  AddSides(radius_m, half_m, all);
  for (const double y : {-half_m, half_m}) {
    AddCircle(kY * y, kX * radius_m, kZ * radius_m, all);
  }
  return all;
}

std::vector<Segment> CapsuleOutline(double radius_m, double height_m) {
  Segments all = CylinderOutline(radius_m, height_m);
  for (const double side : {-1.0, 1.0}) {
    const Vector3 centre = kY * (0.5 * side * height_m);
    for (const Vector3 across : {kX, kZ}) {
      Append(
          ArcOutline(centre, across * radius_m, kY * (side * radius_m), 0, kPi),
          all);
    }
  }
  return all;
}

std::vector<Segment> ConeOutline(double radius_m, double height_m) {
  Segments all;
  const Vector3 base = kY * (-0.25 * height_m);
  AddCircle(base, kX * radius_m, kZ * radius_m, all);
  for (const Vector3 side : {kX, -kX, kZ, -kZ}) {
    all.push_back({base + side * radius_m, base + kY * height_m});
  }
  return all;
}

std::vector<Segment> VolumeOutline(const Volume& volume) {
  return std::visit(OutlineMaker{}, volume);
}

}  // namespace reprise::sim
