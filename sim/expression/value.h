// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an expression computes with, and what its operators do. Integers and
// doubles compare by their exact values; no operator ever gives NaN.

#ifndef REPRISE_SIM_EXPRESSION_VALUE_H_
#define REPRISE_SIM_EXPRESSION_VALUE_H_

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"

namespace reprise::sim {

// Holds every signed and every unsigned integer of 64 bits, and no others.
using ExpressionInteger = __int128;

// What stands for the field of an object that isn't there: unknown.
using ExpressionAbsence = std::monostate;

using ExpressionValue = std::variant<ExpressionAbsence, bool, ExpressionInteger,
                                     double, std::string>;

// The value of an expression, or why there is none: OUT_OF_RANGE.
using ExpressionAnswer = absl::StatusOr<ExpressionValue>;

enum class ExpressionType { kBool, kNumber, kText };

enum class ExpressionOperator {
  kOr,
  kAnd,
  kNot,
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kNegate,
};

// "or", "==", "+"; "negate" for the minus that has one operand.
std::string_view ExpressionOperatorName(ExpressionOperator op);

// The order of two numbers by their exact values: 2^53 + 1 is more than the
// double nearest to it. REQUIRES: both are numbers.
std::strong_ordering CompareNumbers(const ExpressionValue& a,
                                    const ExpressionValue& b);

// kEqual to kGreaterOrEqual of two values of one type; absence where either is.
// REQUIRES: only numbers are ordered.
ExpressionValue Compare(ExpressionOperator op, const ExpressionValue& a,
                        const ExpressionValue& b);

// kAdd to kDivide of two numbers; absence where either is. Whole numbers give
// whole numbers, except that a quotient is always a double; a double beside a
// whole number makes it the nearest double. OUT_OF_RANGE: a whole number of
// more than 64 bits, a division by zero, infinities that cancel out.
ExpressionAnswer Calculate(ExpressionOperator op, const ExpressionValue& a,
                           const ExpressionValue& b);

// The functions of one number; absence of absence. OUT_OF_RANGE: the root of
// something below zero, a whole number of more than 64 bits.
ExpressionAnswer Negate(const ExpressionValue& value);
ExpressionAnswer AbsoluteValue(const ExpressionValue& value);
ExpressionAnswer SquareRoot(const ExpressionValue& value);

// Truth of three values: an operand that is absent is unknown, and what doesn't
// depend on it is known all the same. REQUIRES: bools or absences.
ExpressionValue And(const ExpressionValue& a, const ExpressionValue& b);
ExpressionValue Or(const ExpressionValue& a, const ExpressionValue& b);
ExpressionValue Not(const ExpressionValue& value);

// Whether it is the bool `wanted`.
bool IsBool(const ExpressionValue& value, bool wanted);

// Whether both are the same to the bit: -0 is not 0, and 1 is not 1.0.
bool IsSame(const ExpressionValue& a, const ExpressionValue& b);

// As a person reads it: doubles by as many digits as tell them apart, text in
// quotes, "absent".
std::string FormatExpressionValue(const ExpressionValue& value);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EXPRESSION_VALUE_H_
