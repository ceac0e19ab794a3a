// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that letters have the dots that they are described by, where they are
// asked for, as large as they are asked for, and that nothing is drawn beside
// the picture.

#include "replays/rendering/lettering.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/rendering/picture.h"

namespace reprise::replays {
namespace {

using testing::ElementsAre;

constexpr PixelColour kInk = {20, 24, 32};
constexpr PixelColour kBlack = {0, 0, 0};

bool IsInk(const Picture& picture, uint32_t x, uint32_t y) {
  return picture.At(x, y) == kInk;
}

// The dots of a picture, a line a row, where a dot is `dot` pixels wide and the
// first one stands at (x, y). Each has to be all ink or none.
std::vector<std::string> Dots(const Picture& picture, uint32_t columns,
                              uint32_t x, uint32_t y, uint32_t dot) {
  std::vector<std::string> rows(5, std::string(columns, '.'));
  for (uint32_t row = 0; row < 5; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      const uint32_t left = x + column * dot;
      const uint32_t top = y + row * dot;
      const bool is_ink = IsInk(picture, left, top);
      if (is_ink) rows[row][column] = '#';
      for (uint32_t at = 0; at < dot * dot; ++at) {
        EXPECT_EQ(IsInk(picture, left + at % dot, top + at / dot), is_ink);
      }
    }
  }
  return rows;
}

std::vector<std::string> Letter(char letter) {
  Picture picture(20, 20);
  DrawText(std::string_view(&letter, 1), {.x = 4, .y = 4}, picture);
  return Dots(picture, 3, 4, 4, 2);
}

TEST(LetteringTest, WordsAreReadable) {
  Picture picture(60, 20);
  DrawText("Lap 7", {.x = 4, .y = 4}, picture);
  EXPECT_THAT(Dots(picture, 19, 4, 4, 2),
              ElementsAre("#....#..##......###",  //
                          "#...#.#.#.#.......#",  //
                          "#...###.##........#",  //
                          "#...#.#.#........#.",  //
                          "###.#.#.#........#."));
}

TEST(LetteringTest, LettersAndDigitsAreToldApart) {
  std::set<std::vector<std::string>> seen;
  size_t count = 0;
  for (const char letter :
       std::string_view("ABCDEFGHIJKLMNPQRSTUVWXYZ0123456789 -_.,:/#=+()")) {
    seen.insert(Letter(letter));
    ++count;
  }
  EXPECT_EQ(seen.size(), count);
}

TEST(LetteringTest, SmallLettersAreCapitalsAndUnknownOnesBoxes) {
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    EXPECT_EQ(Letter(letter), Letter(static_cast<char>(letter - 'a' + 'A')));
  }
  const std::vector<std::string> box(5, "###");
  EXPECT_EQ(Letter('\x7f'), box);
  EXPECT_EQ(Letter('\xc3'), box);
}

TEST(LetteringTest, ScaleWidensDotsAndBand) {
  Picture picture(60, 60);
  DrawText("T", {.x = 12, .y = 12, .scale = 3}, picture);
  EXPECT_THAT(Dots(picture, 3, 12, 12, 6),
              ElementsAre("###", ".#.", ".#.", ".#.", ".#."));
  // The band ends two dots of the smallest size around, times the scale.
  EXPECT_NE(picture.At(6, 6), kBlack);
  EXPECT_EQ(picture.At(5, 6), kBlack);
  EXPECT_EQ(picture.At(6, 5), kBlack);
  EXPECT_NE(picture.At(12 + 18 + 5, 12 + 30 + 5), kBlack);
  EXPECT_EQ(picture.At(12 + 18 + 6, 12), kBlack);
  EXPECT_EQ(picture.At(12, 12 + 30 + 6), kBlack);
}

TEST(LetteringTest, WhatLiesBesideThePictureIsLeftOut) {
  Picture picture(11, 9);
  DrawText("WWWW", {.x = 1, .y = 3}, picture);
  EXPECT_EQ(picture.bytes().size(), 3u * 11 * 9);
  EXPECT_TRUE(IsInk(picture, 1, 3));
  EXPECT_TRUE(IsInk(picture, 9, 8));
  DrawText("W", {.x = 1000, .y = 1000}, picture);
}

TEST(LetteringTest, NoWordsAreNothing) {
  Picture picture(20, 20);
  DrawText("", {.x = 4, .y = 4}, picture);
  EXPECT_EQ(picture, Picture(20, 20));
}

}  // namespace
}  // namespace reprise::replays
