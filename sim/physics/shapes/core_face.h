// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The flat parts of a convex shape: what can lie on something with more than a
// point.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_CORE_FACE_H_
#define REPRISE_SIM_PHYSICS_SHAPES_CORE_FACE_H_

#include "absl/container/inlined_vector.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/shapes/convex_core.h"

namespace reprise::sim {

// What of a shape looks most in a direction: a polygon, the edge along which a
// round side touches (two points), or nothing flat (none).
struct CoreFace {
  // Of the shape's surface, against the clock as seen from outside.
  absl::InlinedVector<Vector3, 8> points;
  // Of length 1; of an edge the direction that was asked for.
  Vector3 normal;

  bool is_polygon() const { return points.size() >= 3; }
};

// `direction` has length 1; both are in the shape's frame.
CoreFace FaceToward(const ConvexCore& core, Vector3 direction);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_CORE_FACE_H_
