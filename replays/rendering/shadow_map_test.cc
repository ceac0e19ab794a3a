// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that shadows lie where the sun's rays end: a ray is one place of the
// map, what is behind something is dark and what is before or beside it is lit,
// an edge is as wide as the map can tell apart, and the map doesn't flicker
// when what it sees moves a little.

#include "replays/rendering/shadow_map.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "gtest/gtest.h"
#include "replays/rendering/rasterizer.h"
#include "replays/rendering/sample_quad.h"
#include "replays/rendering/scene_bounds.h"
#include "replays/rendering/shading.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

// Of its widths; what throws a shadow is further away than that here.
constexpr double kSlack = 1.5;

class ShadowMapTest : public testing::Test {
 protected:
  ShadowMapTest() { map_.Begin(BoundsAround({})); }

  static SceneBounds BoundsAround(const Vector3& middle) {
    return {.least = middle - Vector3{3, 3, 3},
            .most = middle + Vector3{3, 3, 3},
            .is_empty = false};
  }

  // A square that lies flat at this height, from -1 to 1.
  void DrawSquare(double height) {
    const auto corner = [&](double x, double z) {
      return RasterCorner{map_.raster().projection().ToView({x, height, z}),
                          {}};
    };
    map_.raster().DrawTriangle({corner(-1, -1), corner(-1, 1), corner(1, 1)},
                               RasterSides::kBoth);
    map_.raster().DrawTriangle({corner(-1, -1), corner(1, 1), corner(1, -1)},
                               RasterSides::kBoth);
  }

  double LightAt(const Vector3& world) const {
    return map_.LightAt(map_.PlaceOf(world), kSlack);
  }

  // Where the ray through a place of height 1 meets the ground.
  static Vector3 OnGround(double x, double z) {
    const Vector3 sun = WorldLamp().sun;
    return Vector3{x, 1, z} - sun * (1 / sun.y);
  }

  ShadowMap map_;
};

TEST_F(ShadowMapTest, ARayIsOnePlace) {
  const Vector3 sun = WorldLamp().sun;
  const Vector3 start = map_.PlaceOf({0.3, 1.1, -0.7});
  const Vector3 end = map_.PlaceOf(Vector3{0.3, 1.1, -0.7} - sun * 2);
  EXPECT_NEAR(end.x, start.x, 1e-9);
  EXPECT_NEAR(end.y, start.y, 1e-9);
  EXPECT_NEAR(end.z, start.z + 2, 1e-9);
}

TEST_F(ShadowMapTest, AWayIsTheDifferenceOfPlaces) {
  const Vector3 from = {0.3, 1.1, -0.7};
  const Vector3 way = {-1.2, 0.4, 0.9};
  const Vector3 apart = map_.PlaceOf(from + way) - map_.PlaceOf(from);
  const Vector3 same = map_.WayOf(way);
  EXPECT_NEAR(apart.x, same.x, 1e-9);
  EXPECT_NEAR(apart.y, same.y, 1e-9);
  EXPECT_NEAR(apart.z, same.z, 1e-9);
}

TEST_F(ShadowMapTest, AllThatItSeesHasAPlaceOnIt) {
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3 place = map_.PlaceOf({(corner & 1) != 0 ? 3.0 : -3.0,
                                        (corner & 2) != 0 ? 3.0 : -3.0,
                                        (corner & 4) != 0 ? 3.0 : -3.0});
    EXPECT_GE(place.x, 0);
    EXPECT_GE(place.y, 0);
    EXPECT_LE(place.x, ShadowMap::kSize);
    EXPECT_LE(place.y, ShadowMap::kSize);
    EXPECT_GT(place.z, 0);
  }
}

TEST_F(ShadowMapTest, NothingThrowsNoShadow) {
  EXPECT_EQ(LightAt({}), 1);
  EXPECT_EQ(LightAt({2, -1, 0.5}), 1);
}

