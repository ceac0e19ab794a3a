// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What joints ask of bodies: as many constraints as Bullet's joints say, those
// of a joint together.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_JOINT_CONSTRAINTS_H_
#define REPRISE_SIM_PHYSICS_SOLVER_JOINT_CONSTRAINTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "BulletDynamics/ConstraintSolver/btTypedConstraint.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "LinearMath/btQuaternion.h"
#include "LinearMath/btTransform.h"
#include "sim/physics/solver/constraint.h"
#include "sim/physics/solver/joint_system.h"
#include "sim/physics/solver/softness.h"
#include "sim/physics/solver/solver_bodies.h"

namespace reprise::sim {

// Joints are looked at once in so many parts of a step, a section.
inline constexpr uint32_t kPartsPerSection = 4;

class JointConstraints {
 public:
  // Forgets what there is and takes `joints`, which live until WriteBack.
  void Reset(std::span<btTypedConstraint* const> joints, double step_s,
             const StepParts& parts, SolverBodies& bodies);

  // A part of a step, as in ContactConstraints.
  void WarmStart(std::span<BodyVelocity> velocities) const;
  void Solve(Order order, std::span<BodyVelocity> velocities,
             std::span<const BodyVelocity> displacements);
  void Relax(Order order, std::span<BodyVelocity> velocities,
             std::span<const BodyVelocity> displacements);

  // Looks at joints anew after every kPartsPerSection parts, with bodies where
  // they will about be in the middle of the next, so that what swings is held
  // by directions that it has on average; those of its beginning would have it
  // gain energy.
  void Advance(std::span<BodyVelocity> velocities,
               std::span<const BodyVelocity> displacements);

  // Before that, and after the last part: turns velocities to where joints are
  // now. Directions of the middle of a section, once from its beginning to
  // there and once from there to the end, leave what swings its energy;
  // `motion` is twice that.
  void Turn(std::span<BodyVelocity> velocities,
            std::span<const BodyVelocity> displacements, double motion);

  // Gives joints their impulses of the whole step, and breaks those that bear
  // too much.
  void WriteBack() const;

 private:
  // What Bullet's joints fill in, with vectors as wide as Bullet's.
  struct alignas(16) Description {
    double linear_a[4] = {};
    double angular_a[4] = {};
    double linear_b[4] = {};
    double angular_b[4] = {};
    double error = 0.0;
    double softness = 0.0;
    double lower = 0.0;
    double upper = 0.0;
  };
  struct Bounded {
    Direction direction;
    double effective_mass = 0.0;
    // A motor or spring, which wants a velocity and is bounded by its force;
    // else a place is held, or a stop.
    bool is_driven = false;
    double speed = 0.0;  // of what is driven, m/s or rad/s
    // How far the bodies have to go along the direction, at the beginning of
    // the step; m or rad.
    double error = 0.0;
    // Held at any force, and solved with all of these at once.
    bool is_held = false;
    // Bounds of the impulse of a part.
    double lower = 0.0;
    double upper = 0.0;
    double impulse = 0.0;      // of a part
    double impulse_sum = 0.0;  // of all parts that were
  };
  // A body that joints hold, which is moved about while they are described.
  struct JointedBody {
    btRigidBody* body = nullptr;
    btTransform pose;       // where it is
    btQuaternion rotation;  // the same
    btTransform displaced;  // where it is looked at
    BodyVelocity moved;     // how far that is, m and rad
    uint32_t index = 0;     // the solver's
  };
  // A joint's share of the constraints.
  struct Group {
    BodyPair pair;
    btTypedConstraint* joint = nullptr;
    uint32_t jointed_a = 0;
    uint32_t jointed_b = 0;
    uint32_t begin = 0;
    uint32_t end = 0;
    uint32_t held_count = 0;
  };

  std::span<Bounded> RowsOf(const Group& group) {
    return std::span(constraints_)
        .subspan(group.begin, group.end - group.begin);
  }
  // How the error of a row that is not driven is mended.
  struct Mending {
    double speed = 0.0;
    bool is_soft = true;  // as by a spring
  };
  // Changes the impulse of a row by what is missing, as far as it is allowed.
  static void SolveWithin(double missing, const BodyPair& pair, Bounded& row,
                          LaneVelocity& velocity);
  Mending MendingOf(const Bounded& row, const LaneVelocity& moved) const;

  // Takes the joints that hold anything, and their bodies.
  void TakeJoints(std::span<btTypedConstraint* const> joints);
  uint32_t TakeBody(btRigidBody& body);
  // Puts all their bodies where moved(body) says that they have moved to, calls
  // visit(), and puts them back.
  template <typename Moved, typename Visit>
  void WhereMoved(const Moved& moved, const Visit& visit);
  // How far the bodies of a joint are from where they are, while visited.
  LaneVelocity MovedOf(const Group& group) const;
  // Adds the rows of a joint as it is described.
  void AddRows(std::span<const Description> descriptions,
               const StepParts& parts, SolverBodies& bodies, Group& group);
  // Takes the rows that hold into system_.
  void FillSystem(uint32_t body_count);
  // Changes velocities along the held rows by wanted_.
  void SolveHeld(std::span<BodyVelocity> velocities);
  // Calls visit(group) for each group that has any, and what that returns with
  // (row, index) for each of its.
  template <typename Visit>
  void ForEachHeld(const Visit& visit);
  // The same with change(row, impulse), and changes velocities by it.
  template <typename Change>
  void ApplyHeld(std::span<BodyVelocity> velocities, const Change& change);
  // Looks at joints anew where bodies will be.
  void LookAhead();
  // Directions of the held rows of a joint where its bodies have come to, or
  // none where they have turned too far.
  void TurnDirections(const Group& group);
  // Adds to descriptions_ what a joint says where its bodies are.
  void Describe(btTypedConstraint& joint);
  // Of the beginning of the step.
  void DescribeSpring(const Group& group);
  static bool IsSpring(const btTypedConstraint& joint);
  static void Direct(const Description& description, const SolverBodyPair& pair,
                     Bounded& row);

  double step_s_ = 0.0;
  double section_s_ = 0.0;
  double part_s_ = 0.0;
  Softness softness_;
  std::vector<Group> groups_;
  std::vector<SolverBodyPair> pairs_;  // by group
  std::vector<Bounded> constraints_;
  std::vector<Description> descriptions_;  // of the joint that is looked at
  std::vector<JointedBody> jointed_;
  std::vector<uint32_t> jointed_of_;  // by place in the world, from 1; 0: none
  std::vector<JointSystem::Row> held_;
  JointSystem system_;
  std::vector<double> wanted_;  // by held row: velocities, then impulses
  std::vector<double> missing_;
  std::vector<Direction> turned_;  // by held row: at the end of the step
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_JOINT_CONSTRAINTS_H_
