// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which primitives of two bodies may touch: those whose boxes are near the
// other body, and what of it is inside a height field or a closed mesh. The
// primitives of a surface are its triangles.

#ifndef REPRISE_SIM_PHYSICS_COLLISION_NEAR_PRIMITIVES_H_
#define REPRISE_SIM_PHYSICS_COLLISION_NEAR_PRIMITIVES_H_

#include <compare>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "BulletCollision/CollisionShapes/btCollisionShape.h"
#include "BulletCollision/CollisionShapes/btTriangleShape.h"
#include "LinearMath/btTransform.h"
#include "sim/physics/collision/contact_search.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {

// A pair of primitives by their indexes; a body that isn't compound has only
// primitive 0.
struct PrimitivePair {
  uint32_t first = 0;
  uint32_t second = 0;

  friend auto operator<=>(const PrimitivePair&, const PrimitivePair&) = default;
};

// A primitive where its body is now.
struct PlacedPrimitive {
  uint32_t index = 0;
  const btCollisionShape* shape = nullptr;
  CollisionFilter filter;
  btTransform pose;
  btVector3 aabb_min;
  btVector3 aabb_max;
};

// All primitives of a body that isn't a surface, and what they follow from:
// while that is the same, they are.
struct PlacedBody {
  const btCollisionShape* shape = nullptr;
  const BodyKind* kind = nullptr;
  btTransform pose;
  std::vector<PlacedPrimitive> primitives;
  btVector3 aabb_min;
  btVector3 aabb_max;
};

// Memory that the pairs of one world share, and what FindNear finds.
class NearPrimitives {
 public:
  // Finds the primitives of two bodies that may touch the other, in order.
  // REQUIRES: bodies have indexes in their world.
  void Find(const btCollisionObject& first, const btCollisionObject& second);

  std::span<const PlacedPrimitive* const> first() const { return first_.all; }
  std::span<const PlacedPrimitive* const> second() const { return second_.all; }

  // The points that a pair of primitives has below the ground, four at most.
  std::span<const FoundPoint> BuriedOf(PrimitivePair primitives) const;
  // Whether any point of a pair's solid primitive is below the ground.
  bool IsBuried(PrimitivePair primitives) const;

  // To work with.
  std::vector<uint32_t>& scratch() { return scratch_; }

 private:
  struct Side {
    std::vector<const PlacedPrimitive*> all;
    // Of a surface; deques, for they stay where they are.
    std::deque<PlacedPrimitive> placed_triangles;
    std::deque<btTriangleShape> triangles;
  };

  const PlacedBody* Place(const btCollisionObject& body);
  void FindTriangles(const btCollisionObject& body,
                     const btCollisionObject& other, Side& side);
  // Where `ground`, which is the pair's first or second body, is solid.
  void FindBuried(const btCollisionObject& ground, bool is_first,
                  const PlacedBody& other);

  std::deque<PlacedBody> bodies_;  // by their index in the world
  Side first_;
  Side second_;
  // What is below the ground, in order, and the points of each.
  struct Buried {
    PrimitivePair primitives;
    FoundPoint point;
  };
  std::vector<Buried> buried_;
  std::vector<FoundPoint> points_;  // of `buried_`
  bool is_ground_first_ = false;
  std::vector<uint32_t> scratch_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_COLLISION_NEAR_PRIMITIVES_H_
