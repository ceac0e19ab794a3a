// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/impulse_solver.h"

#include <cstddef>

#include "sim/base/check.h"

namespace reprise::sim {

btScalar ImpulseSolver::solveGroup(btCollisionObject** bodies, int body_count,
                                   btPersistentManifold** manifolds,
                                   int manifold_count,
                                   btTypedConstraint** joints, int joint_count,
                                   const btContactSolverInfo& info,
                                   btIDebugDraw*, btDispatcher*) {
  // SOLVER_SIMD means nothing to doubles.
  CHECK(info.m_solverMode == (SOLVER_USE_WARMSTARTING | SOLVER_SIMD));
  CHECK(info.m_splitImpulse);
  CHECK(info.m_leastSquaresResidualThreshold == 0.0);

  bodies_.Reset({bodies, static_cast<size_t>(body_count)}, info);
  joints_.Reset({joints, static_cast<size_t>(joint_count)}, info, bodies_);
  contacts_.Reset({manifolds, static_cast<size_t>(manifold_count)}, info,
                  bodies_);

  // An iteration that changes nothing is the last: the next would be the same.
  for (int i = 0; i < info.m_numIterations && contacts_.has_pushes(); ++i) {
    if (!contacts_.SolvePushes(bodies_.pushes())) break;
  }
  for (int i = 0; i < info.m_numIterations; ++i) {
    bool changed = joints_.Solve(bodies_.changes());
    changed |= contacts_.Solve(bodies_.changes());
    if (!changed) break;
  }

  contacts_.WriteBack();
  joints_.WriteBack();
  bodies_.WriteBack();
  return 0.0;
}

}  // namespace reprise::sim
