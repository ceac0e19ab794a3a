// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that characters of each length are told from what only looks like
// them, at the edges that Unicode's table 3-7 names.

#include "sim/base/utf8.h"

#include <string_view>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

// The size counts: texts may hold zeros.
using namespace std::string_view_literals;

TEST(Utf8Test, CharactersOfEachLengthAreText) {
  for (const std::string_view text :
       {""sv, "\0"sv, "a\x7F"sv, "\xC2\x80\xDF\xBF"sv, "\xE0\xA0\x80"sv,
        "\xED\x9F\xBF\xEE\x80\x80"sv, "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"sv}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
}

TEST(Utf8Test, WhatIsCutOverlongASurrogateOrTooLargeIsNone) {
  for (const std::string_view text :
       {"\x80"sv, "\xC1\xBF"sv, "\xC2"sv, "a\xE0\xA0"sv, "\xE0\x9F\xBF"sv,
        "\xED\xA0\x80"sv, "\xF0\x8F\xBF\xBF"sv, "\xF4\x90\x80\x80"sv,
        "\xF5\x80\x80\x80"sv, "\xFF"sv}) {
    EXPECT_FALSE(IsUtf8(text)) << text;
  }
}

TEST(Utf8Test, CharactersAreAsLongAsTheyAre) {
  EXPECT_EQ(Utf8CharacterSize("ab"), 1u);
  EXPECT_EQ(Utf8CharacterSize("\xC3\xA9 "), 2u);
  EXPECT_EQ(Utf8CharacterSize("\xE6\xBC\xA2 "), 3u);
  EXPECT_EQ(Utf8CharacterSize("\xF0\x9F\x98\x80 "), 4u);
  EXPECT_EQ(Utf8CharacterSize("\xBF"), 0u);
}

TEST(Utf8Test, APrefixHasWholeCharacters) {
  const std::string_view text = "a\xC3\xA9\xF0\x9F\x98\x80z";
  EXPECT_EQ(Utf8Prefix(text, 8), text);
  EXPECT_EQ(Utf8Prefix(text, 9), text);
  EXPECT_EQ(Utf8Prefix(text, 7), text.substr(0, 7));
  for (const size_t size : {3u, 4u, 5u, 6u}) {
    EXPECT_EQ(Utf8Prefix(text, size), text.substr(0, 3)) << size;
  }
  EXPECT_EQ(Utf8Prefix(text, 2), "a");
  EXPECT_EQ(Utf8Prefix(text, 0), "");
}

}  // namespace
}  // namespace reprise::sim
