// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that touching counts, for each pair of shapes, and the tests of
// oriented boxes and capsules against a method of their own: points that are
// sent from one shape's surface to the other's until they meet.

#include "sim/geometry/intersections.h"

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/containment.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

// How far two convex shapes are apart, by alternating projections: right in
// the limit, and from above.
template <typename A, typename B>
double DistanceBetween(const A& a, const B& b, Vector3 start) {
  Vector3 point = start;
  double distance = 0.0;
  for (int i = 0; i < 2000; ++i) {
    const Vector3 on_a = ClosestPoint(a, point);
    point = ClosestPoint(b, on_a);
    distance = Length(point - on_a);
    if (distance == 0.0) break;
  }
  return distance;
}

TEST(IntersectionsTest, Spheres) {
  const Sphere sphere = {{}, 1.0};
  EXPECT_TRUE(Overlaps(sphere, Sphere{{1.9, 0.0, 0.0}, 1.0}));
  EXPECT_TRUE(Overlaps(sphere, Sphere{{2.0, 0.0, 0.0}, 1.0}));
  EXPECT_FALSE(Overlaps(sphere, Sphere{{2.1, 0.0, 0.0}, 1.0}));
  EXPECT_TRUE(Overlaps(Sphere{}, Sphere{}));
}

TEST(IntersectionsTest, SphereAndPlaneWithTwoSides) {
  const Plane plane = {.normal = {0.0, 1.0, 0.0}, .offset = -2.0};
  EXPECT_TRUE(Overlaps(plane, Sphere{{0.0, 2.5, 0.0}, 1.0}));
  EXPECT_TRUE(Overlaps(plane, Sphere{{0.0, 2.5, 0.0}, 0.5}));
  EXPECT_FALSE(Overlaps(plane, Sphere{{0.0, 2.5, 0.0}, 0.499}));
  EXPECT_TRUE(Overlaps(plane, Sphere{{0.0, 1.5, 0.0}, 1.0}));
  EXPECT_FALSE(Overlaps(plane, Sphere{{0.0, 0.5, 0.0}, 1.0}));
}

TEST(IntersectionsTest, SphereAndBoxAtAFaceAnEdgeAndACorner) {
  const Aabb box = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  for (const Vector3 out : {Vector3{5.0, 0.0, 0.0}, Vector3{3.0, 4.0, 0.0},
                            Vector3{2.0, 3.0, 6.0}}) {
    const Vector3 center = box.maximum + out;
    const double distance = Length(out);
    EXPECT_TRUE(Overlaps(Sphere{center, distance}, box));
    EXPECT_FALSE(Overlaps(Sphere{center, distance - 0.001}, box));
    EXPECT_TRUE(Overlaps(Sphere{center, distance + 1e-12}, ToOrientedBox(box)));
  }
  EXPECT_TRUE(Overlaps(Sphere{{0.5, 0.5, 0.5}, 0.0}, box));
}

TEST(IntersectionsTest, CapsulesSpheresAndTriangles) {
  const Capsule capsule = {{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}, 1.0};
  EXPECT_TRUE(Overlaps(Sphere{{2.0, 3.0, 0.0}, 2.0}, capsule));
  EXPECT_FALSE(Overlaps(Sphere{{2.0, 3.0, 0.0}, 1.999}, capsule));
  EXPECT_TRUE(Overlaps(Sphere{{7.0, 4.0, 0.0}, 4.0}, capsule));
  const Triangle triangle = {{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}, {0.0, 4.0, 0.0}};
  EXPECT_TRUE(Overlaps(Sphere{{1.0, 1.0, 2.0}, 2.0}, triangle));
  EXPECT_FALSE(Overlaps(Sphere{{1.0, 1.0, 2.0}, 1.999}, triangle));
  EXPECT_TRUE(Overlaps(Sphere{{-3.0, -4.0, 0.0}, 5.0}, triangle));
}

