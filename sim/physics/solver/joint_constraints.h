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
#include "sim/physics/solver/constraint.h"
#include "sim/physics/solver/softness.h"
#include "sim/physics/solver/solver_bodies.h"

namespace reprise::sim {

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
    // Bounds of the impulse of a part.
    double lower = 0.0;
    double upper = 0.0;
    double impulse = 0.0;      // of a part
    double impulse_sum = 0.0;  // of all parts that were
  };
  // A joint's share of the constraints.
  struct Group {
    BodyPair pair;
    btTypedConstraint* joint = nullptr;
    uint32_t begin = 0;
    uint32_t end = 0;
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

  void AddJoint(btTypedConstraint& joint, double step_s, const StepParts& parts,
                SolverBodies& bodies);
  // Fills descriptions_.
  void Describe(btTypedConstraint& joint, double step_s);
  // The same with the bodies where they will about be in the middle of the
  // step, so that what swings is held by directions that it has on average;
  // those of its beginning would have it gain energy. Returns how far the
  // bodies have come until then, in m and rad.
  LaneVelocity DescribeMidStep(btTypedConstraint& joint, double step_s);

  double part_s_ = 0.0;
  Softness softness_;
  std::vector<Group> groups_;
  std::vector<Bounded> constraints_;
  std::vector<Description> descriptions_;  // of the joint that is being added
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_JOINT_CONSTRAINTS_H_
