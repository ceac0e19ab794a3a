// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A convex shape as Bullet sees it: a core with sharp edges and a rounded
// margin around it. As long as two cores don't meet, all of their contact is
// decided by the nearest points of the cores.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_CONVEX_CORE_H_
#define REPRISE_SIM_PHYSICS_SHAPES_CONVEX_CORE_H_

#include <cstdint>
#include <span>

#include "BulletCollision/CollisionShapes/btConvexShape.h"
#include "LinearMath/btVector3.h"
#include "sim/base/math.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/shapes/hull_faces.h"

namespace reprise::sim {

struct ConvexCore {
  enum class Kind : uint8_t {
    kPoint,
    kSegment,  // along y
    kBox,
    kCylinder,  // around y
    kCone,      // around y, its tip above
    kHull,
  };

  Kind kind = Kind::kPoint;
  // Of a box and a cylinder half its extents, of a segment half its length y.
  // Of a cone the radius x of its base, the base's y and the tip's z.
  Vector3 extents;
  // Of a hull; the shape's own. A triangle has no faces.
  std::span<const btVector3> corners;
  std::span<const HullFace> faces;
  double margin_m = 0.0;
};

// The core of a shape that MakeBulletShape or SetTriangle made.
ConvexCore CoreOf(const btConvexShape& shape);

// The corner of a hull that is farthest along `direction`.
Vector3 FarthestCornerOf(std::span<const btVector3> corners, Vector3 direction);

// The point of the core that is farthest along `direction`, of any length. Of
// several one, which follows from the direction alone.
[[gnu::always_inline]] inline Vector3 FarthestPoint(const ConvexCore& core,
                                                    Vector3 direction) {
  const Vector3& extents = core.extents;
  const auto toward = [](double sign, double extent) {
    return sign < 0.0 ? -extent : extent;
  };
  switch (core.kind) {
    case ConvexCore::Kind::kPoint:
      break;
    case ConvexCore::Kind::kSegment:
      return {0.0, toward(direction.y, extents.y), 0.0};
    case ConvexCore::Kind::kBox:
      return {toward(direction.x, extents.x), toward(direction.y, extents.y),
              toward(direction.z, extents.z)};
    case ConvexCore::Kind::kCylinder: {
      const double y = toward(direction.y, extents.y);
      const double across =
          Sqrt(direction.x * direction.x + direction.z * direction.z);
      if (across == 0.0) return {extents.x, y, 0.0};
      const double scale = extents.x / across;
      return {scale * direction.x, y, scale * direction.z};
    }
    case ConvexCore::Kind::kCone: {
      const double across =
          Sqrt(direction.x * direction.x + direction.z * direction.z);
      if (direction.y * extents.z >=
          direction.y * extents.y + extents.x * across) {
        return {0.0, extents.z, 0.0};
      }
      if (across == 0.0) return {0.0, extents.y, 0.0};
      const double scale = extents.x / across;
      return {scale * direction.x, extents.y, scale * direction.z};
    }
    case ConvexCore::Kind::kHull:
      return FarthestCornerOf(core.corners, direction);
  }
  return {};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_CONVEX_CORE_H_
