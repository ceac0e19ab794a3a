// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/collision/contact_search.h"

#include "BulletCollision/CollisionShapes/btConvexShape.h"
#include "BulletCollision/CollisionShapes/btStaticPlaneShape.h"
#include "BulletCollision/NarrowPhaseCollision/btDiscreteCollisionDetectorInterface.h"
#include "BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h"
#include "BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h"
#include "BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/shapes.h"
#include "sim/physics/collision/face_contact.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/convex_core.h"
#include "sim/physics/shapes/core_proximity.h"

namespace reprise::sim {
namespace {

// By so much, in metres, more than was asked for an axis must hold two cores
// apart to save the search: more than what rounding can do to it, so that the
// search would find nothing either.
constexpr double kSlackM = 1e-6;

// Two segments that cross have no direction between their nearest points.
constexpr double kCrossingM = 1e-6;

// Bullet's interface to take found points.
class Collector final : public btDiscreteCollisionDetectorInterface::Result {
 public:
  Collector(double distance_max_m, FoundPoints& found)
      : distance_max_m_(distance_max_m), found_(found) {}

  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3& normal_b, const btVector3& point_b,
                       btScalar distance) override {
    if (distance > distance_max_m_) return;
    found_.Add(
        {.normal_b = normal_b, .point_b = point_b, .distance_m = distance});
  }

