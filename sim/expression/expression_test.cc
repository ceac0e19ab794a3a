// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that names and types are checked before anything is evaluated, and
// that each mistake is told with its column and the nearest name, against a
// scope that is nothing but two numbers.

#include "sim/expression/expression.h"

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/expression/testing_point.h"

namespace reprise::sim {
namespace {

absl::StatusOr<Expression> Parse(std::string_view text) {
  PointScope scope;
  return Expression::Parse(text, scope);
}

// The error; empty where there is none.
std::string ErrorOf(std::string_view text) {
  const absl::StatusOr<Expression> expression = Parse(text);
  if (expression.ok()) return "";
  EXPECT_EQ(expression.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(expression.status().message());
}

TEST(ExpressionTest, TypesFollowFromTheScope) {
  EXPECT_EQ(Parse("x")->type(), ExpressionType::kNumber);
  EXPECT_EQ(Parse("side")->type(), ExpressionType::kText);
  EXPECT_EQ(Parse("left")->type(), ExpressionType::kText);
  EXPECT_EQ(Parse("x < y")->type(), ExpressionType::kBool);
  EXPECT_EQ(Parse("axis(x)")->type(), ExpressionType::kBool);
  EXPECT_EQ(Parse("mirrored(x < y)")->type(), ExpressionType::kBool);
  EXPECT_EQ(Parse("min(x, 2, 3.5)")->type(), ExpressionType::kNumber);
  EXPECT_EQ(Parse("-sqrt(x) + abs(y)")->type(), ExpressionType::kNumber);
}

TEST(ExpressionTest, UnknownNamesAreToldWithTheNearest) {
  EXPECT_EQ(ErrorOf("1 < sid"),
            "column 5: there is no name 'sid'; did you mean 'side'?");
  EXPECT_EQ(ErrorOf("nowhere.near"),
            "column 1: there is no name 'nowhere.near'");
  EXPECT_EQ(ErrorOf("squrt(3)"),
            "column 1: there is no function 'squrt'; did you mean 'sqrt'?");
  EXPECT_EQ(ErrorOf("axes(x)"),
            "column 1: there is no function 'axes'; did you mean 'axis'?");
}

TEST(ExpressionTest, ANameThatIsComparedMayHaveLackedQuotes) {
  EXPECT_EQ(ErrorOf("side == pickup"),
            "column 9: there is no name 'pickup'; a text has quotes: 'pickup'");
  EXPECT_EQ(ErrorOf("(x < 1) and pickup != side"),
            "column 13: there is no name 'pickup'; a text has quotes: "
            "'pickup'");
  EXPECT_EQ(ErrorOf("side == sid"),
            "column 9: there is no name 'sid'; did you mean 'side'?");
  EXPECT_EQ(ErrorOf("x < pickup"), "column 5: there is no name 'pickup'");
}

// What a function was to take is only wrong where there is that function.
TEST(ExpressionTest, UnknownFunctionsAreToldBeforeTheirArguments) {
  EXPECT_EQ(ErrorOf("x < 1 and exists(ada)"),
            "column 11: there is no function 'exists'");
  EXPECT_EQ(ErrorOf("squrt(axes(ada) + 1)"),
            "column 1: there is no function 'squrt'; did you mean 'sqrt'?");
  EXPECT_EQ(ErrorOf("mirrored(x < squrt(ada))"),
            "column 14: there is no function 'squrt'; did you mean 'sqrt'?");
  EXPECT_EQ(ErrorOf("ada > 1 and squrt(3) > 1"),
            "column 1: there is no name 'ada'");
}

TEST(ExpressionTest, TheLanguageKnowsItsOwnFunctions) {
  EXPECT_TRUE(IsExpressionFunction("sqrt"));
  EXPECT_FALSE(IsExpressionFunction("axis"));
  EXPECT_FALSE(IsExpressionFunction(""));
}

TEST(ExpressionTest, TypesHaveToFit) {
  EXPECT_EQ(ErrorOf("x and true"),
            "column 1: 'and' takes true or false, and this is a number");
  EXPECT_EQ(ErrorOf("true or 'a'"),
            "column 9: 'or' takes true or false, and this is a text");
  EXPECT_EQ(ErrorOf("not x"),
            "column 5: 'not' takes true or false, and this is a number");
  EXPECT_EQ(ErrorOf("side < 3"),
            "column 1: '<' takes a number, and this is a text");
  EXPECT_EQ(ErrorOf("x == 'a'"),
            "column 3: a number and a text are never equal");
  EXPECT_EQ(ErrorOf("1 + true"),
            "column 5: '+' takes a number, and this is true or false");
  EXPECT_EQ(ErrorOf("-side"), "column 2: - takes a number, and this is a text");
  EXPECT_EQ(ErrorOf("abs(true)"),
            "column 5: abs takes a number, and this is true or false");
  EXPECT_EQ(ErrorOf("mirrored(x)"),
            "column 10: mirrored takes true or false, and this is a number");
}

TEST(ExpressionTest, FunctionsTakeTheirNumberOfArguments) {
  EXPECT_EQ(ErrorOf("abs()"), "column 1: abs takes 1 argument");
  EXPECT_EQ(ErrorOf("abs(1, 2)"), "column 1: abs takes 1 argument");
  EXPECT_EQ(ErrorOf("min(1)"), "column 1: min takes 2 arguments or more");
  EXPECT_EQ(ErrorOf("mirrored()"), "column 1: mirrored takes 1 argument");
  EXPECT_EQ(ErrorOf("axis(x, y)"), "column 1: axis takes 1 argument");
}

TEST(ExpressionTest, NameThatAFunctionTakesIsNoValue) {
  EXPECT_EQ(ErrorOf("axis(z) or axis('y')"), "");
  EXPECT_EQ(ErrorOf("axis(1 + 1)"), "column 8: axis takes a name");
  EXPECT_EQ(ErrorOf("axis(a.b)"), "column 6: axis takes a name");
  EXPECT_EQ(ErrorOf("axis(long)"), "column 6: an axis is one letter");
}

TEST(ExpressionTest, ConditionIsAProgramOfItsOwn) {
  const absl::StatusOr<Expression> expression =
      Parse("mirrored(x < 1) and mirrored(x * 2 < y)");
  ASSERT_TRUE(expression.ok()) << expression.status();
  ASSERT_EQ(expression->programs().size(), 3u);
  EXPECT_EQ(expression->programs()[0].steps.size(), 3u);
  EXPECT_EQ(expression->programs()[1].steps.size(), 3u);
  EXPECT_EQ(expression->programs()[2].steps.size(), 5u);
}

TEST(ExpressionTest, ConditionsAreNotInEachOther) {
  EXPECT_EQ(ErrorOf("mirrored(not mirrored(x < y))"),
            "column 14: a mirrored in a mirrored");
}

TEST(ExpressionTest, ChoicesAreTheOnlyTexts) {
  EXPECT_EQ(ErrorOf("side == left or 'right' != side"), "");
  EXPECT_EQ(ErrorOf("side == 'top'"), "column 9: a side is left or right");
  EXPECT_EQ(ErrorOf("'top' != side"), "column 1: a side is left or right");
}

TEST(ExpressionTest, StackIsAsLargeAsTheProgramNeeds) {
  EXPECT_EQ(Parse("x")->programs()[0].stack_size_max, 1u);
  EXPECT_EQ(Parse("x + 1 + 2 + 3")->programs()[0].stack_size_max, 2u);
  EXPECT_EQ(Parse("x + (1 + (2 + 3))")->programs()[0].stack_size_max, 4u);
  EXPECT_EQ(Parse("max(1, 2, 3, x, y)")->programs()[0].stack_size_max, 5u);
}

TEST(ExpressionTest, StepsAreFewerThanBytes) {
  for (const std::string_view text : {"1", "-x", "1+1", "not x<y or x*-1==y"}) {
    EXPECT_LE(Parse(text)->programs()[0].steps.size(), text.size()) << text;
  }
}

}  // namespace
}  // namespace reprise::sim
