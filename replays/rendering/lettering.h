// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Words on a picture, in letters of three by five dots.

#ifndef REPRISE_REPLAYS_RENDERING_LETTERING_H_
#define REPRISE_REPLAYS_RENDERING_LETTERING_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "replays/rendering/picture.h"

namespace reprise::replays {

struct TextPlace {
  uint32_t x = 0;  // of the first letter's upper left corner
  uint32_t y = 0;
  uint32_t scale = 1;  // a dot is as many times two pixels wide
};

// Dark, on a light band. Small letters are drawn as capitals, what there is no
// letter for as a box; what lies beside the picture is left out.
void DrawText(std::string_view text, const TextPlace& place, Picture& picture);

// The same in a colour, without a band.
void DrawLetters(std::string_view text, const TextPlace& place,
                 PixelColour colour, Picture& picture);

// How wide so many letters are, and how high each is at a scale of 1, in
// pixels.
uint32_t TextWidth(size_t letters, uint32_t scale);
inline constexpr uint32_t kLetterHeight = 10;

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_LETTERING_H_
