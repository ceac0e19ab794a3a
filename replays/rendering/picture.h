// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A picture: rows of pixels from the top, three bytes each, sRGB. What it looks
// like has one digest wherever it was made.

#ifndef REPRISE_REPLAYS_RENDERING_PICTURE_H_
#define REPRISE_REPLAYS_RENDERING_PICTURE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/digest.h"

namespace reprise::replays {

// Red, green, blue.
using PixelColour = std::array<uint8_t, 3>;

class Picture {
 public:
  // In each direction: a film of 8K, and some.
  static constexpr uint32_t kSizeMax = 8192;

  // Black. REQUIRES: both are from 1 to kSizeMax.
  Picture(uint32_t width, uint32_t height);

  uint32_t width() const { return width_; }
  uint32_t height() const { return height_; }

  // REQUIRES: it lies within the picture.
  PixelColour At(uint32_t x, uint32_t y) const {
    const size_t at = 3 * (size_t{y} * width_ + x);
    return {bytes_[at], bytes_[at + 1], bytes_[at + 2]};
  }
  void Set(uint32_t x, uint32_t y, PixelColour colour) {
    const size_t at = 3 * (size_t{y} * width_ + x);
    bytes_[at] = colour[0];
    bytes_[at + 1] = colour[1];
    bytes_[at + 2] = colour[2];
  }

  // Row by row from the top, red, green, blue.
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  std::vector<uint8_t>& mutable_bytes() { return bytes_; }

  // Of the size and the pixels.
  sim::Digest ComputeDigest() const;

  friend bool operator==(const Picture&, const Picture&) = default;

 private:
  uint32_t width_;
  uint32_t height_;
  std::vector<uint8_t> bytes_;
};

struct PictureDifference {
  uint64_t pixels = 0;  // that differ
  uint8_t largest = 0;  // of red, green or blue
  // The first picture, faded to grey; what differs is red, the more the redder.
  Picture shown;
};

// REQUIRES: they have the same size.
PictureDifference ComparePictures(const Picture& a, const Picture& b);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_PICTURE_H_
