// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The overlapping pairs of a broad phase as one flat array, always in ascending
// order of (first proxy, second proxy). Which pairs are in it is decided anew
// by each Update, so it has no history; only the collision algorithm of a pair
// that stays is carried over.

#ifndef REPRISE_SIM_PHYSICS_COLLISION_SORTED_PAIR_CACHE_H_
#define REPRISE_SIM_PHYSICS_COLLISION_SORTED_PAIR_CACHE_H_

#include <cstdint>
#include <span>

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

namespace reprise::sim {

// Two proxies by their unique ids. first < second.
struct ProxyPair {
  uint32_t first = 0;
  uint32_t second = 0;

  friend auto operator<=>(const ProxyPair&, const ProxyPair&) = default;
};

class SortedPairCache final : public btOverlappingPairCache {
 public:
  // Makes `pairs` the content: new ones come without an algorithm, and those
  // that are gone free theirs. Unique ids are indexes into `proxies`.
  // REQUIRES: `pairs` is sorted and without duplicates.
  void Update(std::span<const ProxyPair> pairs,
              std::span<btBroadphaseProxy* const> proxies,
              btDispatcher* dispatcher);

  // Drops the pairs of which `is_chosen(proxy)` holds for one proxy.
  template <typename Choice>
  void RemovePairsIf(const Choice& is_chosen, btDispatcher* dispatcher);

  std::span<btBroadphasePair> pairs();

  // Bullet's interface. Pairs are never added one by one: a broad phase that
  // did so would bring history back.
  btBroadphasePair* addOverlappingPair(btBroadphaseProxy* proxy0,
                                       btBroadphaseProxy* proxy1) override;
  void* removeOverlappingPair(btBroadphaseProxy* proxy0,
                              btBroadphaseProxy* proxy1,
                              btDispatcher* dispatcher) override;
  void removeOverlappingPairsContainingProxy(btBroadphaseProxy* proxy,
                                             btDispatcher* dispatcher) override;
  btBroadphasePair* getOverlappingPairArrayPtr() override;
  const btBroadphasePair* getOverlappingPairArrayPtr() const override;
  btBroadphasePairArray& getOverlappingPairArray() override { return pairs_; }
  void cleanOverlappingPair(btBroadphasePair& pair,
                            btDispatcher* dispatcher) override;
  int getNumOverlappingPairs() const override { return pairs_.size(); }
  bool needsBroadphaseCollision(btBroadphaseProxy* proxy0,
                                btBroadphaseProxy* proxy1) const override;
  btOverlapFilterCallback* getOverlapFilterCallback() override {
    return nullptr;
  }
  void cleanProxyFromPairs(btBroadphaseProxy* proxy,
                           btDispatcher* dispatcher) override;
  void setOverlapFilterCallback(btOverlapFilterCallback* callback) override;
  using btOverlappingPairCache::processAllOverlappingPairs;
  void processAllOverlappingPairs(btOverlapCallback* callback,
                                  btDispatcher* dispatcher) override;
  btBroadphasePair* findPair(btBroadphaseProxy* proxy0,
                             btBroadphaseProxy* proxy1) override;
  bool hasDeferredRemoval() override { return false; }
  void setInternalGhostPairCallback(
      btOverlappingPairCallback* callback) override;
  void sortOverlappingPairs(btDispatcher*) override {}

 private:
  btBroadphasePairArray pairs_;
  btBroadphasePairArray previous_;  // Update's own; a member for its memory
};

template <typename Choice>
void SortedPairCache::RemovePairsIf(const Choice& is_chosen,
                                    btDispatcher* dispatcher) {
  int kept = 0;
  for (int i = 0; i < pairs_.size(); ++i) {
    if (is_chosen(pairs_[i].m_pProxy0) || is_chosen(pairs_[i].m_pProxy1)) {
      cleanOverlappingPair(pairs_[i], dispatcher);
    } else {
      pairs_[kept++] = pairs_[i];
    }
  }
  pairs_.resizeNoInitialize(kept);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_COLLISION_SORTED_PAIR_CACHE_H_
