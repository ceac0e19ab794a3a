// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/collision/buried_points.h"

#include <algorithm>
#include <optional>

#include "BulletCollision/CollisionShapes/btConvexShape.h"
#include "sim/base/math.h"
#include "sim/geometry/shapes.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/shape_definition.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/convex_core.h"

namespace reprise::sim {
namespace {

// A part of a solid in its own frame, with what is around it.
struct Part {
  Vector3 place;
  double margin_m = 0.0;
};

struct Parts {
  Part middle;  // with the radius of a ball that fits in around it
  absl::InlinedVector<Part, 8> corners;
  // A corner that is no deeper than this has a way out through the surface.
  double depth_min_m = 0.0;
};

void AddBoxCorners(const Vector3& half, Parts& parts) {
  for (const double x : {-half.x, half.x}) {
    for (const double y : {-half.y, half.y}) {
      for (const double z : {-half.z, half.z}) {
        parts.corners.push_back({.place = {x, y, z}});
      }
    }
  }
}

// Four points of a rim around y.
void AddRim(double radius_m, double y, double margin_m, Parts& parts) {
  for (const double side : {-radius_m, radius_m}) {
    parts.corners.push_back({.place = {side, y, 0.0}, .margin_m = margin_m});
    parts.corners.push_back({.place = {0.0, y, side}, .margin_m = margin_m});
  }
}

Parts HullParts(const ConvexCore& core) {
  Parts parts;
  Vector3 middle;
  for (const btVector3& corner : core.corners) {
    const Vector3 place = FromBullet(corner);
    middle = middle + place;
    parts.corners.push_back({.place = place, .margin_m = core.margin_m});
  }
  middle = middle / static_cast<double>(core.corners.size());
  double radius_m = core.faces.empty() ? 0.0 : kSizeMaxM;
  for (const HullFace& face : core.faces) {
    const Vector3 corner = FromBullet(core.corners[face.corners[0]]);
    radius_m = std::min(radius_m, Dot(face.normal, corner - middle));
  }
  parts.middle = {.place = middle, .margin_m = radius_m + core.margin_m};
  return parts;
}

// What is rounded is as deep as the middle of its rounding.
Parts PartsOf(const ConvexCore& core) {
  const double margin_m = core.margin_m;
  const Vector3& extents = core.extents;
  const Vector3 sharp = extents + Vector3{margin_m, margin_m, margin_m};
  Parts parts;
  switch (core.kind) {
    case ConvexCore::Kind::kPoint:
      parts.middle = {.place = {}, .margin_m = margin_m};
      return parts;
    case ConvexCore::Kind::kSegment:
      parts.middle = {.place = {}, .margin_m = margin_m};
      parts.corners = {{.place = -extents, .margin_m = margin_m},
                       {.place = extents, .margin_m = margin_m}};
      // That of an end's surface is its middle below the ground.
      parts.depth_min_m = margin_m;
      return parts;
    case ConvexCore::Kind::kBox:
      parts.middle.margin_m = std::min({sharp.x, sharp.y, sharp.z});
      AddBoxCorners(sharp, parts);
      break;
    case ConvexCore::Kind::kCylinder:
      parts.middle.margin_m = std::min(sharp.x, sharp.y);
      AddRim(sharp.x, -sharp.y, 0.0, parts);
      AddRim(sharp.x, sharp.y, 0.0, parts);
      break;
    case ConvexCore::Kind::kCone: {
      const double height = extents.z - extents.y;
      const double slant = Sqrt(extents.x * extents.x + height * height);
      parts.middle.margin_m =
          std::min(-extents.y, extents.x * extents.z / slant) + margin_m;
      AddRim(extents.x, extents.y, margin_m, parts);
      parts.corners.push_back(
          {.place = {0.0, extents.z, 0.0}, .margin_m = margin_m});
      break;
    }
    case ConvexCore::Kind::kHull:
      parts = HullParts(core);
      break;
  }
  parts.depth_min_m = parts.middle.margin_m;
  return parts;
}

}  // namespace

BuriedPoints FindBuriedPoints(const TriangleSurface& ground,
                              const btTransform& ground_pose,
                              const PlacedShape& primitive) {
  const Parts parts =
      PartsOf(CoreOf(static_cast<const btConvexShape&>(primitive.shape)));
  const btTransform to_ground = ground_pose.inverseTimes(primitive.pose);
  const auto find = [&](const Part& part, double depth_min_m,
                        BuriedPoints& buried) {
    const btVector3 place = to_ground(ToBullet(part.place));
    const std::optional<TriangleSurface::Inside> inside =
        ground.FindInside(FromBullet(place));
    if (!inside.has_value()) return;
    const double depth_m = inside->depth_m + part.margin_m;
    if (depth_m <= depth_min_m) return;
    const btVector3 out = ToBullet(inside->out);
    buried.push_back({.triangle = inside->triangle,
                      .on_solid = ground_pose(place - part.margin_m * out),
                      .out = ground_pose.getBasis() * out,
                      .depth_m = depth_m});
  };
  BuriedPoints buried;
  find(parts.middle, parts.middle.margin_m, buried);
  if (!buried.empty()) return buried;
  for (const Part& corner : parts.corners) {
    find(corner, parts.depth_min_m, buried);
  }
  if (buried.size() > FoundPoints::kPointsMax) {
    std::stable_sort(buried.begin(), buried.end(),
                     [](const BuriedPoint& a, const BuriedPoint& b) {
                       return a.depth_m > b.depth_m;
                     });
    buried.resize(FoundPoints::kPointsMax);
  }
  return buried;
}

}  // namespace reprise::sim
