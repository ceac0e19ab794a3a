// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// That outlines lie on what they are of: every point of one is on the surface,
// and the edges of a polytope are as many as its faces and corners say.

#include "sim/geometry/outlines.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"

namespace reprise::sim {
namespace {

// Chords of a circle of 16 corners leave it by 1 - cos(pi / 16) of its radius.
constexpr double kChord = 0.0193;

void ExpectOnSurface(const std::vector<Segment>& outline, const Volume& volume,
                     double inside_m) {
  ASSERT_FALSE(outline.empty());
  for (const Segment& segment : outline) {
    for (const double part : {0.0, 0.3, 0.5, 1.0}) {
      const Vector3 point = segment[0] + (segment[1] - segment[0]) * part;
      EXPECT_TRUE(Contains(volume, point, 1e-9)) << point.x << ' ' << point.y;
    }
    // Grown by no more than the chord it holds what is around it: a step out
    // from its middle leaves it.
    const Vector3 middle = (segment[0] + segment[1]) * 0.5;
    bool is_near_the_surface = false;
    for (const Vector3 way :
         {Vector3{1, 0, 0}, Vector3{-1, 0, 0}, Vector3{0, 1, 0},
          Vector3{0, -1, 0}, Vector3{0, 0, 1}, Vector3{0, 0, -1}}) {
      is_near_the_surface =
          is_near_the_surface || !Contains(volume, middle + way * inside_m, 0);
    }
    EXPECT_TRUE(is_near_the_surface) << middle.x << ' ' << middle.y;
  }
}

size_t CornerCount(const std::vector<Segment>& outline) {
  std::set<std::tuple<int64_t, int64_t, int64_t>> corners;
  for (const Segment& segment : outline) {
    for (const Vector3& end : segment) {
      corners.insert({ToInt64Saturated(Floor(end.x * 1e6 + 0.5)),
                      ToInt64Saturated(Floor(end.y * 1e6 + 0.5)),
                      ToInt64Saturated(Floor(end.z * 1e6 + 0.5))});
    }
  }
  return corners.size();
}

TEST(OutlinesTest, VolumesLieWithinTheirOutlines) {
  const Quaternion turned = FromTurns({20, 30, 40});
  const Volume ball = SphereVolume{{1, 2, 3}, 2.0};
  // Straight out from a chord's middle along an axis it is up to sqrt(3) far.
  ExpectOnSurface(VolumeOutline(ball), ball, 2.0 * kChord * 2);
  const Volume box = OrientedBoxVolume{{1, 2, 3}, turned, {0.5, 1, 2}};
  ExpectOnSurface(VolumeOutline(box), box, 1e-6);
  const Volume prism =
      ConvexPrismVolume{{{0, 0}, {3, 0}, {3, 2}, {1, 4}}, -1, 2};
  ExpectOnSurface(VolumeOutline(prism), prism, 1e-6);
  const double half = Sqrt(0.5);
  const Volume cut =
      SlabVolume{{-1, -1, -1}, {1, 1, 1}, {{{half, half, 0}, -0.9, 0.9}}};
  ExpectOnSurface(VolumeOutline(cut), cut, 1e-6);
}

// Euler: corners - edges + faces = 2.
TEST(OutlinesTest, PolytopesHaveAllTheirEdges) {
  EXPECT_EQ(BoxOutline({1, 2, 3}).size(), 12);
  const std::vector<Segment> whole =
      VolumeOutline(SlabVolume{{-1, -2, -3}, {1, 2, 3}, {}});
  EXPECT_EQ(whole.size(), 12);
  EXPECT_EQ(CornerCount(whole), 8);
  // A slab across two edges makes two more faces: 8 faces, 12 corners.
  const double half = Sqrt(0.5);
  const std::vector<Segment> cut = VolumeOutline(
      SlabVolume{{-1, -1, -1}, {1, 1, 1}, {{{half, half, 0}, -0.9, 0.9}}});
  EXPECT_EQ(cut.size(), 18);
  EXPECT_EQ(CornerCount(cut), 12);
  EXPECT_EQ(
      VolumeOutline(ConvexPrismVolume{{{0, 0}, {1, 0}, {0, 1}}, 0, 1}).size(),
      9);
}

TEST(OutlinesTest, RoundSolidsLieOnTheirSurfaces) {
  for (const Segment& segment : BallOutline(2.0)) {
    EXPECT_NEAR(Length(segment[0]), 2.0, 1e-12);
  }
  for (const Segment& segment : CylinderOutline(0.5, 3.0)) {
    EXPECT_NEAR(Abs(segment[0].y), 1.5, 1e-12);
    EXPECT_NEAR(Length(Vector3{segment[0].x, 0, segment[0].z}), 0.5, 1e-12);
  }
  for (const Segment& segment : CapsuleOutline(0.5, 3.0)) {
    const double axis = std::clamp(segment[0].y, -1.5, 1.5);
    EXPECT_NEAR(Length(segment[0] - Vector3{0, axis, 0}), 0.5, 1e-12);
  }
  double top = 0;
  for (const Segment& segment : ConeOutline(0.5, 2.0)) {
    top = std::max({top, segment[0].y, segment[1].y});
    EXPECT_GE(std::min(segment[0].y, segment[1].y), -0.5);
  }
  EXPECT_EQ(top, 1.5);
}

TEST(OutlinesTest, AnArcEndsWhereItIsToldTo) {
  const std::vector<Segment> arc =
      ArcOutline({}, {2, 0, 0}, {0, 2, 0}, -kPi / 4, kPi / 2);
  EXPECT_EQ(arc.size(), 6);
  EXPECT_NEAR(arc.front()[0].x, Sqrt(2.0), 1e-12);
  EXPECT_NEAR(arc.front()[0].y, -Sqrt(2.0), 1e-12);
  EXPECT_NEAR(arc.back()[1].y, 2.0, 1e-12);
  // More than a full turn is one, and none is one line.
  EXPECT_EQ(ArcOutline({}, {1, 0, 0}, {0, 1, 0}, 0, 100).size(),
            kCircleCorners);
  EXPECT_EQ(ArcOutline({}, {1, 0, 0}, {0, 1, 0}, 1, 1).size(), 1);
}

}  // namespace
}  // namespace reprise::sim
