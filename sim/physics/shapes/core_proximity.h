// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How two cores stand to each other: apart, near with their nearest points, or
// one in the other. The algorithm of Gilbert, Johnson and Keerthi, with our own
// corners, tolerances and end.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_CORE_PROXIMITY_H_
#define REPRISE_SIM_PHYSICS_SHAPES_CORE_PROXIMITY_H_

#include <cstdint>

#include "sim/geometry/matrix3.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/shapes/convex_core.h"

namespace reprise::sim {

// Two cores in the frame of the first.
struct CorePair {
  const ConvexCore& a;
  const ConvexCore& b;
  Matrix3 b_rotation;
  Vector3 b_position;
};

enum class Proximity : uint8_t {
  kApart,  // farther from each other than was asked for
  kNear,
  kInside,  // the cores meet, or all but
};

struct CoreProximity {
  Proximity proximity = Proximity::kApart;
  // kApart: a direction, of any length, along which they are about so far
  // apart; whoever relies on it proves it. kNear: from b's nearest point to
  // a's.
  Vector3 axis;
  Vector3 point_b;  // kNear: b's nearest point, to 0.01 mm
};

// How far the cores are apart along `axis`, times its length: never more than
// their distance is.
double GapAlong(const CorePair& pair, Vector3 axis);

// `guess` is any direction but zero, the better the nearer it is to the one
// from b to a; where several points are as near, it chooses among them. The
// distance of points found is never less than the true one but by rounding, and
// more by 1e-10 of it at most.
CoreProximity FindProximity(const CorePair& pair, Vector3 guess,
                            double distance_max_m);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_CORE_PROXIMITY_H_
