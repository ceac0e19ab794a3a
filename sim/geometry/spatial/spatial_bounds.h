// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How far a point is from a box, and which part of a segment lies in one.
// Both are monotone in floating point, not only in real numbers: a box inside
// another is never nearer and never holds more of the segment. So an index that
// discards boxes of boxes discards nothing that it should have found.

#ifndef REPRISE_SIM_GEOMETRY_SPATIAL_SPATIAL_BOUNDS_H_
#define REPRISE_SIM_GEOMETRY_SPATIAL_SPATIAL_BOUNDS_H_

#include <array>

#include "sim/base/math.h"
#include "sim/geometry/aabb.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// The largest coordinate and radius, in metres, that indexes take: far from
// where products of differences overflow.
inline constexpr double kSpatialReach = 1e50;

// False for NaN, too.
inline bool IsWithinReach(Vector3 point) {
  return Abs(point.x) <= kSpatialReach && Abs(point.y) <= kSpatialReach &&
         Abs(point.z) <= kSpatialReach;
}
inline bool IsWithinReach(const Aabb& box) {
  return IsValid(box) && IsWithinReach(box.minimum) &&
         IsWithinReach(box.maximum);
}

// Returns how far `value` lies outside [low, high]; 0 inside.
constexpr double Outside(double value, double low, double high) {
  return value < low ? low - value : value > high ? value - high : 0.0;
}

// In square metres; 0 for a point of the box.
constexpr double DistanceSquaredToBounds(Vector3 point, const Aabb& box) {
  const Vector3 outside = {Outside(point.x, box.minimum.x, box.maximum.x),
                           Outside(point.y, box.minimum.y, box.maximum.y),
                           Outside(point.z, box.minimum.z, box.maximum.z)};
  return Dot(outside, outside);
}

// A part of a segment, by fractions of its length: 0 is where it starts and 1
// where it ends. Both ends belong to it.
struct SegmentPart {
  double first = 0.0;
  double last = 1.0;

  constexpr bool is_empty() const { return first > last; }
};

inline constexpr SegmentPart kNoPart = {.first = 1.0, .last = 0.0};

// A segment made ready for clipping.
class SegmentClipper {
 public:
  // REQUIRES: both within reach.
  SegmentClipper(Vector3 start, Vector3 end)
      : start_{start.x, start.y, start.z},
        delta_{end.x - start.x, end.y - start.y, end.z - start.z} {}

  // Coordinates of the start, and from the start to the end, by axis.
  double start(int axis) const { return start_[axis]; }
  double delta(int axis) const { return delta_[axis]; }

  // Returns the fraction at which the segment crosses `plane` on an axis:
  // monotone in `plane`, which may be infinite. By division, so that equal
  // fractions of different axes come out equal, and corners that touch, touch.
  // REQUIRES: delta(axis) != 0.
  double FractionAt(int axis, double plane) const {
    return (plane - start_[axis]) / delta_[axis];
  }

  // Returns what of `part` lies between two planes, which belong to it.
  SegmentPart Clip(int axis, double low, double high, SegmentPart part) const {
    if (delta_[axis] == 0.0) {
      return Outside(start_[axis], low, high) == 0.0 ? part : kNoPart;
    }
    const bool rises = delta_[axis] > 0.0;
    const double enters = FractionAt(axis, rises ? low : high);
    const double leaves = FractionAt(axis, rises ? high : low);
    return {.first = enters > part.first ? enters : part.first,
            .last = leaves < part.last ? leaves : part.last};
  }

  // Returns the part that lies in the box.
  SegmentPart Clip(const Aabb& box) const {
    SegmentPart part = Clip(0, box.minimum.x, box.maximum.x, {});
    part = Clip(1, box.minimum.y, box.maximum.y, part);
    return Clip(2, box.minimum.z, box.maximum.z, part);
  }

 private:
  std::array<double, 3> start_;
  std::array<double, 3> delta_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_SPATIAL_SPATIAL_BOUNDS_H_
