// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that distances of cores are right: against closed forms where there
// are any, and everywhere by a proof of its own. The nearest points are points
// of both cores, so the distance is no less than the true one; and a plane
// between the cores shows that it is no more.

#include "sim/physics/shapes/core_proximity.h"

#include <initializer_list>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/quaternion.h"
#include "sim/physics/definition/solid_geometry.h"
#include "sim/physics/shapes/bullet_parts.h"
#include "sim/physics/testing/shape_scene.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

constexpr double kFarM = 1e3;
constexpr int kRounds = 4000;
// A long thin triangle of corners tells a distance better than a place on it.
constexpr double kPlaceM = 1e-5;

Vector3 DrawVector(RandomStream& random, double size) {
  Vector3 drawn;
  drawn.x = size * (2.0 * NextUnit(random) - 1.0);
  drawn.y = size * (2.0 * NextUnit(random) - 1.0);
  drawn.z = size * (2.0 * NextUnit(random) - 1.0);
  return drawn;
}

Quaternion DrawRotation(RandomStream& random) {
  const Vector3 axis = DrawVector(random, 1.0);
  return FromAxisAngle(Normalized(axis), 6.0 * NextUnit(random));
}

// Shapes of all kinds, and their cores.
class CoreProximityTest : public testing::Test {
 protected:
  CoreProximityTest() {
    for (const Solid& solid : std::initializer_list<Solid>{
             SpherePrimitive{0.4}, CapsulePrimitive{0.2, 0.8},
             BoxPrimitive{{0.3, 0.6, 0.2}}, CylinderPrimitive{0.3, 0.9},
             ConePrimitive{0.5, 0.8}, MakeRock()}) {
      shapes_.push_back(MakeBulletShape(ShapeOf(solid)));
      cores_.push_back(
          CoreOf(static_cast<const btConvexShape&>(*shapes_.back().get())));
    }
  }

  const ConvexCore& DrawCore() {
    return cores_[NextBelow(random_, cores_.size())];
  }

  CorePair DrawPair(double distance_m) {
    const ConvexCore& a = DrawCore();
    const ConvexCore& b = DrawCore();
    const Matrix3 rotation = ToMatrix3(DrawRotation(random_));
    return {.a = a,
            .b = b,
            .b_rotation = rotation,
            .b_position = DrawVector(random_, distance_m)};
  }

  RandomStream random_ = MakeRandomStream(1, IdOf("cores"));
  std::vector<BulletShape> shapes_;
  std::vector<ConvexCore> cores_;
};

// How far `point`, in the frame of a, lies outside of b, at least.
double Outside(const CorePair& pair, Vector3 point, Vector3 direction) {
  const Vector3 local = Transposed(pair.b_rotation) * direction;
  const Vector3 farthest =
      pair.b_rotation * FarthestPoint(pair.b, local) + pair.b_position;
  return Dot(point - farthest, direction);
}

TEST_F(CoreProximityTest, DistanceIsShownFromBothSides) {
  int near = 0;
  for (int round = 0; round < kRounds; ++round) {
    const CorePair pair = DrawPair(1.5);
    const Vector3 guess = DrawVector(random_, 1.0);
    const CoreProximity found = FindProximity(pair, guess, kFarM);
    if (found.proximity != Proximity::kNear) continue;
    ++near;
    const double distance = Length(found.axis);

    EXPECT_NEAR(GapAlong(pair, found.axis) / distance, distance,
                1e-9 * distance + 1e-12)
        << round;
    for (int i = 0; i < 20; ++i) {
      const Vector3 direction = Normalized(DrawVector(random_, 1.0));
      const Vector3 point_a = found.point_b + found.axis;
      EXPECT_LE(Outside(pair, found.point_b, direction), kPlaceM);
      EXPECT_LE(Dot(point_a - FarthestPoint(pair.a, direction), direction),
                kPlaceM);
    }
  }
  EXPECT_GT(near, kRounds / 2);
}

TEST_F(CoreProximityTest, GuessDoesNotChangeTheDistance) {
  for (int round = 0; round < kRounds; ++round) {
    const CorePair pair = DrawPair(1.5);
    const Vector3 guess = DrawVector(random_, 1.0);
    const CoreProximity one = FindProximity(pair, guess, kFarM);
    const CoreProximity other = FindProximity(pair, -guess, kFarM);

    ASSERT_EQ(one.proximity, other.proximity) << round;
    EXPECT_NEAR(Length(one.axis), Length(other.axis), 1e-9) << round;
  }
}

