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
  // Whether a joint holds it.
  bool is_held = false;
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
  // Moves bodies by their velocities for a part, and by pushes where
  // `is_pushed` says that there are any.
  void Move(bool is_pushed);

  // Twice the energy of motion of all that is held or touched, J.
  double Motion() const;

  std::span<BodyVelocity> velocities() { return velocities_; }
  // What is pushed out of an overlap moves by these, too, and does not keep
  // them: Move forgets them.
  std::span<BodyVelocity> pushes() { return pushes_; }
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
  std::vector<BodyVelocity> pushes_;
  // Those that are constrained, with their gain of a part.
  struct Constrained {
    BodyVelocity gain;
    uint32_t index = 0;
    bool is_touched = false;
    // Whether it turns so fast that the order of turns counts; then these are
    // made one by one.
    bool tumbles = false;
    btQuaternion turned = btQuaternion(0.0, 0.0, 0.0, 1.0);
    int32_t slender = -1;  // index of it; below 0: it is not
    bool is_pushed = false;
  };
  // What is slender turns around its length so much more easily than across it
  // that a little of one taken for the other is a great deal of energy. Its
  // velocity is that in a frame that follows its length and does not turn
  // around it; there its moments of inertia stay as they are.
  struct Slender {
    btVector3 length = btVector3(0.0, 0.0, 0.0);  // of length 1, at first
    double ratio = 0.0;     // of the moment around it by the one across
    double spin_rad = 0.0;  // by how much it has turned around it
  };
  void AddGain(const Constrained& body, double share);
  void AddSlender(const SolverBody& body, Constrained& constrained);
  void MoveBy(const BodyVelocity& velocity, Constrained& body);
  std::vector<Constrained> constrained_;
  std::vector<Slender> slender_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_SOLVER_BODIES_H_
