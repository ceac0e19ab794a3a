// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bullet's discrete world, put together so that a step depends on bodies,
// joints and contact points alone: exact overlaps, ordered pairs, manifolds and
// islands.

#ifndef REPRISE_SIM_PHYSICS_BULLET_WORLD_H_
#define REPRISE_SIM_PHYSICS_BULLET_WORLD_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h"
#include "BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h"
#include "sim/physics/bullet_parts.h"
#include "sim/physics/island_solver.h"
#include "sim/physics/ordered_dispatcher.h"
#include "sim/physics/physics_definition.h"
#include "sim/physics/sorted_broadphase.h"

namespace reprise::sim {

class BulletWorld {
 public:
  // The world as the definition describes its beginning. Bodies and joints have
  // the indexes of the definition; a body's proxy has its index as unique id.
  // REQUIRES: the definition passed ValidatePhysicsDefinition.
  explicit BulletWorld(const PhysicsDefinition& definition);
  ~BulletWorld();

  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  uint32_t body_count() const { return static_cast<uint32_t>(bodies_.size()); }
  btRigidBody& body(uint32_t index) { return *bodies_[index]; }
  const btRigidBody& body(uint32_t index) const { return *bodies_[index]; }

  uint32_t joint_count() const { return static_cast<uint32_t>(joints_.size()); }
  btTypedConstraint& joint(uint32_t index) { return *joints_[index]; }

  SortedBroadphase& broadphase() { return broadphase_; }
  OrderedDispatcher& dispatcher() { return dispatcher_; }

  // Makes one substep. Forces on bodies are used up.
  void Step(double substep_s);

 private:
  // The discrete world with our division into islands.
  class DynamicsWorld final : public btDiscreteDynamicsWorld {
   public:
    DynamicsWorld(OrderedDispatcher& dispatcher, SortedBroadphase& broadphase,
                  btConstraintSolver& solver,
                  btCollisionConfiguration& configuration);

    void solveConstraints(btContactSolverInfo& solver_info) override;

   private:
    IslandSolver island_solver_;
  };

  btDefaultCollisionConfiguration configuration_;
  OrderedDispatcher dispatcher_;
  SortedBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;

  std::vector<BulletShape> shapes_;
  // What joints to the world hold on to. Bullet has one for all worlds, which
  // threads would share.
  btRigidBody world_anchor_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  DynamicsWorld world_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BULLET_WORLD_H_
