// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bullet's discrete world, put together so that a step depends on bodies,
// joints and contact points alone: exact overlaps, ordered pairs, manifolds and
// islands.

#ifndef REPRISE_SIM_PHYSICS_BULLET_WORLD_H_
#define REPRISE_SIM_PHYSICS_BULLET_WORLD_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/bodies/body_rows.h"
#include "sim/physics/bodies/joint_rows.h"
#include "sim/physics/collision/ordered_dispatcher.h"
#include "sim/physics/collision/sorted_broadphase.h"
#include "sim/physics/continuous/continuous_motion.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/shapes/bullet_parts.h"
#include "sim/physics/solver/impulse_solver.h"
#include "sim/physics/solver/island_solver.h"

namespace reprise::sim {

// Bodies and joints have the indexes of their rows; a body's proxy has its
// index as unique id.
class BulletWorld {
 public:
  // A world without bodies. `definition` outlives it.
  // REQUIRES: the definition passed ValidatePhysicsDefinition.
  explicit BulletWorld(const PhysicsDefinition& definition);
  ~BulletWorld();

  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  uint32_t body_count() const { return static_cast<uint32_t>(bodies_.size()); }
  BodyKey key(uint32_t index) const { return bodies_[index].key; }
  btRigidBody& body(uint32_t index) { return *bodies_[index].body; }
  const btRigidBody& body(uint32_t index) const { return *bodies_[index].body; }

  // Of the bodies of a kind.
  MassProperties ComputeMassProperties(uint32_t kind) const;

  // The index of an object's body; nullopt when it has none.
  std::optional<uint32_t> Find(ObjectId object) const;

  // Makes `keys` the bodies from index `first` on. Those that are there already
  // stay as they are, new ones stand at rest at the origin, and the others go
  // with their contacts and joints. Returns whether any went.
  // REQUIRES: keys ascend by object, and their kinds exist.
  bool ReplaceBodies(uint32_t first, std::span<const BodyKey> keys);

  uint32_t joint_count() const { return static_cast<uint32_t>(joints_.size()); }
  const JointKey& joint_key(uint32_t index) const { return joints_[index].key; }
  // The objects that a joint holds; kNoObject: the world.
  ObjectId joint_object_a(uint32_t index) const {
    return joints_[index].object_a;
  }
  ObjectId joint_object_b(uint32_t index) const {
    return joints_[index].object_b;
  }
  btTypedConstraint& joint(uint32_t index) { return *joints_[index].joint; }

  // Makes `keys` the joints. Those that are there already stay as they are.
  // REQUIRES: keys ascend; their definitions and bodies exist.
  void ReplaceJoints(std::span<const JointKey> keys);

  SortedBroadphase& broadphase() { return broadphase_; }
  OrderedDispatcher& dispatcher() { return dispatcher_; }

  // What fast bodies have met in the last substep.
  std::span<const Impact> impacts() const {
    return continuous_ != nullptr ? continuous_->impacts()
                                  : std::span<const Impact>();
  }

  // Which triggers they were in on their way.
  std::span<const Passage> passages() const {
    return continuous_ != nullptr ? continuous_->passages()
                                  : std::span<const Passage>();
  }

  // Makes one substep. Forces on bodies are used up.
  void Step(double substep_s);

 private:
  friend class PhysicsWorldPeer;  // of tests

  struct LiveBody {
    BodyKey key;
    std::unique_ptr<btRigidBody> body;
  };
  struct LiveJoint {
    JointKey key;
    ObjectId object_a;
    ObjectId object_b;
    bool collides_when_broken = false;  // but not while it holds
    std::unique_ptr<btTypedConstraint> joint;
  };

  // The discrete world with our division into islands.
  class DynamicsWorld final : public btDiscreteDynamicsWorld {
   public:
    DynamicsWorld(OrderedDispatcher& dispatcher, SortedBroadphase& broadphase,
                  btConstraintSolver& solver,
                  btCollisionConfiguration& configuration);

    // Put Bullet's lists into the order of ours: it swaps what it removes with
    // what is last.
    void OrderBodies(std::span<const LiveBody> bodies);
    void OrderJoints(std::span<const LiveJoint> joints);

    // Wakes what touched a kinematic body that moves before it did so: it may
    // have gone further than Bullet looks, which wakes what it touches still.
    void WakeTouched();
    // Wakes what a kinematic body that moves holds by a joint, Bullet waking
    // only what it touches, and what a motor at work moves.
    void WakeJoined();

    void solveConstraints(btContactSolverInfo& solver_info) override;

    // Fast bodies meet on their way. `continuous` outlives the world.
    void SetContinuousMotion(ContinuousMotion* continuous);
    void integrateTransforms(btScalar substep_s) override;

    // Slows bodies down by the definition's damping; `definition` outlives the
    // world. Where bodies will be without contacts is not predicted: nothing
    // asks for it.
    void SetDamping(const PhysicsDefinition& definition);
    void predictUnconstraintMotion(btScalar substep_s) override;

    // Says of each body whether it wants to sleep, by its kind's rule; islands
    // where all want to fall asleep in the next substep.
    void updateActivationState(btScalar substep_s) override;

    // The velocities of kinematic bodies are given, not measured.
    void saveKinematicState(btScalar) override {}

   private:
    // What is left of velocities after a substep.
    struct Damping {
      double linear = 1.0;
      double angular = 1.0;
    };

    IslandSolver island_solver_;
    ContinuousMotion* continuous_ = nullptr;
    std::span<const BodyKind> kinds_;
    std::vector<Damping> damping_;  // by kind
  };

  // The body of an object, the world's anchor for kNoObject; null for an object
  // without a body.
  btRigidBody* BodyOf(ObjectId object);
  std::unique_ptr<btRigidBody> MakeBody(uint64_t kind);
  LiveJoint MakeJoint(const JointKey& key);
  // Has the bodies of broken joints touch each other, and those of mended ones
  // not.
  void FilterJoined();

  const PhysicsDefinition& definition_;

  btDefaultCollisionConfiguration configuration_;
  OrderedDispatcher dispatcher_;
  SortedBroadphase broadphase_;
  ImpulseSolver solver_;

  std::vector<BulletShape> shapes_;
  std::unique_ptr<ContinuousMotion> continuous_;  // null: it isn't needed
  // What joints to the world hold on to. Bullet has one for all worlds, which
  // threads would share.
  btRigidBody world_anchor_;
  std::vector<LiveBody> bodies_;
  std::vector<LiveJoint> joints_;
  DynamicsWorld world_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BULLET_WORLD_H_
