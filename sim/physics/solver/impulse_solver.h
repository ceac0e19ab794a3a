// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Solves contacts and joints of a step: it is made in parts of equal length,
// each of them one round of sequential impulses with soft constraints and one
// without, between which bodies move; what has met bounces in the end.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_IMPULSE_SOLVER_H_
#define REPRISE_SIM_PHYSICS_SOLVER_IMPULSE_SOLVER_H_

#include "BulletDynamics/ConstraintSolver/btConstraintSolver.h"
#include "BulletDynamics/ConstraintSolver/btContactSolverInfo.h"
#include "sim/physics/solver/contact_constraints.h"
#include "sim/physics/solver/joint_constraints.h"
#include "sim/physics/solver/solver_bodies.h"

namespace reprise::sim {

class ImpulseSolver final : public btConstraintSolver {
 public:
  // Of `info` only the length of the step counts. Bodies come out with the
  // velocities after the step, and with those by which they move in it as their
  // interpolation velocities.
  // REQUIRES: manifolds have points without flags; joints are without feedback.
  btScalar solveGroup(btCollisionObject** bodies, int body_count,
                      btPersistentManifold** manifolds, int manifold_count,
                      btTypedConstraint** joints, int joint_count,
                      const btContactSolverInfo& info, btIDebugDraw*,
                      btDispatcher*) override;

  // Nothing lasts from one call to the next.
  void reset() override {}

  btConstraintSolverType getSolverType() const override {
    return BT_SEQUENTIAL_IMPULSE_SOLVER;
  }

 private:
  SolverBodies bodies_;
  JointConstraints joints_;
  ContactConstraints contacts_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_IMPULSE_SOLVER_H_
