// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the submerged volume and its middle by closed forms: of balls, boxes
// and hulls to rounding, of round solids within the stated bounds.

#include "sim/physics/shapes/displacement.h"

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

constexpr double kRounding = 1e-12;

Displacement Of(ShapeDefinition shape) {
  PhysicsDefinition definition;
  AddBody(definition, std::move(shape), Motion::kDynamic, {});
  return Displacement(definition);
}

TEST(DisplacementTest, BallIsExact) {
  const Displacement ball = Of(ShapeOf(SpherePrimitive{2.0}));
  EXPECT_NEAR(ball.Volume(0), 32.0 / 3.0 * kPi, 1e-12);
  // Half of it, and a cap of a quarter of its height.
  const SubmergedPart half = ball.Below(0, {1.0, 5.0, 0.0}, {}, 5.0);
  EXPECT_NEAR(half.volume_m3, 16.0 / 3.0 * kPi, 1e-12);
  EXPECT_NEAR(half.centre.x, 1.0, kRounding);
  EXPECT_NEAR(half.centre.y, 5.0 - 3.0 / 8.0 * 2.0, kRounding);
  const SubmergedPart cap = ball.Below(0, {0.0, 1.0, 0.0}, {}, 0.0);
  EXPECT_NEAR(cap.volume_m3, kPi * 5.0 / 3.0, kRounding);
  EXPECT_NEAR(cap.centre.y, 1.0 - 27.0 / 20.0, kRounding);
  EXPECT_EQ(ball.Below(0, {0.0, 2.0, 0.0}, {}, 0.0).volume_m3, 0.0);
  EXPECT_NEAR(ball.Below(0, {0.0, -9.0, 0.0}, {}, 0.0).volume_m3,
              ball.Volume(0), kRounding);
}

TEST(DisplacementTest, BoxIsExactHoweverItLies) {
  const Displacement box = Of(ShapeOf(BoxPrimitive{{1.0, 0.5, 2.0}}));
  EXPECT_NEAR(box.Volume(0), 8.0, kRounding);
  const SubmergedPart upright = box.Below(0, {}, {}, 0.25);
  EXPECT_NEAR(upright.volume_m3, 6.0, kRounding);
  EXPECT_NEAR(upright.centre.y, -0.125, kRounding);
  // On an edge: what is below a quarter turn's diagonal is a wedge.
  const Matrix3 turned = ToMatrix3(FromAxisAngle({0.0, 0.0, 1.0}, kPi / 4.0));
  const Displacement cube = Of(ShapeOf(BoxPrimitive{}));
  const SubmergedPart wedge =
      cube.Below(0, {}, turned, -Sqrt(0.5) + 0.1);  // 0.1 above the edge
  EXPECT_NEAR(wedge.volume_m3, 0.1 * 0.1, kRounding);
  EXPECT_NEAR(wedge.centre.y, -Sqrt(0.5) + 0.2 / 3.0, 1e-10);
  // Through the centre any plane halves it.
  const Matrix3 askew =
      ToMatrix3(FromAxisAngle(Normalized(Vector3{0.3, 0.5, 0.8}), 1.1));
  EXPECT_NEAR(box.Below(0, {}, askew, 0.0).volume_m3, 4.0, 1e-10);
}

TEST(DisplacementTest, RoundSolidsHaveTheirTrueVolume) {
  const Displacement cylinder =
      Of(ShapeOf(CylinderPrimitive{.radius_m = 0.5, .height_m = 2.0}));
  EXPECT_NEAR(cylinder.Volume(0), kPi * 0.5, 1e-12);
  // Upright its part below is exact as well; lying down nearly.
  EXPECT_NEAR(cylinder.Below(0, {}, {}, 0.5).volume_m3, kPi * 0.375, 1e-9);
  const Matrix3 lying = ToMatrix3(FromAxisAngle({0.0, 0.0, 1.0}, kPi / 2.0));
  EXPECT_NEAR(cylinder.Below(0, {}, lying, 0.0).volume_m3, kPi * 0.25, 1e-9);
  const double segment = 2.0 * (Acos(0.5) * 0.25 - 0.25 * Sqrt(0.1875));
  EXPECT_NEAR(cylinder.Below(0, {}, lying, -0.25).volume_m3, segment,
              0.03 * segment);
  const Displacement capsule =
      Of(ShapeOf(CapsulePrimitive{.radius_m = 0.5, .height_m = 1.0}));
  EXPECT_NEAR(capsule.Volume(0), kPi * 0.25 * (1.0 + 2.0 / 3.0), 1e-12);
  EXPECT_NEAR(capsule.Below(0, {}, lying, 0.0).volume_m3,
              capsule.Volume(0) / 2.0, 1e-9);
}

TEST(DisplacementTest, HullIsExactWhereverItsPointsLie) {
  // A box of 2 by 1 by 4, whose frame lies outside it.
  HullPrimitive hull;
  for (const double x : {5.0, 7.0}) {
    for (const double y : {1.0, 2.0}) {
      for (const double z : {-2.0, 2.0}) hull.vertices.push_back({x, y, z});
    }
  }
  hull.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  const Displacement displacement = Of(ShapeOf(hull));
  EXPECT_NEAR(displacement.Volume(0), 8.0, kRounding);
  const SubmergedPart part = displacement.Below(0, {}, {}, 1.25);
  EXPECT_NEAR(part.volume_m3, 2.0, kRounding);
  EXPECT_NEAR(part.centre.x, 6.0, kRounding);
  EXPECT_NEAR(part.centre.y, 1.125, kRounding);
}

TEST(DisplacementTest, ConeHasItsTrueVolume) {
  const Displacement cone =
      Of(ShapeOf(ConePrimitive{.radius_m = 0.5, .height_m = 2.0}));
  EXPECT_NEAR(cone.Volume(0), kPi * 0.25 * 2.0 / 3.0, 1e-12);
}

TEST(DisplacementTest, CompoundIsTheSumOfItsPrimitives) {
  const SolidShape shape{
      {Primitive{.solid = BoxPrimitive{}, .position = {2.0, 0.0, 0.0}},
       Primitive{.solid = BoxPrimitive{}, .position = {-2.0, 1.0, 0.0}}}};
  const Displacement dumbbell = Of(shape);
  EXPECT_NEAR(dumbbell.Volume(0), 2.0, kRounding);
  EXPECT_NEAR(dumbbell.Radius(0), Sqrt(5.0) + Sqrt(0.75), kRounding);
  const SubmergedPart part = dumbbell.Below(0, {}, {}, 0.5);
  EXPECT_NEAR(part.volume_m3, 1.0, kRounding);
  EXPECT_NEAR(part.centre.x, 2.0, kRounding);
  EXPECT_NEAR(part.centre.y, 0.0, kRounding);
}

}  // namespace
}  // namespace reprise::sim
