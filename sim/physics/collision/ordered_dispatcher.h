// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A dispatcher whose manifolds stand, after each dispatch, in the order of
// (object, object, primitive, primitive). Bullet's own stand in an order of
// arrival and departure, and the solver's result depends on it.

#ifndef REPRISE_SIM_PHYSICS_COLLISION_ORDERED_DISPATCHER_H_
#define REPRISE_SIM_PHYSICS_COLLISION_ORDERED_DISPATCHER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "BulletCollision/CollisionDispatch/btCollisionDispatcher.h"
#include "sim/physics/collision/pair_algorithm.h"
#include "sim/physics/collision/sorted_pair_cache.h"

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

  // The manifolds, in order, as of the last dispatch or FindTouching: of all
  // pairs of primitives with contact points, and of some that have just lost
  // theirs. Valid until the next change of pairs.
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
  // Adds a pair's to touching_.
  void AddManifolds(const btBroadphasePair& pair);

  // Makes Bullet's list that of touching_, which has them all.
  void OrderManifolds();

  PairAlgorithm::Scratch scratch_;
  std::vector<KeyedManifold> touching_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_COLLISION_ORDERED_DISPATCHER_H_
