// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that volumes are closed, grow by their margin and stay within their
// bounds, on exact cases and on random points; and that each mistake an author
// can make is refused by name.

#include "sim/geometry/volume.h"

#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/base/random.h"

namespace reprise::sim {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

SphereVolume UnitSphere() { return {.centre = {1.0, 2.0, 3.0}, .radius_m = 1}; }

OrientedBoxVolume UprightBox() {
  return {.centre = {0.0, 0.0, 0.0}, .half_extents_m = {1.0, 2.0, 3.0}};
}

// A right-angled triangle with legs of 4 m along x and 3 m along z.
ConvexPrismVolume Triangle() {
  return {.corners = {{0.0, 0.0}, {4.0, 0.0}, {0.0, 3.0}},
          .bottom_m = -1.0,
          .top_m = 2.0};
}

// A cube whose edges along y are bevelled: an octagon in plan.
SlabVolume BevelledCube() {
  const double diagonal = Sqrt(0.5);
  return {.low = {-1.0, -1.0, -1.0},
          .high = {1.0, 1.0, 1.0},
          .slabs = {{{diagonal, 0.0, diagonal}, -1.2, 1.2},
                    {{diagonal, 0.0, -diagonal}, -1.2, 1.2}}};
}

std::vector<Volume> AllShapes() {
  OrientedBoxVolume turned = UprightBox();
  turned.centre = {-3.0, 1.0, 2.0};
  turned.rotation = FromAxisAngle({1.0, 2.0, -1.0}, 0.7);
  return {UnitSphere(), turned, Triangle(), BevelledCube()};
}

std::string Refusal(const Volume& volume) {
  const absl::Status status = ValidateVolume(volume);
  EXPECT_TRUE(status.ok() ||
              status.code() == absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

// Uniform in a cube of 12 m around the origin.
Vector3 RandomPoint(RandomStream& stream) {
  const double x = NextUnit(stream);
  const double y = NextUnit(stream);
  const double z = NextUnit(stream);
  return {12.0 * x - 6.0, 12.0 * y - 6.0, 12.0 * z - 6.0};
}

bool IsWithin(const VolumeBounds& bounds, Vector3 point) {
  return bounds.low.x <= point.x && point.x <= bounds.high.x &&
         bounds.low.y <= point.y && point.y <= bounds.high.y &&
         bounds.low.z <= point.z && point.z <= bounds.high.z;
}

TEST(VolumeTest, TouchingASphereIsInside) {
  EXPECT_TRUE(Contains(UnitSphere(), {2.0, 2.0, 3.0}));
  EXPECT_FALSE(Contains(UnitSphere(), {2.0 + 0x1p-51, 2.0, 3.0}));
}

TEST(VolumeTest, TouchingABoxIsInside) {
  EXPECT_TRUE(Contains(UprightBox(), {1.0, 2.0, 3.0}));
  EXPECT_TRUE(Contains(UprightBox(), {-1.0, -2.0, -3.0}));
  EXPECT_FALSE(Contains(UprightBox(), {1.0, 2.0, 3.0 + 0x1p-51}));
}

TEST(VolumeTest, BoxTurnsWithItsRotation) {
  OrientedBoxVolume box = UprightBox();
  box.rotation = FromAxisAngle({0.0, 1.0, 0.0}, 0.5 * kPi);
  EXPECT_TRUE(Contains(box, {2.9, 0.0, 0.9}));
  EXPECT_FALSE(Contains(box, {0.9, 0.0, 2.9}));
}

TEST(VolumeTest, TouchingAPrismIsInside) {
  EXPECT_TRUE(Contains(Triangle(), {0.0, -1.0, 0.0}));
  EXPECT_TRUE(Contains(Triangle(), {2.0, 2.0, 1.5}));  // on the hypotenuse
  EXPECT_FALSE(Contains(Triangle(), {2.0, 2.0, 1.5 + 0x1p-40}));
  EXPECT_FALSE(Contains(Triangle(), {1.0, 2.0 + 0x1p-51, 1.0}));
}

TEST(VolumeTest, PrismMeansTheSameWhicheverWayItsCornersGo) {
  ConvexPrismVolume back = Triangle();
  std::swap(back.corners[0], back.corners[2]);
  ASSERT_TRUE(ValidateVolume(back).ok());
  RandomStream stream = MakeRandomStream(1, IdOf("points"));
  for (int i = 0; i < 10'000; ++i) {
    const Vector3 point = RandomPoint(stream);
    EXPECT_EQ(Contains(back, point), Contains(Triangle(), point));
    EXPECT_EQ(Contains(back, point, 0.5), Contains(Triangle(), point, 0.5));
  }
}

TEST(VolumeTest, SlabsCutTheirBox) {
  EXPECT_TRUE(Contains(BevelledCube(), {1.0, 1.0, 0.5}));
  EXPECT_FALSE(Contains(BevelledCube(), {1.0, 1.0, 0.9}));
  EXPECT_FALSE(Contains(BevelledCube(), {-0.9, 0.0, 0.9}));
  EXPECT_FALSE(Contains(BevelledCube(), {0.0, 1.1, 0.0}));
}

TEST(VolumeTest, MarginIsADistance) {
  // 3, 4, 12 and 13: the corner of the box is 13 m away.
  const Vector3 beyond_corner = {1.0 + 3.0, 2.0 + 4.0, 3.0 + 12.0};
  EXPECT_TRUE(Contains(UprightBox(), beyond_corner, 13.0));
  EXPECT_FALSE(Contains(UprightBox(), beyond_corner, 13.0 - 0x1p-49));
  // 3 m above the prism and 4 m beside it: 5 m.
  EXPECT_TRUE(Contains(Triangle(), {-4.0, 5.0, 1.0}, 5.0));
  EXPECT_FALSE(Contains(Triangle(), {-4.0, 5.0, 1.0}, 5.0 - 0x1p-49));
  EXPECT_TRUE(Contains(UnitSphere(), {4.0, 2.0, 3.0}, 2.0));
  EXPECT_FALSE(Contains(UnitSphere(), {4.0, 2.0, 3.0}, 1.75));
}

TEST(VolumeTest, GrownVolumesContainThemselvesAndStayWithinTheirBounds) {
  RandomStream stream = MakeRandomStream(2, IdOf("points"));
  for (const Volume& volume : AllShapes()) {
    ASSERT_EQ(Refusal(volume), "");
    int inside_count = 0;
    for (int i = 0; i < 20'000; ++i) {
      const Vector3 point = RandomPoint(stream);
      const double margin_m = 2.0 * NextUnit(stream);
      const bool is_inside = Contains(volume, point);
      const bool is_near = Contains(volume, point, margin_m);
      inside_count += is_inside;
      ASSERT_TRUE(!is_inside || is_near);
      ASSERT_TRUE(!is_inside || IsWithin(BoundsOf(volume), point));
      ASSERT_TRUE(!is_near || IsWithin(BoundsOf(volume, margin_m), point));
    }
    EXPECT_GT(inside_count, 40);
  }
}

TEST(VolumeTest, BoundsAreTight) {
  OrientedBoxVolume box = UprightBox();
  box.rotation = FromAxisAngle({0.0, 0.0, 1.0}, 0.25 * kPi);
  const VolumeBounds bounds = BoundsOf(box, 1.0);
  EXPECT_NEAR(bounds.high.x, 3.0 * Sqrt(0.5) + 1.0, 1e-6);
  EXPECT_NEAR(bounds.low.y, -3.0 * Sqrt(0.5) - 1.0, 1e-6);
  EXPECT_NEAR(bounds.high.z, 4.0, 1e-6);
}

TEST(VolumeTest, NothingContainsAPointOfNoPlace) {
  for (const Volume& volume : AllShapes()) {
    for (const double odd : {kNan, kInfinity, -kInfinity, 1e300, -1e300}) {
      EXPECT_FALSE(Contains(volume, {odd, 0.0, 0.0}));
      EXPECT_FALSE(Contains(volume, {0.0, odd, 0.0}, 1e9));
      EXPECT_FALSE(Contains(volume, {0.0, 0.0, odd}, 1e9));
      EXPECT_FALSE(Contains(volume, {odd, odd, odd}, 1e9));
    }
  }
}

TEST(ValidateVolumeTest, RefusesNumbersThatAreNoPlaceOrSize) {
  for (const double odd : {kNan, kInfinity, -1e10}) {
    EXPECT_NE(Refusal(SphereVolume{{odd, 0.0, 0.0}, 1.0}), "");
    EXPECT_NE(Refusal(SphereVolume{{}, odd}), "");
    EXPECT_NE(Refusal(OrientedBoxVolume{{}, {}, {1.0, odd, 1.0}}), "");
    EXPECT_NE(Refusal(OrientedBoxVolume{{}, {odd, 0, 0, 1}, {1, 1, 1}}), "");
    ConvexPrismVolume prism = Triangle();
    prism.corners[1].z = odd;
    EXPECT_NE(Refusal(prism), "");
    SlabVolume slabs = BevelledCube();
    slabs.slabs[1].normal.y = odd;
    EXPECT_NE(Refusal(slabs), "");
  }
  EXPECT_EQ(Refusal(SphereVolume{{}, 0.0}),
            "volume: its radius of 0 m is not within [1e-06, 1000000000] m");
  EXPECT_NE(Refusal(OrientedBoxVolume{{}, {}, {1.0, 0.0, 1.0}}), "");
}

TEST(ValidateVolumeTest, RefusesARotationThatAlsoScales) {
  EXPECT_EQ(Refusal(OrientedBoxVolume{{}, {1, 0, 0, 1}, {1, 1, 1}}),
            "volume: its rotation is not a quaternion of length 1");
}

TEST(ValidateVolumeTest, RefusesPolygonsThatAreNotConvex) {
  const auto refusal = [](std::vector<PlanPoint> corners) {
    return Refusal(ConvexPrismVolume{std::move(corners), 0.0, 1.0});
  };
  EXPECT_EQ(refusal({{0, 0}, {1, 0}}),
            "volume: its polygon has 2 corners, not 3 to 64");
  EXPECT_EQ(refusal({{0, 0}, {4, 0}, {1, 1}, {0, 4}}),
            "volume: its polygon is not convex at corner 2");
  EXPECT_EQ(refusal({{0, 0}, {2, 0}, {4, 0}, {0, 4}}),
            "volume: corner 2 lies on the line through corners 0 and 1");
  EXPECT_NE(refusal({{0, 0}, {4, 0}, {4, 0}, {0, 4}}), "");
  // Each corner of a five-pointed star turns the same way, twice around.
  EXPECT_NE(refusal({{0, 10}, {6, -8}, {-10, 3}, {10, 3}, {-6, -8}}), "");
}

TEST(ValidateVolumeTest, RefusesPrismsUpsideDown) {
  ConvexPrismVolume prism = Triangle();
  std::swap(prism.bottom_m, prism.top_m);
  EXPECT_EQ(Refusal(prism),
            "volume: its height of -3 m is not within [1e-06, 1000000000] m");
}

TEST(ValidateVolumeTest, RefusesASlabThatMissesItsBox) {
  SlabVolume volume = BevelledCube();
  volume.slabs[1].low_m = 5.0;
  volume.slabs[1].high_m = 6.0;
  EXPECT_EQ(Refusal(volume), "volume: slab 1 misses its box");
}

}  // namespace
}  // namespace reprise::sim
