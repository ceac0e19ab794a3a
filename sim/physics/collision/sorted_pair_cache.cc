// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/collision/sorted_pair_cache.h"

#include <algorithm>
#include <cstddef>

#include "BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h"
#include "BulletCollision/BroadphaseCollision/btDispatcher.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

ProxyPair KeyOf(const btBroadphasePair& pair) {
  return {.first = static_cast<uint32_t>(pair.m_pProxy0->m_uniqueId),
          .second = static_cast<uint32_t>(pair.m_pProxy1->m_uniqueId)};
}

}  // namespace

void SortedPairCache::Update(std::span<const ProxyPair> pairs,
                             std::span<btBroadphaseProxy* const> proxies,
                             btDispatcher* dispatcher) {
  previous_.copyFromArray(pairs_);
  pairs_.resizeNoInitialize(static_cast<int>(pairs.size()));

  int old = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    while (old < previous_.size() && KeyOf(previous_[old]) < pairs[i]) {
      cleanOverlappingPair(previous_[old++], dispatcher);
    }
    btBroadphasePair& pair = pairs_[static_cast<int>(i)];
    if (old < previous_.size() && KeyOf(previous_[old]) == pairs[i]) {
      pair = previous_[old++];
    } else {
      pair =
          btBroadphasePair(*proxies[pairs[i].first], *proxies[pairs[i].second]);
    }
  }
  while (old < previous_.size()) {
    cleanOverlappingPair(previous_[old++], dispatcher);
  }
}

std::span<btBroadphasePair> SortedPairCache::pairs() {
  return {getOverlappingPairArrayPtr(), static_cast<size_t>(pairs_.size())};
}

btBroadphasePair* SortedPairCache::addOverlappingPair(btBroadphaseProxy*,
                                                      btBroadphaseProxy*) {
  CHECK(false, "pairs come from Update() only");
  return nullptr;
}

void* SortedPairCache::removeOverlappingPair(btBroadphaseProxy*,
                                             btBroadphaseProxy*,
                                             btDispatcher*) {
  CHECK(false, "pairs go by Update() only");
  return nullptr;
}

void SortedPairCache::removeOverlappingPairsContainingProxy(
    btBroadphaseProxy* proxy, btDispatcher* dispatcher) {
  RemovePairsIf([proxy](const btBroadphaseProxy* one) { return one == proxy; },
                dispatcher);
}

btBroadphasePair* SortedPairCache::getOverlappingPairArrayPtr() {
  return pairs_.size() > 0 ? &pairs_[0] : nullptr;
}

const btBroadphasePair* SortedPairCache::getOverlappingPairArrayPtr() const {
  return pairs_.size() > 0 ? &pairs_[0] : nullptr;
}

void SortedPairCache::cleanOverlappingPair(btBroadphasePair& pair,
                                           btDispatcher* dispatcher) {
  if (pair.m_algorithm == nullptr) return;
  pair.m_algorithm->~btCollisionAlgorithm();
  dispatcher->freeCollisionAlgorithm(pair.m_algorithm);
  pair.m_algorithm = nullptr;
}

bool SortedPairCache::needsBroadphaseCollision(
    btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1) const {
  return (proxy0->m_collisionFilterGroup & proxy1->m_collisionFilterMask) !=
             0 &&
         (proxy1->m_collisionFilterGroup & proxy0->m_collisionFilterMask) != 0;
}

void SortedPairCache::cleanProxyFromPairs(btBroadphaseProxy* proxy,
                                          btDispatcher* dispatcher) {
  for (btBroadphasePair& pair : pairs()) {
    if (pair.m_pProxy0 == proxy || pair.m_pProxy1 == proxy) {
      cleanOverlappingPair(pair, dispatcher);
    }
  }
}

void SortedPairCache::setOverlapFilterCallback(btOverlapFilterCallback*) {
  CHECK(false, "layers and masks are the only filter");
}

void SortedPairCache::processAllOverlappingPairs(btOverlapCallback* callback,
                                                 btDispatcher*) {
  for (btBroadphasePair& pair : pairs()) {
    CHECK(!callback->processOverlap(pair), "pairs go by Update() only");
  }
}

btBroadphasePair* SortedPairCache::findPair(btBroadphaseProxy* proxy0,
                                            btBroadphaseProxy* proxy1) {
  const ProxyPair key = KeyOf(btBroadphasePair(*proxy0, *proxy1));
  const std::span<btBroadphasePair> all = pairs();
  const auto found = std::lower_bound(
      all.begin(), all.end(), key,
      [](const btBroadphasePair& pair, const ProxyPair& wanted) {
        return KeyOf(pair) < wanted;
      });
  return found != all.end() && KeyOf(*found) == key ? &*found : nullptr;
}

void SortedPairCache::setInternalGhostPairCallback(btOverlappingPairCallback*) {
  CHECK(false, "ghost objects keep lists in order of arrival");
}

}  // namespace reprise::sim
