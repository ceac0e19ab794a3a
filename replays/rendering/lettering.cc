// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/lettering.h"

#include <string>

namespace reprise::replays {
namespace {

constexpr PixelColour kInk = {20, 24, 32};

constexpr uint32_t kRows = 5;
constexpr uint32_t kColumns = 3;

// Five rows from the top, an octal digit each, whose bits are its dots.
constexpr uint32_t RowsOf(char letter) {
  constexpr uint32_t kDigits[] = {075557, 026227, 071747, 071717, 055711,
                                  074717, 074757, 071122, 075757, 075717};
  constexpr uint32_t kLetters[] = {
      025755, 065656, 034443, 065556, 074647, 074644, 034553, 055755, 072227,
      011152, 055655, 044447, 057755, 065555, 025552, 065644, 025563, 065655,
      034216, 072222, 055557, 055552, 055775, 055255, 055222, 071247};
  if (letter >= '0' && letter <= '9') return kDigits[letter - '0'];
  if (letter >= 'A' && letter <= 'Z') return kLetters[letter - 'A'];
  if (letter >= 'a' && letter <= 'z') return kLetters[letter - 'a'];
  switch (letter) {
    case ' ':
      return 0;
    case '-':
      return 000700;
    case '_':
      return 000007;
    case '.':
      return 000002;
    case ',':
      return 000024;
    case ':':
      return 002020;
    case '/':
      return 011244;
    case '#':
      return 057575;
    case '=':
      return 007070;
    case '+':
      return 002720;
    case '<':
      return 012421;
    case '>':
      return 042124;
    case '[':
      return 064446;
    case ']':
      return 031113;
    case '*':
      return 005250;
    case '!':
      return 022202;
    case '&':
      return 025253;
    case '|':
      return 022222;
    case '"':
      return 055000;
    case '\'':
      return 022000;
    case '%':
      return 051245;
    case '?':
      return 071202;
    case '(':
      return 012221;
    case ')':
      return 042224;
    default:
      return 077777;
  }
}

void FillSquare(uint32_t x, uint32_t y, uint32_t size, PixelColour colour,
                Picture& picture) {
  for (uint32_t dy = 0; dy < size && y + dy < picture.height(); ++dy) {
    for (uint32_t dx = 0; dx < size && x + dx < picture.width(); ++dx) {
      picture.Set(x + dx, y + dy, colour);
    }
  }
}

// Halfway to white.
void Brighten(const TextPlace& place, uint32_t wide, uint32_t high,
              Picture& picture) {
  const uint32_t margin = 2 * place.scale;
  const uint32_t left = place.x > margin ? place.x - margin : 0;
  const uint32_t top = place.y > margin ? place.y - margin : 0;
  for (uint32_t y = top; y < place.y + high + margin && y < picture.height();
       ++y) {
    for (uint32_t x = left; x < place.x + wide + margin && x < picture.width();
         ++x) {
      PixelColour colour = picture.At(x, y);
      for (uint8_t& part : colour) {
        part = static_cast<uint8_t>((part + 255 * 2) / 3);
      }
      picture.Set(x, y, colour);
    }
  }
}

}  // namespace

uint32_t TextWidth(size_t letters, uint32_t scale) {
  const uint32_t dot = 2 * scale;
  if (letters == 0) return 0;
  return static_cast<uint32_t>(letters) * (kColumns + 1) * dot - dot;
}

void DrawText(std::string_view text, const TextPlace& place, Picture& picture) {
  if (text.empty()) return;
  Brighten(place, TextWidth(text.size(), place.scale), kRows * 2 * place.scale,
           picture);
  DrawLetters(text, place, kInk, picture);
}

void DrawLetters(std::string_view text, const TextPlace& place,
                 PixelColour colour, Picture& picture) {
  const uint32_t dot = 2 * place.scale;
  const uint32_t step = (kColumns + 1) * dot;
  for (uint32_t i = 0; i < text.size(); ++i) {
    const uint32_t rows = RowsOf(text[i]);
    for (uint32_t at = 0; at < kRows * kColumns; ++at) {
      if ((rows >> (kRows * kColumns - 1 - at) & 1) == 0) continue;
      FillSquare(place.x + i * step + at % kColumns * dot,
                 place.y + at / kColumns * dot, dot, colour, picture);
    }
  }
}

}  // namespace reprise::replays