TEST_F(CoreProximityTest, ApartMeansThatAPlaneIsBetween) {
  int apart = 0;
  for (int round = 0; round < kRounds; ++round) {
    const CorePair pair = DrawPair(2.0);
    const Vector3 guess = DrawVector(random_, 1.0);
    constexpr double kReachM = 0.1;
    const CoreProximity found = FindProximity(pair, guess, kReachM);
    const CoreProximity whole = FindProximity(pair, guess, kFarM);
    if (whole.proximity == Proximity::kNear) {
      EXPECT_EQ(found.proximity == Proximity::kApart,
                Length(whole.axis) > kReachM)
          << round;
    }
    if (found.proximity != Proximity::kApart) continue;
    ++apart;
    EXPECT_GT(GapAlong(pair, found.axis),
              (kReachM - 1e-9) * Length(found.axis));
  }
  EXPECT_GT(apart, kRounds / 4);
}

TEST_F(CoreProximityTest, BallAndSolidAgreeWithTheClosedForm) {
  // Cores of these are smaller than the solids by their margins.
  const std::vector<std::pair<ConvexCore, Solid>> solids = {
      {cores_[2], BoxPrimitive{cores_[2].extents}},
      {cores_[3],
       CylinderPrimitive{cores_[3].extents.x, 2.0 * cores_[3].extents.y}}};
  for (const auto& [core, solid] : solids) {
    for (int round = 0; round < kRounds; ++round) {
      const Vector3 point = DrawVector(random_, 1.5);
      const CorePair pair = {
          .a = core, .b = cores_[0], .b_rotation = {}, .b_position = point};
      const double expected = Length(ClosestPointOf(solid, point) - point);
      const Vector3 guess = DrawVector(random_, 1.0);
      const CoreProximity found = FindProximity(pair, guess, kFarM);
      if (expected < 1e-6) {
        EXPECT_EQ(found.proximity, Proximity::kInside);
      } else {
        EXPECT_NEAR(Length(found.axis), expected, 1e-9);
      }
    }
  }
}

TEST_F(CoreProximityTest, SegmentAndBoxAgreeWithTheClosedForm) {
  const ConvexCore& box = cores_[2];
  const ConvexCore& segment = cores_[1];
  for (int round = 0; round < kRounds; ++round) {
    const Matrix3 rotation = ToMatrix3(DrawRotation(random_));
    const Vector3 position = DrawVector(random_, 1.5);
    const Vector3 half = rotation * segment.extents;
    const Segment placed = {position - half, position + half};
    const Aabb solid = {-box.extents, box.extents};
    const Vector3 nearest = PointAt(placed, ClosestTime(placed, solid));
    const double expected = Length(ClosestPoint(solid, nearest) - nearest);
    const CorePair pair = {
        .a = box, .b = segment, .b_rotation = rotation, .b_position = position};
    const Vector3 guess = DrawVector(random_, 1.0);
    const CoreProximity found = FindProximity(pair, guess, kFarM);
    if (expected == 0.0) {
      EXPECT_EQ(found.proximity, Proximity::kInside);
    } else {
      EXPECT_NEAR(Length(found.axis), expected, 1e-9);
    }
  }
}

TEST_F(CoreProximityTest, FacesThatLieFlatHaveTheirDistance) {
  // A cylinder on a floor: every point of its end is as near.
  const ConvexCore floor = {.kind = ConvexCore::Kind::kBox,
                            .extents = {50.0, 1.0, 50.0},
                            .corners = {},
                            .margin_m = 0.0};
  const ConvexCore& cylinder = cores_[3];
  const double height = 1.0 + cylinder.extents.y + 0.05;
  const CorePair pair = {.a = cylinder,
                         .b = floor,
                         .b_rotation = {},
                         .b_position = {0.3, -height, 7.0}};
  const CoreProximity found = FindProximity(pair, {0.0, 1.0, 0.0}, kFarM);

  ASSERT_EQ(found.proximity, Proximity::kNear);
  EXPECT_NEAR(Length(found.axis), 0.05, 1e-9);
  EXPECT_NEAR(found.axis.y, 0.05, 1e-9);
}

TEST_F(CoreProximityTest, CoresInEachOtherAreInside) {
  for (const ConvexCore& core : cores_) {
    const CorePair pair = {.a = core,
                           .b = cores_[2],
                           .b_rotation = {},
                           .b_position = {0.01, 0.02, 0.0}};
    const CoreProximity found = FindProximity(pair, {0.0, 1.0, 0.0}, kFarM);
    EXPECT_EQ(found.proximity, Proximity::kInside);
  }
}

}  // namespace
}  // namespace reprise::sim
