// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/collision/pair_algorithm.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "LinearMath/btAabbUtil2.h"
#include "sim/physics/collision/contact_material.h"
#include "sim/physics/shapes/bullet_shapes.h"
#include "sim/physics/shapes/surface_edges.h"

namespace reprise::sim {
namespace {

using Contact = PairAlgorithm::Contact;

// Bodies of more than one primitive.
bool IsMany(const btCollisionShape& shape) {
  return shape.isCompound() || AsSurface(shape) != nullptr;
}

bool IsEmpty(const Contact& contact) {
  return contact.manifold == nullptr || contact.manifold->getNumContacts() == 0;
}

// After a contact with a triangle of `body`, when that is a surface.
void SmoothIfSurface(const btCollisionObject& body, uint32_t primitive,
                     const btCollisionShape& other, bool is_buried,
                     const Contact& contact, std::vector<uint32_t>& found) {
  const SurfaceShape* const shape = AsSurface(*body.getCollisionShape());
  if (shape == nullptr || IsEmpty(contact)) return;
  if (is_buried)
    KeepUpright(shape->surface(), primitive, body, *contact.manifold);
  SmoothInnerEdges(shape->surface(), primitive, body,
                   /*is_round=*/other.getShapeType() == SPHERE_SHAPE_PROXYTYPE,
                   *contact.manifold, found);
}

// The points of a manifold are of the same two surfaces.
void CopyContactMaterial(const btManifoldPoint& from, btManifoldPoint& to) {
  to.m_combinedFriction = from.m_combinedFriction;
  to.m_combinedRollingFriction = from.m_combinedRollingFriction;
  to.m_combinedSpinningFriction = from.m_combinedSpinningFriction;
  to.m_combinedRestitution = from.m_combinedRestitution;
}

btManifoldPoint PointOf(const FoundPoint& found, const btCollisionObject& first,
                        const btCollisionObject& second) {
  const btVector3 point_a = found.point_b + found.distance_m * found.normal_b;
  btManifoldPoint point(first.getWorldTransform().invXform(point_a),
                        second.getWorldTransform().invXform(found.point_b),
                        found.normal_b, found.distance_m);
  // Where saved points are put back they are computed like this.
  point.m_positionWorldOnA = first.getWorldTransform() * point.m_localPointA;
  point.m_positionWorldOnB = second.getWorldTransform() * point.m_localPointB;
  return point;
}

// Puts a point in the place of the one that it continues, or among the others.
void AddPoint(const FoundPoint& found, const btCollisionObject& first,
              const btCollisionObject& second, btPersistentManifold& manifold) {
  btManifoldPoint point = PointOf(found, first, second);
  if (manifold.getNumContacts() > 0) {
    CopyContactMaterial(manifold.getContactPoint(0), point);
  } else {
    SetContactMaterial(first, second, point);
  }
  const int place = manifold.getCacheEntry(point);
  if (place >= 0) {
    SetFrictionImpulse(FrictionImpulse(manifold.getContactPoint(place)), point);
    manifold.replaceContactPoint(point, place);
  } else {
    manifold.addManifoldPoint(point);
  }
}

// What of an earlier point a new one continues.
struct EarlierPoint {
  btVector3 local_a;
  btVector3 local_b;
  double impulse = 0.0;
  btVector3 friction;
  bool is_taken = false;
};

// Makes `found` the points. Each has the impulses of the earlier one that is
// nearest to it on either body, and that no other has.
void ReplacePoints(std::span<const FoundPoint> found,
                   const btCollisionObject& first,
                   const btCollisionObject& second,
                   btPersistentManifold& manifold) {
  std::array<EarlierPoint, FoundPoints::kPointsMax> earlier;
  const int earlier_count = manifold.getNumContacts();
  for (int i = 0; i < earlier_count; ++i) {
    const btManifoldPoint& point = manifold.getContactPoint(i);
    earlier[i] = {.local_a = point.m_localPointA,
                  .local_b = point.m_localPointB,
                  .impulse = point.m_appliedImpulse,
                  .friction = FrictionImpulse(point)};
  }
  manifold.clearManifold();
  for (const FoundPoint& one : found) {
    btManifoldPoint point = PointOf(one, first, second);
    if (manifold.getNumContacts() > 0) {
      CopyContactMaterial(manifold.getContactPoint(0), point);
    } else {
      SetContactMaterial(first, second, point);
    }
    const double reach = manifold.getContactBreakingThreshold();
    double nearest = reach * reach;
    EarlierPoint* continued = nullptr;
    for (int i = 0; i < earlier_count; ++i) {
      const double square =
          std::min((earlier[i].local_a - point.m_localPointA).length2(),
                   (earlier[i].local_b - point.m_localPointB).length2());
      if (earlier[i].is_taken || square >= nearest) continue;
      nearest = square;
      continued = &earlier[i];
    }
    if (continued != nullptr) {
      continued->is_taken = true;
      point.m_appliedImpulse = continued->impulse;
      SetFrictionImpulse(continued->friction, point);
    }
    // As predictive, or Bullet would assert on points that are about to part.
    manifold.addManifoldPoint(point, /*isPredictive=*/true);
  }
}

}  // namespace

PairAlgorithm::PairAlgorithm(btDispatcher& dispatcher, Scratch& scratch)
    : btCollisionAlgorithm(
          btCollisionAlgorithmConstructionInfo(&dispatcher, 0)),
      scratch_(scratch) {}

PairAlgorithm::~PairAlgorithm() {
  for (Contact& contact : contacts_) FreeManifold(contact);
}

btPersistentManifold& PairAlgorithm::ManifoldOf(const btCollisionObject& first,
                                                const btCollisionObject& second,
                                                Contact& contact) {
  if (contact.manifold == nullptr) {
    contact.manifold = m_dispatcher->getNewManifold(&first, &second);
  }
  return *contact.manifold;
}

void PairAlgorithm::FreeManifold(Contact& contact) {
  if (contact.manifold == nullptr) return;
  m_dispatcher->releaseManifold(contact.manifold);
  contact.manifold = nullptr;
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
    place = contacts_.insert(place, Contact{.primitives = primitives,
                                            .manifold = nullptr,
                                            .separation = {}});
  }
  const bool is_plane_first =
      first.getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE;
  return is_plane_first ? ManifoldOf(second, first, *place)
                        : ManifoldOf(first, second, *place);
}

