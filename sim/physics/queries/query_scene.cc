// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/queries/query_scene.h"

#include <cstddef>
#include <variant>

#include "BulletCollision/CollisionShapes/btStaticPlaneShape.h"
#include "BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h"
#include "BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h"
#include "BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h"
#include "BulletCollision/NarrowPhaseCollision/btPointCollector.h"
#include "BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h"
#include "sim/base/check.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/quaternion.h"
#include "sim/physics/bodies/body_rows.h"
#include "sim/physics/definition/solid_geometry.h"
#include "sim/physics/shapes/bullet_conversion.h"

namespace reprise::sim {
namespace {

// More than rounding and the millimetre at which sweeps stop.
constexpr double kBoxSkinM = 0.01;

// Below this Bullet's normal is a leftover of a search that found no direction.
constexpr double kNormalLengthSquaredMin = 1e-4;

const btStaticPlaneShape& PlaneOf(const Placed& placed) {
  return static_cast<const btStaticPlaneShape&>(*placed.shape);
}

const btConvexShape& ConvexOf(const Placed& placed) {
  return static_cast<const btConvexShape&>(*placed.shape);
}

// What is so far away that its arithmetic overflows is met by nobody.
bool IsWay(double fraction) { return fraction >= 0.0 && fraction <= 1.0; }

// How high a point in the plane's frame is above it.
double HeightAbove(const PlaneShape& plane, Vector3 point) {
  return Dot(plane.normal, point) - plane.offset_m;
}

std::optional<PrimitiveTouch> EnterPlane(const Placed& placed, Vector3 from,
                                         Vector3 motion) {
  const double begin = HeightAbove(*placed.plane, placed.ToLocal(from));
  const double end = HeightAbove(*placed.plane, placed.ToLocal(from + motion));
  if (begin <= 0.0 || end > 0.0) return std::nullopt;
  const double fraction = begin / (begin - end);
  if (!IsWay(fraction)) return std::nullopt;
  return PrimitiveTouch{.fraction = fraction,
                        .point = from + fraction * motion,
                        .normal = placed.basis * placed.plane->normal};
}

}  // namespace

btTransform Placed::pose() const {
  return btTransform(ToBullet(basis), ToBullet(position));
}

QueryScene::QueryScene(const PhysicsDefinition& definition)
    : definition_(definition) {
  for (const ShapeDefinition& shape : definition.shapes) {
    shapes_.push_back(MakeBulletShape(shape));
    for (const auto& primitive : shapes_.back().primitives) {
      // Spheres and capsules are all margin, whatever is set here.
      if (primitive->isConvex()) primitive->setMargin(0.0);
    }
  }
}

QueryScene::Pose QueryScene::PoseOf(const BodyRow& row) {
  return {.object = row.object,
          .kind = row.kind,
          .position = row.position,
          .basis = row.basis};
}

void QueryScene::Place(const Table& bodies) {
  if (MoveBodies(bodies)) return;
  bodies_.clear();
  solids_.clear();
  planes_.clear();
  boxes_.clear();
  Counts counts;
  for (uint32_t i = 0; i < bodies.row_count(); ++i) {
    const auto& row = bodies.Get<BodyRow>(i);
    if (!IsUsable(row)) continue;
    bodies_.push_back({.pose = PoseOf(row), .before = counts});
    counts = PlaceBody(bodies_.back().pose, counts);
  }
  tree_.Build(boxes_);
}

bool QueryScene::MoveBodies(const Table& bodies) {
  size_t count = 0;
  bool has_moved = false;
  for (uint32_t i = 0; i < bodies.row_count(); ++i) {
    const auto& row = bodies.Get<BodyRow>(i);
    if (!IsUsable(row)) continue;
    if (count == bodies_.size()) return false;
    PlacedBody& body = bodies_[count++];
    const Pose pose = PoseOf(row);
    if (SameBits(body.pose, pose)) continue;
    if (body.pose.object != pose.object || body.pose.kind != pose.kind) {
      return false;
    }
    body.pose = pose;
    PlaceBody(pose, body.before);
    has_moved = true;
  }
  if (count != bodies_.size()) return false;
  if (has_moved) tree_.Build(boxes_);
  return true;
}

QueryScene::Counts QueryScene::PlaceBody(const Pose& body, Counts before) {
  CHECK(body.kind < definition_.kinds.size());
  const BodyKind& kind = definition_.kinds[body.kind];
  const ShapeDefinition& shape = definition_.shapes[kind.shape];
  const BulletShape& bullet_shape = shapes_[kind.shape];
  Placed placed = {.key = {.object = body.object},
                   .kind = &kind,
                   .filter = FilterOf(kind, shape, 0),
                   .position = body.position,
                   .basis = body.basis};
  if (const auto* const plane = std::get_if<PlaneShape>(&shape)) {
    placed.plane = plane;
    placed.shape = bullet_shape.primitives[0].get();
    if (before.planes == planes_.size()) planes_.emplace_back();
    planes_[before.planes++] = placed;
    return before;
  }
  if (IsSurface(shape)) {
    placed.shape = bullet_shape.primitives[0].get();
    placed.surface = &AsSurface(*placed.shape)->surface();
    PutSolid(before.solids++, placed);
    return before;
  }
  const auto& primitives = std::get<SolidShape>(shape).primitives;
  for (size_t i = 0; i < primitives.size(); ++i) {
    placed.key.primitive = static_cast<uint32_t>(i);
    placed.filter = FilterOf(kind, shape, placed.key.primitive);
    placed.solid = &primitives[i].solid;
    placed.shape = bullet_shape.primitives[i].get();
    placed.position = body.position + body.basis * primitives[i].position;
    placed.basis = body.basis * ToMatrix3(Normalized(primitives[i].rotation));
    PutSolid(before.solids++, placed);
  }
  return before;
}

void QueryScene::PutSolid(size_t index, const Placed& placed) {
  if (index == solids_.size()) {
    solids_.emplace_back();
    boxes_.emplace_back();
  }
  solids_[index] = placed;
  boxes_[index] = BoxAround(*placed.shape, placed.pose());
}

AxisAlignedBox BoxAround(const btCollisionShape& shape,
                         const btTransform& pose) {
  btVector3 low;
  btVector3 high;
  // What is below a height field is asked for by nobody.
  if (const SurfaceShape* const surface = AsSurface(shape)) {
    surface->GetSheetAabb(pose, low, high);
  } else {
    shape.getAabb(pose, low, high);
  }
  const Vector3 skin = {kBoxSkinM, kBoxSkinM, kBoxSkinM};
  return {FromBullet(low) - skin, FromBullet(high) + skin};
}

std::optional<PrimitiveTouch> EnterPrimitive(const Placed& placed, Vector3 from,
                                             Vector3 motion) {
  if (placed.plane != nullptr) return EnterPlane(placed, from, motion);
  const Vector3 local_from = placed.ToLocal(from);
  const Vector3 local_motion = Transposed(placed.basis) * motion;
  const std::optional<RayEntry> entry =
      placed.triangle != nullptr
          ? EnterTriangle(*placed.triangle, local_from, local_motion)
          : EnterSolid(*placed.solid, local_from, local_motion);
  if (!entry.has_value() || !IsWay(entry->fraction)) return std::nullopt;
  return PrimitiveTouch{.fraction = entry->fraction,
                        .point = from + entry->fraction * motion,
                        .normal = placed.basis * entry->normal};
}

std::optional<PrimitiveTouch> SweepPrimitive(const Placed& placed,
                                             const btConvexShape& shape,
                                             const btTransform& from,
                                             const btTransform& to) {
  btConvexCast::CastResult result;
  const btTransform pose = placed.pose();
  bool touches = false;
  if (placed.plane != nullptr) {
    touches = btContinuousConvexCollision(&shape, &PlaneOf(placed))
                  .calcTimeOfImpact(from, to, pose, pose, result);
  } else {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver penetration;
    touches = btContinuousConvexCollision(&shape, &ConvexOf(placed), &simplex,
                                          &penetration)
                  .calcTimeOfImpact(from, to, pose, pose, result);
  }
  if (!touches || result.m_normal.length2() < kNormalLengthSquaredMin) {
    return std::nullopt;
  }
  return PrimitiveTouch{.fraction = result.m_fraction,
                        .point = FromBullet(result.m_hitPoint),
                        .normal = Normalized(FromBullet(result.m_normal))};
}

bool OverlapsPrimitive(const Placed& placed, const btConvexShape& shape,
                       const btTransform& pose) {
  if (placed.plane != nullptr) {
    const Vector3 down = placed.basis * -placed.plane->normal;
    const btVector3 lowest =
        pose(shape.localGetSupportingVertex(ToBullet(down) * pose.getBasis()));
    return HeightAbove(*placed.plane, placed.ToLocal(FromBullet(lowest))) <=
           0.0;
  }
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver penetration;
  btGjkPairDetector detector(&shape, &ConvexOf(placed), &simplex, &penetration);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = pose;
  input.m_transformB = placed.pose();
  btPointCollector closest;
  detector.getClosestPoints(input, closest, nullptr);
  return closest.m_hasResult && closest.m_distance <= 0.0;
}

std::optional<PrimitiveDistance> DistanceTo(const Placed& placed,
                                            const btConvexShape& shape,
                                            const btTransform& pose,
                                            double distance_max_m) {
  if (placed.plane != nullptr) {
    const Vector3 normal = placed.basis * placed.plane->normal;
    const Vector3 lowest = FromBullet(pose(
        shape.localGetSupportingVertex(ToBullet(-normal) * pose.getBasis())));
    const double height = HeightAbove(*placed.plane, placed.ToLocal(lowest));
    if (height > distance_max_m) return std::nullopt;
    return PrimitiveDistance{.distance_m = height,
                             .point = lowest - height * normal,
                             .normal = normal};
  }
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver penetration;
  btGjkPairDetector detector(&shape, &ConvexOf(placed), &simplex, &penetration);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = pose;
  input.m_transformB = placed.pose();
  btPointCollector closest;
  detector.getClosestPoints(input, closest, nullptr);
  if (!closest.m_hasResult || closest.m_distance > distance_max_m ||
      closest.m_normalOnBInWorld.length2() < kNormalLengthSquaredMin) {
    return std::nullopt;
  }
  return PrimitiveDistance{
      .distance_m = closest.m_distance,
      .point = FromBullet(closest.m_pointInWorld),
      .normal = Normalized(FromBullet(closest.m_normalOnBInWorld))};
}

Vector3 ClosestPointOf(const Placed& placed, Vector3 point) {
  if (placed.plane != nullptr) {
    const double height = HeightAbove(*placed.plane, placed.ToLocal(point));
    if (height <= 0.0) return point;
    return point - height * (placed.basis * placed.plane->normal);
  }
  const Vector3 local = placed.ToLocal(point);
  const Vector3 closest = placed.triangle != nullptr
                              ? ClosestPoint(*placed.triangle, local)
                              : ClosestPointOf(*placed.solid, local);
  return closest == local ? point : placed.ToWorld(closest);
}

}  // namespace reprise::sim