 private:
  double distance_max_m_;
  FoundPoints& found_;
};

const btConvexShape& AsConvex(const PlacedShape& placed) {
  return static_cast<const btConvexShape&>(placed.shape);
}

btDiscreteCollisionDetectorInterface::ClosestPointInput InputOf(
    const PlacedShape& first, const PlacedShape& second) {
  btDiscreteCollisionDetectorInterface::ClosestPointInput input;
  input.m_transformA = first.pose;
  input.m_transformB = second.pose;
  return input;
}

// The second's pose in the frame of the first.
struct RelativePose {
  Matrix3 rotation;
  Vector3 position;
};

RelativePose PoseIn(const PlacedShape& first, const PlacedShape& second) {
  const Matrix3 to_first = Transposed(FromBullet(first.pose.getBasis()));
  return {.rotation = to_first * FromBullet(second.pose.getBasis()),
          .position = to_first * FromBullet(second.pose.getOrigin() -
                                            first.pose.getOrigin())};
}

// Adds points in the frame of the first.
void AddFacePoints(const FaceContact& contact, const btTransform& pose,
                   FoundPoints& found) {
  const btVector3 normal = pose.getBasis() * ToBullet(contact.normal_b);
  for (const FacePoint& point : contact.all()) {
    found.Add({.normal_b = normal,
               .point_b = pose(ToBullet(point.point_b)),
               .distance_m = point.distance_m});
  }
}

// The point of a ball, or the points of what lies on the plane with more.
void FindOnPlane(const PlacedShape& first, const PlacedShape& second,
                 double distance_max_m, FoundPoints& found) {
  const auto& plane = static_cast<const btStaticPlaneShape&>(second.shape);
  const btVector3 normal_world =
      second.pose.getBasis() * plane.getPlaneNormal();
  const Vector3 normal = FromBullet(normal_world * first.pose.getBasis());
  const double offset_m =
      plane.getPlaneConstant() +
      normal_world.dot(second.pose.getOrigin() - first.pose.getOrigin());
  const ConvexCore core = CoreOf(AsConvex(first));
  found.set_whole();
  if (core.kind == ConvexCore::Kind::kPoint) {
    const double distance = -offset_m - core.margin_m;
    if (distance > distance_max_m) return;
    found.Add({.normal_b = normal_world,
               .point_b = first.pose.getOrigin() + offset_m * normal_world,
               .distance_m = distance});
    return;
  }
  AddFacePoints(FindPlaneContact(core, normal, offset_m, distance_max_m),
                first.pose, found);
}

// Cores that meet: Bullet looks for the shortest way out.
void FindDeepPoint(const PlacedShape& first, const PlacedShape& second,
                   double distance_max_m, FoundPoints& found) {
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth_solver;
  btGjkPairDetector detector(&AsConvex(first), &AsConvex(second), &simplex,
                             &depth_solver);
  Collector collector(distance_max_m, found);
  detector.getClosestPoints(InputOf(first, second), collector, nullptr);
}

// What two cores have found out, in the frame of the first.
struct CorePoint {
  Vector3 from_b_to_a;  // of length 1
  Vector3 point_b;      // of the core
  double core_distance_m = 0.0;
};

void AddCorePoint(const CorePoint& point, const btTransform& pose,
                  const ConvexCore& a, const ConvexCore& b,
                  double distance_max_m, FoundPoints& found) {
  const double distance = point.core_distance_m - a.margin_m - b.margin_m;
  if (distance > distance_max_m) return;
  const btVector3 normal = pose.getBasis() * ToBullet(point.from_b_to_a);
  found.Add({.normal_b = normal,
             .point_b = pose(ToBullet(point.point_b)) + b.margin_m * normal,
             .distance_m = distance});
}

// Adds the points of a pair of which one lies flat on the other. Returns
// whether it does.
bool AddFlat(const CorePair& pair, const btTransform& pose, Vector3 normal_b,
             double distance_max_m, FoundPoints& found) {
  const FaceContact contact = FindFaceContact(pair, normal_b, distance_max_m);
  if (contact.count == 0) return false;
  AddFacePoints(contact, pose, found);
  found.set_whole();
  return true;
}

bool IsSegment(const ConvexCore& core) {
  return core.kind == ConvexCore::Kind::kPoint ||
         core.kind == ConvexCore::Kind::kSegment;
}

// The point between two balls or capsules: a closed form.
CorePoint PointBetweenSegments(const ConvexCore& a, const ConvexCore& b,
                               const RelativePose& pose) {
  const Vector3 half_b = pose.rotation * b.extents;
  const ClosestPair closest =
      ClosestPoints(Segment{-a.extents, a.extents},
                    Segment{pose.position - half_b, pose.position + half_b});
  const Vector3 apart = closest.point_a - closest.point_b;
  const double distance = Length(apart);
  if (distance > kCrossingM) {
    return {.from_b_to_a = apart / distance,
            .point_b = closest.point_b,
            .core_distance_m = distance};
  }
  // Across both, where there is such a direction.
  const Vector3 across = Cross(a.extents, half_b);
  const Vector3 normal =
      across == Vector3{} ? Vector3{1.0, 0.0, 0.0} : Normalized(across);
  return {.from_b_to_a = normal,
          .point_b = closest.point_b,
          .core_distance_m = 0.0};
}

// Whether what kept two cores apart still does, for sure.
bool AreStillApart(const PlacedShape& first, const ConvexCore& a,
                   const PlacedShape& second, const ConvexCore& b,
                   double reach_m, const SeparatingAxis& separation) {
  const Vector3& axis = separation.axis;
  if (axis == Vector3{}) return false;
  const btVector3 axis_world = first.pose.getBasis() * ToBullet(axis);
  const Vector3 axis_b = FromBullet(axis_world * second.pose.getBasis());
  const double gap =
      Dot(axis, FarthestPoint(a, -axis)) -
      Dot(axis_b, FarthestPoint(b, axis_b)) +
      axis_world.dot(first.pose.getOrigin() - second.pose.getOrigin());
  const double least_m = reach_m + kSlackM;
  return gap > 0.0 && gap * gap > least_m * least_m * Dot(axis, axis);
}

void FindBetweenCores(const PlacedShape& first, const PlacedShape& second,
                      const btVector3& normal, double distance_max_m,
                      SeparatingAxis& separation, FoundPoints& found) {
  const ConvexCore a = CoreOf(AsConvex(first));
  const ConvexCore b = CoreOf(AsConvex(second));
  const double reach_m = a.margin_m + b.margin_m + distance_max_m;
  if (AreStillApart(first, a, second, b, reach_m, separation)) return;
  const RelativePose pose = PoseIn(first, second);
  // A ball touches in one point.
  if (a.kind == ConvexCore::Kind::kPoint ||
      b.kind == ConvexCore::Kind::kPoint) {
    found.set_whole();
  }
  if (IsSegment(a) && IsSegment(b)) {
    const CorePoint point = PointBetweenSegments(a, b, pose);
    if (point.core_distance_m > reach_m) separation.axis = point.from_b_to_a;
    AddCorePoint(point, first.pose, a, b, distance_max_m, found);
    return;
  }

  const CorePair pair = {
      .a = a, .b = b, .b_rotation = pose.rotation, .b_position = pose.position};
  Vector3 guess = FromBullet(normal * first.pose.getBasis());
  if (guess == Vector3{}) guess = -pose.position;
  if (guess == Vector3{}) guess = {0.0, 1.0, 0.0};
  const CoreProximity proximity = FindProximity(pair, guess, reach_m);
  switch (proximity.proximity) {
    case Proximity::kApart:
      separation.axis = proximity.axis;
      return;
    case Proximity::kNear: {
      const double distance = Length(proximity.axis);
      const Vector3 from_b_to_a = proximity.axis / distance;
      if (AddFlat(pair, first.pose, from_b_to_a, distance_max_m, found)) return;
      AddCorePoint({.from_b_to_a = from_b_to_a,
                    .point_b = proximity.point_b,
                    .core_distance_m = distance},
                   first.pose, a, b, distance_max_m, found);
      return;
    }
    case Proximity::kInside: {
      FoundPoints deep;
      FindDeepPoint(first, second, distance_max_m, deep);
      if (deep.all().empty()) return;
      const FoundPoint& point = deep.all().front();
      const Vector3 normal_b =
          FromBullet(point.normal_b * first.pose.getBasis());
      if (!AddFlat(pair, first.pose, normal_b, distance_max_m, found)) {
        found.Add(point);
      }
      return;
    }
  }
}

}  // namespace

void FoundPoints::Add(const FoundPoint& point) {
  CHECK(count_ < kPointsMax);
  points_[count_++] = point;
}

FoundPoints FindContactPoints(const PlacedShape& first,
                              const PlacedShape& second,
                              const btVector3& normal, double distance_max_m,
                              SeparatingAxis& separation) {
  FoundPoints found;
  if (second.shape.getShapeType() == STATIC_PLANE_PROXYTYPE) {
    FindOnPlane(first, second, distance_max_m, found);
  } else {
    FindBetweenCores(first, second, normal, distance_max_m, separation, found);
  }
  return found;
}

}  // namespace reprise::sim
