// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Divides bodies, manifolds and joints into islands and gives them to the
// solver, each island's in their given order. Bullet's own division sorts with
// an unstable sort, so that what is in one island changes the order, and with
// it the bits, of all the others; here islands don't know of each other.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_ISLAND_SOLVER_H_
#define REPRISE_SIM_PHYSICS_SOLVER_ISLAND_SOLVER_H_

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "BulletCollision/CollisionDispatch/btSimulationIslandManager.h"
#include "BulletDynamics/ConstraintSolver/btConstraintSolver.h"
#include "BulletDynamics/ConstraintSolver/btContactSolverInfo.h"
#include "BulletDynamics/ConstraintSolver/btTypedConstraint.h"

namespace reprise::sim {

class IslandSolver final : public btSimulationIslandManager::IslandCallback {
 public:
  // Both outlive the object.
  IslandSolver(btDispatcher& dispatcher, btConstraintSolver& solver)
      : dispatcher_(dispatcher), solver_(solver) {}

  // Whether a manifold is not for the solver.
  using Exclusion = std::function<bool(const btPersistentManifold&)>;
  void SetExclusion(Exclusion exclusion) { exclusion_ = std::move(exclusion); }

  // What the next processIsland solves. `joints` lives until then.
  void Prepare(const btContactSolverInfo& solver_info,
               std::span<btTypedConstraint* const> joints);

  // Called by Bullet's island manager, which has been told not to split
  // islands, with everything at once. Islands where all sleep are left out.
  void processIsland(btCollisionObject** bodies, int body_count,
                     btPersistentManifold** manifolds, int manifold_count,
                     int island_id) override;

 private:
  // An island's share of the arrays below: from its begin to the next one's.
  struct Island {
    bool is_awake = false;
    int body_begin = 0;
    int manifold_begin = 0;
    int joint_begin = 0;
  };

  void FindAwakeIslands(std::span<btCollisionObject* const> bodies);
  void Distribute(std::span<btCollisionObject* const> bodies,
                  std::span<btPersistentManifold* const> manifolds);
  void Solve(const Island& begin, const Island& end);

  btDispatcher& dispatcher_;
  btConstraintSolver& solver_;
  Exclusion exclusion_;  // empty: there is none
  const btContactSolverInfo* solver_info_ = nullptr;
  std::span<btTypedConstraint* const> joints_;

  std::vector<Island> islands_;  // by island tag, and one past the last
  std::vector<btCollisionObject*> active_bodies_;
  std::vector<btPersistentManifold*> active_manifolds_;
  std::vector<btTypedConstraint*> active_joints_;
  // Sorted by island.
  std::vector<btCollisionObject*> island_bodies_;
  std::vector<btPersistentManifold*> island_manifolds_;
  std::vector<btTypedConstraint*> island_joints_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_ISLAND_SOLVER_H_
