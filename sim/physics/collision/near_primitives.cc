// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/collision/near_primitives.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "BulletCollision/CollisionShapes/btCompoundShape.h"
#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"
#include "LinearMath/btAabbUtil2.h"
#include "sim/base/check.h"
#include "sim/physics/collision/buried_points.h"
#include "sim/physics/shapes/box_tree.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/bullet_parts.h"
#include "sim/physics/shapes/bullet_shapes.h"
#include "sim/physics/shapes/triangle_surface.h"

namespace reprise::sim {
namespace {

const btCompoundShape* AsCompound(const btCollisionShape& shape) {
  return shape.isCompound() ? static_cast<const btCompoundShape*>(&shape)
                            : nullptr;
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

// Those of `own` whose boxes meet the other body, or all where it is a surface.
void Choose(const PlacedBody& own, const PlacedBody* other,
            std::vector<const PlacedPrimitive*>& chosen) {
  for (const PlacedPrimitive& primitive : own.primitives) {
    if (other != nullptr &&
        !TestAabbAgainstAabb2(primitive.aabb_min, primitive.aabb_max,
                              other->aabb_min, other->aabb_max)) {
      continue;
    }
    chosen.push_back(&primitive);
  }
}

}  // namespace

const PlacedBody* NearPrimitives::Place(const btCollisionObject& body) {
  if (AsSurface(*body.getCollisionShape()) != nullptr) return nullptr;
  CHECK(body.getWorldArrayIndex() >= 0);
  const auto index = static_cast<size_t>(body.getWorldArrayIndex());
  if (bodies_.size() <= index) bodies_.resize(index + 1);
  PlaceBody(body, bodies_[index]);
  return &bodies_[index];
}

void NearPrimitives::Find(const btCollisionObject& first,
                          const btCollisionObject& second) {
  first_.all.clear();
  second_.all.clear();
  buried_.clear();
  points_.clear();
  const PlacedBody* const placed_first = Place(first);
  const PlacedBody* const placed_second = Place(second);
  if (placed_first == nullptr && placed_second != nullptr) {
    FindBuried(first, /*is_first=*/true, *placed_second);
  } else if (placed_second == nullptr && placed_first != nullptr) {
    FindBuried(second, /*is_first=*/false, *placed_first);
  }
  if (placed_first == nullptr) {
    FindTriangles(first, second, first_);
  } else {
    Choose(*placed_first, placed_second, first_.all);
  }
  if (placed_second == nullptr) {
    FindTriangles(second, first, second_);
  } else {
    Choose(*placed_second, placed_first, second_.all);
  }
}

void NearPrimitives::FindTriangles(const btCollisionObject& body,
                                   const btCollisionObject& other, Side& side) {
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
  std::vector<uint32_t>& found = scratch_;
  surface.Find({FromBullet(low) - reach, FromBullet(high) + reach}, found);
  if (!buried_.empty()) {
    for (const Buried& contact : buried_) {
      found.push_back(is_ground_first_ ? contact.primitives.first
                                       : contact.primitives.second);
    }
    // A total order: what is equal is the same.
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }
  const CollisionFilter filter =
      FilterOf(*body.getCollisionShape(), KindOf(body));
  if (side.triangles.size() < found.size()) {
    side.triangles.resize(found.size());
    side.placed_triangles.resize(found.size());
  }
  for (size_t i = 0; i < found.size(); ++i) {
    const Triangle triangle = surface.triangle(found[i]);
    SetTriangle(triangle, side.triangles[i]);
    const AxisAlignedBox box = BoxAround(triangle);
    PlacedPrimitive& primitive = side.placed_triangles[i];
    primitive.index = found[i];
    primitive.shape = &side.triangles[i];
    primitive.filter = filter;
    primitive.pose = pose;
    btTransformAabb(ToBullet(box.low), ToBullet(box.high), near_m, pose,
                    primitive.aabb_min, primitive.aabb_max);
    side.all.push_back(&primitive);
  }
}

void NearPrimitives::FindBuried(const btCollisionObject& ground, bool is_first,
                                const PlacedBody& other) {
  const btCollisionShape& shape = *ground.getCollisionShape();
  const TriangleSurface& surface = AsSurface(shape)->surface();
  if (!surface.is_solid()) return;
  is_ground_first_ = is_first;
  const CollisionFilter filter = FilterOf(shape, KindOf(ground));
  for (const PlacedPrimitive& primitive : other.primitives) {
    if (!primitive.shape->isConvex() || !CanMeet(filter, primitive.filter)) {
      continue;
    }
    for (const BuriedPoint& buried : FindBuriedPoints(
             surface, ground.getWorldTransform(),
             {.shape = *primitive.shape, .pose = primitive.pose})) {
      Buried& contact = buried_.emplace_back();
      if (is_first) {
        contact = {
            .primitives = {.first = buried.triangle, .second = primitive.index},
            .point = {.normal_b = -buried.out,
                      .point_b = buried.on_solid,
                      .distance_m = -buried.depth_m}};
      } else {
        contact = {
            .primitives = {.first = primitive.index, .second = buried.triangle},
            .point = {.normal_b = buried.out,
                      .point_b = buried.on_solid + buried.depth_m * buried.out,
                      .distance_m = -buried.depth_m}};
      }
    }
  }
  std::stable_sort(buried_.begin(), buried_.end(),
                   [](const Buried& a, const Buried& b) {
                     return a.primitives < b.primitives;
                   });
  for (const Buried& contact : buried_) points_.push_back(contact.point);
}

std::span<const FoundPoint> NearPrimitives::BuriedOf(
    PrimitivePair primitives) const {
  const auto is_of_pair = [&primitives](const Buried& contact) {
    return contact.primitives == primitives;
  };
  const auto begin = std::find_if(buried_.begin(), buried_.end(), is_of_pair);
  const auto end = std::find_if_not(begin, buried_.end(), is_of_pair);
  return std::span(points_).subspan(
      static_cast<size_t>(begin - buried_.begin()),
      static_cast<size_t>(end - begin));
}

bool NearPrimitives::IsBuried(PrimitivePair primitives) const {
  const auto solid_of = [this](const PrimitivePair& pair) {
    return is_ground_first_ ? pair.second : pair.first;
  };
  return std::any_of(
      buried_.begin(), buried_.end(), [&](const Buried& contact) {
        return solid_of(contact.primitives) == solid_of(primitives);
      });
}

}  // namespace reprise::sim
