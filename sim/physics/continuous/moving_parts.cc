// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/continuous/moving_parts.h"

#include <algorithm>
#include <variant>

#include "BulletCollision/CollisionShapes/btCompoundShape.h"
#include "sim/physics/definition/solid_geometry.h"
#include "sim/physics/definition/solid_mass.h"
#include "sim/physics/shapes/bullet_conversion.h"

namespace reprise::sim {
namespace {

// Of the largest ball around a solid's middle.
double InnerOf(const Solid& solid) {
  const auto* const hull = std::get_if<HullPrimitive>(&solid);
  return DepthInside(solid, hull == nullptr ? Vector3{} : CentreOf(*hull));
}

// Of a core that is `place`d in the body's frame.
void MeasureCore(Part& part) {
  btVector3 low;
  btVector3 high;
  for (int axis = 0; axis < 3; ++axis) {
    const btVector3 direction = part.place.getBasis()[axis];
    const auto farthest = [&](double sign) {
      return part.place(ToBullet(
          FarthestPoint(part.core, FromBullet(sign * direction))))[axis];
    };
    low[axis] = farthest(-1.0);
    high[axis] = farthest(1.0);
    part.extents[axis] = std::max(-low[axis], high[axis]);
  }
  part.middle = 0.5 * (low + high);
  part.radius_m = 0.5 * (high - low).length() + part.core.margin_m;
}

}  // namespace

Parts PartsOf(const BodyKind& kind, const ShapeDefinition& definition,
              const btCollisionShape& shape) {
  Parts parts;
  if (const auto* const plane = std::get_if<PlaneShape>(&definition)) {
    Part& part = parts.all.emplace_back();
    part.filter = FilterOf(kind, definition, 0);
    part.is_plane = true;
    part.normal = ToBullet(plane->normal);
    part.offset_m = plane->offset_m;
    return parts;
  }
  const auto* const solid = std::get_if<SolidShape>(&definition);
  if (solid == nullptr) return parts;
  parts.inner_m = kSizeMaxM;
  for (uint32_t i = 0; i < solid->primitives.size(); ++i) {
    Part& part = parts.all.emplace_back();
    part.index = i;
    part.filter = FilterOf(kind, definition, i);
    const btCollisionShape* primitive = &shape;
    if (shape.isCompound()) {
      const auto& compound = static_cast<const btCompoundShape&>(shape);
      primitive = compound.getChildShape(static_cast<int>(i));
      part.place = compound.getChildTransform(static_cast<int>(i));
    }
    part.core = CoreOf(static_cast<const btConvexShape&>(*primitive));
    MeasureCore(part);
    parts.extents.setMax(part.extents);
    parts.radius_m =
        std::max(parts.radius_m, part.middle.length() + part.radius_m);
    parts.inner_m =
        std::min(parts.inner_m, InnerOf(solid->primitives[i].solid));
  }
  return parts;
}

Part TrianglePart(uint32_t index, const CollisionFilter& filter,
                  std::span<const btVector3> corners) {
  Part part;
  part.index = index;
  part.filter = filter;
  part.core = {.kind = ConvexCore::Kind::kHull,
               .extents = {},
               .corners = corners,
               .faces = {}};
  MeasureCore(part);
  const btVector3 across =
      (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const double length = across.length();
  if (length > 0.0) {
    part.is_triangle = true;
    part.normal = across / length;
  }
  return part;
}

}  // namespace reprise::sim
