// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that shades of four bytes keep what they are made of, and that what is
// no number, or beyond all, becomes the nearest that there is.

#include "replays/rendering/shading.h"

#include <limits>

#include "gtest/gtest.h"
#include "replays/rendering/picture.h"
#include "sim/base/math.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kEndless = std::numeric_limits<double>::infinity();

TEST(ShadingTest, PackedShadesKeepTheirLevels) {
  const PackedShade shade = Pack({{1, 0, 0.5}, 1}, true);
  EXPECT_TRUE(IsGround(shade));
  EXPECT_EQ(LeftInShadow(shade), 1);
  EXPECT_EQ(LitOf(shade).x, 1);
  EXPECT_EQ(LitOf(shade).y, 0);
  EXPECT_NEAR(LitOf(shade).z, 0.5, 0.01);
}

TEST(ShadingTest, WhatIsNoNumberIsNothing) {
  const Light none = {kNoNumber, kNoNumber, kNoNumber};
  EXPECT_EQ(ToPixel(none), (PixelColour{0, 0, 0}));
  EXPECT_EQ(Pack({none, kNoNumber}, false), Pack({{0, 0, 0}, 0}, false));
}

TEST(ShadingTest, WhatIsBeyondAllIsWhiteOrBlack) {
  EXPECT_EQ(ToPixel({kEndless, -kEndless, 2}), (PixelColour{255, 0, 255}));
  EXPECT_EQ(Pack({{0, 0, 0}, kEndless}, false), Pack({{0, 0, 0}, 1}, false));
  EXPECT_EQ(Pack({{0, 0, 0}, -1}, false), Pack({{0, 0, 0}, 0}, false));
}

// A unit vector in the plane of x and y, by its angle from up.
Vector3 Tilted(double degrees) {
  return {sim::Sin(sim::Radians(degrees)), sim::Cos(sim::Radians(degrees)), 0};
}

// The sun stands straight above, and the sky's light comes from one side, so
// that what each gives is told apart.
constexpr Lamp kNoon = {.sun = {0, 1, 0}, .up = {0, 0, 1}};

// Lambert: what the sun gives goes by the cosine of the angle to it, and is
// nothing behind 90 degrees; what is left in shadow is all else.
TEST(ShadingTest, TheSunGivesByTheCosineOfItsAngle) {
  const auto of_sun = [](double degrees) {
    const Shade shade = ShadeOf({1, 0.5, 0}, Tilted(degrees), kNoon);
    EXPECT_NEAR(shade.lit.y, 0.5 * shade.lit.x, 1e-12);
    EXPECT_EQ(shade.lit.z, 0);
    return shade.lit.x * (1 - shade.left_in_shadow);
  };
  const double straight = of_sun(0);
  EXPECT_GT(straight, 0.3);
  for (const double degrees : {1.0, 10.0, 30.0, 60.0, 85.0, 89.9}) {
    EXPECT_NEAR(of_sun(degrees) / straight, sim::Cos(sim::Radians(degrees)),
                1e-12)
        << degrees;
    EXPECT_EQ(of_sun(degrees), of_sun(-degrees));
  }
  for (const double degrees : {90.1, 120.0, 180.0}) {
    EXPECT_EQ(of_sun(degrees), 0) << degrees;
  }
}

// From all sides, most of it from above: a straight line by the height of the
// normal.
TEST(ShadingTest, TheSkyGivesByTheHeightOfTheNormal) {
  const Lamp night = {.sun = {0, 0, 1}, .up = {0, 1, 0}};
  const auto of_sky = [&](double degrees) {
    const Shade shade = ShadeOf({1, 1, 1}, Tilted(degrees), night);
    EXPECT_EQ(shade.left_in_shadow, 1);
    return shade.lit.x;
  };
  const double above = of_sky(0);
  const double below = of_sky(180);
  EXPECT_GT(above, below);
  EXPECT_GT(below, 0);
  for (const double degrees : {20.0, 45.0, 90.0, 135.0}) {
    const double height = 0.5 * (1 + sim::Cos(sim::Radians(degrees)));
    EXPECT_NEAR(of_sky(degrees), below + (above - below) * height, 1e-12);
  }
}

// Blinn: the highlight goes by the 32nd power of the cosine between the normal
// and what is halfway from the sun to the eye, is white, and isn't there where
// the sun isn't.
TEST(ShadingTest, TheHighlightGoesByTheHalfwayVector) {
  const Light colour = {0.2, 0.1, 0};
  const auto highlight = [&](double eye_degrees, double normal_degrees) {
    const Vector3 normal = Tilted(normal_degrees);
    const Light with = ShadeOf(colour, normal, Tilted(eye_degrees), kNoon).lit;
    const Light without = ShadeOf(colour, normal, kNoon).lit;
    EXPECT_NEAR(with.y - without.y, with.x - without.x, 1e-12);
    EXPECT_NEAR(with.z - without.z, with.x - without.x, 1e-12);
    return with.x - without.x;
  };
  const double straight = highlight(0, 0);
  EXPECT_GT(straight, 0.05);
  for (const double eye : {0.0, 20.0, 50.0, 80.0}) {
    for (const double normal : {-5.0, 0.0, 10.0, 25.0, 40.0}) {
      const double cosine = sim::Cos(sim::Radians(0.5 * eye - normal));
      double power = 1;
      for (int i = 0; i < 32; ++i) power *= cosine;
      EXPECT_NEAR(highlight(eye, normal) / straight, power, 1e-9)
          << eye << ' ' << normal;
    }
  }
  EXPECT_EQ(highlight(100, 95), 0);
}

// What isn't changed on its way needs no arithmetic.
TEST(ShadingTest, WhatIsPackedIsSentAsItIs) {
  for (uint32_t level = 0; level < 256; ++level) {
    const PackedShade shade = level * 0x10101;
    EXPECT_EQ(ToPixel(LitOf(shade)), PixelOf(shade)) << level;
  }
}

}  // namespace
}  // namespace reprise::replays
