// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a query computes with, and what its operators do. Integers and doubles
// compare by their exact values; no operator ever gives NaN.

#ifndef REPRISE_REPLAYS_QUERY_QUERY_VALUE_H_
#define REPRISE_REPLAYS_QUERY_QUERY_VALUE_H_

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"

namespace reprise::replays {

// Holds every signed and every unsigned integer of 64 bits, and no others.
using QueryInteger = __int128;

// What stands for the field of an object that isn't there: unknown.
using QueryAbsence = std::monostate;

using QueryValue =
    std::variant<QueryAbsence, bool, QueryInteger, double, std::string>;

enum class QueryType { kBool, kNumber, kText };

enum class QueryOperator {
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
std::string_view QueryOperatorName(QueryOperator op);

// The order of two numbers by their exact values: 2^53 + 1 is more than the
// double nearest to it. REQUIRES: both are numbers.
std::strong_ordering CompareNumbers(const QueryValue& a, const QueryValue& b);

// kEqual to kGreaterOrEqual of two values of one type; absence where either is.
// REQUIRES: only numbers are ordered.
QueryValue Compare(QueryOperator op, const QueryValue& a, const QueryValue& b);

// kAdd to kDivide of two numbers; absence where either is. Whole numbers give
// whole numbers, except that a quotient is always a double; a double beside a
// whole number makes it the nearest double. OUT_OF_RANGE: a whole number of
// more than 64 bits, a division by zero, infinities that cancel out.
absl::StatusOr<QueryValue> Calculate(QueryOperator op, const QueryValue& a,
                                     const QueryValue& b);

// The functions of one number; absence of absence. OUT_OF_RANGE: the root of
// something below zero, a whole number of more than 64 bits.
absl::StatusOr<QueryValue> Negate(const QueryValue& value);
absl::StatusOr<QueryValue> AbsoluteValue(const QueryValue& value);
absl::StatusOr<QueryValue> SquareRoot(const QueryValue& value);

// Truth of three values: an operand that is absent is unknown, and what doesn't
// depend on it is known all the same. REQUIRES: bools or absences.
QueryValue And(const QueryValue& a, const QueryValue& b);
QueryValue Or(const QueryValue& a, const QueryValue& b);
QueryValue Not(const QueryValue& value);

// Whether it is the bool `wanted`.
bool IsBool(const QueryValue& value, bool wanted);

// Whether both are the same to the bit: -0 is not 0, and 1 is not 1.0.
bool IsSame(const QueryValue& a, const QueryValue& b);

// As a person reads it: doubles by as many digits as tell them apart, text in
// quotes, "absent".
std::string FormatQueryValue(const QueryValue& value);

// The digits of a whole number.
std::string FormatQueryInteger(QueryInteger value);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_QUERY_QUERY_VALUE_H_
