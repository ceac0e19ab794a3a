// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/collision/pair_algorithm.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "BulletCollision/CollisionShapes/btCompoundShape.h"
#include "LinearMath/btAabbUtil2.h"
#include "sim/base/check.h"
#include "sim/physics/collision/contact_material.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/shapes/box_tree.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/bullet_parts.h"
#include "sim/physics/shapes/bullet_shapes.h"
#include "sim/physics/shapes/surface_edges.h"
#include "sim/physics/shapes/triangle_surface.h"

namespace reprise::sim {
namespace {

using Contact = PairAlgorithm::Contact;
using NearPrimitives = PairAlgorithm::NearPrimitives;
using PlacedBody = PairAlgorithm::PlacedBody;
using PlacedPrimitive = PairAlgorithm::PlacedPrimitive;

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

bool SameBits(const btTransform& a, const btTransform& b) {
  return std::memcmp(&a, &b, sizeof(btTransform)) == 0;
}

// Brings `placed` up to date.
void PlaceBody(const btCollisionObject& body, PlacedBody& placed) {
  const btCollisionShape& shape = *body.getCollisionShape();
  const BodyKind& kind = KindOf(body);
  if (placed.shape == &shape && placed.kind == &kind &&
      SameBits(placed.pose, body.getWorldTransform())) {
    return;
  }
  placed.shape = &shape;
  placed.kind = &kind;
  placed.pose = body.getWorldTransform();
  const btCompoundShape* const compound = AsCompound(shape);
  const int count = compound == nullptr ? 1 : compound->getNumChildShapes();
  placed.primitives.resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    PlacedPrimitive& primitive = placed.primitives[static_cast<size_t>(i)];
    primitive.index = static_cast<uint32_t>(i);
    primitive.shape = compound == nullptr ? &shape : compound->getChildShape(i);
    primitive.filter = FilterOf(*primitive.shape, kind);
    primitive.pose = placed.pose;
    if (compound != nullptr) primitive.pose *= compound->getChildTransform(i);
    primitive.shape->getAabb(primitive.pose, primitive.aabb_min,
                             primitive.aabb_max);
    if (i == 0) {
      placed.aabb_min = primitive.aabb_min;
      placed.aabb_max = primitive.aabb_max;
    } else {
      placed.aabb_min.setMin(primitive.aabb_min);
      placed.aabb_max.setMax(primitive.aabb_max);
    }
  }
}

// Finds the triangles of a surface that are near to `other`, in order.
void FindTriangles(const btCollisionObject& body,
                   const btCollisionObject& other, NearPrimitives& near) {
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
  surface.Find({FromBullet(low) - reach, FromBullet(high) + reach}, near.found);
  const CollisionFilter filter =
      FilterOf(*body.getCollisionShape(), KindOf(body));
  if (near.triangles.size() < near.found.size()) {
    near.triangles.resize(near.found.size());
    near.placed_triangles.resize(near.found.size());
  }
  for (size_t i = 0; i < near.found.size(); ++i) {
    const Triangle triangle = surface.triangle(near.found[i]);
    SetTriangle(triangle, near.triangles[i]);
    const AxisAlignedBox box = BoxAround(triangle);
    PlacedPrimitive& primitive = near.placed_triangles[i];
    primitive.index = near.found[i];
    primitive.shape = &near.triangles[i];
    primitive.filter = filter;
    primitive.pose = pose;
    btTransformAabb(ToBullet(box.low), ToBullet(box.high), near_m, pose,
                    primitive.aabb_min, primitive.aabb_max);
    near.all.push_back(&primitive);
  }
}

// Finds the primitives of two bodies that may touch the other, in order.
void FindNear(const btCollisionObject& first, const btCollisionObject& second,
              PairAlgorithm::Scratch& scratch) {
  const auto place = [&scratch](const btCollisionObject& body) {
    if (AsSurface(*body.getCollisionShape()) != nullptr) {
      return static_cast<const PlacedBody*>(nullptr);
    }
    CHECK(body.getWorldArrayIndex() >= 0);
    const auto index = static_cast<size_t>(body.getWorldArrayIndex());
    if (scratch.bodies.size() <= index) scratch.bodies.resize(index + 1);
    PlaceBody(body, scratch.bodies[index]);
    return static_cast<const PlacedBody*>(&scratch.bodies[index]);
  };
  const auto choose = [](const btCollisionObject& body, const PlacedBody* own,
                         const btCollisionObject& other, const PlacedBody* its,
                         NearPrimitives& near) {
    near.all.clear();
    if (own == nullptr) {
      FindTriangles(body, other, near);
      return;
    }
    for (const PlacedPrimitive& primitive : own->primitives) {
      if (its != nullptr &&
          !TestAabbAgainstAabb2(primitive.aabb_min, primitive.aabb_max,
                                its->aabb_min, its->aabb_max)) {
        continue;
      }
      near.all.push_back(&primitive);
    }
  };
  const PlacedBody* const placed_first = place(first);
  const PlacedBody* const placed_second = place(second);
  choose(first, placed_first, second, placed_second, scratch.first);
  choose(second, placed_second, first, placed_first, scratch.second);
}

bool IsEmpty(const Contact& contact) {
  return contact.manifold == nullptr || contact.manifold->getNumContacts() == 0;
}

// After a contact with a triangle of `body`, when that is a surface.
void SmoothIfSurface(const btCollisionObject& body, uint32_t primitive,
                     const btCollisionShape& other, const Contact& contact,
                     NearPrimitives& near) {
  const SurfaceShape* const shape = AsSurface(*body.getCollisionShape());
  if (shape == nullptr || IsEmpty(contact)) return;
  SmoothInnerEdges(shape->surface(), primitive, body,
                   /*is_round=*/other.getShapeType() == SPHERE_SHAPE_PROXYTYPE,
                   *contact.manifold, near.found);
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
  bool is_taken = false;
};

// Makes `found` the points. Each has the impulse of the earlier one that is
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
                  .impulse = point.m_appliedImpulse};
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
  FindNear(first, second, scratch_);

  // Old and new contacts are in the same order: one walk through both.
  std::vector<Contact>& kept = scratch_.contacts;
  kept.clear();
  auto old = contacts_.begin();
  for (const PlacedPrimitive* const a : scratch_.first.all) {
    for (const PlacedPrimitive* const b : scratch_.second.all) {
      if (!TestAabbAgainstAabb2(a->aabb_min, a->aabb_max, b->aabb_min,
                                b->aabb_max) ||
          !CanMeet(a->filter, b->filter)) {
        continue;
      }
      const PrimitivePair primitives = {.first = a->index, .second = b->index};
      while (old != contacts_.end() && old->primitives < primitives) {
        FreeManifold(*old++);
      }
      if (old != contacts_.end() && old->primitives == primitives) {
        kept.push_back(*old++);
      } else {
        kept.emplace_back().primitives = primitives;
      }
      Contact& contact = kept.back();
      UpdatePoints(
          {.body = first, .primitive = {.shape = *a->shape, .pose = a->pose}},
          {.body = second, .primitive = {.shape = *b->shape, .pose = b->pose}},
          contact);
      SmoothIfSurface(first, a->index, *b->shape, contact, scratch_.first);
      SmoothIfSurface(second, b->index, *a->shape, contact, scratch_.second);
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
