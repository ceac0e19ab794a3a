// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that boxes are closed: what touches overlaps, in every direction, and
// a box may be a point.

#include "sim/geometry/aabb.h"

#include <array>

#include "gtest/gtest.h"
#include "sim/geometry/testing_geometry.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {
namespace {

constexpr Aabb kUnit = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};

TEST(AabbTest, BoxesThatTouchOverlap) {
  EXPECT_TRUE(Overlaps(kUnit, Aabb{{1.0, 0.0, 0.0}, {2.0, 1.0, 1.0}}));
  EXPECT_TRUE(Overlaps(kUnit, Aabb{{0.0, -1.0, 0.0}, {1.0, 0.0, 1.0}}));
  EXPECT_TRUE(Overlaps(kUnit, Aabb{{1.0, 1.0, 1.0}, {2.0, 2.0, 2.0}}));
}

TEST(AabbTest, BoxesThatAreApartInOneDirectionDoNotOverlap) {
  for (const Vector3 way : {Vector3{1.0, 0.0, 0.0}, Vector3{0.0, 1.0, 0.0},
                            Vector3{0.0, 0.0, 1.0}}) {
    const Vector3 shift = way * 1.001;
    EXPECT_FALSE(Overlaps(kUnit, Aabb{shift, kUnit.maximum + shift}));
    EXPECT_FALSE(Overlaps(kUnit, Aabb{-shift, kUnit.maximum - shift}));
  }
}

TEST(AabbTest, ABoxInsideAnotherOverlapsIt) {
  const Aabb inner = {{0.4, 0.4, 0.4}, {0.6, 0.6, 0.6}};
  EXPECT_TRUE(Overlaps(kUnit, inner));
  EXPECT_TRUE(Overlaps(inner, kUnit));
  EXPECT_TRUE(Contains(kUnit, inner));
  EXPECT_FALSE(Contains(inner, kUnit));
}

TEST(AabbTest, CornersAndFacesBelongToABox) {
  EXPECT_TRUE(Contains(kUnit, Vector3{1.0, 1.0, 1.0}));
  EXPECT_TRUE(Contains(kUnit, Vector3{0.0, 0.5, 0.5}));
  EXPECT_FALSE(Contains(kUnit, Vector3{0.5, 0.5, 1.0 + 0x1p-52}));
}

TEST(AabbTest, APointIsABox) {
  const Aabb point = {{1.0, 0.5, 0.5}, {1.0, 0.5, 0.5}};
  EXPECT_TRUE(IsValid(point));
  EXPECT_TRUE(Overlaps(kUnit, point));
  EXPECT_TRUE(Overlaps(point, point));
  EXPECT_FALSE(IsValid(Aabb{kUnit.maximum, kUnit.minimum}));
}

TEST(AabbTest, FromPointsIsTheSmallestBoxAroundThem) {
  const std::array<Vector3, 3> points = {
      Vector3{1.0, -2.0, 3.0}, Vector3{-4.0, 5.0, 0.0}, Vector3{0.0, 0.0, 9.0}};
  const Aabb box = FromPoints(points);
  EXPECT_EQ(box, (Aabb{{-4.0, -2.0, 0.0}, {1.0, 5.0, 9.0}}));
  EXPECT_EQ(Center(box), (Vector3{-1.5, 1.5, 4.5}));
  EXPECT_EQ(HalfExtents(box), (Vector3{2.5, 3.5, 4.5}));
}

TEST(AabbTest, AUnionContainsBothAndExpandedEveryPointNear) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 1000; ++i) {
    const Aabb a = DrawAabb(random);
    const Aabb b = DrawAabb(random);
    const Aabb both = Union(a, b);
    EXPECT_TRUE(Contains(both, a) && Contains(both, b));
    EXPECT_EQ(both, Union(b, a));
    const Vector3 step = DrawVector(random, 0.5);
    EXPECT_TRUE(Contains(Expanded(a, 0.5), a.maximum + step));
  }
}

TEST(AabbDeathTest, NoPointsHaveNoBox) {
  EXPECT_DEATH(FromPoints({}), "CHECK failed");
}

}  // namespace
}  // namespace reprise::sim
