// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/shapes/bullet_shapes.h"

#include <algorithm>

#include "LinearMath/btAabbUtil2.h"
#include "sim/base/math.h"
#include "sim/physics/definition/physics_bounds.h"
#include "sim/physics/definition/solid_geometry.h"
#include "sim/physics/definition/solid_mass.h"
#include "sim/physics/shapes/bullet_conversion.h"

namespace reprise::sim {
namespace {

// A margin keeps shapes that touch out of Bullet's slower and coarser search
// for the depth of an overlap. Inside of a cone it costs the edge's sharpness,
// so it is half of Bullet's usual 4 cm; outside of a hull it is a gap that can
// be seen, so it is small.
constexpr double kConeMarginM = 0.02;
constexpr double kHullMarginM = 0.005;
// Of the ball that fits in: as Bullet does for boxes.
constexpr double kMarginShareMax = 0.1;

double MarginOf(const Solid& solid, Vector3 centre, double margin_max_m) {
  return std::min(margin_max_m, kMarginShareMax * DepthInside(solid, centre));
}

}  // namespace

ConeShape::ConeShape(const ConePrimitive& cone) : cone_(cone) {
  m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
  setMargin(MarginOf(cone, {}, kConeMarginM));
}

void ConeShape::setMargin(btScalar margin_m) {
  btConvexInternalShape::setMargin(margin_m);
  const double slope = cone_.radius_m / cone_.height_m;
  const double base = -0.25 * cone_.height_m + margin_m;
  const double top =
      0.75 * cone_.height_m - margin_m * Sqrt(1.0 + 1.0 / (slope * slope));
  core_ = {slope * (top - base), base, top};
}

btVector3 ConeShape::localGetSupportingVertexWithoutMargin(
    const btVector3& direction) const {
  const auto [radius, base, top] = core_;
  const double across =
      Sqrt(direction.x() * direction.x() + direction.z() * direction.z());
  if (direction.y() * top >= direction.y() * base + radius * across) {
    return btVector3(0.0, top, 0.0);
  }
  if (across == 0.0) return btVector3(0.0, base, 0.0);
  return btVector3(radius * direction.x() / across, base,
                   radius * direction.z() / across);
}

void ConeShape::batchedUnitVectorGetSupportingVertexWithoutMargin(
    const btVector3* directions, btVector3* vertices, int count) const {
  for (int i = 0; i < count; ++i) {
    vertices[i] = localGetSupportingVertexWithoutMargin(directions[i]);
  }
}

void ConeShape::calculateLocalInertia(btScalar mass, btVector3& inertia) const {
  inertia = mass * ToBullet(UnitInertiaOf(cone_));
}

HullShape::HullShape(const HullPrimitive& hull) : faces_(MakeHullFaces(hull)) {
  setMargin(MarginOf(hull, CentreOf(hull), kHullMarginM));
  for (const Vector3& vertex : hull.vertices) {
    addPoint(ToBullet(vertex), /*recalculateLocalAabb=*/false);
  }
  recalcLocalAabb();
}

SurfaceShape::SurfaceShape(const ShapeDefinition& definition)
    : surface_(definition) {
  m_shapeType = CUSTOM_CONCAVE_SHAPE_TYPE;
}

void SurfaceShape::getAabb(const btTransform& pose, btVector3& low,
                           btVector3& high) const {
  Vector3 lowest = surface_.box().low;
  if (surface_.is_bottomless()) lowest.y -= kPositionMaxM;
  btTransformAabb(ToBullet(lowest), ToBullet(surface_.box().high), getMargin(),
                  pose, low, high);
}

void SurfaceShape::GetSheetAabb(const btTransform& pose, btVector3& low,
                                btVector3& high) const {
  btTransformAabb(ToBullet(surface_.box().low), ToBullet(surface_.box().high),
                  getMargin(), pose, low, high);
}

const SurfaceShape* AsSurface(const btCollisionShape& shape) {
  return shape.getShapeType() == CUSTOM_CONCAVE_SHAPE_TYPE
             ? static_cast<const SurfaceShape*>(&shape)
             : nullptr;
}

void SetTriangle(const Triangle& triangle, btTriangleShape& shape) {
  shape.getVertexPtr(0) = ToBullet(triangle.a);
  shape.getVertexPtr(1) = ToBullet(triangle.b);
  shape.getVertexPtr(2) = ToBullet(triangle.c);
  shape.setMargin(0.0);
}

}  // namespace reprise::sim
