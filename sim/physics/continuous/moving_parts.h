// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a body is made of, as the search for meetings sees it.

#ifndef REPRISE_SIM_PHYSICS_CONTINUOUS_MOVING_PARTS_H_
#define REPRISE_SIM_PHYSICS_CONTINUOUS_MOVING_PARTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "BulletCollision/CollisionShapes/btCollisionShape.h"
#include "LinearMath/btTransform.h"
#include "LinearMath/btVector3.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/shapes/convex_core.h"

namespace reprise::sim {

// A primitive in its body's frame: a convex core or a half-space.
struct Part {
  uint32_t index = 0;
  CollisionFilter filter;
  ConvexCore core;
  btTransform place = btTransform::getIdentity();
  bool is_plane = false;
  bool is_triangle = false;                     // that has an area
  btVector3 normal = btVector3(0.0, 1.0, 0.0);  // of a plane or a triangle
  double offset_m = 0.0;
  // A ball around it.
  btVector3 middle = btVector3(0.0, 0.0, 0.0);
  double radius_m = 0.0;
  // Of its core, from the body's origin.
  btVector3 extents = btVector3(0.0, 0.0, 0.0);
};

// All primitives of a body that isn't a surface.
struct Parts {
  std::vector<Part> all;
  btVector3 extents = btVector3(0.0, 0.0, 0.0);
  double radius_m = 0.0;  // of a ball around the body's origin
  double inner_m = 0.0;   // of the ball that fits into the thinnest of them
};

Parts PartsOf(const BodyKind& kind, const ShapeDefinition& definition,
              const btCollisionShape& shape);
// Of a triangle, whose corners outlive the part.
Part TrianglePart(uint32_t index, const CollisionFilter& filter,
                  std::span<const btVector3> corners);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CONTINUOUS_MOVING_PARTS_H_
