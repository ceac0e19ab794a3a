// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the solver needs of bodies, side by side in memory: how they are before
// it, how fast they are, and how far they have come.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_SOLVER_BODIES_H_
#define REPRISE_SIM_PHYSICS_SOLVER_SOLVER_BODIES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "LinearMath/btQuaternion.h"
#include "sim/physics/solver/constraint.h"
#include "sim/physics/solver/free_rotation.h"
#include "sim/physics/solver/lanes.h"
#include "sim/physics/solver/softness.h"

namespace reprise::sim {

// A body before it is solved; all zero and without `body`: one that is fixed.
struct SolverBody {
  btRigidBody* body = nullptr;
  // Whether a contact or joint is there that may move it.
  bool is_constrained = false;
  // Whether a contact, or a joint that only pulls, is among these.
  bool is_touched = false;
  // Whether its axis of rotation moves though nothing turns it.
  bool tumbles = false;
  btVector3 origin = btVector3(0.0, 0.0, 0.0);                // m
  btVector3 inverse_mass_by_axis = btVector3(0.0, 0.0, 0.0);  // 1/kg
  btMatrix3x3 inverse_inertia = btMatrix3x3(0.0, 0.0, 0.0,    //
                                            0.0, 0.0, 0.0,    //
                                            0.0, 0.0, 0.0);   // 1/(kg m^2)
  btVector3 angular_factor = btVector3(0.0, 0.0, 0.0);
  // What forces and torques add to the velocity in a whole step; what tumbling
  // does is not among it.
  BodyVelocity gain;
};

// Two of them.
struct SolverBodyPair {
  BodyPair pair;
  // 1 and -1, for opposite impulses; 0 of a fixed body.
  Lanes sides = {};
  LaneMatrix3 inverse_inertia;
  LaneVector3 angular_factor;
  LaneVector3 origins;    // m
  LaneVelocity velocity;  // before the step
  LaneVelocity gain;      // of the whole step

  // The change of angular velocity that an impulse of 1 makes.
  LaneVector3 ResponseTo(const LaneVector3& angular) const {
    return inverse_inertia * angular * angular_factor;
  }

  // Along `axis`, of length 1, at points that are `arms` from the origins.
  Direction Along(const btVector3& axis, const LaneVector3& arms) const;
  // Around `axis`.
  Direction Around(const btVector3& axis) const;
  // The impulse that changes the velocity along a direction by 1; 0 where none
  // does.
  double EffectiveMass(const Direction& direction) const;
};

class SolverBodies {
 public:
  // Forgets all bodies and takes these. They know their indexes until
  // WriteBack.
  void Reset(std::span<btCollisionObject* const> bodies, double step_s);

  // Two bodies that a contact, or a joint that only pulls, touches (`touch`),
  // or another joint holds. Bodies that aren't
  // there yet, which only kinematic ones aren't, are taken.
  SolverBodyPair Join(btCollisionObject& a, btCollisionObject& b, bool touch);

  // What Join has handed out is known from here on.
  void BeginParts(const StepParts& parts);
  // Adds a part's share of forces and torques to velocities. To bodies that
  // only joints hold one half in the first part and the other behind the last,
  // so that they move by the velocities of the middle of parts.
  void AddGains(bool is_first);
  void AddLastGains();
  // Moves bodies by their velocities for a part.
  void Move();

  // Twice the energy of motion of all that is held or touched, J.
  double Motion() const;

  std::span<BodyVelocity> velocities() { return velocities_; }
  // How far bodies have come in this step.
  std::span<const BodyVelocity> displacements() const { return displacements_; }

  // Gives bodies their new velocities, and as their interpolation velocities
  // those by which they move in this step.
  void WriteBack();

 private:
  // 0 for bodies that are fixed.
  uint32_t IndexOf(btCollisionObject& object);
  uint32_t Add(btRigidBody& body);
  // Gives a body its way through a step in which nothing touches it, and
  // changes its velocity.
  void FlyFreely(const SolverBody& taken, BodyVelocity& velocity) const;

  double step_s_ = 0.0;
  StepParts parts_;
  std::vector<SolverBody> bodies_;
  std::vector<BodyVelocity> velocities_;
  std::vector<BodyVelocity> displacements_;
  // Those that are constrained, with their gain of a part.
  struct Constrained {
    BodyVelocity gain;
    uint32_t index = 0;
    bool is_touched = false;
    // Whether it turns so fast that the order of turns counts; then these are
    // made one by one.
    bool tumbles = false;
    btQuaternion turned = btQuaternion(0.0, 0.0, 0.0, 1.0);
  };
  void AddGain(const Constrained& body, double share);
  std::vector<Constrained> constrained_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_SOLVER_BODIES_H_
