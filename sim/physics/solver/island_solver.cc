// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/island_solver.h"

#include <cstddef>

#include "BulletCollision/BroadphaseCollision/btDispatcher.h"
#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"

namespace reprise::sim {
namespace {

// A manifold of four points takes 1.2 KB in the solver: more of them than this
// leave the memory that a processor has at hand.
constexpr int kManifoldsPerCall = 64;

// The island of two bodies that are in contact or joined; those that never move
// are in none (-1).
int IslandOf(const btCollisionObject& a, const btCollisionObject& b) {
  return a.getIslandTag() >= 0 ? a.getIslandTag() : b.getIslandTag();
}

int IslandOf(const btCollisionObject& body) { return body.getIslandTag(); }

int IslandOf(const btPersistentManifold& manifold) {
  return IslandOf(*manifold.getBody0(), *manifold.getBody1());
}

int IslandOf(const btTypedConstraint& joint) {
  return IslandOf(joint.getRigidBodyA(), joint.getRigidBodyB());
}

// Sorts `items` by island, those of one island staying in order, and writes
// where each island's begin. REQUIRES: begin(tag) is 0 for all tags up to two
// past the last.
template <typename Item, typename Begin>
void SortByIsland(std::span<Item* const> items, const Begin& begin,
                  int tag_count, std::vector<Item*>& sorted) {
  // Counted two places further on, so that after the sums begin(tag + 1) is
  // where the island's next item goes, and in the end where the next begins.
  for (const Item* item : items) ++begin(IslandOf(*item) + 2);
  for (int tag = 1; tag < tag_count + 2; ++tag) begin(tag) += begin(tag - 1);
  sorted.resize(items.size());
  for (Item* item : items) sorted[begin(IslandOf(*item) + 1)++] = item;
}

}  // namespace

void IslandSolver::Prepare(const btContactSolverInfo& solver_info,
                           std::span<btTypedConstraint* const> joints) {
  solver_info_ = &solver_info;
  joints_ = joints;
}

void IslandSolver::processIsland(btCollisionObject** bodies, int body_count,
                                 btPersistentManifold** manifolds,
                                 int manifold_count, int /*island_id*/) {
  const std::span<btCollisionObject* const> all_bodies(
      bodies, static_cast<size_t>(body_count));
  FindAwakeIslands(all_bodies);
  Distribute(all_bodies, {manifolds, static_cast<size_t>(manifold_count)});

  // Islands share a call while they are small: what shares no body is solved
  // side by side. What one of them needs still is its own affair. Joints are a
  // system, and come alone.
  const Island* batch = &islands_[0];
  for (size_t tag = 1; tag + 2 < islands_.size(); ++tag) {
    const Island& island = islands_[tag];
    const Island& end = islands_[tag + 1];
    const bool is_free = island.manifold_begin == batch->manifold_begin &&
                         island.joint_begin == batch->joint_begin;
    const bool is_small =
        end.manifold_begin - batch->manifold_begin <= kManifoldsPerCall &&
        end.joint_begin == batch->joint_begin;
    if (is_free || is_small) continue;
    Solve(*batch, island);
    batch = &island;
  }
  Solve(*batch, islands_[islands_.size() - 2]);
}

void IslandSolver::FindAwakeIslands(
    std::span<btCollisionObject* const> bodies) {
  // Tags are less than the number of bodies.
  islands_.assign(bodies.size() + 2, Island{});
  for (const btCollisionObject* body : bodies) {
    const int tag = IslandOf(*body);
    if (tag >= 0 && body->isActive()) islands_[tag].is_awake = true;
  }
}

void IslandSolver::Distribute(
    std::span<btCollisionObject* const> bodies,
    std::span<btPersistentManifold* const> manifolds) {
  const auto is_awake = [this](int tag) {
    return tag >= 0 && islands_[tag].is_awake;
  };

  active_bodies_.clear();
  for (btCollisionObject* body : bodies) {
    if (is_awake(IslandOf(*body))) active_bodies_.push_back(body);
  }
  active_manifolds_.clear();
  for (btPersistentManifold* manifold : manifolds) {
    if (manifold->getNumContacts() > 0 && is_awake(IslandOf(*manifold)) &&
        dispatcher_.needsResponse(manifold->getBody0(), manifold->getBody1()) &&
        !(exclusion_ && exclusion_(*manifold))) {
      active_manifolds_.push_back(manifold);
    }
  }
  active_joints_.clear();
  for (btTypedConstraint* joint : joints_) {
    if (joint->isEnabled() && is_awake(IslandOf(*joint))) {
      active_joints_.push_back(joint);
    }
  }

  const int tag_count = static_cast<int>(bodies.size());
  SortByIsland<btCollisionObject>(
      active_bodies_,
      [this](int tag) -> int& { return islands_[tag].body_begin; }, tag_count,
      island_bodies_);
  SortByIsland<btPersistentManifold>(
      active_manifolds_,
      [this](int tag) -> int& { return islands_[tag].manifold_begin; },
      tag_count, island_manifolds_);
  SortByIsland<btTypedConstraint>(
      active_joints_,
      [this](int tag) -> int& { return islands_[tag].joint_begin; }, tag_count,
      island_joints_);
}

void IslandSolver::Solve(const Island& begin, const Island& end) {
  const int body_count = end.body_begin - begin.body_begin;
  if (body_count == 0) return;
  solver_.solveGroup(island_bodies_.data() + begin.body_begin, body_count,
                     island_manifolds_.data() + begin.manifold_begin,
                     end.manifold_begin - begin.manifold_begin,
                     island_joints_.data() + begin.joint_begin,
                     end.joint_begin - begin.joint_begin, *solver_info_,
                     nullptr, &dispatcher_);
}

}  // namespace reprise::sim
