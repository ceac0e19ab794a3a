// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The whole contact of two convex shapes of which one lies on a flat part of
// the other: its points are those of one's face, cut to the other's.

#ifndef REPRISE_SIM_PHYSICS_COLLISION_FACE_CONTACT_H_
#define REPRISE_SIM_PHYSICS_COLLISION_FACE_CONTACT_H_

#include <array>
#include <cstdint>
#include <span>

#include "sim/geometry/vector3.h"
#include "sim/physics/shapes/core_face.h"
#include "sim/physics/shapes/core_proximity.h"

namespace reprise::sim {

// A point between two shapes, in the frame of the first.
struct FacePoint {
  Vector3 point_b;          // on the second
  double distance_m = 0.0;  // below 0: how deep they overlap
};

struct FaceContact {
  Vector3 normal_b;  // out of the second, of length 1
  std::array<FacePoint, 4> points;
  uint32_t count = 0;  // 0: neither lies on the other

  std::span<const FacePoint> all() const { return {points.data(), count}; }
};

// `normal_b` is about where the second's surface looks, of length 1. Points
// that are farther apart than `distance_max_m` are left out; of more than four
// those are taken that span the most.
FaceContact FindFaceContact(const CorePair& pair, Vector3 normal_b,
                            double distance_max_m);

// The same of a shape on a plane with the normal `normal` at `offset_m` from
// the origin, both in the shape's frame.
FaceContact FindPlaneContact(const ConvexCore& core, Vector3 normal,
                             double offset_m, double distance_max_m);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_COLLISION_FACE_CONTACT_H_
