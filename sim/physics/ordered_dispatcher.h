// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A dispatcher whose manifolds stand, after each dispatch, in the order of
// (object, object, primitive, primitive). Bullet's own stand in an order of
// arrival and departure, and the solver's result depends on it.

#ifndef REPRISE_SIM_PHYSICS_ORDERED_DISPATCHER_H_
#define REPRISE_SIM_PHYSICS_ORDERED_DISPATCHER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "BulletCollision/CollisionDispatch/btBoxBoxCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btCollisionCreateFunc.h"
#include "BulletCollision/CollisionDispatch/btCollisionDispatcher.h"
#include "BulletCollision/CollisionDispatch/btConvexPlaneCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btSphereSphereCollisionAlgorithm.h"
#include "sim/physics/pair_algorithm.h"
#include "sim/physics/sorted_pair_cache.h"

namespace reprise::sim {

// A manifold and its key: two bodies by their proxies' unique ids, and a
// primitive of each.
struct KeyedManifold {
  ProxyPair bodies;
  PrimitivePair primitives;
  btPersistentManifold* manifold = nullptr;
};

class OrderedDispatcher final : public btCollisionDispatcher {
 public:
  // `configuration` outlives the dispatcher.
  explicit OrderedDispatcher(btCollisionConfiguration* configuration);

  // The manifolds that have contact points, in order, as of the last dispatch
  // or FindTouching. Valid until the next change of pairs.
  std::span<const KeyedManifold> touching() const { return touching_; }

  // Looks for them among the pairs, without a dispatch.
  void FindTouching(std::span<const btBroadphasePair> pairs);

  // The algorithm of a pair, made if it isn't there.
  PairAlgorithm& AlgorithmOf(btBroadphasePair& pair);

  // Drops the contact points of a pair.
  static void ClearContacts(const btBroadphasePair& pair);

  // Bullet's interface.
  void dispatchAllCollisionPairs(btOverlappingPairCache* pairs,
                                 const btDispatcherInfo& dispatch_info,
                                 btDispatcher* dispatcher) override;

 private:
  // Creates algorithms of one kind on the manifold that they are given.
  template <typename Algorithm>
  struct CreateOnManifold final : btCollisionAlgorithmCreateFunc {
    btCollisionAlgorithm* CreateCollisionAlgorithm(
        btCollisionAlgorithmConstructionInfo& info,
        const btCollisionObjectWrapper* body0,
        const btCollisionObjectWrapper* body1) override;
  };

  void OrderManifolds(std::span<const btBroadphasePair> pairs);

  CreateOnManifold<btSphereSphereCollisionAlgorithm> create_sphere_sphere_;
  CreateOnManifold<btBoxBoxCollisionAlgorithm> create_box_box_;
  CreateOnManifold<btConvexPlaneCollisionAlgorithm> create_convex_plane_;
  PairAlgorithm::Scratch scratch_;
  std::vector<KeyedManifold> touching_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_ORDERED_DISPATCHER_H_
