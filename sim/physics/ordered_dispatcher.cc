// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/ordered_dispatcher.h"

#include <cstddef>
#include <new>
#include <type_traits>

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h"
#include "BulletCollision/CollisionDispatch/btManifoldResult.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

const btCollisionObject& ObjectOf(const btBroadphaseProxy& proxy) {
  return *static_cast<const btCollisionObject*>(proxy.m_clientObject);
}

std::span<const PairAlgorithm::Contact> ContactsOf(
    const btBroadphasePair& pair) {
  if (pair.m_algorithm == nullptr) return {};
  return static_cast<const PairAlgorithm&>(*pair.m_algorithm).contacts();
}

}  // namespace

template <typename Algorithm>
btCollisionAlgorithm*
OrderedDispatcher::CreateOnManifold<Algorithm>::CreateCollisionAlgorithm(
    btCollisionAlgorithmConstructionInfo& info,
    const btCollisionObjectWrapper* body0,
    const btCollisionObjectWrapper* body1) {
  void* const memory =
      info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(Algorithm));
  if constexpr (std::is_same_v<Algorithm, btConvexPlaneCollisionAlgorithm>) {
    // The last two as in Bullet's own: one try, and only without any contact.
    return new (memory)
        Algorithm(info.m_manifold, info, body0, body1, /*isSwapped=*/false,
                  /*numPerturbationIterations=*/1,
                  /*minimumPointsPerturbationThreshold=*/0);
  } else {
    return new (memory) Algorithm(info.m_manifold, info, body0, body1);
  }
}

OrderedDispatcher::OrderedDispatcher(btCollisionConfiguration* configuration)
    : btCollisionDispatcher(configuration) {
  // Bullet's own functions for these let the algorithms make manifolds of their
  // own; all others use the one given.
  registerCollisionCreateFunc(SPHERE_SHAPE_PROXYTYPE, SPHERE_SHAPE_PROXYTYPE,
                              &create_sphere_sphere_);
  registerCollisionCreateFunc(BOX_SHAPE_PROXYTYPE, BOX_SHAPE_PROXYTYPE,
                              &create_box_box_);
  for (int type = 0; type < MAX_BROADPHASE_COLLISION_TYPES; ++type) {
    if (!btBroadphaseProxy::isConvex(type)) continue;
    registerCollisionCreateFunc(type, STATIC_PLANE_PROXYTYPE,
                                &create_convex_plane_);
  }
}

PairAlgorithm& OrderedDispatcher::AlgorithmOf(btBroadphasePair& pair) {
  if (pair.m_algorithm == nullptr) {
    void* const memory = allocateCollisionAlgorithm(sizeof(PairAlgorithm));
    pair.m_algorithm = new (memory) PairAlgorithm(*this, scratch_);
  }
  return static_cast<PairAlgorithm&>(*pair.m_algorithm);
}

void OrderedDispatcher::ClearContacts(const btBroadphasePair& pair) {
  for (const PairAlgorithm::Contact& contact : ContactsOf(pair)) {
    contact.manifold->clearManifold();
  }
}

void OrderedDispatcher::dispatchAllCollisionPairs(
    btOverlappingPairCache* pair_cache, const btDispatcherInfo& dispatch_info,
    btDispatcher* /*dispatcher*/) {
  const std::span<btBroadphasePair> pairs(
      pair_cache->getOverlappingPairArrayPtr(),
      static_cast<size_t>(pair_cache->getNumOverlappingPairs()));
  for (btBroadphasePair& pair : pairs) {
    const btCollisionObject& first = ObjectOf(*pair.m_pProxy0);
    const btCollisionObject& second = ObjectOf(*pair.m_pProxy1);
    if (!needsCollision(&first, &second)) continue;
    const btCollisionObjectWrapper first_wrapper(
        nullptr, first.getCollisionShape(), &first, first.getWorldTransform(),
        -1, -1);
    const btCollisionObjectWrapper second_wrapper(
        nullptr, second.getCollisionShape(), &second,
        second.getWorldTransform(), -1, -1);
    btManifoldResult result(&first_wrapper, &second_wrapper);
    AlgorithmOf(pair).processCollision(&first_wrapper, &second_wrapper,
                                       dispatch_info, &result);
  }
  OrderManifolds(pairs);
  FindTouching(pairs);
}

void OrderedDispatcher::OrderManifolds(
    std::span<const btBroadphasePair> pairs) {
  int count = 0;
  for (const btBroadphasePair& pair : pairs) {
    for (const PairAlgorithm::Contact& contact : ContactsOf(pair)) {
      m_manifoldsPtr[count] = contact.manifold;
      contact.manifold->m_index1a = count++;
    }
  }
  CHECK(count == m_manifoldsPtr.size(), "{} manifolds belong to pairs, not {}",
        count, m_manifoldsPtr.size());
}

void OrderedDispatcher::FindTouching(std::span<const btBroadphasePair> pairs) {
  touching_.clear();
  for (const btBroadphasePair& pair : pairs) {
    for (const PairAlgorithm::Contact& contact : ContactsOf(pair)) {
      if (contact.manifold->getNumContacts() == 0) continue;
      touching_.push_back({.bodies = {.first = static_cast<uint32_t>(
                                          pair.m_pProxy0->m_uniqueId),
                                      .second = static_cast<uint32_t>(
                                          pair.m_pProxy1->m_uniqueId)},
                           .primitives = contact.primitives,
                           .manifold = contact.manifold});
    }
  }
}

}  // namespace reprise::sim
