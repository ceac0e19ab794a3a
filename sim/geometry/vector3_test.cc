// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the algebra of vectors on cases that are exact in doubles, and that
// normalising works at the ends of the range of doubles.

#include "sim/geometry/vector3.h"

#include <type_traits>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

static_assert(std::is_trivially_copyable_v<Vector3>);
static_assert(sizeof(Vector3) == 3 * sizeof(double));

TEST(Vector3Test, AddsSubtractsAndScalesByComponent) {
  const Vector3 a = {1.0, 2.0, 3.0};
  const Vector3 b = {-4.0, 0.5, 8.0};
  EXPECT_EQ(a + b, (Vector3{-3.0, 2.5, 11.0}));
  EXPECT_EQ(a - b, (Vector3{5.0, 1.5, -5.0}));
  EXPECT_EQ(-a, (Vector3{-1.0, -2.0, -3.0}));
  EXPECT_EQ(a * 2.0, (Vector3{2.0, 4.0, 6.0}));
  EXPECT_EQ(2.0 * a, a * 2.0);
  EXPECT_EQ(a / 2.0, (Vector3{0.5, 1.0, 1.5}));
}

TEST(Vector3Test, DotSumsFromLeftToRight) {
  // From right to left the large products would cancel first and leave 1.
  const Vector3 a = {1.0, 1e16, -1e16};
  const Vector3 ones = {1.0, 1.0, 1.0};
  EXPECT_EQ(Dot(a, ones), (1.0 + 1e16) - 1e16);
  EXPECT_EQ(Dot(a, ones), 0.0);
}

TEST(Vector3Test, DotIsCommutative) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 a = DrawVector(random, 1e6);
    const Vector3 b = DrawVector(random, 1e-3);
    ASSERT_EQ(Dot(a, b), Dot(b, a));
  }
}

// To the bit where nothing is rounded, as of whole numbers.
TEST(Vector3Test, DotIsDistributive) {
  RandomStream random = Draws(2);
  const auto draw_whole = [&random] {
    const Vector3 drawn = DrawVector(random, 1e6);
    return Vector3{Floor(drawn.x), Floor(drawn.y), Floor(drawn.z)};
  };
  for (int i = 0; i < 1000; ++i) {
    const Vector3 a = draw_whole();
    const Vector3 b = draw_whole();
    const Vector3 c = draw_whole();
    ASSERT_EQ(Dot(a, b + c), Dot(a, b) + Dot(a, c));
    ASSERT_EQ(Dot(a, 3.0 * b), 3.0 * Dot(a, b));
  }
}

TEST(Vector3Test, CrossIsRightHanded) {
  const Vector3 x = {1.0, 0.0, 0.0};
  const Vector3 y = {0.0, 1.0, 0.0};
  const Vector3 z = {0.0, 0.0, 1.0};
  EXPECT_EQ(Cross(x, y), z);
  EXPECT_EQ(Cross(y, z), x);
  EXPECT_EQ(Cross(z, x), y);
  EXPECT_EQ(Cross(x, x), Vector3{});
}

TEST(Vector3Test, LengthOfAPythagoreanTripleIsExact) {
  EXPECT_EQ(Length(Vector3{2.0, 3.0, 6.0}), 7.0);
}

TEST(Vector3Test, NormalizedKeepsTheDirection) {
  EXPECT_EQ(Normalized(Vector3{0.0, -5.0, 0.0}), (Vector3{0.0, -1.0, 0.0}));
  const Vector3 unit = Normalized(Vector3{2.0, 3.0, 6.0});
  EXPECT_NEAR(unit.x, 2.0 / 7.0, 1e-15);
  EXPECT_NEAR(unit.y, 3.0 / 7.0, 1e-15);
  EXPECT_NEAR(unit.z, 6.0 / 7.0, 1e-15);
}

TEST(Vector3Test, NormalizedWorksWhereSquaresOverflowOrVanish) {
  for (const double size : {0x1p-1074, 0x1p-600, 0x1p600, 0x1p1023}) {
    EXPECT_EQ(Normalized(Vector3{0.0, 0.0, size}), (Vector3{0.0, 0.0, 1.0}));
    const Vector3 diagonal = Normalized(Vector3{size, size, size});
    EXPECT_NEAR(Length(diagonal), 1.0, 1e-15);
  }
}

TEST(Vector3Test, TheZeroVectorHasNoDirection) {
  EXPECT_EQ(Normalized(Vector3{}), Vector3{});
}

TEST(Vector3Test, WorkedExample) {
  const Vector3 a = {2.0, 4.0, 6.0};
  const Vector3 b = {3.0, 5.0, 7.0};
  EXPECT_EQ(a + b, (Vector3{5.0, 9.0, 13.0}));
  EXPECT_EQ(2.0 * a, (Vector3{4.0, 8.0, 12.0}));
  EXPECT_EQ(Cross(a, b), (Vector3{-2.0, 4.0, -2.0}));
  EXPECT_EQ(Cross(b, a), -Cross(a, b));
}

}  // namespace
}  // namespace reprise::sim
