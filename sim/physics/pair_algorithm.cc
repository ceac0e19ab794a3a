// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/pair_algorithm.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "BulletCollision/CollisionDispatch/btManifoldResult.h"
#include "BulletCollision/CollisionShapes/btCompoundShape.h"
#include "LinearMath/btAabbUtil2.h"
#include "sim/physics/box_tree.h"
#include "sim/physics/bullet_conversion.h"
#include "sim/physics/bullet_parts.h"
#include "sim/physics/bullet_shapes.h"
#include "sim/physics/contact_material.h"
#include "sim/physics/physics_definition.h"
#include "sim/physics/surface_edges.h"
#include "sim/physics/triangle_surface.h"

namespace reprise::sim {
namespace {

using PlacedPrimitive = PairAlgorithm::PlacedPrimitive;
using PlacedPrimitives = PairAlgorithm::PlacedPrimitives;

const btCompoundShape* AsCompound(const btCollisionShape& shape) {
  return shape.isCompound() ? static_cast<const btCompoundShape*>(&shape)
                            : nullptr;
}

// Bodies of more than one primitive.
bool IsMany(const btCollisionShape& shape) {
  return shape.isCompound() || AsSurface(shape) != nullptr;
}

CollisionFilter FilterOf(const btCollisionShape& primitive,
                         const BodyKind& kind) {
  const auto* const own =
      static_cast<const CollisionFilter*>(primitive.getUserPointer());
  if (own != nullptr) return *own;
  return {.layers = kind.layers, .collides_with = kind.collides_with};
}

// Finds the triangles of a surface that are near to `other`, in order.
void PlaceTriangles(const btCollisionObjectWrapper& body,
                    const btCollisionObjectWrapper& other,
                    PlacedPrimitives& placed) {
  const TriangleSurface& surface =
      AsSurface(*body.getCollisionShape())->surface();
  const btTransform& pose = body.getWorldTransform();
  // A triangle is thin: what rests on it would lose its contact whenever it
  // lifts off by a rounding error.
  const double near_m = gContactBreakingThreshold;
  btVector3 low;
  btVector3 high;
  other.getCollisionShape()->getAabb(
      pose.inverseTimes(other.getWorldTransform()), low, high);
  const Vector3 reach = {near_m, near_m, near_m};
  surface.Find({FromBullet(low) - reach, FromBullet(high) + reach},
               placed.found);
  const CollisionFilter filter =
      FilterOf(*body.getCollisionShape(), KindOf(*body.getCollisionObject()));
  if (placed.triangles.size() < placed.found.size()) {
    placed.triangles.resize(placed.found.size());
  }
  for (size_t i = 0; i < placed.found.size(); ++i) {
    const Triangle triangle = surface.triangle(placed.found[i]);
    SetTriangle(triangle, placed.triangles[i]);
    const AxisAlignedBox box = BoxAround(triangle);
    PlacedPrimitive& primitive = placed.all.emplace_back();
    primitive.index = placed.found[i];
    primitive.shape = &placed.triangles[i];
    primitive.filter = filter;
    primitive.pose = pose;
    btTransformAabb(ToBullet(box.low), ToBullet(box.high), near_m, pose,
                    primitive.aabb_min, primitive.aabb_max);
  }
}

// Finds the primitives of `body` whose boxes overlap that of `other`, in order.
void PlacePrimitives(const btCollisionObjectWrapper& body,
                     const btCollisionObjectWrapper& other,
                     PlacedPrimitives& placed) {
  placed.all.clear();
  const btCollisionShape& shape = *body.getCollisionShape();
  if (AsSurface(shape) != nullptr) {
    PlaceTriangles(body, other, placed);
    return;
  }
  btVector3 other_min;
  btVector3 other_max;
  other.getCollisionShape()->getAabb(other.getWorldTransform(), other_min,
                                     other_max);
  const BodyKind& kind = KindOf(*body.getCollisionObject());
  const btCompoundShape* const compound = AsCompound(shape);
  const int count = compound == nullptr ? 1 : compound->getNumChildShapes();
  for (int i = 0; i < count; ++i) {
    PlacedPrimitive& primitive = placed.all.emplace_back();
    primitive.index = static_cast<uint32_t>(i);
    primitive.shape = compound == nullptr ? &shape : compound->getChildShape(i);
    primitive.filter = FilterOf(*primitive.shape, kind);
    primitive.pose = body.getWorldTransform();
    if (compound != nullptr) primitive.pose *= compound->getChildTransform(i);
    primitive.shape->getAabb(primitive.pose, primitive.aabb_min,
                             primitive.aabb_max);
    if (!TestAabbAgainstAabb2(primitive.aabb_min, primitive.aabb_max, other_min,
                              other_max)) {
      placed.all.pop_back();
    }
  }
}

// A primitive to choose an algorithm by. That of a surface is made in
// `triangle`.
const btCollisionShape& PrimitiveOf(const btCollisionShape& shape,
                                    uint32_t index, btTriangleShape& triangle) {
  if (const SurfaceShape* const surface = AsSurface(shape)) {
    SetTriangle(surface->surface().triangle(index), triangle);
    return triangle;
  }
  const btCompoundShape* const compound = AsCompound(shape);
  return compound == nullptr
             ? shape
             : *compound->getChildShape(static_cast<int>(index));
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
  RefreshContactMaterial(*contact.manifold);
}

// After a contact with a triangle of `body`, when that is a surface.
void SmoothIfSurface(const btCollisionObjectWrapper& body, uint32_t primitive,
                     const PairAlgorithm::Contact& contact,
                     PlacedPrimitives& placed) {
  const SurfaceShape* const shape = AsSurface(*body.getCollisionShape());
  if (shape == nullptr || contact.manifold->getNumContacts() == 0) return;
  SmoothInnerEdges(shape->surface(), primitive, *body.getCollisionObject(),
                   *contact.manifold, placed.found);
}

}  // namespace

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
    btTriangleShape first_triangle;
    btTriangleShape second_triangle;
    const btCollisionObjectWrapper first_wrapper(
        nullptr,
        &PrimitiveOf(*first.getCollisionShape(), primitives.first,
                     first_triangle),
        &first, first.getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper second_wrapper(
        nullptr,
        &PrimitiveOf(*second.getCollisionShape(), primitives.second,
                     second_triangle),
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
  if (IsMany(*first->getCollisionShape()) ||
      IsMany(*second->getCollisionShape())) {
    ProcessPrimitives(*first, *second, dispatch_info, *result);
    return;
  }
  if (contacts_.empty()) {
    contacts_.push_back(MakeContact(*first, *second, PrimitivePair{}));
  }
  ProcessContact(contacts_[0], *first, *second, dispatch_info, *result);
}

void PairAlgorithm::ProcessPrimitives(const btCollisionObjectWrapper& first,
                                      const btCollisionObjectWrapper& second,
                                      const btDispatcherInfo& dispatch_info,
                                      btManifoldResult& result) {
  PlacePrimitives(first, second, scratch_.first);
  PlacePrimitives(second, first, scratch_.second);

  // Old and new contacts are in the same order: one walk through both.
  std::vector<Contact>& kept = scratch_.contacts;
  kept.clear();
  auto old = contacts_.begin();
  for (const PlacedPrimitive& a : scratch_.first.all) {
    const btCollisionObjectWrapper a_wrapper(&first, a.shape,
                                             first.getCollisionObject(), a.pose,
                                             -1, static_cast<int>(a.index));
    for (const PlacedPrimitive& b : scratch_.second.all) {
      if (!TestAabbAgainstAabb2(a.aabb_min, a.aabb_max, b.aabb_min,
                                b.aabb_max) ||
          !CanMeet(a.filter, b.filter)) {
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
      SmoothIfSurface(first, a.index, kept.back(), scratch_.first);
      SmoothIfSurface(second, b.index, kept.back(), scratch_.second);
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
