// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a simulation's own picture is whole pixels, in the middle.

#include "replays/rendering/fitted_picture.h"

#include <cstddef>
#include <cstdint>

#include "gtest/gtest.h"
#include "replays/rendering/picture.h"
#include "sim/frame.h"

namespace reprise::replays {
namespace {

constexpr PixelColour kBlack = {0, 0, 0};
constexpr PixelColour kRed = {255, 0, 0};
constexpr PixelColour kBlue = {0, 0, 255};

// Red, and right of it blue.
sim::FramePicture TwoPixels() {
  return {.width = 2, .height = 1, .pixels = {255, 0, 0, 0, 0, 255}};
}

TEST(FittedPictureTest, EachPixelBecomesASquare) {
  const Picture picture = FitPicture(TwoPixels(), 7, 5);

  ASSERT_EQ(picture.width(), 7U);
  ASSERT_EQ(picture.height(), 5U);
  for (uint32_t y = 0; y < 5; ++y) {
    for (uint32_t x = 0; x < 7; ++x) {
      const bool is_inside = y >= 1 && y < 4 && x < 6;
      const PixelColour wanted = x < 3 ? kRed : kBlue;
      EXPECT_EQ(picture.At(x, y), is_inside ? wanted : kBlack) << x << ' ' << y;
    }
  }
}

TEST(FittedPictureTest, OneOfTheSameSizeStaysAsItIs) {
  const Picture picture = FitPicture(TwoPixels(), 2, 1);

  EXPECT_EQ(picture.At(0, 0), kRed);
  EXPECT_EQ(picture.At(1, 0), kBlue);
}

TEST(FittedPictureTest, LargerOneLosesPixels) {
  sim::FramePicture wide = {.width = 8, .height = 2, .pixels = {}};
  wide.pixels.resize(size_t{3} * 16);
  wide.pixels[0] = 255;                  // the first pixel of the first row
  wide.pixels[size_t{3} * 4 + 2] = 255;  // the fifth
  const Picture picture = FitPicture(wide, 2, 3);

  EXPECT_EQ(picture.At(0, 1), kRed);
  EXPECT_EQ(picture.At(1, 1), kBlue);
  EXPECT_EQ(picture.At(0, 0), kBlack);
  EXPECT_EQ(picture.At(0, 2), kBlack);
}

}  // namespace
}  // namespace reprise::replays
