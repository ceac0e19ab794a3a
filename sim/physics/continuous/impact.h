// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What two bodies do to each other where they meet: impulses that have them
// part as restitution says, and rub within Coulomb's cone. Energy of motion
// never grows.

#ifndef REPRISE_SIM_PHYSICS_CONTINUOUS_IMPACT_H_
#define REPRISE_SIM_PHYSICS_CONTINUOUS_IMPACT_H_

#include <span>

#include "BulletCollision/NarrowPhaseCollision/btManifoldPoint.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "LinearMath/btVector3.h"
#include "sim/physics/continuous/body_way.h"

namespace reprise::sim {

struct ImpactPoint {
  btVector3 place;   // in the world
  btVector3 normal;  // out of the second body, of length 1
  double restitution = 0.0;
  double friction = 0.0;
  double impulse_n_s = 0.0;  // along the normal: what comes out
};

// Changes the velocities of two bodies that stand where they meet. Returns
// whether anything pushed; if not, none came nearer.
bool SolveImpact(const btRigidBody& first, const btRigidBody& second,
                 std::span<ImpactPoint> points, LinearAngular& velocity_first,
                 LinearAngular& velocity_second);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CONTINUOUS_IMPACT_H_
