// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Closed forms for solids in their own frames: where a ray enters, which point
// is closest, how deep a point lies. Exact but for rounding, by arithmetic and
// square roots alone.

#ifndef REPRISE_SIM_PHYSICS_DEFINITION_SOLID_GEOMETRY_H_
#define REPRISE_SIM_PHYSICS_DEFINITION_SOLID_GEOMETRY_H_

#include <optional>

#include "sim/geometry/shapes.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {

struct RayEntry {
  double fraction = 0.0;  // of the motion, 0 to 1
  Vector3 normal;         // out of the solid, of length 1
};

// Where a point that moves from `from` to `from + motion` enters the solid.
// nullopt when it doesn't, or begins inside or on the surface.
std::optional<RayEntry> EnterSolid(const Solid& solid, Vector3 from,
                                   Vector3 motion);

// The same of a triangle, which is entered from both sides: the normal points
// to where the ray comes from. A ray in its plane doesn't enter it, and none
// passes between two triangles through their common edge.
std::optional<RayEntry> EnterTriangle(const Triangle& triangle, Vector3 from,
                                      Vector3 motion);

// The point of the solid that is closest to `point`: itself when inside.
Vector3 ClosestPointOf(const Solid& solid, Vector3 point);

// How far a point inside of the solid is from its surface; 0 outside.
double DepthInside(const Solid& solid, Vector3 point);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_DEFINITION_SOLID_GEOMETRY_H_
