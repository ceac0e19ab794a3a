// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Catmull-Rom curves: smooth, through all of their points, with nothing to set
// but the points. Uniform: each stretch takes t from 0 to 1, however long.

#ifndef REPRISE_SIM_GEOMETRY_MOTION_CATMULL_ROM_H_
#define REPRISE_SIM_GEOMETRY_MOTION_CATMULL_ROM_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// Returns the point at t of the stretch from p1 (t = 0) to p2 (t = 1), of
// doubles, Vector2 or Vector3.
template <typename Value>
constexpr Value CatmullRom(Value p0, Value p1, Value p2, Value p3, double t) {
  const Value linear = p2 - p0;
  const Value square = p0 * 2.0 - p1 * 5.0 + p2 * 4.0 - p3;
  const Value cubic = (p1 - p2) * 3.0 + p3 - p0;
  return p1 + (linear + (square + cubic * t) * t) * (0.5 * t);
}

// Returns its derivative by t: half of p2 - p0 at the start.
template <typename Value>
constexpr Value CatmullRomTangent(Value p0, Value p1, Value p2, Value p3,
                                  double t) {
  const Value linear = p2 - p0;
  const Value square = p0 * 2.0 - p1 * 5.0 + p2 * 4.0 - p3;
  const Value cubic = (p1 - p2) * 3.0 + p3 - p0;
  return (linear + (square * 2.0 + cubic * (3.0 * t)) * t) * 0.5;
}

// A place on a spline.
struct SplinePoint {
  Vector3 position;
  Vector3 direction;   // length 1; zero where the curve stands still
  size_t stretch = 0;  // from 0
  double t = 0.0;      // in [0, 1] of the stretch
};

// A curve through many points, walked by distance. Immutable.
class CatmullRomSpline {
 public:
  enum class Ends {
    kOpen,    // from the second point to the last but one; the two at the ends
              // only give the curve its direction there
    kClosed,  // through all of them and back to the first
  };

  // InvalidArgument for fewer than 4 points, or one that is not finite.
  static absl::Status Validate(std::span<const Vector3> points);

  // REQUIRES: Validate(points) is OK.
  CatmullRomSpline(std::vector<Vector3> points, Ends ends);

  size_t stretch_count() const { return stretch_count_; }

  // Along the curve, in the units of the points; exact to 1e-9 of itself.
  double length() const { return lengths_.back(); }

  // REQUIRES: stretch < stretch_count(), t in [0, 1].
  SplinePoint At(size_t stretch, double t) const;

  // Returns the point at a distance along the curve from its start. An open
  // curve ends at its ends; a closed one goes round as often as it takes, also
  // backwards. A curve of no length is its first point.
  // REQUIRES: distance is finite.
  SplinePoint AtDistance(double distance) const;

 private:
  class Stretch;

  Stretch StretchAt(size_t index) const;

  std::vector<Vector3> points_;
  Ends ends_;
  size_t stretch_count_;
  // The distance from the start at each of the table's steps, kSteps a stretch.
  std::vector<double> lengths_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_MOTION_CATMULL_ROM_H_
