// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that shades of four bytes keep what they are made of, and that what is
// no number, or beyond all, becomes the nearest that there is.

#include "replays/rendering/shading.h"

#include <limits>

#include "gtest/gtest.h"
#include "replays/rendering/picture.h"

namespace reprise::replays {
namespace {

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

// What isn't changed on its way needs no arithmetic.
TEST(ShadingTest, WhatIsPackedIsSentAsItIs) {
  for (uint32_t level = 0; level < 256; ++level) {
    const PackedShade shade = level * 0x10101;
    EXPECT_EQ(ToPixel(LitOf(shade)), PixelOf(shade)) << level;
  }
}

}  // namespace
}  // namespace reprise::replays
