// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Closed forms for solids in their own frames: where a ray enters, and which
// point is closest. Exact but for rounding, by arithmetic and square roots
// alone.

#ifndef REPRISE_SIM_PHYSICS_SOLID_GEOMETRY_H_
#define REPRISE_SIM_PHYSICS_SOLID_GEOMETRY_H_

#include <optional>

#include "sim/geometry/vector3.h"
#include "sim/physics/physics_definition.h"

namespace reprise::sim {

struct RayEntry {
  double fraction = 0.0;  // of the motion, 0 to 1
  Vector3 normal;         // out of the solid, of length 1
};

// Where a point that moves from `from` to `from + motion` enters the solid.
// nullopt when it doesn't, or begins inside or on the surface.
std::optional<RayEntry> EnterSolid(const Solid& solid, Vector3 from,
                                   Vector3 motion);

// The point of the solid that is closest to `point`: itself when inside.
Vector3 ClosestPointOf(const Solid& solid, Vector3 point);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLID_GEOMETRY_H_
