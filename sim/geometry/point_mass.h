// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A mass without size that forces and impulses move: what a character or a
// projectile needs of mechanics where there are no rigid bodies.

#ifndef REPRISE_SIM_GEOMETRY_POINT_MASS_H_
#define REPRISE_SIM_GEOMETRY_POINT_MASS_H_

#include "sim/base/check.h"
#include "sim/geometry/motion/integrators.h"

namespace reprise::sim {

// Of Vector3, Vector2 or double, in m, m/s, N and kg.
template <typename Vector>
struct PointMass {
  MovingPoint<Vector> point;
  Vector force = {};  // summed in the order of calls; for the next step only
  double mass = 1.0;  // above 0
};

template <typename Vector>
void AddForce(PointMass<Vector>& mass, Vector force) {
  mass.force = mass.force + force;
}

// Changes the velocity at once: a blow of so many N s.
template <typename Vector>
void AddImpulse(PointMass<Vector>& mass, Vector impulse) {
  CHECK(mass.mass > 0.0, "{} kg", mass.mass);
  mass.point.velocity = mass.point.velocity + impulse * (1.0 / mass.mass);
}

// Moves it through `dt` seconds by semi-implicit Euler's method, and forgets
// the forces.
template <typename Vector>
void Advance(PointMass<Vector>& mass, double dt) {
  CHECK(mass.mass > 0.0, "{} kg", mass.mass);
  const Vector acceleration = mass.force * (1.0 / mass.mass);
  mass.point = StepSemiImplicitEuler(
      mass.point, dt, [&](Vector, Vector) { return acceleration; });
  mass.force = {};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_POINT_MASS_H_
