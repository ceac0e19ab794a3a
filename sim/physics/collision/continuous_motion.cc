// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/collision/continuous_motion.h"

#include <algorithm>
#include <cstddef>

#include "LinearMath/btAabbUtil2.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/definition/solid_geometry.h"
#include "sim/physics/shapes/box_tree.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/bullet_parts.h"
#include "sim/physics/shapes/bullet_shapes.h"

namespace reprise::sim {
namespace {

// A body that moves by less than this share of its ball's radius is still
// touched on the side that it came from.
constexpr double kSlowShare = 0.5;

// Of the largest ball that fits in. What rests on something or slides along it
// overlaps it a little, and must not be stopped by that.
constexpr double kBallShare = 0.8;

// The ball stops this close to what it meets: near enough for a contact.
constexpr double kGapM = 1e-4;

// Each step of the search ends before the ball touches, so that what is left
// after the last one is still safe. A grazing ball takes the most.
constexpr int kStepsMax = 64;

// A ball on its way, in the frame of what it may meet.
struct Way {
  Vector3 from;
  Vector3 motion;
  double radius_m = 0.0;
};

// How much of its way a ball can go before it touches something convex, whose
// point that is closest to a given one is closest(point).
template <typename Closest>
double FreeFractionOf(const Way& way, const Closest& closest) {
  double fraction = 0.0;
  for (int step = 0; step < kStepsMax; ++step) {
    const Vector3 centre = way.from + fraction * way.motion;
    const Vector3 offset = centre - closest(centre);
    const double distance = Length(offset);
    if (distance == 0.0) return step == 0 ? 1.0 : fraction;
    // It has to come closer by the gap along the normal, whatever happens.
    const double approach = -Dot(offset, way.motion) / distance;
    if (approach <= 0.0) return 1.0;
    const double gap = distance - way.radius_m;
    if (gap <= kGapM) return fraction;
    fraction += (gap - 0.5 * kGapM) / approach;
    if (fraction >= 1.0) return 1.0;
  }
  return fraction;
}

AxisAlignedBox BoxAround(const Way& way) {
  const Vector3 to = way.from + way.motion;
  const Vector3 reach = {way.radius_m, way.radius_m, way.radius_m};
  AxisAlignedBox box;
  for (const auto axis : {&Vector3::x, &Vector3::y, &Vector3::z}) {
    box.low.*axis = std::min(way.from.*axis, to.*axis);
    box.high.*axis = std::max(way.from.*axis, to.*axis);
  }
  return {box.low - reach, box.high + reach};
}

// The way as seen from a frame.
Way InFrame(const Way& way, Vector3 position, const Matrix3& basis) {
  const Matrix3 inverse = Transposed(basis);
  return {.from = inverse * (way.from - position),
          .motion = inverse * way.motion,
          .radius_m = way.radius_m};
}

// The same for one body's shape, in whose frame the way is.
struct ShapeMeeting {
  const Way& way;
  const CollisionFilter& filter;
  const BodyKind& kind;
  const ShapeDefinition& shape;
  const btCollisionShape& bullet_shape;

  double operator()(const SolidShape& solid) const {
    double fraction = 1.0;
    for (uint32_t i = 0; i < solid.primitives.size(); ++i) {
      if (!CanMeet(filter, FilterOf(kind, shape, i))) continue;
      const Primitive& primitive = solid.primitives[i];
      const Way local = InFrame(way, primitive.position,
                                ToMatrix3(Normalized(primitive.rotation)));
      fraction = std::min(fraction, FreeFractionOf(local, [&](Vector3 point) {
                            return ClosestPointOf(primitive.solid, point);
                          }));
    }
    return fraction;
  }
  double operator()(const PlaneShape& plane) const {
    return FreeFractionOf(way, [&](Vector3 point) {
      const double height = Dot(plane.normal, point) - plane.offset_m;
      return height <= 0.0 ? point : point - height * plane.normal;
    });
  }
  double operator()(const MeshShape&) const { return MeetTriangles(); }
  double operator()(const HeightFieldShape&) const { return MeetTriangles(); }

  double MeetTriangles() const {
    const TriangleSurface& surface = AsSurface(bullet_shape)->surface();
    std::vector<uint32_t> found;
    surface.FindAlong(way.from, way.motion, way.radius_m, found);
    double fraction = 1.0;
    for (const uint32_t index : found) {
      const Triangle triangle = surface.triangle(index);
      fraction = std::min(fraction, FreeFractionOf(way, [&](Vector3 point) {
                            return ClosestPoint(triangle, point);
                          }));
    }
    return fraction;
  }
};

// Whether the two push each other when they touch.
bool IsObstacle(const btRigidBody& body, const btCollisionObject& other) {
  return &other != &body && other.hasContactResponse() &&
         body.checkCollideWith(&other);
}

}  // namespace

ContinuousMotion::ContinuousMotion(const PhysicsDefinition& definition)
    : definition_(definition) {
  for (const BodyKind& kind : definition.kinds) {
    std::optional<Ball>& ball = balls_.emplace_back();
    if (!kind.is_continuous || kind.is_trigger) continue;
    const ShapeDefinition& shape = definition.shapes[kind.shape];
    const Core core = *FindCore(shape);
    ball = {.radius_m = kBallShare * core.radius_m,
            .filter = FilterOf(kind, shape, core.primitive)};
    is_used_ = true;
  }
}

double ContinuousMotion::FreeFraction(
    const btRigidBody& body, Vector3 motion,
    std::span<btCollisionObject* const> others) const {
  const BodyKind* const first = definition_.kinds.data();
  const std::optional<Ball>& ball =
      balls_[static_cast<size_t>(&KindOf(body) - first)];
  if (!ball.has_value() || Length(motion) <= kSlowShare * ball->radius_m) {
    return 1.0;
  }
  const Way way = {.from = FromBullet(body.getWorldTransform().getOrigin()),
                   .motion = motion,
                   .radius_m = ball->radius_m};
  const AxisAlignedBox box = BoxAround(way);
  const btVector3 low = ToBullet(box.low);
  const btVector3 high = ToBullet(box.high);
  double fraction = 1.0;
  for (const btCollisionObject* other : others) {
    if (!IsObstacle(body, *other)) continue;
    const BodyKind& kind = KindOf(*other);
    const ShapeDefinition& shape = definition_.shapes[kind.shape];
    if (!CanMeet(ball->filter, UnionFilter(kind, shape))) continue;
    btVector3 other_low;
    btVector3 other_high;
    other->getCollisionShape()->getAabb(other->getWorldTransform(), other_low,
                                        other_high);
    if (!TestAabbAgainstAabb2(low, high, other_low, other_high)) continue;
    const Way local =
        InFrame(way, FromBullet(other->getWorldTransform().getOrigin()),
                FromBullet(other->getWorldTransform().getBasis()));
    fraction = std::min(
        fraction, std::visit(ShapeMeeting{local, ball->filter, kind, shape,
                                          *other->getCollisionShape()},
                             shape));
  }
  return fraction;
}

}  // namespace reprise::sim
