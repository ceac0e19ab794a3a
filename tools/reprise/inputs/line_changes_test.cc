// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that texts are compared by places which, all made, give the later
// text, each of as few lines as a longest common subsequence leaves; and that
// what is too much to compare so is one place.

#include "tools/reprise/inputs/line_changes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<LineChange> Compare(std::string_view before,
                                std::string_view after) {
  return CompareLines(SplitLines(before), SplitLines(after));
}

// `before` with all changes, the last one first, so that places stay.
std::string MakeAll(const std::string& before, const std::string& after) {
  std::string text = before;
  const std::vector<LineChange> changes = Compare(before, after);
  for (size_t i = changes.size(); i-- > 0;) {
    text = ApplyLineChange(SplitLines(text), SplitLines(after), changes[i]);
  }
  return text;
}

TEST(LineChangesTest, SameTextHasNone) {
  EXPECT_THAT(Compare("", ""), IsEmpty());
  EXPECT_THAT(Compare("a\nb\n", "a\nb\n"), IsEmpty());
}

TEST(LineChangesTest, PlacesFarApartAreTwoAndCloseOnesAreOne) {
  EXPECT_THAT(Compare("a\n1\n2\n3\nb\n", "A\n1\n2\n3\nB\n"),
              ElementsAre(LineChange{0, 1, 0, 1}, LineChange{4, 1, 4, 1}));
  EXPECT_THAT(Compare("a\n1\n2\nb\n", "A\n1\n2\nB\n"),
              ElementsAre(LineChange{0, 4, 0, 4}));
}

TEST(LineChangesTest, LinesThatCameAndWentHaveTheirPlaceInBoth) {
  EXPECT_THAT(Compare("1\n2\n3\n4\n5\n6\n7\nend", "new\n1\n2\n3\n4\n5\n6\nend"),
              ElementsAre(LineChange{0, 0, 0, 1}, LineChange{6, 1, 7, 0}));
}

TEST(LineChangesTest, AllOfThemGiveTheLaterText) {
  // Texts of few words, so that much of them is alike by chance.
  uint32_t state = 1;
  const auto next = [&state](uint32_t below) {
    state = state * 1664525 + 1013904223;  // Numerical Recipes
    return (state >> 16) % below;
  };
  for (int round = 0; round < 300; ++round) {
    std::string before;
    std::string after;
    for (std::string* const text : {&before, &after}) {
      for (uint32_t line = next(20); line > 0; --line) {
        *text += std::string(1, static_cast<char>('a' + next(4))) + "\n";
      }
      if (next(2) == 0) *text += "last";
    }
    EXPECT_EQ(MakeAll(before, after), after) << before << "->\n" << after;
  }
}

TEST(LineChangesTest, TooManyPlacesAreOne) {
  std::string before = "head\n";
  std::string after = "head\n";
  for (size_t place = 0; place <= kLineChangesMax; ++place) {
    before += "a\n1\n2\n3\n";
    after += "b\n1\n2\n3\n";
  }
  const size_t lines = 4 * kLineChangesMax + 1;
  EXPECT_THAT(Compare(before, after),
              ElementsAre(LineChange{1, lines, 1, lines}));
}

TEST(LineChangesTest, TooManyLinesAreOnePlace) {
  std::string before = "a\n";
  std::string after = "b\n";
  for (int line = 0; line < 2001; ++line) {
    before += "same\n";
    after += "same\n";
  }
  const auto changes = Compare(before + "a\n", after + "b\n");
  EXPECT_THAT(changes, ElementsAre(LineChange{0, 2003, 0, 2003}));
}

}  // namespace
}  // namespace reprise::tools
