// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Volumes of space with nothing in them: what a region covers. All are convex
// and closed, so a point on the boundary is inside.

#ifndef REPRISE_SIM_GEOMETRY_VOLUME_H_
#define REPRISE_SIM_GEOMETRY_VOLUME_H_

#include <cstddef>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// Coordinates and sizes of volumes lie within these, so that no square of
// theirs overflows or vanishes: wider than a planet, finer than a grain.
inline constexpr double kVolumeCoordinateMaxM = 1e9;
inline constexpr double kVolumeSizeMinM = 1e-6;

// More corners or slabs than anybody draws by hand.
inline constexpr size_t kVolumePartsMax = 64;

struct SphereVolume {
  Vector3 centre;
  double radius_m = 0.0;
};

struct OrientedBoxVolume {
  Vector3 centre;
  Quaternion rotation;  // of length 1
  Vector3 half_extents_m;
};

// A place seen from above.
struct PlanPoint {
  double x = 0.0;
  double z = 0.0;
};

// A convex polygon in plan between two heights. The corners go round in either
// direction.
struct ConvexPrismVolume {
  std::vector<PlanPoint> corners;
  double bottom_m = 0.0;
  double top_m = 0.0;
};

// What lies between two parallel planes: low <= Dot(normal, point) <= high.
struct Slab {
  Vector3 normal;  // of length 1
  double low_m = 0.0;
  double high_m = 0.0;
};

// A k-DOP: a box along the axes, cut by further slabs.
struct SlabVolume {
  Vector3 low;
  Vector3 high;
  std::vector<Slab> slabs;
};

using Volume = std::variant<SphereVolume, OrientedBoxVolume, ConvexPrismVolume,
                            SlabVolume>;

// OK, or InvalidArgument saying what is wrong: a number that isn't finite or
// out of range, a size below kVolumeSizeMinM, a rotation or normal that isn't
// of length 1 within 1e-9, a polygon of fewer than 3 corners, one that isn't
// convex or has corners on one line, a slab that misses its box. Every other
// function here asks for a volume that passed.
absl::Status ValidateVolume(const Volume& volume);

// Whether `point` is inside the volume grown by `margin_m`: all points at most
// that far from it; of a SlabVolume, what lies between its planes moved outward
// by the margin. A point that isn't finite is inside of nothing.
// REQUIRES: 0 <= margin_m <= kVolumeCoordinateMaxM.
bool Contains(const Volume& volume, Vector3 point, double margin_m = 0.0);

// A box along the axes, boundary included.
struct VolumeBounds {
  Vector3 low;
  Vector3 high;
};

// Returns a box around everything that Contains accepts, a little larger than
// the smallest one so that no rounding lets a point escape.
// REQUIRES: 0 <= margin_m <= kVolumeCoordinateMaxM.
VolumeBounds BoundsOf(const Volume& volume, double margin_m = 0.0);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_VOLUME_H_
