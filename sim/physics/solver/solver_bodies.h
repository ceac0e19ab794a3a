// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the solver needs of bodies, side by side in memory: how they are before
// it, and how it changes their velocities.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_SOLVER_BODIES_H_
#define REPRISE_SIM_PHYSICS_SOLVER_SOLVER_BODIES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "BulletDynamics/ConstraintSolver/btContactSolverInfo.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "sim/physics/solver/constraint.h"
#include "sim/physics/solver/lanes.h"

namespace reprise::sim {

// A body before it is solved; all zero and without `body`: one that is fixed.
struct SolverBody {
  btRigidBody* body = nullptr;
  btVector3 origin = btVector3(0.0, 0.0, 0.0);                // m
  double inverse_mass = 0.0;                                  // 1/kg
  btVector3 inverse_mass_by_axis = btVector3(0.0, 0.0, 0.0);  // 1/kg
  btMatrix3x3 inverse_inertia = btMatrix3x3(0.0, 0.0, 0.0,    //
                                            0.0, 0.0, 0.0,    //
                                            0.0, 0.0, 0.0);   // 1/(kg m^2)
  btVector3 angular_factor = btVector3(0.0, 0.0, 0.0);
  btVector3 linear_velocity = btVector3(0.0, 0.0, 0.0);   // m/s
  btVector3 angular_velocity = btVector3(0.0, 0.0, 0.0);  // rad/s
  // What forces and torques add to them in this step.
  btVector3 linear_gain = btVector3(0.0, 0.0, 0.0);
  btVector3 angular_gain = btVector3(0.0, 0.0, 0.0);
};

// Two of them.
struct SolverBodyPair {
  BodyPair pair;
  // 1 and -1, for opposite impulses; 0 of a fixed body.
  Lanes sides = {};
  Lanes inverse_mass = {};
  LaneMatrix3 inverse_inertia;
  LaneVector3 angular_factor;
  LaneVelocity velocity;  // before the step
  LaneVelocity gained;    // with what forces and torques add

  // The change of angular velocity that an impulse of 1 makes.
  LaneVector3 ResponseTo(const LaneVector3& angular) const {
    return inverse_inertia * angular * angular_factor;
  }
};

class SolverBodies {
 public:
  // Forgets all bodies and takes these. They know their indexes until
  // WriteBack.
  void Reset(std::span<btCollisionObject* const> bodies,
             const btContactSolverInfo& info);

  // Takes the body if it isn't there yet, which only kinematic ones aren't. 0
  // for bodies that are fixed.
  uint32_t IndexOf(btCollisionObject& object);

  SolverBodyPair PairOf(uint32_t a, uint32_t b) const;

  const SolverBody& operator[](uint32_t index) const { return bodies_[index]; }

  std::span<VelocityChange> changes() { return changes_; }
  // The velocities, for this step only, that take bodies out of each other.
  std::span<VelocityChange> pushes() { return pushes_; }

  // Gives bodies their new velocities, and those that are pushed their pose.
  void WriteBack();

 private:
  uint32_t Add(btRigidBody& body);

  double step_s_ = 0.0;
  double push_turn_share_ = 0.0;
  std::vector<SolverBody> bodies_;
  std::vector<VelocityChange> changes_;
  std::vector<VelocityChange> pushes_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_SOLVER_BODIES_H_
