// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what expressions come to, on a point of two numbers: there is no state
// and no simulation here.

#include "sim/expression/evaluator.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gtest/gtest.h"
#include "sim/expression/testing_point.h"

namespace reprise::sim {
namespace {

class ExpressionEvaluatorTest : public testing::Test {
 protected:
  static Expression Parse(std::string_view text) {
    PointScope scope;
    absl::StatusOr<Expression> expression = Expression::Parse(text, scope);
    EXPECT_TRUE(expression.ok()) << text << ": " << expression.status();
    return *std::move(expression);
  }

  // The value, or the error.
  std::string Ask(std::string_view text, Point point = {.x = 3, .y = 4}) {
    const Expression expression = Parse(text);
    PointReader reader(&expression, &evaluator_, point);
    const ExpressionAnswer answer =
        evaluator_.Evaluate(expression.programs()[0], reader);
    return answer.ok() ? FormatExpressionValue(*answer)
                       : std::string(answer.status().message());
  }

  ExpressionEvaluator evaluator_;
};

TEST_F(ExpressionEvaluatorTest, ArithmeticIsDoneInOrderOfTheTree) {
  EXPECT_EQ(Ask("5 + 6 * 10"), "65");
  EXPECT_EQ(Ask("5 - 6"), "-1");
  EXPECT_EQ(Ask("(5 + 6) * 10"), "110");
  EXPECT_EQ(Ask("7 / 2 - 0.5"), "3");
  EXPECT_EQ(Ask("-(2 - 5)"), "3");
  // Of equals the left one comes first.
  EXPECT_EQ(Ask("30 / 5 * 3"), "18");
  EXPECT_EQ(Ask("10 - 4 - 3"), "3");
}

TEST_F(ExpressionEvaluatorTest, FunctionsAreWhatTheySay) {
  EXPECT_EQ(Ask("abs(-3)"), "3");
  EXPECT_EQ(Ask("abs(-2.5)"), "2.5");
  EXPECT_EQ(Ask("min(3, 1, 2)"), "1");
  EXPECT_EQ(Ask("max(3, 3.5)"), "3.5");
  EXPECT_EQ(Ask("sqrt(3 * 3 + 4 * 4)"), "5");
}

TEST_F(ExpressionEvaluatorTest, NamesAreReadOfThePoint) {
  EXPECT_EQ(Ask("sqrt(x * x + y * y)"), "5");
  EXPECT_EQ(Ask("x < y and side == right"), "true");
  EXPECT_EQ(Ask("x < y and side == right", {.x = -5, .y = 4}), "false");
  EXPECT_EQ(Ask("axis(x) and not axis(z)"), "true");
}

TEST_F(ExpressionEvaluatorTest, ReaderMayEvaluateAProgramItself) {
  EXPECT_EQ(Ask("mirrored(x < y)"), "false");
  EXPECT_EQ(Ask("mirrored(x > y) and x < y"), "true");
  EXPECT_EQ(Ask("min(1, 2, 3) < x and (x > y or mirrored(x - y == 1))"),
            "true");
}

TEST_F(ExpressionEvaluatorTest, WhatIsNotThereIsUnknown) {
  const Point point = {.x = 1, .y = std::nullopt};
  EXPECT_EQ(Ask("y", point), "absent");
  EXPECT_EQ(Ask("not y > 0", point), "absent");
  EXPECT_EQ(Ask("y > 0 or x == 1", point), "true");
  EXPECT_EQ(Ask("y > 0 and x == 2", point), "false");
  EXPECT_EQ(Ask("max(x, y, 2)", point), "absent");
  EXPECT_EQ(Ask("mirrored(x > 0)", point), "absent");
}

TEST_F(ExpressionEvaluatorTest, ErrorSpreadsUnlessTheRestDecides) {
  const Point point = {.x = 0, .y = 1};
  EXPECT_EQ(Ask("1 / x > 0", point), "a division by zero");
  EXPECT_EQ(Ask("not 1 / x > 0", point), "a division by zero");
  EXPECT_EQ(Ask("min(1 / x, 0)", point), "a division by zero");
  EXPECT_EQ(Ask("x != 0 and 1 / x > 0", point), "false");
  EXPECT_EQ(Ask("1 / x > 0 and x != 0", point), "false");
  EXPECT_EQ(Ask("x == 0 or 1 / x > 0", point), "true");
  EXPECT_EQ(Ask("x == 0 and 1 / x > 0", point), "a division by zero");
  EXPECT_EQ(Ask("mirrored(1 / y > 0)", point), "a division by zero");
}

TEST_F(ExpressionEvaluatorTest, LongestChainIsNoDeepCall) {
  std::string text = "1";
  while (text.size() + 2 <= 4096) text += "+1";
  EXPECT_EQ(Ask(text), "2048");
}

}  // namespace
}  // namespace reprise::sim
