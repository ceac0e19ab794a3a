// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The surfaces of shapes as triangles, as who walks on them sees them.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_SOLID_TRIANGLES_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_SOLID_TRIANGLES_H_

#include <cstdint>
#include <vector>

#include "sim/geometry/aabb.h"
#include "sim/geometry/shapes.h"
#include "sim/geometry/transform.h"
#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {

// Sides of what is round: between two a ball is 0.9 % of its radius too thin.
inline constexpr int kRoundSides = 24;

// A part of a shape: a convex solid, seen against the clock from outside, or a
// surface, seen so from above, as it is touched from both sides.
struct ShapePart {
  std::vector<Triangle> triangles;
  bool is_solid = false;
};

// How many triangles AddShapeParts adds.
uint64_t ShapeTriangleCount(const ShapeDefinition& shape);

// Adds the parts of a shape that is at `place`. A plane is a surface that
// reaches through all of `bounds`.
void AddShapeParts(const ShapeDefinition& shape, const Transform& place,
                   const Aabb& bounds, std::vector<ShapePart>& parts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_SOLID_TRIANGLES_H_
