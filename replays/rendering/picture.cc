// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/picture.h"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "sim/base/check.h"

namespace reprise::replays {

Picture::Picture(uint32_t width, uint32_t height)
    : width_(width), height_(height), bytes_(size_t{3} * width * height) {
  CHECK(width >= 1 && width <= kSizeMax, "a width of {}", width);
  CHECK(height >= 1 && height <= kSizeMax, "a height of {}", height);
}

sim::Digest Picture::ComputeDigest() const {
  std::vector<uint8_t> all;
  all.reserve(bytes_.size() + 4);
  for (const uint32_t size : {width_, height_}) {
    all.push_back(static_cast<uint8_t>(size));
    all.push_back(static_cast<uint8_t>(size >> 8));
  }
  all.insert(all.end(), bytes_.begin(), bytes_.end());
  return sim::DigestOf(std::as_bytes(std::span(all)));
}

PictureDifference ComparePictures(const Picture& a, const Picture& b) {
  CHECK(a.width() == b.width() && a.height() == b.height(),
        "pictures of {}x{} and {}x{}", a.width(), a.height(), b.width(),
        b.height());
  PictureDifference found = {.shown = Picture(a.width(), a.height())};
  for (uint32_t y = 0; y < a.height(); ++y) {
    for (uint32_t x = 0; x < a.width(); ++x) {
      const PixelColour one = a.At(x, y);
      const PixelColour other = b.At(x, y);
      int apart = 0;
      int sum = 0;
      for (size_t i = 0; i < 3; ++i) {
        apart = std::max(apart, std::abs(one[i] - other[i]));
        sum += one[i];
      }
      const auto grey = static_cast<uint8_t>(170 + sum / 12);
      found.shown.Set(x, y, {grey, grey, grey});
      if (apart == 0) continue;
      ++found.pixels;
      found.largest = std::max(found.largest, static_cast<uint8_t>(apart));
      const auto rest = static_cast<uint8_t>(std::max(0, 120 - apart));
      found.shown.Set(x, y, {255, rest, rest});
    }
  }
  return found;
}

}  // namespace reprise::replays
