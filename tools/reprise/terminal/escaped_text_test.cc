// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no byte of a text does anything to a terminal, whatever pieces it
// comes in, and that people's own letters stay as they are.

#include "tools/reprise/terminal/escaped_text.h"

#include <ostream>
#include <sstream>
#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

TEST(EscapedTextTest, LettersOfAllLanguagesStayAsTheyAre) {
  const std::string text = "Größe 12 µm, 名前, 🎲\n\tend";

  EXPECT_EQ(EscapeText(text), text);
}

TEST(EscapedTextTest, WhatATerminalObeysIsShownByItsBytes) {
  EXPECT_EQ(EscapeText("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(EscapeText("a\rb\bc\x7f"), "a\\x0db\\x08c\\x7f");
  // U+009B begins a sequence in terminals of 8 bits.
  EXPECT_EQ(EscapeText("\xc2\x9b"), "\\xc2\\x9b");
  // U+202E turns what follows around.
  EXPECT_EQ(EscapeText("\xe2\x80\xae"), "\\xe2\\x80\\xae");
  EXPECT_EQ(EscapeText(std::string_view("\0", 1)), "\\x00");
}

TEST(EscapedTextTest, WhatIsNoUtf8IsShownByItsBytes) {
  EXPECT_EQ(EscapeText("\x9b[2J"), "\\x9b[2J");
  EXPECT_EQ(EscapeText("\xc0\x9b"), "\\xc0\\x9b");           // too long
  EXPECT_EQ(EscapeText("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half a pair
  EXPECT_EQ(EscapeText("\xe2\x82"), "\\xe2\\x82");           // cut off
  EXPECT_EQ(EscapeText("\xf5"), "\\xf5");
}

TEST(EscapedTextTest, ALineStaysOne) {
  EXPECT_EQ(EscapeLine("won\nerror: no\t"), "won\\x0aerror: no\\x09");
}

TEST(EscapedTextTest, JsonSaysTheSame) {
  EXPECT_EQ(EscapeJson("{\n\"a\": \"\xc2\x9b\x7f\"}"),
            "{\n\"a\": \"\\u009b\\u007f\"}");
}

TEST(EscapedTextTest, CharactersMayComeInPieces) {
  const std::string text = "µ\xc2\x9b 名\x1b\xff\xe5\x90";
  for (size_t place = 0; place <= text.size(); ++place) {
    std::ostringstream target;
    {
      EscapingBuffer buffer(target);
      std::ostream stream(&buffer);
      stream << text.substr(0, place) << std::flush;
      for (const char byte : text.substr(place)) stream.put(byte);
    }
    EXPECT_EQ(target.str(), EscapeText(text)) << place;
  }
}

}  // namespace
}  // namespace reprise::tools
