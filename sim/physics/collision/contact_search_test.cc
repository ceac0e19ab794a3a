// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that contact points are where the surfaces are nearest, and that what
// is remembered of an earlier search saves time and changes nothing: with any
// memory the same bits are found as with none.

#include "sim/physics/collision/contact_search.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/geometry/quaternion.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/bullet_parts.h"
#include "sim/physics/testing/shape_scene.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

constexpr double kReachM = 0.02;
const btVector3 kNoNormal(0.0, 0.0, 0.0);

Vector3 DrawVector(RandomStream& random, double size) {
  Vector3 drawn;
  drawn.x = size * (2.0 * NextUnit(random) - 1.0);
  drawn.y = size * (2.0 * NextUnit(random) - 1.0);
  drawn.z = size * (2.0 * NextUnit(random) - 1.0);
  return drawn;
}

btTransform DrawPose(RandomStream& random, double size) {
  const Vector3 position = DrawVector(random, size);
  const Vector3 axis = Normalized(DrawVector(random, 1.0));
  return ToBullet(position, FromAxisAngle(axis, 6.0 * NextUnit(random)));
}

btTransform At(Vector3 position) { return ToBullet(position, Quaternion{}); }

FoundPoints Find(const BulletShape& a, const btTransform& pose_a,
                 const BulletShape& b, const btTransform& pose_b) {
  SeparatingAxis none;
  return FindContactPoints({.shape = *a.get(), .pose = pose_a},
                           {.shape = *b.get(), .pose = pose_b}, kNoNormal,
                           kReachM, none);
}

bool SameBits(const FoundPoints& a, const FoundPoints& b) {
  if (a.all().size() != b.all().size()) return false;
  for (size_t i = 0; i < a.all().size(); ++i) {
    const FoundPoint& p = a.all()[i];
    const FoundPoint& q = b.all()[i];
    if (FromBullet(p.normal_b) != FromBullet(q.normal_b) ||
        FromBullet(p.point_b) != FromBullet(q.point_b) ||
        p.distance_m != q.distance_m) {
      return false;
    }
  }
  return true;
}

TEST(ContactSearchTest, SeparationNeverChangesWhatIsFound) {
  std::vector<BulletShape> shapes;
  for (const Solid& solid : std::initializer_list<Solid>{
           SpherePrimitive{0.4}, CapsulePrimitive{0.2, 0.8},
           BoxPrimitive{{0.3, 0.6, 0.2}}, BoxPrimitive{{0.5, 0.1, 0.4}},
           CylinderPrimitive{0.3, 0.9}, ConePrimitive{0.5, 0.8}, MakeRock()}) {
    shapes.push_back(MakeBulletShape(ShapeOf(solid)));
  }
  RandomStream random = MakeRandomStream(1, IdOf("separation"));
  int with_points = 0;
  int apart = 0;
  for (int round = 0; round < 20000; ++round) {
    const BulletShape& a = shapes[NextBelow(random, shapes.size())];
    const BulletShape& b = shapes[NextBelow(random, shapes.size())];
    const btTransform pose_a = DrawPose(random, 0.8);
    const btTransform pose_b = DrawPose(random, 0.8);
    const FoundPoints found = Find(a, pose_a, b, pose_b);
    // Of another place close by, as in the tick before, and of nowhere.
    SeparatingAxis remembered;
    btTransform before = pose_b;
    before.getOrigin() += ToBullet(DrawVector(random, 0.05));
    FindContactPoints({.shape = *a.get(), .pose = pose_a},
                      {.shape = *b.get(), .pose = before}, kNoNormal, kReachM,
                      remembered);
    SeparatingAxis drawn;
    drawn.axis = DrawVector(random, 1.0);
    for (SeparatingAxis separation : {remembered, drawn}) {
      EXPECT_TRUE(
          SameBits(FindContactPoints({.shape = *a.get(), .pose = pose_a},
                                     {.shape = *b.get(), .pose = pose_b},
                                     kNoNormal, kReachM, separation),
                   found))
          << round;
    }
    (found.all().empty() ? apart : with_points) += 1;
  }
  EXPECT_GT(with_points, 2000);
  EXPECT_GT(apart, 2000);
}

