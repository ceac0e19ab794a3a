// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a picture's difference names what differs, that its digest is of
// its pixels and size, and that PNG keeps every pixel.

#include "replays/rendering/picture.h"

#include <string>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/rendering/lettering.h"
#include "replays/rendering/png.h"

namespace reprise::replays {
namespace {

using testing::StartsWith;

Picture Chequered(uint32_t width, uint32_t height) {
  Picture picture(width, height);
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      picture.Set(x, y,
                  {static_cast<uint8_t>(37 * x), static_cast<uint8_t>(91 * y),
                   static_cast<uint8_t>(x * y)});
    }
  }
  return picture;
}

TEST(PictureTest, TheSmallestDifferenceIsFound) {
  const Picture picture = Chequered(31, 17);
  Picture other = picture;
  PixelColour colour = other.At(30, 16);
  ++colour[2];
  other.Set(30, 16, colour);
  const PictureDifference difference = ComparePictures(picture, other);
  EXPECT_EQ(difference.pixels, 1u);
  EXPECT_EQ(difference.largest, 1);
  EXPECT_EQ(difference.shown.At(30, 16)[0], 255);
  EXPECT_LT(difference.shown.At(29, 16)[0], 255);
  EXPECT_NE(picture.ComputeDigest(), other.ComputeDigest());
  EXPECT_EQ(ComparePictures(picture, picture).pixels, 0u);
}

TEST(PictureTest, ADigestIsOfTheSizeToo) {
  EXPECT_NE(Picture(8, 2).ComputeDigest(), Picture(2, 8).ComputeDigest());
}

TEST(PictureTest, PngKeepsEveryPixel) {
  const Picture picture = Chequered(61, 43);
  const absl::StatusOr<std::string> bytes = EncodePng(picture);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_THAT(*bytes, StartsWith("\x89PNG\r\n\x1a\n"));
  const absl::StatusOr<Picture> read = DecodePng(*bytes);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, picture);
}

TEST(PictureTest, WhatIsNoPngIsRefused) {
  EXPECT_EQ(DecodePng("no picture").status().code(),
            absl::StatusCode::kInvalidArgument);
  absl::StatusOr<std::string> bytes = EncodePng(Chequered(61, 43));
  bytes->resize(bytes->size() / 2);
  EXPECT_EQ(DecodePng(*bytes).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// An L is dark on the left and below, and nowhere else.
TEST(PictureTest, LettersStandWhereTheyAreTold) {
  Picture picture(40, 30);
  for (uint32_t y = 0; y < 30; ++y) {
    for (uint32_t x = 0; x < 40; ++x) picture.Set(x, y, {200, 200, 200});
  }
  DrawText("L", {.x = 10, .y = 8, .scale = 1}, picture);
  const auto is_dark = [&](uint32_t x, uint32_t y) {
    return picture.At(x, y)[0] < 100;
  };
  EXPECT_TRUE(is_dark(10, 8));
  EXPECT_TRUE(is_dark(10, 17));
  EXPECT_TRUE(is_dark(15, 17));
  EXPECT_FALSE(is_dark(15, 8));
  EXPECT_FALSE(is_dark(16, 17));
  // Beside the picture there is nothing to write on.
  DrawText("REPRISE", {.x = 30, .y = 26, .scale = 2}, picture);
}

}  // namespace
}  // namespace reprise::replays