TEST(IntersectionsTest, CapsulesThatCrossStandParallelOrAreSpheres) {
  const Capsule along_x = {{-2.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, 0.5};
  const Capsule above = {{0.0, -2.0, 1.0}, {0.0, 2.0, 1.0}, 0.5};
  EXPECT_TRUE(Overlaps(along_x, above));
  EXPECT_FALSE(Overlaps(along_x, Capsule{above.start, above.end, 0.499}));
  const Capsule parallel = {{5.0, 0.0, 0.0}, {3.0, 0.0, 0.0}, 0.5};
  EXPECT_TRUE(Overlaps(along_x, parallel));
  const Capsule point = {{0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}, 0.5};
  EXPECT_TRUE(Overlaps(along_x, point));
  EXPECT_TRUE(Overlaps(point, point));
}

TEST(IntersectionsTest, PlaneAndBoxesAndCapsules) {
  const Plane plane = {.normal = {0.0, 1.0, 0.0}, .offset = -2.0};
  EXPECT_TRUE(Overlaps(plane, Aabb{{0.0, 0.0, 0.0}, {1.0, 2.0, 1.0}}));
  EXPECT_FALSE(Overlaps(plane, Aabb{{0.0, 0.0, 0.0}, {1.0, 1.999, 1.0}}));
  EXPECT_TRUE(Overlaps(plane, Capsule{{}, {0.0, 1.0, 0.0}, 1.0}));
  EXPECT_FALSE(Overlaps(plane, Capsule{{}, {0.0, 1.0, 0.0}, 0.999}));
  EXPECT_TRUE(Overlaps(plane, Capsule{{}, {0.0, 9.0, 0.0}, 0.0}));
}

TEST(IntersectionsTest, OrientedBoxesThatTouch) {
  const OrientedBox box = {{}, {1.0, 1.0, 1.0}, {}};
  const Quaternion eighth = FromAxisAngle({0.0, 0.0, 1.0}, kPi / 4);
  const double reach = 1.0 + Sqrt(2.0);
  EXPECT_TRUE(Overlaps(box, OrientedBox{{2.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, {}}));
  EXPECT_TRUE(Overlaps(box, OrientedBox{{2.0, 2.0, 2.0}, {1.0, 1.0, 1.0}, {}}));
  EXPECT_FALSE(
      Overlaps(box, OrientedBox{{2.001, 0.0, 0.0}, {1.0, 1.0, 1.0}, {}}));
  EXPECT_TRUE(
      Overlaps(box, OrientedBox{{reach, 0.0, 0.0}, {1.0, 1.0, 1.0}, eighth}));
  EXPECT_FALSE(Overlaps(
      box, OrientedBox{{reach + 0.001, 0.0, 0.0}, {1.0, 1.0, 1.0}, eighth}));
}

TEST(IntersectionsTest, OrientedBoxesThatOnlyTheirEdgesPart) {
  // Two long beams that cross at a distance, both turned by an eighth around
  // themselves: no face's normal parts them.
  const OrientedBox a = {
      {}, {10.0, 1.0, 1.0}, FromAxisAngle({1.0, 0.0, 0.0}, kPi / 4)};
  const Quaternion across = FromAxisAngle({0.0, 1.0, 0.0}, kPi / 2) *
                            FromAxisAngle({1.0, 0.0, 0.0}, kPi / 4);
  const double reach = 2.0 * Sqrt(2.0);
  EXPECT_TRUE(Overlaps(
      a, OrientedBox{{0.0, reach - 0.001, 0.0}, {10.0, 1.0, 1.0}, across}));
  EXPECT_FALSE(Overlaps(
      a, OrientedBox{{0.0, reach + 0.001, 0.0}, {10.0, 1.0, 1.0}, across}));
}

TEST(IntersectionsTest, OrientedBoxesAgreeWithAlternatingProjections) {
  RandomStream random = Draws(1);
  int overlapping = 0;
  int apart = 0;
  for (int i = 0; i < 2000; ++i) {
    const OrientedBox a = DrawOrientedBox(random);
    OrientedBox b = DrawOrientedBox(random);
    if (i % 4 == 0) b.rotation = a.rotation;
    const double distance = DistanceBetween(a, b, b.center);
    EXPECT_EQ(Overlaps(a, b), Overlaps(b, a));
    if (Overlaps(a, b)) {
      EXPECT_LT(distance, 1e-3);
      ++overlapping;
    } else {
      EXPECT_GT(distance, 0.0);
      ++apart;
    }
    if (distance == 0.0) {
      EXPECT_TRUE(Overlaps(a, b));
    }
    if (distance > 1e-3) {
      EXPECT_FALSE(Overlaps(a, b));
    }
  }
  EXPECT_GT(overlapping, 300);
  EXPECT_GT(apart, 300);
}

TEST(IntersectionsTest, PointsOfBothOrientedBoxesProveAnOverlap) {
  RandomStream random = Draws(2);
  int found = 0;
  for (int i = 0; i < 500; ++i) {
    const OrientedBox a = DrawOrientedBox(random);
    const OrientedBox b = DrawOrientedBox(random);
    for (int sample = 0; sample < 100; ++sample) {
      const Vector3 point = DrawPointIn(a, random);
      if (!Contains(b, point)) continue;
      ASSERT_TRUE(Overlaps(a, b));
      ++found;
    }
  }
  EXPECT_GT(found, 100);
}

TEST(IntersectionsTest, AxisAlignedBoxesAreOrientedBoxes) {
  RandomStream random = Draws(3);
  for (int i = 0; i < 2000; ++i) {
    const Aabb a = DrawAabb(random);
    const Aabb b = DrawAabb(random);
    EXPECT_EQ(Overlaps(a, ToOrientedBox(b)), Overlaps(a, b));
  }
}

TEST(IntersectionsTest, BoxesWithoutSizeArePoints) {
  const OrientedBox point = {{1.0, 1.0, 1.0}, {}, {0.6, 0.0, 0.0, 0.8}};
  EXPECT_TRUE(Overlaps(point, point));
  EXPECT_TRUE(Overlaps(OrientedBox{{}, {1.0, 1.0, 1.0}, {}}, point));
  EXPECT_FALSE(Overlaps(OrientedBox{{}, {0.99, 1.0, 1.0}, {}}, point));
}

TEST(IntersectionsTest, CapsulesAndBoxesAgreeWithAlternatingProjections) {
  RandomStream random = Draws(4);
  int overlapping = 0;
  for (int i = 0; i < 2000; ++i) {
    const Capsule capsule = DrawCapsule(random);
    const OrientedBox box = DrawOrientedBox(random);
    const double distance = DistanceBetween(
        box, Segment{capsule.start, capsule.end}, capsule.start);
    if (Abs(distance - capsule.radius) < 1e-3) continue;
    EXPECT_EQ(Overlaps(capsule, box), distance < capsule.radius);
    if (distance < capsule.radius) ++overlapping;
    const Aabb aligned = {box.center - box.half_extents,
                          box.center + box.half_extents};
    EXPECT_EQ(Overlaps(capsule, aligned),
              Overlaps(capsule, ToOrientedBox(aligned)));
  }
  EXPECT_GT(overlapping, 300);
}

TEST(IntersectionsTest, AZeroCapsuleIsASphere) {
  RandomStream random = Draws(5);
  for (int i = 0; i < 1000; ++i) {
    const Sphere sphere = DrawSphere(random);
    const Sphere other = DrawSphere(random);
    const Capsule capsule = {other.center, other.center, other.radius};
    EXPECT_EQ(Overlaps(sphere, capsule), Overlaps(sphere, other));
  }
}

}  // namespace
}  // namespace reprise::sim
