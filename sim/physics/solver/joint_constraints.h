// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What joints ask of bodies: as many constraints as Bullet's joints say, those
// of a joint together.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_JOINT_CONSTRAINTS_H_
#define REPRISE_SIM_PHYSICS_SOLVER_JOINT_CONSTRAINTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "BulletDynamics/ConstraintSolver/btContactSolverInfo.h"
#include "BulletDynamics/ConstraintSolver/btTypedConstraint.h"
#include "sim/physics/solver/constraint.h"
#include "sim/physics/solver/solver_bodies.h"

namespace reprise::sim {

class JointConstraints {
 public:
  // Forgets what there is and takes `joints`, which live until WriteBack.
  void Reset(std::span<btTypedConstraint* const> joints,
             const btContactSolverInfo& info, SolverBodies& bodies);

  // Makes one iteration. Returns whether anything changed.
  bool Solve(std::span<VelocityChange> changes);

  // Gives joints their impulses, and breaks those that bear too much.
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
    Constraint constraint;
    double lower = 0.0;
    double upper = 0.0;
    double impulse = 0.0;
  };
  // A joint's share of the constraints.
  struct Group {
    BodyPair pair;
    btTypedConstraint* joint = nullptr;
    uint32_t begin = 0;
    uint32_t end = 0;
  };

  void AddJoint(btTypedConstraint& joint, const btContactSolverInfo& info,
                SolverBodies& bodies);
  // Fills descriptions_. Returns the damping that the joint wants.
  double Describe(btTypedConstraint& joint, const btContactSolverInfo& info);

  std::vector<Group> groups_;
  std::vector<Bounded> constraints_;
  std::vector<Description> descriptions_;  // of the joint that is being added
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_JOINT_CONSTRAINTS_H_
