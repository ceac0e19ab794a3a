// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The collision algorithm of every pair of bodies, simple, compound or surface:
// one algorithm of Bullet's and one manifold for each pair of primitives whose
// boxes overlap and whose layers meet, in ascending order of (primitive of the
// first, of the second). The primitives of a surface are its triangles.
//
// Bullet's own compound algorithms keep their children in the order in which
// they came, and its simple ones make their manifolds at different moments.
// Here the key says it all, and any contact can be restored at any time.

#ifndef REPRISE_SIM_PHYSICS_PAIR_ALGORITHM_H_
#define REPRISE_SIM_PHYSICS_PAIR_ALGORITHM_H_

#include <compare>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h"
#include "BulletCollision/BroadphaseCollision/btDispatcher.h"
#include "BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h"
#include "BulletCollision/CollisionShapes/btCollisionShape.h"
#include "BulletCollision/CollisionShapes/btTriangleShape.h"
#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"
#include "LinearMath/btTransform.h"
#include "absl/container/inlined_vector.h"
#include "sim/physics/shape_definition.h"

namespace reprise::sim {

// A pair of primitives by their indexes; a body that isn't compound has only
// primitive 0.
struct PrimitivePair {
  uint32_t first = 0;
  uint32_t second = 0;

  friend auto operator<=>(const PrimitivePair&, const PrimitivePair&) = default;
};

class PairAlgorithm final : public btCollisionAlgorithm {
 public:
  // What is known of one pair of primitives. Both belong to the PairAlgorithm.
  struct Contact {
    PrimitivePair primitives;
    btCollisionAlgorithm* algorithm = nullptr;
    // Its bodies are those of the pair, but a plane is always body 1: Bullet's
    // algorithms want it so.
    btPersistentManifold* manifold = nullptr;
  };

  // A primitive of a compound or surface where the body is now.
  struct PlacedPrimitive {
    uint32_t index = 0;
    const btCollisionShape* shape = nullptr;
    CollisionFilter filter;
    btTransform pose;
    btVector3 aabb_min;
    btVector3 aabb_max;
  };

  // The primitives of one body that may touch the other.
  struct PlacedPrimitives {
    std::vector<PlacedPrimitive> all;
    // Of a surface; a deque, for they stay where they are.
    std::deque<btTriangleShape> triangles;
    std::vector<uint32_t> found;
  };

  // Memory that the algorithms of one world share while they run.
  struct Scratch {
    PlacedPrimitives first;
    PlacedPrimitives second;
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
  Contact MakeContact(const btCollisionObjectWrapper& first,
                      const btCollisionObjectWrapper& second,
                      PrimitivePair primitives);
  void FreeContact(const Contact& contact);
  void ProcessPrimitives(const btCollisionObjectWrapper& first,
                         const btCollisionObjectWrapper& second,
                         const btDispatcherInfo& dispatch_info,
                         btManifoldResult& result);

  Scratch& scratch_;
  absl::InlinedVector<Contact, 1> contacts_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_PAIR_ALGORITHM_H_
