// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that numbers compare by their exact values, that arithmetic refuses
// what would not be a number, and that unknown operands decide nothing, on
// values chosen at the edges of 53, 63 and 64 bits.

#include "sim/expression/value.h"

#include <compare>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

using Operator = ExpressionOperator;
using Order = std::strong_ordering;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ExpressionValue Whole(ExpressionInteger value) { return value; }
ExpressionValue Real(double value) { return value; }

std::string Result(const ExpressionAnswer& value) {
  return value.ok() ? FormatExpressionValue(*value)
                    : std::string(value.status().message());
}

constexpr ExpressionInteger kTwoTo53 = ExpressionInteger{1} << 53;
constexpr ExpressionInteger kTwoTo64 = ExpressionInteger{1} << 64;

TEST(ExpressionValueTest, IntegersAndDoublesCompareExactly) {
  EXPECT_EQ(CompareNumbers(Whole(kTwoTo53), Real(9007199254740992.0)),
            Order::equal);
  EXPECT_EQ(CompareNumbers(Whole(kTwoTo53 + 1), Real(9007199254740992.0)),
            Order::greater);
  EXPECT_EQ(CompareNumbers(Real(9007199254740992.0), Whole(kTwoTo53 + 1)),
            Order::less);
  EXPECT_EQ(CompareNumbers(Whole(kTwoTo64 - 1), Real(18446744073709551616.0)),
            Order::less);
  EXPECT_EQ(CompareNumbers(Whole(3), Real(3.5)), Order::less);
  EXPECT_EQ(CompareNumbers(Whole(-3), Real(-3.5)), Order::greater);
  EXPECT_EQ(CompareNumbers(Whole(kTwoTo64 - 1), Real(kInfinity)), Order::less);
  EXPECT_EQ(CompareNumbers(Whole(0), Real(-kInfinity)), Order::greater);
  EXPECT_EQ(CompareNumbers(Whole(0), Real(-0.0)), Order::equal);
}

TEST(ExpressionValueTest, SignedAndUnsignedIntegersAreOfOneKind) {
  EXPECT_EQ(CompareNumbers(Whole(-1), Whole(kTwoTo64 - 1)), Order::less);
  EXPECT_EQ(Result(Calculate(Operator::kAdd, Whole(kTwoTo64 - 2), Whole(1))),
            "18446744073709551615");
}

TEST(ExpressionValueTest, IntegersBeyond64BitsAreRefused) {
  constexpr char kTooLarge[] = "a whole number of more than 64 bits";
  const ExpressionValue largest = Whole(kTwoTo64 - 1);
  const ExpressionValue least = Whole(std::numeric_limits<int64_t>::min());
  EXPECT_EQ(Result(Calculate(Operator::kAdd, largest, Whole(1))), kTooLarge);
  EXPECT_EQ(Result(Calculate(Operator::kSubtract, least, Whole(1))), kTooLarge);
  EXPECT_EQ(Result(Calculate(Operator::kMultiply, largest, largest)),
            kTooLarge);
  EXPECT_EQ(Result(Calculate(Operator::kMultiply, largest, least)), kTooLarge);
  EXPECT_EQ(Result(Calculate(Operator::kMultiply, least, least)), kTooLarge);
  EXPECT_EQ(Result(Calculate(Operator::kMultiply, least, Whole(1))),
            "-9223372036854775808");
  EXPECT_EQ(Result(Negate(largest)), kTooLarge);
  EXPECT_EQ(Result(Negate(least)), "9223372036854775808");
}

TEST(ExpressionValueTest, QuotientIsAlwaysADouble) {
  EXPECT_EQ(Result(Calculate(Operator::kDivide, Whole(7), Whole(2))), "3.5");
  EXPECT_EQ(Result(Calculate(Operator::kDivide, Whole(6), Real(2))), "3");
}

TEST(ExpressionValueTest, NothingGivesNan) {
  for (const ExpressionValue& zero : {Whole(0), Real(0.0), Real(-0.0)}) {
    EXPECT_EQ(Result(Calculate(Operator::kDivide, Whole(1), zero)),
              "a division by zero");
  }
  constexpr char kCancel[] = "infinities that cancel each other out";
  const ExpressionValue infinity = Real(kInfinity);
  EXPECT_EQ(Result(Calculate(Operator::kSubtract, infinity, infinity)),
            kCancel);
  EXPECT_EQ(Result(Calculate(Operator::kMultiply, infinity, Whole(0))),
            kCancel);
  EXPECT_EQ(Result(Calculate(Operator::kDivide, infinity, infinity)), kCancel);
  EXPECT_EQ(Result(SquareRoot(Real(-1))),
            "the square root of something below zero");
  EXPECT_EQ(Result(SquareRoot(Whole(9))), "3");
}

TEST(ExpressionValueTest, AbsenceSpreadsThroughNumbers) {
  EXPECT_EQ(Result(Calculate(Operator::kDivide, ExpressionAbsence{}, Whole(0))),
            "absent");
  EXPECT_EQ(Result(Negate(ExpressionAbsence{})), "absent");
  EXPECT_EQ(Result(Compare(Operator::kNotEqual, ExpressionAbsence{}, Whole(0))),
            "absent");
}

TEST(ExpressionValueTest, AbsenceDecidesNothing) {
  const ExpressionValue absent = ExpressionAbsence{};
  EXPECT_EQ(Result(And(absent, false)), "false");
  EXPECT_EQ(Result(And(absent, true)), "absent");
  EXPECT_EQ(Result(Or(absent, true)), "true");
  EXPECT_EQ(Result(Or(absent, false)), "absent");
  EXPECT_EQ(Result(Not(absent)), "absent");
}

TEST(ExpressionValueTest, SameMeansToTheBit) {
  EXPECT_FALSE(IsSame(Real(0.0), Real(-0.0)));
  EXPECT_FALSE(IsSame(Real(1.0), Whole(1)));
  EXPECT_TRUE(IsSame(Whole(1), Whole(1)));
}

}  // namespace
}  // namespace reprise::sim
