// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/pair_algorithm.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "BulletCollision/CollisionDispatch/btManifoldResult.h"
#include "BulletCollision/CollisionShapes/btCompoundShape.h"
#include "LinearMath/btAabbUtil2.h"

namespace reprise::sim {
namespace {

using PlacedPrimitive = PairAlgorithm::PlacedPrimitive;

const btCompoundShape* AsCompound(const btCollisionShape& shape) {
  return shape.isCompound() ? static_cast<const btCompoundShape*>(&shape)
                            : nullptr;
}

const btCollisionShape& PrimitiveOf(const btCollisionShape& shape, int index) {
  const btCompoundShape* const compound = AsCompound(shape);
  return compound == nullptr ? shape : *compound->getChildShape(index);
}

// Finds the primitives of `body` whose boxes overlap that of `other`, in order.
void PlacePrimitives(const btCollisionObjectWrapper& body,
                     const btCollisionObjectWrapper& other,
                     std::vector<PlacedPrimitive>& placed) {
  btVector3 other_min;
  btVector3 other_max;
  other.getCollisionShape()->getAabb(other.getWorldTransform(), other_min,
                                     other_max);
  const btCollisionShape& shape = *body.getCollisionShape();
  const btCompoundShape* const compound = AsCompound(shape);
  placed.clear();
  for (int i = 0; i < PrimitiveCount(shape); ++i) {
    PlacedPrimitive& primitive = placed.emplace_back();
    primitive.index = static_cast<uint32_t>(i);
    primitive.shape = &PrimitiveOf(shape, i);
    primitive.pose = body.getWorldTransform();
    if (compound != nullptr) primitive.pose *= compound->getChildTransform(i);
    primitive.shape->getAabb(primitive.pose, primitive.aabb_min,
                             primitive.aabb_max);
    if (!TestAabbAgainstAabb2(primitive.aabb_min, primitive.aabb_max, other_min,
                              other_max)) {
      placed.pop_back();
    }
  }
}

// The two in the order in which Bullet's algorithms expect them: whatever is
// not convex comes second.
using Wrappers =
    std::pair<const btCollisionObjectWrapper*, const btCollisionObjectWrapper*>;
Wrappers InBulletOrder(const btCollisionObjectWrapper& first,
                       const btCollisionObjectWrapper& second) {
  if (first.getCollisionShape()->isConvex()) return {&first, &second};
  return {&second, &first};
}

void ProcessContact(const PairAlgorithm::Contact& contact,
                    const btCollisionObjectWrapper& first,
                    const btCollisionObjectWrapper& second,
                    const btDispatcherInfo& dispatch_info,
                    btManifoldResult& result) {
  const auto [body0, body1] = InBulletOrder(first, second);
  result.setBody0Wrap(body0);
  result.setBody1Wrap(body1);
  contact.algorithm->processCollision(body0, body1, dispatch_info, &result);
  // Bullet's algorithms leave this to whoever owns the manifold. To those that
  // do it nevertheless, a second time changes nothing.
  result.setPersistentManifold(contact.manifold);
  result.refreshContactPoints();
}

}  // namespace

int PrimitiveCount(const btCollisionShape& shape) {
  const btCompoundShape* const compound = AsCompound(shape);
  return compound == nullptr ? 1 : compound->getNumChildShapes();
}

PairAlgorithm::PairAlgorithm(btDispatcher& dispatcher, Scratch& scratch)
    : btCollisionAlgorithm(
          btCollisionAlgorithmConstructionInfo(&dispatcher, 0)),
      scratch_(scratch) {}

PairAlgorithm::~PairAlgorithm() {
  for (const Contact& contact : contacts_) FreeContact(contact);
}

PairAlgorithm::Contact PairAlgorithm::MakeContact(
    const btCollisionObjectWrapper& first,
    const btCollisionObjectWrapper& second, PrimitivePair primitives) {
  const auto [body0, body1] = InBulletOrder(first, second);
  Contact contact = {.primitives = primitives};
  contact.manifold = m_dispatcher->getNewManifold(body0->getCollisionObject(),
                                                  body1->getCollisionObject());
  contact.algorithm = m_dispatcher->findAlgorithm(
      body0, body1, contact.manifold, BT_CONTACT_POINT_ALGORITHMS);
  return contact;
}

void PairAlgorithm::FreeContact(const Contact& contact) {
  contact.algorithm->~btCollisionAlgorithm();
  m_dispatcher->freeCollisionAlgorithm(contact.algorithm);
  m_dispatcher->releaseManifold(contact.manifold);
}

btPersistentManifold& PairAlgorithm::Restore(const btCollisionObject& first,
                                             const btCollisionObject& second,
                                             PrimitivePair primitives) {
  auto place =
      std::lower_bound(contacts_.begin(), contacts_.end(), primitives,
                       [](const Contact& contact, const PrimitivePair& wanted) {
                         return contact.primitives < wanted;
                       });
  if (place == contacts_.end() || place->primitives != primitives) {
    // The types of the shapes alone choose the algorithm; it is told of poses
    // each time that it runs.
    const btCollisionObjectWrapper first_wrapper(
        nullptr,
        &PrimitiveOf(*first.getCollisionShape(),
                     static_cast<int>(primitives.first)),
        &first, first.getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper second_wrapper(
        nullptr,
        &PrimitiveOf(*second.getCollisionShape(),
                     static_cast<int>(primitives.second)),
        &second, second.getWorldTransform(), -1, -1);
    place = contacts_.insert(
        place, MakeContact(first_wrapper, second_wrapper, primitives));
  }
  return *place->manifold;
}

void PairAlgorithm::processCollision(const btCollisionObjectWrapper* first,
                                     const btCollisionObjectWrapper* second,
                                     const btDispatcherInfo& dispatch_info,
                                     btManifoldResult* result) {
  if (first->getCollisionShape()->isCompound() ||
      second->getCollisionShape()->isCompound()) {
    ProcessCompound(*first, *second, dispatch_info, *result);
    return;
  }
  if (contacts_.empty()) {
    contacts_.push_back(MakeContact(*first, *second, PrimitivePair{}));
  }
  ProcessContact(contacts_[0], *first, *second, dispatch_info, *result);
}

void PairAlgorithm::ProcessCompound(const btCollisionObjectWrapper& first,
                                    const btCollisionObjectWrapper& second,
                                    const btDispatcherInfo& dispatch_info,
                                    btManifoldResult& result) {
  PlacePrimitives(first, second, scratch_.first_primitives);
  PlacePrimitives(second, first, scratch_.second_primitives);

  // Old and new contacts are in the same order: one walk through both.
  std::vector<Contact>& kept = scratch_.contacts;
  kept.clear();
  auto old = contacts_.begin();
  for (const PlacedPrimitive& a : scratch_.first_primitives) {
    const btCollisionObjectWrapper a_wrapper(&first, a.shape,
                                             first.getCollisionObject(), a.pose,
                                             -1, static_cast<int>(a.index));
    for (const PlacedPrimitive& b : scratch_.second_primitives) {
      if (!TestAabbAgainstAabb2(a.aabb_min, a.aabb_max, b.aabb_min,
                                b.aabb_max)) {
        continue;
      }
      const btCollisionObjectWrapper b_wrapper(
          &second, b.shape, second.getCollisionObject(), b.pose, -1,
          static_cast<int>(b.index));
      const PrimitivePair primitives = {.first = a.index, .second = b.index};
      while (old != contacts_.end() && old->primitives < primitives) {
        FreeContact(*old++);
      }
      if (old != contacts_.end() && old->primitives == primitives) {
        kept.push_back(*old++);
      } else {
        kept.push_back(MakeContact(a_wrapper, b_wrapper, primitives));
      }
      ProcessContact(kept.back(), a_wrapper, b_wrapper, dispatch_info, result);
    }
  }
  while (old != contacts_.end()) FreeContact(*old++);
  contacts_.assign(kept.begin(), kept.end());
  result.setBody0Wrap(&first);
  result.setBody1Wrap(&second);
}

void PairAlgorithm::getAllContactManifolds(btManifoldArray& manifolds) {
  for (const Contact& contact : contacts_) {
    manifolds.push_back(contact.manifold);
  }
}

}  // namespace reprise::sim