TEST(ContactSearchTest, BallsTouchBetweenTheirCentres) {
  const BulletShape ball = MakeBulletShape(ShapeOf(SpherePrimitive{0.5}));
  const FoundPoints found =
      Find(ball, At({0.0, 0.9, 0.0}), ball, At({0.0, 0.0, 0.0}));
  ASSERT_EQ(found.all().size(), 1u);
  EXPECT_EQ(FromBullet(found.all()[0].normal_b), (Vector3{0.0, 1.0, 0.0}));
  EXPECT_EQ(FromBullet(found.all()[0].point_b), (Vector3{0.0, 0.5, 0.0}));
  EXPECT_NEAR(found.all()[0].distance_m, -0.1, 1e-15);
}

TEST(ContactSearchTest, BallsWithOneCentreAreParted) {
  const BulletShape ball = MakeBulletShape(ShapeOf(SpherePrimitive{0.5}));
  const FoundPoints found = Find(ball, At({}), ball, At({}));
  ASSERT_EQ(found.all().size(), 1u);
  EXPECT_EQ(found.all()[0].normal_b.length(), 1.0);
  EXPECT_EQ(found.all()[0].distance_m, -1.0);
}

TEST(ContactSearchTest, CapsulesThatCrossArePartedAcrossBoth) {
  const BulletShape capsule =
      MakeBulletShape(ShapeOf(CapsulePrimitive{0.2, 1.0}));
  const btTransform lying =
      ToBullet(Vector3{}, FromAxisAngle({0.0, 0.0, 1.0}, 0.5 * kPi));
  const FoundPoints found = Find(capsule, At({}), capsule, lying);
  ASSERT_EQ(found.all().size(), 1u);
  EXPECT_NEAR(Abs(found.all()[0].normal_b.z()), 1.0, 1e-12);
  EXPECT_NEAR(found.all()[0].distance_m, -0.4, 1e-12);
}

TEST(ContactSearchTest, BallTouchesBoxBelowItsCentre) {
  const BulletShape ball = MakeBulletShape(ShapeOf(SpherePrimitive{0.5}));
  const BulletShape box =
      MakeBulletShape(ShapeOf(BoxPrimitive{{2.0, 1.0, 2.0}}));
  const FoundPoints found = Find(ball, At({0.7, 1.49, 0.2}), box, At({}));
  ASSERT_EQ(found.all().size(), 1u);
  EXPECT_NEAR(found.all()[0].normal_b.y(), 1.0, 1e-9);
  EXPECT_NEAR(found.all()[0].point_b.x(), 0.7, 1e-9);
  EXPECT_NEAR(found.all()[0].point_b.y(), 1.0, 1e-9);
  EXPECT_NEAR(found.all()[0].distance_m, -0.01, 1e-9);
}

TEST(ContactSearchTest, BoxesFaceToFaceTouchAtFourCorners) {
  const BulletShape box =
      MakeBulletShape(ShapeOf(BoxPrimitive{{0.5, 0.5, 0.5}}));
  const FoundPoints found = Find(box, At({0.1, 0.99, 0.0}), box, At({}));
  ASSERT_EQ(found.all().size(), 4u);
  for (const FoundPoint& point : found.all()) {
    EXPECT_NEAR(point.normal_b.y(), 1.0, 1e-12);
    EXPECT_NEAR(point.distance_m, -0.01, 1e-12);
  }
}

TEST(ContactSearchTest, BallDeepInABoxIsPushedOut) {
  const BulletShape ball = MakeBulletShape(ShapeOf(SpherePrimitive{0.2}));
  const BulletShape box =
      MakeBulletShape(ShapeOf(BoxPrimitive{{1.0, 0.5, 1.0}}));
  const FoundPoints found = Find(ball, At({0.1, 0.3, 0.1}), box, At({}));
  ASSERT_EQ(found.all().size(), 1u);
  EXPECT_NEAR(found.all()[0].normal_b.y(), 1.0, 1e-3);
  EXPECT_NEAR(found.all()[0].distance_m, -0.4, 1e-2);
}

TEST(ContactSearchTest, PlaneMeetsTheLowestPoint) {
  const BulletShape plane = MakeBulletShape(PlaneShape{});
  const BulletShape capsule =
      MakeBulletShape(ShapeOf(CapsulePrimitive{0.2, 1.0}));
  const FoundPoints found = Find(capsule, At({3.0, 0.69, 4.0}), plane, At({}));
  ASSERT_EQ(found.all().size(), 1u);
  EXPECT_EQ(FromBullet(found.all()[0].point_b), (Vector3{3.0, 0.0, 4.0}));
  EXPECT_NEAR(found.all()[0].distance_m, -0.01, 1e-12);
}

}  // namespace
}  // namespace reprise::sim
