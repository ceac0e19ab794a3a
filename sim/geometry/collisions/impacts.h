// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an impact does to velocities, and spheres that bounce off each other at
// the very time at which they touch. For games without rigid bodies.
//
// A normal points from b, or the wall, to a. Only things that approach each
// other answer: an overlap that lasts for ticks turns nothing round twice.
//
// Restitution is the relative speed after an impact by that before it, along
// the normal: 1 is elastic, 0 keeps nothing, above 1 gains.

#ifndef REPRISE_SIM_GEOMETRY_COLLISIONS_IMPACTS_H_
#define REPRISE_SIM_GEOMETRY_COLLISIONS_IMPACTS_H_

#include <cstdint>
#include <span>

#include "sim/geometry/shapes.h"
#include "sim/geometry/vector2.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// Returns the point between two spheres that touch, on the line of their
// centres, parted as their radii; a's centre when both radii are 0.
Vector3 ContactPoint(const Sphere& a, const Sphere& b);

// Returns the velocity after an impact on something that doesn't move.
// REQUIRES: normal has length 1, restitution >= 0.
Vector3 Bounced(Vector3 velocity, Vector3 normal, double restitution);
Vector2 Bounced(Vector2 velocity, Vector2 normal, double restitution);

// Returns the velocity without what goes into the wall: Bounced with 0.
Vector3 Slid(Vector3 velocity, Vector3 normal);
Vector2 Slid(Vector2 velocity, Vector2 normal);

struct ImpactVelocities {
  Vector3 a;
  Vector3 b;
};

// Returns both velocities after the impact of two things. An inverse mass (in
// 1/kg) of 0 is a thing that nothing moves. Momentum is kept unless one is.
// REQUIRES: normal has length 1, restitution >= 0, inverse masses >= 0.
ImpactVelocities VelocitiesAfterImpact(Vector3 velocity_a,
                                       double inverse_mass_a,
                                       Vector3 velocity_b,
                                       double inverse_mass_b, Vector3 normal,
                                       double restitution);

struct MovingSphere {
  Sphere sphere;
  Vector3 velocity;  // m/s
  double inverse_mass = 1.0;
};

// Moves the spheres through `dt` seconds. At each time of impact all are moved
// to where they are then, the pair gets its new velocities and time goes on;
// impacts at one time are taken in the order of indexes. After `impacts_max`
// the rest of the time passes without any. Returns how many there were. Takes
// time in proportion to the square of the number of spheres for each impact.
// REQUIRES: dt >= 0, restitution >= 0.
uint32_t AdvanceBouncing(std::span<MovingSphere> spheres, double dt,
                         double restitution, uint32_t impacts_max);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_COLLISIONS_IMPACTS_H_
