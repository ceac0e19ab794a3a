// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The collision algorithm of every pair of bodies, simple, compound or surface:
// one contact for each pair of primitives whose boxes overlap and whose layers
// meet, in ascending order of (primitive of the first, of the second). The
// primitives of a surface are its triangles.
//
// Bullet's own compound algorithms keep their children in the order in which
// they came, and its simple ones make their manifolds at different moments.
// Here the key says it all, and any contact can be restored at any time.

#ifndef REPRISE_SIM_PHYSICS_COLLISION_PAIR_ALGORITHM_H_
#define REPRISE_SIM_PHYSICS_COLLISION_PAIR_ALGORITHM_H_

#include <cstdint>
#include <span>
#include <vector>

#include "BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h"
#include "BulletCollision/BroadphaseCollision/btDispatcher.h"
#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h"
#include "BulletCollision/CollisionShapes/btCollisionShape.h"
#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"
#include "absl/container/inlined_vector.h"
#include "sim/physics/collision/contact_search.h"
#include "sim/physics/collision/near_primitives.h"

namespace reprise::sim {

class PairAlgorithm final : public btCollisionAlgorithm {
 public:
  // What is known of one pair of primitives.
  struct Contact {
    PrimitivePair primitives;
    // Null without contact points. It belongs to the PairAlgorithm. Its bodies
    // are those of the pair, but a plane is always body 1.
    btPersistentManifold* manifold = nullptr;
    SeparatingAxis separation;
  };

  // Memory that the algorithms of one world share while they run.
  struct Scratch {
    NearPrimitives near;
    std::vector<Contact> contacts;
  };

  // Both outlive the algorithm.
  PairAlgorithm(btDispatcher& dispatcher, Scratch& scratch);
  ~PairAlgorithm() override;

  PairAlgorithm(const PairAlgorithm&) = delete;
  PairAlgorithm& operator=(const PairAlgorithm&) = delete;

  // In ascending order of primitives.
  std::span<const Contact> contacts() const {
    return {contacts_.data(), contacts_.size()};
  }

  // The manifold of a pair of primitives, made if it isn't there: where saved
  // contact points are put back. REQUIRES: both bodies have such primitives.
  btPersistentManifold& Restore(const btCollisionObject& first,
                                const btCollisionObject& second,
                                PrimitivePair primitives);

  // Finds the contacts of the two bodies where they are now. REQUIRES: they are
  // the same, in the same order, every time, and have indexes in their world.
  void Process(const btCollisionObject& first, const btCollisionObject& second);

  // Has the processor fetch what Process will read of the first manifold.
  void FetchManifold() const;

  // Bullet's interface.
  void processCollision(const btCollisionObjectWrapper* first,
                        const btCollisionObjectWrapper* second,
                        const btDispatcherInfo& dispatch_info,
                        btManifoldResult* result) override;
  btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*,
                                 const btDispatcherInfo&,
                                 btManifoldResult*) override {
    return 1.0;
  }
  void getAllContactManifolds(btManifoldArray& manifolds) override;

 private:
  friend class PhysicsWorldPeer;  // of tests

  // One of two primitives that may touch.
  struct Side {
    const btCollisionObject& body;
    PlacedShape primitive;
  };

  btPersistentManifold& ManifoldOf(const btCollisionObject& first,
                                   const btCollisionObject& second,
                                   Contact& contact);
  void FreeManifold(Contact& contact);

  // Brings the points of a contact up to date and looks for new ones.
  // REQUIRES: only the second may not be convex.
  void UpdatePoints(const Side& first, const Side& second, Contact& contact);
  void ProcessPrimitives(const btCollisionObject& first,
                         const btCollisionObject& second);

  Scratch& scratch_;
  // How far the two sides of a point may be apart: a function of the bodies'
  // shapes. Below 0: not yet known.
  double distance_max_m_ = -1.0;
  absl::InlinedVector<Contact, 1> contacts_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_COLLISION_PAIR_ALGORITHM_H_
