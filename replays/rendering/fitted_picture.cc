// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/fitted_picture.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/check.h"

namespace reprise::replays {
namespace {

uint32_t DivideUp(uint32_t number, uint32_t by) {
  return (number + by - 1) / by;
}

}  // namespace

Picture FitPicture(const sim::FramePicture& drawn, uint32_t width,
                   uint32_t height) {
  CHECK(drawn.pixels.size() == size_t{3} * drawn.width * drawn.height &&
            !drawn.pixels.empty(),
        "{} bytes of {} by {}", drawn.pixels.size(), drawn.width, drawn.height);
  // One of both is 1.
  const uint32_t larger =
      std::max(1U, std::min(width / drawn.width, height / drawn.height));
  const uint32_t smaller =
      std::max(DivideUp(drawn.width, width), DivideUp(drawn.height, height));
  const uint32_t fitted_width = DivideUp(drawn.width * larger, smaller);
  const uint32_t fitted_height = DivideUp(drawn.height * larger, smaller);
  const uint32_t left = (width - fitted_width) / 2;
  const uint32_t top = (height - fitted_height) / 2;
  Picture picture(width, height);
  for (uint32_t y = 0; y < fitted_height; ++y) {
    const size_t row = size_t{y} * smaller / larger * drawn.width;
    for (uint32_t x = 0; x < fitted_width; ++x) {
      const uint8_t* const pixel =
          &drawn.pixels[3 * (row + size_t{x} * smaller / larger)];
      picture.Set(left + x, top + y, {pixel[0], pixel[1], pixel[2]});
    }
  }
  return picture;
}

}  // namespace reprise::replays
