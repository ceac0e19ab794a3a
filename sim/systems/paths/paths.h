// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Paths: smooth curves through given points, walked by distance: what patrols,
// platforms and cameras on rails follow.

#ifndef REPRISE_SIM_SYSTEMS_PATHS_PATHS_H_
#define REPRISE_SIM_SYSTEMS_PATHS_PATHS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

inline constexpr size_t kPathsMax = 4096;
inline constexpr size_t kPathPointsMax = 4096;  // of one path

// As of volumes: wider than a planet, finer than a grain.
inline constexpr double kPathCoordinateMaxM = 1e9;
inline constexpr double kPathStepMinM = 1e-6;

struct PathDefinition {
  Id name;
  // The curve goes through all of them, in order.
  std::vector<Vector3> points;
  // Goes on from the last point to the first.
  bool is_closed = false;
};

// OK, or InvalidArgument or ResourceExhausted naming the path and what is wrong
// with it: fewer than 2 points (3 of a closed path), coordinates out of range,
// neighbours closer than kPathStepMinM.
absl::Status ValidatePaths(std::span<const PathDefinition> paths,
                           const NameTable& names);

struct PathPlace {
  Vector3 point;
  // The direction of travel, of length 1. Where the curve stops and turns back,
  // it is that of a short piece around the place.
  Vector3 tangent;
};

// A uniform Catmull-Rom curve with a table of its length. Immutable.
class Path {
 public:
  // REQUIRES: `definition` passed ValidatePaths.
  explicit Path(const PathDefinition& definition);

  double length_m() const { return lengths_m_.back(); }
  bool is_closed() const { return is_closed_; }

  // How far along the path its point `index` lies; of a closed path also the
  // number of points, which is the first point again, at length_m().
  double DistanceOfPoint(size_t index) const;

  // Returns the place `distance_m` along the path. Beyond its ends it is the
  // nearer end; a closed path has none and goes round, backwards too.
  // REQUIRES: distance_m is finite.
  PathPlace At(double distance_m) const;

 private:
  // A point of the curve and how it moves as the parameter grows.
  struct Sample {
    Vector3 point;
    Vector3 derivative;
  };

  size_t span_count() const;
  // Point `index` of the sequence that the curve needs beyond both ends: of a
  // closed path the points again, of an open one the end mirrored.
  Vector3 ControlPoint(ptrdiff_t index) const;
  // The curve from point `span` (parameter 0) to the next one (1); the only
  // place that knows what kind of curve it is.
  Sample Evaluate(size_t span, double parameter) const;
  // The length of the curve between two parameters of a span.
  double MeasurePiece(size_t span, double from, double to) const;

  std::vector<Vector3> points_;
  bool is_closed_;
  // How far each end of a piece is from the start; pieces of equal parameter,
  // some to a span.
  std::vector<double> lengths_m_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_PATHS_PATHS_H_