void PairAlgorithm::processCollision(const btCollisionObjectWrapper* first,
                                     const btCollisionObjectWrapper* second,
                                     const btDispatcherInfo&,
                                     btManifoldResult*) {
  Process(*first->getCollisionObject(), *second->getCollisionObject());
}

void PairAlgorithm::Process(const btCollisionObject& first,
                            const btCollisionObject& second) {
  const btCollisionShape& first_shape = *first.getCollisionShape();
  const btCollisionShape& second_shape = *second.getCollisionShape();
  if (distance_max_m_ < 0.0) {
    distance_max_m_ = std::min(
        first_shape.getContactBreakingThreshold(gContactBreakingThreshold),
        second_shape.getContactBreakingThreshold(gContactBreakingThreshold));
  }
  if (IsMany(first_shape) || IsMany(second_shape)) {
    ProcessPrimitives(first, second);
    return;
  }
  if (contacts_.empty()) contacts_.emplace_back();
  UpdatePoints(
      {.body = first,
       .primitive = {.shape = first_shape, .pose = first.getWorldTransform()}},
      {.body = second,
       .primitive = {.shape = second_shape,
                     .pose = second.getWorldTransform()}},
      contacts_[0]);
  if (IsEmpty(contacts_[0])) FreeManifold(contacts_[0]);
}

void PairAlgorithm::UpdatePoints(const Side& first, const Side& second,
                                 Contact& contact) {
  if (!first.primitive.shape.isConvex()) {
    UpdatePoints(second, first, contact);
    return;
  }
  const bool has_points = !IsEmpty(contact);
  const btVector3 normal =
      has_points ? contact.manifold->getContactPoint(0).m_normalWorldOnB
                 : btVector3(0.0, 0.0, 0.0);
  const FoundPoints found =
      FindContactPoints(first.primitive, second.primitive, normal,
                        distance_max_m_, contact.separation);
  if (found.all().empty()) {
    // Whatever was there is farther apart now.
    if (contact.manifold != nullptr) contact.manifold->clearManifold();
    return;
  }
  btPersistentManifold& manifold = ManifoldOf(first.body, second.body, contact);
  if (found.is_whole()) {
    ReplacePoints(found.all(), first.body, second.body, manifold);
    return;
  }
  for (const FoundPoint& point : found.all()) {
    AddPoint(point, first.body, second.body, manifold);
  }
  manifold.refreshContactPoints(first.body.getWorldTransform(),
                                second.body.getWorldTransform());
}

void PairAlgorithm::ProcessPrimitives(const btCollisionObject& first,
                                      const btCollisionObject& second) {
  NearPrimitives& near = scratch_.near;
  near.Find(first, second);

  // Old and new contacts are in the same order: one walk through both.
  std::vector<Contact>& kept = scratch_.contacts;
  kept.clear();
  auto old = contacts_.begin();
  for (const PlacedPrimitive* const a : near.first()) {
    for (const PlacedPrimitive* const b : near.second()) {
      const PrimitivePair primitives = {.first = a->index, .second = b->index};
      const std::span<const FoundPoint> buried = near.BuriedOf(primitives);
      if (buried.empty() && (!TestAabbAgainstAabb2(a->aabb_min, a->aabb_max,
                                                   b->aabb_min, b->aabb_max) ||
                             !CanMeet(a->filter, b->filter))) {
        continue;
      }
      while (old != contacts_.end() && old->primitives < primitives) {
        FreeManifold(*old++);
      }
      if (old != contacts_.end() && old->primitives == primitives) {
        kept.push_back(*old++);
      } else {
        kept.emplace_back().primitives = primitives;
      }
      Contact& contact = kept.back();
      if (!buried.empty()) {
        btPersistentManifold& manifold = ManifoldOf(first, second, contact);
        ReplacePoints(buried, first, second, manifold);
        continue;
      }
      UpdatePoints(
          {.body = first, .primitive = {.shape = *a->shape, .pose = a->pose}},
          {.body = second, .primitive = {.shape = *b->shape, .pose = b->pose}},
          contact);
      const bool is_buried = near.IsBuried(primitives);
      SmoothIfSurface(first, a->index, *b->shape, is_buried, contact,
                      near.scratch());
      SmoothIfSurface(second, b->index, *a->shape, is_buried, contact,
                      near.scratch());
      if (IsEmpty(contact)) FreeManifold(contact);
    }
  }
  while (old != contacts_.end()) FreeManifold(*old++);
  contacts_.assign(kept.begin(), kept.end());
}

void PairAlgorithm::FetchManifold() const {
  if (contacts_.empty() || contacts_[0].manifold == nullptr) return;
  const btPersistentManifold* const manifold = contacts_[0].manifold;
  // Its number of points comes after all of them.
  __builtin_prefetch(&manifold->m_index1a);
  __builtin_prefetch(manifold);
}

void PairAlgorithm::getAllContactManifolds(btManifoldArray& manifolds) {
  for (const Contact& contact : contacts_) {
    if (contact.manifold != nullptr) manifolds.push_back(contact.manifold);
  }
}

}  // namespace reprise::sim
