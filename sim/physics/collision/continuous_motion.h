// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How far fast bodies get in a substep: a ball inside of such a body, around
// its origin, never passes through anything solid. A function of where all
// bodies are; unlike Bullet's predictive contacts it leaves nothing behind.

#ifndef REPRISE_SIM_PHYSICS_COLLISION_CONTINUOUS_MOTION_H_
#define REPRISE_SIM_PHYSICS_COLLISION_CONTINUOUS_MOTION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

class ContinuousMotion {
 public:
  // `definition` outlives it.
  explicit ContinuousMotion(const PhysicsDefinition& definition);

  // Whether there can be a body that needs it.
  bool is_used() const { return is_used_; }

  // How much of a motion of `motion` `body` can make before its ball touches
  // one of `others`, where they are now, 0 to 1. 1 for bodies that aren't
  // continuous, or slow enough. Triggers, joined bodies and other layers are
  // passed through; so is what the ball's centre lies in.
  double FreeFraction(const btRigidBody& body, Vector3 motion,
                      std::span<btCollisionObject* const> others) const;

 private:
  struct Ball {
    double radius_m = 0.0;
    CollisionFilter filter;
  };

  const PhysicsDefinition& definition_;
  std::vector<std::optional<Ball>> balls_;  // by kind
  bool is_used_ = false;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_COLLISION_CONTINUOUS_MOTION_H_
