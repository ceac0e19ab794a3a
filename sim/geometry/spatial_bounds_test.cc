// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that clipping a segment by a box is exact where coordinates are
// integers, touching corners included, against the separating axis theorem in
// integers; and that distance and clipping are monotone to the last bit.

#include "sim/geometry/spatial/spatial_bounds.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "gtest/gtest.h"
#include "sim/base/random.h"

namespace reprise::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Integers = std::array<int64_t, 3>;

Integers DrawIntegers(RandomStream& random, int64_t size) {
  Integers drawn;
  for (int64_t& value : drawn) value = NextInRange(random, -size, size);
  return drawn;
}

Vector3 ToVector(const Integers& v) {
  return {static_cast<double>(v[0]), static_cast<double>(v[1]),
          static_cast<double>(v[2])};
}

// Whether a segment meets a box, everything doubled to stay in integers.
bool MeetsInIntegers(const Integers& start, const Integers& end,
                     const Integers& low, const Integers& high) {
  Integers middle, along, half;
  for (int i = 0; i < 3; ++i) {
    middle[i] = (start[i] + end[i]) - (low[i] + high[i]);
    along[i] = end[i] - start[i];
    half[i] = high[i] - low[i];
    if (std::abs(middle[i]) > std::abs(along[i]) + half[i]) return false;
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const int64_t apart = middle[j] * along[k] - middle[k] * along[j];
    const int64_t reach =
        half[j] * std::abs(along[k]) + half[k] * std::abs(along[j]);
    if (std::abs(apart) > reach) return false;
  }
  return true;
}

TEST(SpatialBoundsTest, ClippingIsExactOnIntegers) {
  RandomStream random = MakeRandomStream(1, IdOf("clip"));
  int met = 0;
  constexpr int kCases = 200'000;
  for (int i = 0; i < kCases; ++i) {
    const int64_t size = i % 2 == 0 ? 3 : 50;
    const Integers start = DrawIntegers(random, size);
    const Integers end = DrawIntegers(random, size);
    const Integers low = DrawIntegers(random, size);
    Integers high = low;
    for (int64_t& value : high) value += NextInRange(random, 0, 2 * size);
    const bool meets = MeetsInIntegers(start, end, low, high);
    const SegmentClipper segment(ToVector(start), ToVector(end));
    ASSERT_EQ(!segment.Clip({ToVector(low), ToVector(high)}).is_empty(), meets)
        << "case " << i;
    met += meets;
  }
  // Neither answer is rare.
  EXPECT_GT(met, kCases / 10);
  EXPECT_LT(met, kCases * 9 / 10);
}

TEST(SpatialBoundsTest, TheEndsOfASegmentTouchExactly) {
  // 0.1 + (0.7 - 0.1) is not 0.7, yet the end is on the face.
  const SegmentClipper segment({0.1, 0.0, 0.0}, {0.7, 0.0, 0.0});
  EXPECT_EQ(segment.Clip({{0.7, -1.0, -1.0}, {2.0, 1.0, 1.0}}).first, 1.0);
  EXPECT_EQ(segment.Clip({{-2.0, -1.0, -1.0}, {0.1, 1.0, 1.0}}).last, 0.0);
}

TEST(SpatialBoundsTest, ASegmentWithoutLengthIsAPoint) {
  const SegmentClipper segment({1.0, 2.0, 3.0}, {1.0, 2.0, 3.0});
  const SegmentPart part = segment.Clip({{1.0, 2.0, 3.0}, {5.0, 5.0, 5.0}});
  EXPECT_EQ(part.first, 0.0);
  EXPECT_EQ(part.last, 1.0);
  EXPECT_TRUE(segment.Clip({{1.5, 2.0, 3.0}, {5.0, 5.0, 5.0}}).is_empty());
}

TEST(SpatialBoundsTest, InfinitePlanesCutNothingOff) {
  const SegmentClipper segment({1.0, 2.0, 3.0}, {-4.0, 2.0, 9.0});
  for (int axis = 0; axis < 3; ++axis) {
    const SegmentPart part = segment.Clip(axis, -kInfinity, kInfinity, {});
    EXPECT_EQ(part.first, 0.0);
    EXPECT_EQ(part.last, 1.0);
  }
}

TEST(SpatialBoundsTest, ABoxInsideIsNeverNearerNorLonger) {
  RandomStream random = MakeRandomStream(2, IdOf("monotone"));
  const auto draw = [&random] {
    const double x = NextUnit(random) - 0.5;
    const double y = NextUnit(random) - 0.5;
    const double z = NextUnit(random) - 0.5;
    return Vector3{x, y, z};
  };
  for (int i = 0; i < 100'000; ++i) {
    // Small ones far from the origin, where rounding is coarse.
    const Vector3 away = draw() * 1e9;
    const Vector3 a = away + draw();
    const Vector3 b = away + draw();
    const Aabb inner = {Minimum(a, b), Maximum(a, b)};
    const Vector3 c = away + draw();
    const Aabb outer = Union(inner, Aabb{c, c});
    const Vector3 start = away + draw();
    const Vector3 end = away + draw();
    ASSERT_LE(DistanceSquaredToBounds(start, outer),
              DistanceSquaredToBounds(start, inner));
    const SegmentClipper segment(start, end);
    const SegmentPart part = segment.Clip(inner);
    ASSERT_LE(segment.Clip(outer).first, part.first);
    ASSERT_GE(segment.Clip(outer).last, part.last);
  }
}

TEST(SpatialBoundsTest, ReachEndsBeforeInfinity) {
  EXPECT_TRUE(IsWithinReach(Vector3{kSpatialReach, 0.0, -kSpatialReach}));
  EXPECT_FALSE(IsWithinReach(Vector3{0.0, kInfinity, 0.0}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(IsWithinReach(Vector3{0.0, 0.0, nan}));
  EXPECT_FALSE(IsWithinReach(Aabb{{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}));
}

}  // namespace
}  // namespace reprise::sim
