// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that transforms compose in the order stated, undo themselves and treat
// points and directions apart.

#include "sim/geometry/transform.h"

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kX = {1.0, 0.0, 0.0};
constexpr Vector3 kZ = {0.0, 0.0, 1.0};

TEST(TransformTest, IsTheIdentityUnlessSet) {
  EXPECT_EQ(ApplyToPoint(Transform{}, kX), kX);
}

TEST(TransformTest, DirectionsHaveNoPlace) {
  const Transform shift = {.position = {5.0, 10.0, -15.0}};
  EXPECT_EQ(ApplyToPoint(shift, {1.0, 2.0, 3.0}), (Vector3{6.0, 12.0, -12.0}));
  EXPECT_EQ(ApplyToDirection(shift, kX), kX);
}

TEST(TransformTest, TurnsBeforeItMoves) {
  const Transform t = {{2.0, 4.0, 6.0}, FromAxisAngle(kZ, kPi / 2)};
  ExpectNear(ApplyToPoint(t, kX), {2.0, 5.0, 6.0});
  ExpectNear(ApplyInverseToPoint(t, {2.0, 5.0, 6.0}), kX);
}

TEST(TransformTest, AProductAppliesTheRightFactorFirst) {
  const Transform turn = {.rotation = FromAxisAngle(kZ, kPi / 2)};
  const Transform shift = {.position = {2.0, 4.0, 6.0}};
  ExpectNear(ApplyToPoint(shift * turn, kX), {2.0, 5.0, 6.0});
  // Moved first, it goes round the origin.
  ExpectNear(ApplyToPoint(turn * shift, kX), {-4.0, 3.0, 6.0});
}

TEST(TransformTest, ProductsAndInversesAgreeWithStepsOneByOne) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 1000; ++i) {
    const Transform a = DrawTransform(random);
    const Transform b = DrawTransform(random);
    const Vector3 point = DrawVector(random, 10.0);
    ExpectNear(ApplyToPoint(a * b, point),
               ApplyToPoint(a, ApplyToPoint(b, point)));
    ExpectNear(ApplyToPoint(Inverse(a), ApplyToPoint(a, point)), point);
    ExpectNear(ApplyToDirection(Inverse(a), point),
               ApplyInverseToDirection(a, point));
    ExpectNear(ApplyToPoint(Inverse(a) * a, point), point);
  }
}

TEST(TransformTest, LongChainsStayRigid) {
  const Transform step = {{0.1, 0.0, 0.0}, FromAxisAngle({1.0, 1.0, 1.0}, 0.3)};
  Transform chain;
  for (int i = 0; i < 100'000; ++i) chain = step * chain;
  EXPECT_NEAR(Dot(chain.rotation, chain.rotation), 1.0, 1e-15);
}

}  // namespace
}  // namespace reprise::sim
