// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves each rule of the grammar, what binds closer than what, and where a
// mistake is reported, by the postfix form of parsed texts.

#include "sim/expression/tree.h"

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/expression/token.h"

namespace reprise::sim {
namespace {

// The postfix form, or the error.
std::string Parse(std::string_view text) {
  const absl::StatusOr<ExpressionTree> tree = ParseExpression(text);
  return tree.ok() ? FormatPostfix(*tree)
                   : std::string(tree.status().message());
}

std::string Repeat(std::string_view text, size_t count) {
  std::string repeated;
  for (size_t i = 0; i < count; ++i) repeated += text;
  return repeated;
}

TEST(ExpressionTreeTest, PrimariesStandForThemselves) {
  EXPECT_EQ(Parse("3"), "3");
  EXPECT_EQ(Parse("0.5"), "0.5");
  EXPECT_EQ(Parse("'won'"), "\"won\"");
  EXPECT_EQ(Parse("true"), "true");
  EXPECT_EQ(Parse("false"), "false");
  EXPECT_EQ(Parse("tick"), "tick");
  EXPECT_EQ(Parse("((tick))"), "tick");
}

TEST(ExpressionTreeTest, FieldsAreNamesBetweenDots) {
  EXPECT_EQ(Parse("bodies.position.y"), "bodies.position.y");
  EXPECT_EQ(Parse("ball#7.bodies.position.y"), "ball#7.bodies.position.y");
  EXPECT_EQ(Parse("devices.axes[3]"), "devices.axes[3]");
  EXPECT_EQ(Parse("'crate 7'.bodies.kind"), "crate 7.bodies.kind");
  EXPECT_TRUE(ParseExpression("'a'.b.c")->root().is_object_quoted);
  EXPECT_FALSE(ParseExpression("a.b.c")->root().is_object_quoted);
}

TEST(ExpressionTreeTest, CallsHaveAnyNumberOfArguments) {
  EXPECT_EQ(Parse("f()"), "f/0");
  EXPECT_EQ(Parse("min(1, 2, 3)"), "1 2 3 min/3");
  EXPECT_EQ(Parse("abs(min(1, -2))"), "1 2 negate min/2 abs/1");
}

TEST(ExpressionTreeTest, ProductsBindCloserThanSums) {
  EXPECT_EQ(Parse("5 + 6 * 10"), "5 6 10 * +");
  EXPECT_EQ(Parse("5 * 6 + 10"), "5 6 * 10 +");
  EXPECT_EQ(Parse("(5 + 6) * 10"), "5 6 + 10 *");
  EXPECT_EQ(Parse("-5 * -6"), "5 negate 6 negate *");
  EXPECT_EQ(Parse("--5"), "5 negate negate");
}

TEST(ExpressionTreeTest, EqualRanksGoFromLeftToRight) {
  EXPECT_EQ(Parse("5 - 6 - 7"), "5 6 - 7 -");
  EXPECT_EQ(Parse("8 / 4 * 2"), "8 4 / 2 *");
  EXPECT_EQ(Parse("a or b or c"), "a b or c or");
  EXPECT_EQ(Parse("a and b and c"), "a b and c and");
}

TEST(ExpressionTreeTest, SumsBindCloserThanComparisons) {
  for (const char* const op : {"==", "!=", "<", "<=", ">", ">="}) {
    EXPECT_EQ(Parse(fmt::format("a + 1 {} b - 2", op)),
              fmt::format("a 1 + b 2 - {}", op));
  }
}

TEST(ExpressionTreeTest, ComparisonsThenNotThenAndThenOr) {
  EXPECT_EQ(Parse("not a == b"), "a b == not");
  EXPECT_EQ(Parse("not a and b"), "a not b and");
  EXPECT_EQ(Parse("not not a"), "a not not");
  EXPECT_EQ(Parse("a or b and c"), "a b c and or");
  EXPECT_EQ(Parse("a and b or c"), "a b and c or");
  EXPECT_EQ(Parse("a < 1 and b > 2"), "a 1 < b 2 > and");
}

TEST(ExpressionTreeTest, ChildrenComeBeforeParents) {
  const absl::StatusOr<ExpressionTree> tree =
      ParseExpression("min(a, b + 1) < c and d");
  ASSERT_TRUE(tree.ok());
  for (size_t i = 0; i < tree->nodes.size(); ++i) {
    for (const uint32_t child : tree->nodes[i].children) EXPECT_LT(child, i);
  }
  EXPECT_EQ(tree->root().op, ExpressionOperator::kAnd);
  EXPECT_EQ(tree->root().column, 19u);
}

TEST(ExpressionTreeTest, MistakesAreReportedWhereTheyAre) {
  EXPECT_EQ(Parse(""), "column 1: a value is missing");
  EXPECT_EQ(Parse("5 +"), "column 4: a value is missing");
  EXPECT_EQ(Parse("+ 5"), "column 1: a value is expected, not '+'");
  EXPECT_EQ(Parse("5 6"), "column 3: an operator is expected, not '6'");
  EXPECT_EQ(Parse("5 'x'"), "column 3: an operator is expected, not \"x\"");
  EXPECT_EQ(Parse("(5"), "column 3: ')' is missing");
  EXPECT_EQ(Parse("5)"), "column 2: an operator is expected, not ')'");
  EXPECT_EQ(Parse("a."), "column 3: a name is missing");
  EXPECT_EQ(Parse("a.3"), "column 3: a name is expected, not '3'");
  EXPECT_EQ(Parse("a.b[x]"), "column 5: a whole number is expected, not 'x'");
  EXPECT_EQ(Parse("a.b[1.5]"),
            "column 5: a whole number is expected, not '1.5'");
  EXPECT_EQ(Parse("a.b[1"), "column 6: ']' is missing");
  EXPECT_EQ(Parse("f(1"), "column 4: ')' or ',' is missing");
  EXPECT_EQ(Parse("f(1,)"), "column 5: a value is expected, not ')'");
  EXPECT_EQ(Parse("a and"), "column 6: a value is missing");
  EXPECT_EQ(Parse("and a"), "column 1: a value is expected, not 'and'");
  EXPECT_EQ(Parse("a < -not b"), "column 6: a value is expected, not 'not'");
}

TEST(ExpressionTreeTest, ComparisonsDoNotChain) {
  EXPECT_EQ(Parse("1 < tick < 5"),
            "column 10: comparisons don't chain: write `a < b and b < c`, or "
            "parentheses");
  EXPECT_EQ(Parse("(1 < a) == (b < 2)"), "1 a < b 2 < ==");
}

TEST(ExpressionTreeTest, NestingIsBounded) {
  constexpr char kTooDeep[] = ": more than 64 levels within each other";
  EXPECT_EQ(Parse(Repeat("(", 63) + "1" + Repeat(")", 63)), "1");
  EXPECT_EQ(Parse(Repeat("(", 64) + "1" + Repeat(")", 64)),
            "column 65" + std::string(kTooDeep));
  EXPECT_EQ(Parse(Repeat("-", 64) + "1"), "column 64" + std::string(kTooDeep));
  EXPECT_EQ(Parse(Repeat("not ", 64) + "a"),
            "column 253" + std::string(kTooDeep));
  EXPECT_EQ(Parse(Repeat("f(", 64) + "1" + Repeat(")", 64)),
            "column 129" + std::string(kTooDeep));
}

TEST(ExpressionTreeTest, ChainsAreAsLongAsTheTextMayBe) {
  const size_t count = kExpressionBytesMax / 2;
  const absl::StatusOr<ExpressionTree> tree =
      ParseExpression(Repeat("1-", count - 1) + "1");
  ASSERT_TRUE(tree.ok());
  EXPECT_EQ(tree->nodes.size(), 2 * count - 1);
}

}  // namespace
}  // namespace reprise::sim