TEST_F(ShadowMapTest, TheShadowLiesWhereTheRaysEnd) {
  DrawSquare(1);
  for (const double x : {-0.95, 0.0, 0.95}) {
    for (const double z : {-0.95, 0.0, 0.95}) {
      EXPECT_EQ(LightAt(OnGround(x, z)), 0) << x << " " << z;
    }
  }
  for (const double beside : {-1.05, 1.05}) {
    EXPECT_EQ(LightAt(OnGround(beside, 0)), 1);
    EXPECT_EQ(LightAt(OnGround(0, beside)), 1);
  }
}

TEST_F(ShadowMapTest, WhatThrowsItAndWhatIsNearerTheSunIsLit) {
  DrawSquare(1);
  EXPECT_EQ(LightAt({0.2, 1, 0.2}), 1);
  EXPECT_EQ(LightAt({0.2, 1.5, 0.2}), 1);
}

// From light to dark it is less than two widths of the map, and never lighter
// on the way.
TEST_F(ShadowMapTest, AnEdgeIsAsWideAsThePlacesOfTheMap) {
  DrawSquare(1);
  const double width = 1 / sim::Length(map_.WayOf({1, 0, 0}));
  double before = 1;
  double soft = 0;
  for (double x = -1.05; x < -0.95; x += width / 50) {
    const double light = LightAt(OnGround(x, 0));
    EXPECT_LE(light, before + 1e-12);
    if (light > 0 && light < 1) soft += width / 50;
    before = light;
  }
  EXPECT_EQ(before, 0);
  EXPECT_GT(soft, 0);
  EXPECT_LT(soft, 2 * width);
}

TEST_F(ShadowMapTest, BesideTheMapTheSunShines) {
  DrawSquare(1);
  EXPECT_EQ(LightAt({1000, 0, 0}), 1);
  EXPECT_EQ(LightAt({0, 0, -1000}), 1);
  EXPECT_EQ(map_.LightAt({std::nan(""), 0, 1}, kSlack), 1);
}

TEST_F(ShadowMapTest, FourAtOnceAreWhatEachIs) {
  DrawSquare(1);
  const double width = 1 / sim::Length(map_.WayOf({1, 0, 0}));
  // Across an edge, above and below the square, and beside the map.
  for (int i = 0; i < 200; ++i) {
    const double x = -1 - width + i * width / 100;
    const std::array<Vector3, 4> places = {
        map_.PlaceOf(OnGround(x, 0.1 * i - 5)), map_.PlaceOf(OnGround(x, 0.3)),
        map_.PlaceOf({x, 1.2, 0.01 * i - 1}),
        map_.PlaceOf({900, x, i - 100.0})};
    const std::array<double, 4> slack = {kSlack, 0.6, 0, 3};
    QuadVector four;
    for (size_t lane = 0; lane < 4; ++lane) {
      const auto set = [&](QuadDouble& quad, double value) {
        (lane < 2 ? quad.low : quad.high)[lane % 2] = value;
      };
      set(four.x, places[lane].x);
      set(four.y, places[lane].y);
      set(four.z, places[lane].z);
    }
    const QuadDouble lights = map_.LightsAt(
        four, {DoublePair{slack[0], slack[1]}, DoublePair{slack[2], slack[3]}});
    for (size_t lane = 0; lane < 4; ++lane) {
      EXPECT_EQ(lights[lane], map_.LightAt(places[lane], slack[lane])) << i;
    }
  }
  const QuadDouble nowhere = FourOf(std::nan(""));
  EXPECT_EQ(map_.LightsAt({nowhere, nowhere, nowhere}, FourOf(kSlack))[3], 1);
}

// What stands still lies at the same part of a width.
TEST_F(ShadowMapTest, ThePlacesDontMoveWithinTheirWidths) {
  const Vector3 still = {0.3, 1.1, -0.7};
  const Vector3 before = map_.PlaceOf(still);
  for (const double moved : {0.001, 0.01, 0.37}) {
    map_.Begin(BoundsAround({moved, -2 * moved, moved}));
    const Vector3 after = map_.PlaceOf(still);
    EXPECT_NEAR(std::remainder(after.x - before.x, 1), 0, 1e-6);
    EXPECT_NEAR(std::remainder(after.y - before.y, 1), 0, 1e-6);
  }
}

}  // namespace
}  // namespace reprise::replays
