// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a text is split at the right places, the longest token
// first, and that what is no token is refused with its column.

#include "sim/expression/token.h"

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

// The tokens with a | between them, or the error.
std::string Split(std::string_view text) {
  const absl::StatusOr<std::vector<ExpressionToken>> tokens =
      SplitExpression(text);
  if (!tokens.ok()) return std::string(tokens.status().message());
  std::string joined;
  for (const ExpressionToken& token : *tokens) {
    if (token.kind == ExpressionToken::Kind::kEnd) break;
    if (!joined.empty()) joined += '|';
    joined += token.text;
  }
  return joined;
}

TEST(ExpressionTokenTest, BlanksPartTokensAndAreNone) {
  EXPECT_EQ(Split(""), "");
  EXPECT_EQ(Split(" tick\t<\r\n3 "), "tick|<|3");
  EXPECT_EQ(Split("a.b<=-3"), "a|.|b|<=|-|3");
}

TEST(ExpressionTokenTest, LongestTokenIsTaken) {
  EXPECT_EQ(Split("a==b!=c<=d>=e<f>g"), "a|==|b|!=|c|<=|d|>=|e|<|f|>|g");
  EXPECT_EQ(Split("notnot _not not_not _not_ not"),
            "notnot|_not|not_not|_not_|not");
  EXPECT_EQ(Split("ball#27.x"), "ball#27|.|x");
}

TEST(ExpressionTokenTest, NumbersKeepTheirKind) {
  const auto tokens = SplitExpression("12 1.5 1e3 18446744073709551615");
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ((*tokens)[0].value, ExpressionValue(ExpressionInteger{12}));
  EXPECT_EQ((*tokens)[1].value, ExpressionValue(1.5));
  EXPECT_EQ((*tokens)[2].value, ExpressionValue(1000.0));
  EXPECT_EQ(FormatExpressionValue((*tokens)[3].value), "18446744073709551615");
}

TEST(ExpressionTokenTest, TextsStandInEitherQuotes) {
  EXPECT_EQ(Split("\"it's\" 'say \"no\"' ''"), "it's|say \"no\"|");
}

TEST(ExpressionTokenTest, ColumnsCountBytesFromOne) {
  const auto tokens = SplitExpression(" ab >= 'c'");
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ((*tokens)[0].column, 2u);
  EXPECT_EQ((*tokens)[1].column, 5u);
  EXPECT_EQ((*tokens)[2].column, 8u);
  EXPECT_EQ((*tokens)[3].column, 11u);
}

TEST(ExpressionTokenTest, OtherBytesAreRefusedWithTheirColumn) {
  EXPECT_EQ(Split("a = b"), "column 3: to compare, write ==");
  EXPECT_EQ(Split("a & b"), "column 3: '&' means nothing here");
  EXPECT_EQ(Split("a \xff"), "column 3: a byte that means nothing here");
  EXPECT_EQ(Split("'a"), "column 1: the quote has no end");
  EXPECT_EQ(Split("1x"), "column 1: a number runs into a name");
  EXPECT_EQ(Split("18446744073709551616"),
            "column 1: a whole number of more than 64 bits");
  EXPECT_EQ(Split("1e999"), "column 1: a number that no double is near");
}

TEST(ExpressionTokenTest, LengthIsBounded) {
  EXPECT_EQ(Split(std::string(kExpressionBytesMax, ' ')), "");
  EXPECT_EQ(Split(std::string(kExpressionBytesMax + 1, ' ')),
            "an expression of 4097 bytes; at most 4096");
}

}  // namespace
}  // namespace reprise::sim
