// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// When and where a moving shape first touches another one, however fast it is:
// nothing thin is passed through between two ticks.
//
// A motion goes from where a shape is to that place plus the motion, at
// constant speed, in t from 0 to 1. Shapes that touch or overlap at the start
// hit at t = 0, whichever way they move: the response has to ask whether they
// approach (sim/geometry/impacts.h). The point is where the surfaces touch, at
// t; the normal points from what was hit to what was swept, and where both
// overlap at the start, the shortest way out, or nearly so.

#ifndef REPRISE_SIM_GEOMETRY_SWEEPS_H_
#define REPRISE_SIM_GEOMETRY_SWEEPS_H_

#include <optional>

#include "sim/geometry/aabb.h"
#include "sim/geometry/collisions/casts.h"
#include "sim/geometry/plane.h"
#include "sim/geometry/shapes.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// Both spheres move. Of spheres with one centre the normal is against their
// relative motion; y when they have none.
std::optional<Hit> Sweep(const Sphere& sphere, Vector3 motion,
                         const Sphere& other, Vector3 other_motion);

// A sphere against what stands still. Planes and triangles have two sides.
std::optional<Hit> Sweep(const Sphere& sphere, Vector3 motion,
                         const Plane& plane);
std::optional<Hit> Sweep(const Sphere& sphere, Vector3 motion, const Aabb& box);
std::optional<Hit> Sweep(const Sphere& sphere, Vector3 motion,
                         const OrientedBox& box);
std::optional<Hit> Sweep(const Sphere& sphere, Vector3 motion,
                         const Capsule& capsule);
std::optional<Hit> Sweep(const Sphere& sphere, Vector3 motion,
                         const Triangle& triangle);

// Both boxes move; the point is the middle of what touches.
std::optional<Hit> Sweep(const Aabb& box, Vector3 motion, const Aabb& other,
                         Vector3 other_motion);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_SWEEPS_H_
