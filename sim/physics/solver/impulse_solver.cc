// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/impulse_solver.h"

#include <cstddef>
#include <span>

#include "sim/physics/solver/softness.h"

namespace reprise::sim {

btScalar ImpulseSolver::solveGroup(btCollisionObject** bodies, int body_count,
                                   btPersistentManifold** manifolds,
                                   int manifold_count,
                                   btTypedConstraint** joints, int joint_count,
                                   const btContactSolverInfo& info,
                                   btIDebugDraw*, btDispatcher*) {
  const double step_s = info.m_timeStep;
  const StepParts parts = DivideStep(step_s);
  bodies_.Reset({bodies, static_cast<size_t>(body_count)}, step_s);
  joints_.Reset({joints, static_cast<size_t>(joint_count)}, step_s, parts,
                bodies_);
  contacts_.Reset({manifolds, static_cast<size_t>(manifold_count)}, step_s,
                  parts, bodies_);
  bodies_.BeginParts(parts);

  const std::span<BodyVelocity> velocities = bodies_.velocities();
  const std::span<const BodyVelocity> displacements = bodies_.displacements();
  for (uint32_t part = 0; part < parts.count; ++part) {
    if (part > 0 && part % kPartsPerSection == 0) {
      bodies_.AddLastGains();
      joints_.Turn(velocities, displacements, bodies_.Motion());
      joints_.Advance(velocities, displacements);
    }
    bodies_.AddGains(part % kPartsPerSection == 0);
    joints_.WarmStart(velocities);
    contacts_.WarmStart(velocities);
    joints_.Solve(Order::kForth, velocities, displacements);
    contacts_.Solve(Order::kForth, velocities, bodies_.pushes());
    bodies_.Move(contacts_.is_pushed());
    joints_.Relax(Order::kBack, velocities, displacements);
    contacts_.Relax(Order::kBack, velocities, displacements);
  }
  bodies_.AddLastGains();
  joints_.Turn(velocities, displacements, bodies_.Motion());
  contacts_.Bounce(velocities);

  contacts_.WriteBack();
  joints_.WriteBack();
  bodies_.WriteBack();
  return 0.0;
}

}  // namespace reprise::sim
