// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/volume.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/geometry/matrix3.h"

namespace reprise::sim {
namespace {

// How far from 1 the length of a rotation or a normal may be: what authors
// write with ten digits passes.
constexpr double kUnitTolerance = 1e-9;

// A corner closer than this to the line of an edge, in lengths of that edge,
// lies on it.
constexpr double kCollinearTolerance = 1e-9;

// Covers what rounding and a rotation that isn't quite of length 1 move, in
// parts of the largest number that enters.
constexpr double kBoundsSlack = 8 * kUnitTolerance;

// Beyond the farthest corner of a volume that was grown as far as allowed.
constexpr double kNothingBeyondM = 10 * kVolumeCoordinateMaxM;

bool IsMargin(double margin_m) {
  return margin_m >= 0.0 && margin_m <= kVolumeCoordinateMaxM;
}

// By how much `value` lies beyond `limit`.
double Excess(double value, double limit) {
  return value <= limit ? 0.0 : value - limit;
}

double ExcessOfInterval(double value, double low, double high) {
  return value < low ? low - value : Excess(value, high);
}

// Twice the area of the triangle, positive where x turns towards z.
double Turn(PlanPoint a, PlanPoint b, PlanPoint c) {
  return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

double DistanceSquaredToEdge(PlanPoint point, PlanPoint a, PlanPoint b) {
  const double edge_x = b.x - a.x;
  const double edge_z = b.z - a.z;
  const double along = ((point.x - a.x) * edge_x + (point.z - a.z) * edge_z) /
                       (edge_x * edge_x + edge_z * edge_z);
  const double nearest = std::clamp(along, 0.0, 1.0);
  const double x = point.x - (a.x + nearest * edge_x);
  const double z = point.z - (a.z + nearest * edge_z);
  return x * x + z * z;
}

// 0 inside, whichever way the corners go round: only there all edges turn the
// same way.
double DistanceSquaredInPlan(const std::vector<PlanPoint>& corners,
                             PlanPoint point) {
  bool turns_left = false;
  bool turns_right = false;
  PlanPoint before = corners.back();
  for (const PlanPoint corner : corners) {
    const double turn = Turn(before, corner, point);
    turns_left = turns_left || turn > 0.0;
    turns_right = turns_right || turn < 0.0;
    before = corner;
  }
  if (!turns_left || !turns_right) return 0.0;
  double smallest = DistanceSquaredToEdge(point, corners.back(), corners[0]);
  for (size_t i = 1; i < corners.size(); ++i) {
    smallest = std::min(
        smallest, DistanceSquaredToEdge(point, corners[i - 1], corners[i]));
  }
  return smallest;
}

bool ContainsPoint(const SphereVolume& sphere, Vector3 point, double margin_m) {
  const Vector3 offset = point - sphere.centre;
  const double reach_m = sphere.radius_m + margin_m;
  return Dot(offset, offset) <= reach_m * reach_m;
}

bool ContainsPoint(const OrientedBoxVolume& box, Vector3 point,
                   double margin_m) {
  const Vector3 local = Rotate(Conjugate(box.rotation), point - box.centre);
  const Vector3 excess = {Excess(Abs(local.x), box.half_extents_m.x),
                          Excess(Abs(local.y), box.half_extents_m.y),
                          Excess(Abs(local.z), box.half_extents_m.z)};
  return Dot(excess, excess) <= margin_m * margin_m;
}

bool ContainsPoint(const ConvexPrismVolume& prism, Vector3 point,
                   double margin_m) {
  const double above_m = ExcessOfInterval(point.y, prism.bottom_m, prism.top_m);
  const double aside_squared =
      DistanceSquaredInPlan(prism.corners, {point.x, point.z});
  return above_m * above_m + aside_squared <= margin_m * margin_m;
}

bool ContainsPoint(const SlabVolume& volume, Vector3 point, double margin_m) {
  const auto is_between = [&](double value, double low_m, double high_m) {
    return low_m - margin_m <= value && value <= high_m + margin_m;
  };
  return is_between(point.x, volume.low.x, volume.high.x) &&
         is_between(point.y, volume.low.y, volume.high.y) &&
         is_between(point.z, volume.low.z, volume.high.z) &&
         std::ranges::all_of(volume.slabs, [&](const Slab& slab) {
           return is_between(Dot(slab.normal, point), slab.low_m, slab.high_m);
         });
}

VolumeBounds TightBounds(const SphereVolume& sphere) {
  const Vector3 reach = {sphere.radius_m, sphere.radius_m, sphere.radius_m};
  return {sphere.centre - reach, sphere.centre + reach};
}

VolumeBounds TightBounds(const OrientedBoxVolume& box) {
  const auto reach_of = [&](Vector3 row) {
    return Dot({Abs(row.x), Abs(row.y), Abs(row.z)}, box.half_extents_m);
  };
  const Matrix3 matrix = ToMatrix3(box.rotation);
  const Vector3 reach = {reach_of(matrix.rows[0]), reach_of(matrix.rows[1]),
                         reach_of(matrix.rows[2])};
  return {box.centre - reach, box.centre + reach};
}

VolumeBounds TightBounds(const ConvexPrismVolume& prism) {
  const auto [x_low, x_high] =
      std::ranges::minmax(prism.corners, {}, &PlanPoint::x);
  const auto [z_low, z_high] =
      std::ranges::minmax(prism.corners, {}, &PlanPoint::z);
  return {{x_low.x, prism.bottom_m, z_low.z},
          {x_high.x, prism.top_m, z_high.z}};
}

VolumeBounds TightBounds(const SlabVolume& volume) {
  return {volume.low, volume.high};
}

absl::Status Refusal(std::string_view text) {
  return absl::InvalidArgumentError(fmt::format("volume: {}", text));
}

// NaN fails the comparison.
bool IsCoordinate(double value) { return Abs(value) <= kVolumeCoordinateMaxM; }
bool IsCoordinate(Vector3 point) {
  return IsCoordinate(point.x) && IsCoordinate(point.y) &&
         IsCoordinate(point.z);
}

bool IsSize(double size_m) {
  return size_m >= kVolumeSizeMinM && size_m <= kVolumeCoordinateMaxM;
}

bool IsUnit(double square) { return Abs(square - 1.0) <= 2 * kUnitTolerance; }

absl::Status CoordinateRefusal() {
  return Refusal(fmt::format("a coordinate is not within {} m of the origin",
                             kVolumeCoordinateMaxM));
}

absl::Status SizeRefusal(std::string_view what, double size_m) {
  return Refusal(fmt::format("its {} of {} m is not within [{}, {}] m", what,
                             size_m, kVolumeSizeMinM, kVolumeCoordinateMaxM));
}

absl::Status Check(const SphereVolume& sphere) {
  if (!IsCoordinate(sphere.centre)) return CoordinateRefusal();
  if (!IsSize(sphere.radius_m)) return SizeRefusal("radius", sphere.radius_m);
  return absl::OkStatus();
}

absl::Status Check(const OrientedBoxVolume& box) {
  if (!IsCoordinate(box.centre)) return CoordinateRefusal();
  for (const double half :
       {box.half_extents_m.x, box.half_extents_m.y, box.half_extents_m.z}) {
    if (!IsSize(half)) return SizeRefusal("half extent", half);
  }
  if (!IsUnit(Dot(box.rotation, box.rotation))) {
    return Refusal("its rotation is not a quaternion of length 1");
  }
  return absl::OkStatus();
}

// Every corner has to lie on the same side of every edge that it isn't part of,
// off its line: that leaves convex polygons alone, without corners on one line,
// and no star that goes round twice.
absl::Status CheckPolygon(const std::vector<PlanPoint>& corners) {
  const size_t count = corners.size();
  const bool turns_left = Turn(corners[0], corners[1], corners[2]) > 0.0;
  for (size_t i = 0; i < count; ++i) {
    const PlanPoint a = corners[i];
    const PlanPoint b = corners[(i + 1) % count];
    const double edge_squared =
        (b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z);
    for (size_t step = 2; step < count; ++step) {
      const size_t other = (i + step) % count;
      const double turn = Turn(a, b, corners[other]);
      if (!(Abs(turn) > kCollinearTolerance * edge_squared)) {
        return Refusal(
            fmt::format("corner {} lies on the line through corners {} and {}",
                        other, i, (i + 1) % count));
      }
      if ((turn > 0.0) != turns_left) {
        return Refusal(fmt::format("its polygon is not convex at corner {}",
                                   (i + 1) % count));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status Check(const ConvexPrismVolume& prism) {
  const size_t count = prism.corners.size();
  if (count < 3 || count > kVolumePartsMax) {
    return Refusal(fmt::format("its polygon has {} corners, not 3 to {}", count,
                               kVolumePartsMax));
  }
  for (const PlanPoint corner : prism.corners) {
    if (!IsCoordinate(corner.x) || !IsCoordinate(corner.z)) {
      return CoordinateRefusal();
    }
  }
  if (!IsCoordinate(prism.bottom_m) || !IsCoordinate(prism.top_m)) {
    return CoordinateRefusal();
  }
  if (!IsSize(prism.top_m - prism.bottom_m)) {
    return SizeRefusal("height", prism.top_m - prism.bottom_m);
  }
  for (size_t i = 0; i < count; ++i) {
    const PlanPoint a = prism.corners[i];
    const PlanPoint b = prism.corners[(i + 1) % count];
    const double edge_m = Length({b.x - a.x, 0.0, b.z - a.z});
    if (!(edge_m >= kVolumeSizeMinM)) return SizeRefusal("edge", edge_m);
  }
  return CheckPolygon(prism.corners);
}

absl::Status Check(const SlabVolume& volume) {
  if (!IsCoordinate(volume.low) || !IsCoordinate(volume.high)) {
    return CoordinateRefusal();
  }
  const Vector3 size = volume.high - volume.low;
  for (const double side : {size.x, size.y, size.z}) {
    if (!IsSize(side)) return SizeRefusal("side", side);
  }
  if (volume.slabs.size() > kVolumePartsMax) {
    return Refusal(fmt::format("it has {} slabs, at most {}",
                               volume.slabs.size(), kVolumePartsMax));
  }
  const Vector3 centre = 0.5 * (volume.low + volume.high);
  for (size_t i = 0; i < volume.slabs.size(); ++i) {
    const Slab& slab = volume.slabs[i];
    if (!IsUnit(Dot(slab.normal, slab.normal))) {
      return Refusal(
          fmt::format("the normal of slab {} is not of length 1", i));
    }
    if (!IsCoordinate(slab.low_m) || !IsCoordinate(slab.high_m)) {
      return CoordinateRefusal();
    }
    if (!IsSize(slab.high_m - slab.low_m)) {
      return SizeRefusal("slab's width", slab.high_m - slab.low_m);
    }
    const Vector3 normal = slab.normal;
    const double middle = Dot(normal, centre);
    const double reach =
        0.5 * Dot({Abs(normal.x), Abs(normal.y), Abs(normal.z)}, size);
    if (slab.high_m < middle - reach || slab.low_m > middle + reach) {
      return Refusal(fmt::format("slab {} misses its box", i));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateVolume(const Volume& volume) {
  return std::visit([](const auto& shape) { return Check(shape); }, volume);
}

bool Contains(const Volume& volume, Vector3 point, double margin_m) {
  DCHECK(IsMargin(margin_m), "a margin of {} m", margin_m);
  // From here on no product overflows, and none is NaN.
  if (!(Abs(point.x) <= kNothingBeyondM && Abs(point.y) <= kNothingBeyondM &&
        Abs(point.z) <= kNothingBeyondM)) {
    return false;
  }
  return std::visit(
      [&](const auto& shape) { return ContainsPoint(shape, point, margin_m); },
      volume);
}

VolumeBounds BoundsOf(const Volume& volume, double margin_m) {
  CHECK(IsMargin(margin_m), "a margin of {} m", margin_m);
  const VolumeBounds tight =
      std::visit([](const auto& shape) { return TightBounds(shape); }, volume);
  double largest = 0.0;
  for (const Vector3 corner : {tight.low, tight.high}) {
    largest = std::max({largest, Abs(corner.x), Abs(corner.y), Abs(corner.z)});
  }
  const double growth_m = margin_m + (largest + margin_m) * kBoundsSlack;
  const Vector3 growth = {growth_m, growth_m, growth_m};
  return {tight.low - growth, tight.high + growth};
}

}  // namespace reprise::sim
