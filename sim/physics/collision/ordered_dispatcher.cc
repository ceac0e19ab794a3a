// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/collision/ordered_dispatcher.h"

#include <cstddef>
#include <new>

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "sim/base/check.h"
#include "sim/physics/collision/prefetch.h"

namespace reprise::sim {
namespace {

const btCollisionObject& ObjectOf(const btBroadphaseProxy& proxy) {
  return *static_cast<const btCollisionObject*>(proxy.m_clientObject);
}

// Bodies and manifolds lie here and there in memory, more than fits the cache
// next to the processor. What is needed so many pairs later is on its way
// meanwhile.
constexpr size_t kBodiesAhead = 8;
constexpr size_t kManifoldsAhead = 4;

void FetchBody(const btBroadphasePair& pair) {
  // What is read of a body here begins with its pose and ends before this. The
  // first body of a pair is mostly that of the pair before.
  constexpr size_t kBodyBytes = 512;
  Prefetch(pair.m_pProxy1->m_clientObject, 0, kBodyBytes);
  Prefetch(pair.m_algorithm, 0, 1);
}

void FetchManifold(const btBroadphasePair& pair) {
  if (pair.m_algorithm == nullptr) return;
  static_cast<const PairAlgorithm&>(*pair.m_algorithm).FetchManifold();
}

// A kinematic body isn't awake while it stands, wherever it was put.
bool IsKinematicInTrigger(const btCollisionObject& body,
                          const btCollisionObject& trigger) {
  return body.isKinematicObject() && !trigger.hasContactResponse();
}

// As Bullet's needsCollision: what sleeps keeps its contacts as they are. But
// triggers see what stands in them, too.
bool NeedsLook(const btCollisionObject& first,
               const btCollisionObject& second) {
  return (first.isActive() || second.isActive() ||
          IsKinematicInTrigger(first, second) ||
          IsKinematicInTrigger(second, first)) &&
         first.checkCollideWith(&second) && second.checkCollideWith(&first);
}

std::span<const PairAlgorithm::Contact> ContactsOf(
    const btBroadphasePair& pair) {
  if (pair.m_algorithm == nullptr) return {};
  return static_cast<const PairAlgorithm&>(*pair.m_algorithm).contacts();
}

}  // namespace

OrderedDispatcher::OrderedDispatcher(btCollisionConfiguration* configuration)
    : btCollisionDispatcher(configuration) {}

PairAlgorithm& OrderedDispatcher::AlgorithmOf(btBroadphasePair& pair) {
  if (pair.m_algorithm == nullptr) {
    void* const memory = allocateCollisionAlgorithm(sizeof(PairAlgorithm));
    pair.m_algorithm = new (memory) PairAlgorithm(*this, scratch_);
  }
  return static_cast<PairAlgorithm&>(*pair.m_algorithm);
}

void OrderedDispatcher::ClearContacts(const btBroadphasePair& pair) {
  for (const PairAlgorithm::Contact& contact : ContactsOf(pair)) {
    if (contact.manifold != nullptr) contact.manifold->clearManifold();
  }
}

void OrderedDispatcher::dispatchAllCollisionPairs(
    btOverlappingPairCache* pair_cache,
    const btDispatcherInfo& /*dispatch_info*/, btDispatcher* /*dispatcher*/) {
  const std::span<btBroadphasePair> pairs(
      pair_cache->getOverlappingPairArrayPtr(),
      static_cast<size_t>(pair_cache->getNumOverlappingPairs()));
  touching_.clear();
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (i + kBodiesAhead < pairs.size()) FetchBody(pairs[i + kBodiesAhead]);
    if (i + kManifoldsAhead < pairs.size()) {
      FetchManifold(pairs[i + kManifoldsAhead]);
    }
    btBroadphasePair& pair = pairs[i];
    const btCollisionObject& first = ObjectOf(*pair.m_pProxy0);
    const btCollisionObject& second = ObjectOf(*pair.m_pProxy1);
    // What a joint holds apart since the last dispatch: nobody would look at
    // its contacts again.
    if (!first.checkCollideWith(&second)) ClearContacts(pair);
    if (NeedsLook(first, second)) AlgorithmOf(pair).Process(first, second);
    AddManifolds(pair);
  }
  OrderManifolds();
}

void OrderedDispatcher::AddManifolds(const btBroadphasePair& pair) {
  for (const PairAlgorithm::Contact& contact : ContactsOf(pair)) {
    if (contact.manifold == nullptr) continue;
    touching_.push_back(
        {.bodies = {.first = static_cast<uint32_t>(pair.m_pProxy0->m_uniqueId),
                    .second =
                        static_cast<uint32_t>(pair.m_pProxy1->m_uniqueId)},
         .primitives = contact.primitives,
         .manifold = contact.manifold});
  }
}

void OrderedDispatcher::OrderManifolds() {
  const int count = static_cast<int>(touching_.size());
  CHECK(count == m_manifoldsPtr.size(), "{} manifolds belong to pairs, not {}",
        count, m_manifoldsPtr.size());
  for (int i = 0; i < count; ++i) {
    btPersistentManifold* const manifold =
        touching_[static_cast<size_t>(i)].manifold;
    m_manifoldsPtr[i] = manifold;
    manifold->m_index1a = i;
  }
}

void OrderedDispatcher::FindTouching(std::span<const btBroadphasePair> pairs) {
  touching_.clear();
  for (const btBroadphasePair& pair : pairs) AddManifolds(pair);
}

}  // namespace reprise::sim
