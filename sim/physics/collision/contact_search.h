// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where two primitives touch, or nearly: a function of their shapes and poses
// and of a first guess, which comes from the contact points that they have.

#ifndef REPRISE_SIM_PHYSICS_COLLISION_CONTACT_SEARCH_H_
#define REPRISE_SIM_PHYSICS_COLLISION_CONTACT_SEARCH_H_

#include <array>
#include <cstdint>
#include <span>

#include "BulletCollision/CollisionShapes/btCollisionShape.h"
#include "LinearMath/btTransform.h"
#include "LinearMath/btVector3.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// A primitive where it is now. Both outlive it.
struct PlacedShape {
  const btCollisionShape& shape;
  const btTransform& pose;
};

// What kept two primitives apart when they were last looked at. It saves the
// search while it still does and never changes what is found: whoever has none
// searches, and finds nothing either.
struct SeparatingAxis {
  // In the frame of the first, of cores; zero: none is known.
  Vector3 axis;
};

struct FoundPoint {
  btVector3 normal_b;       // out of the second, of length 1
  btVector3 point_b;        // on the second; in the world, like the normal
  double distance_m = 0.0;  // below 0: how deep they overlap
};

class FoundPoints {
 public:
  static constexpr uint32_t kPointsMax = 4;

  std::span<const FoundPoint> all() const { return {points_.data(), count_}; }

  // REQUIRES: fewer than kPointsMax are in it.
  void Add(const FoundPoint& point);

  // Whether these are all the points there are; else one of them, beside which
  // those found earlier hold.
  bool is_whole() const { return is_whole_; }
  void set_whole() { is_whole_ = true; }

 private:
  bool is_whole_ = false;
  std::array<FoundPoint, kPointsMax> points_;
  uint32_t count_ = 0;
};

// The points of two primitives that are at most `distance_max_m` apart.
// `normal` is about where one is, zero when nothing is known; where several
// points are as good, it chooses. REQUIRES: the first is convex, the second
// convex or a plane.
FoundPoints FindContactPoints(const PlacedShape& first,
                              const PlacedShape& second,
                              const btVector3& normal, double distance_max_m,
                              SeparatingAxis& separation);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_COLLISION_CONTACT_SEARCH_H_
