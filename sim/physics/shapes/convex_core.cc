// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/shapes/convex_core.h"

#include <cstddef>

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btCapsuleShape.h"
#include "BulletCollision/CollisionShapes/btConvexHullShape.h"
#include "BulletCollision/CollisionShapes/btCylinderShape.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "BulletCollision/CollisionShapes/btTriangleShape.h"
#include "sim/base/check.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/bullet_shapes.h"

namespace reprise::sim {

ConvexCore CoreOf(const btConvexShape& shape) {
  switch (shape.getShapeType()) {
    case SPHERE_SHAPE_PROXYTYPE:
      return {.kind = ConvexCore::Kind::kPoint,
              .extents = {},
              .corners = {},
              .faces = {},
              .margin_m = static_cast<const btSphereShape&>(shape).getRadius()};
    case CAPSULE_SHAPE_PROXYTYPE: {
      const auto& capsule = static_cast<const btCapsuleShape&>(shape);
      return {.kind = ConvexCore::Kind::kSegment,
              .extents = {0.0, capsule.getHalfHeight(), 0.0},
              .corners = {},
              .faces = {},
              .margin_m = capsule.getRadius()};
    }
    case BOX_SHAPE_PROXYTYPE: {
      const auto& box = static_cast<const btBoxShape&>(shape);
      return {.kind = ConvexCore::Kind::kBox,
              .extents = FromBullet(box.getHalfExtentsWithoutMargin()),
              .corners = {},
              .faces = {},
              .margin_m = box.getMargin()};
    }
    case CYLINDER_SHAPE_PROXYTYPE: {
      const auto& cylinder = static_cast<const btCylinderShape&>(shape);
      return {.kind = ConvexCore::Kind::kCylinder,
              .extents = FromBullet(cylinder.getHalfExtentsWithoutMargin()),
              .corners = {},
              .faces = {},
              .margin_m = cylinder.getMargin()};
    }
    case CUSTOM_CONVEX_SHAPE_TYPE: {
      const auto& cone = static_cast<const ConeShape&>(shape);
      return {.kind = ConvexCore::Kind::kCone,
              .extents = cone.core(),
              .corners = {},
              .faces = {},
              .margin_m = cone.getMargin()};
    }
    case CONVEX_HULL_SHAPE_PROXYTYPE: {
      const auto& hull = static_cast<const HullShape&>(shape);
      return {.kind = ConvexCore::Kind::kHull,
              .extents = {},
              .corners = {hull.getUnscaledPoints(),
                          static_cast<size_t>(hull.getNumPoints())},
              .faces = hull.faces(),
              .margin_m = hull.getMargin()};
    }
    case TRIANGLE_SHAPE_PROXYTYPE: {
      const auto& triangle = static_cast<const btTriangleShape&>(shape);
      return {.kind = ConvexCore::Kind::kHull,
              .extents = {},
              .corners = triangle.m_vertices1,
              .faces = {},
              .margin_m = triangle.getMargin()};
    }
    default:
      CHECK(false, "shape type {}", shape.getShapeType());
      return {};
  }
}

Vector3 FarthestCornerOf(std::span<const btVector3> corners,
                         Vector3 direction) {
  const btVector3* farthest = &corners[0];
  double most = Dot(direction, {farthest->x(), farthest->y(), farthest->z()});
  for (const btVector3& corner : corners.subspan(1)) {
    const double along = Dot(direction, {corner.x(), corner.y(), corner.z()});
    if (along > most) {
      most = along;
      farthest = &corner;
    }
  }
  return {farthest->x(), farthest->y(), farthest->z()};
}

}  // namespace reprise::sim
