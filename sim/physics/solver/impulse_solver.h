// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Solves contacts and joints by sequential impulses. It gives the bits of
// Bullet's scalar solver with its default settings, in a part of the time: what
// two bodies need lies side by side, and what a manifold or joint needs lies
// together.

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
  // REQUIRES: `info` is of the default modes, with split impulses and without a
  // threshold; manifolds have points without flags; joints are without
  // feedback and with the world's number of iterations.
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
