// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/expression/value.h"

#include <bit>
#include <limits>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

constexpr ExpressionInteger kIntegerMin = std::numeric_limits<int64_t>::min();
constexpr ExpressionInteger kIntegerMax = std::numeric_limits<uint64_t>::max();

// 2^65: beyond every whole number there is, and within 128 bits.
constexpr double kBeyondIntegers = 36893488147419103232.0;

bool IsAbsent(const ExpressionValue& value) {
  return std::holds_alternative<ExpressionAbsence>(value);
}

double ToDouble(const ExpressionValue& value) {
  if (const auto* integer = std::get_if<ExpressionInteger>(&value)) {
    return static_cast<double>(*integer);
  }
  return std::get<double>(value);
}

ExpressionAnswer CheckedInteger(ExpressionInteger value) {
  if (value < kIntegerMin || value > kIntegerMax) {
    return absl::OutOfRangeError("a whole number of more than 64 bits");
  }
  return ExpressionValue(value);
}

ExpressionAnswer CheckedDouble(double value) {
  if (IsNan(value)) {
    return absl::OutOfRangeError("infinities that cancel each other out");
  }
  return ExpressionValue(value);
}

ExpressionAnswer CalculateIntegers(ExpressionOperator op, ExpressionInteger a,
                                   ExpressionInteger b) {
  switch (op) {
    case ExpressionOperator::kAdd:
      return CheckedInteger(a + b);
    case ExpressionOperator::kSubtract:
      return CheckedInteger(a - b);
    default:
      break;
  }
  // Two factors of 64 bits fit 128 bits without a sign, not with one.
  using Magnitude = unsigned __int128;
  const auto magnitude = [](ExpressionInteger value) {
    return static_cast<Magnitude>(value < 0 ? -value : value);
  };
  const Magnitude product = magnitude(a) * magnitude(b);
  if (product > static_cast<Magnitude>(kIntegerMax)) {
    return CheckedInteger(kIntegerMax + 1);
  }
  const auto unsigned_product = static_cast<ExpressionInteger>(product);
  return CheckedInteger((a < 0) == (b < 0) ? unsigned_product
                                           : -unsigned_product);
}

std::strong_ordering CompareMixed(ExpressionInteger integer, double value) {
  if (value >= kBeyondIntegers) return std::strong_ordering::less;
  if (value <= -kBeyondIntegers) return std::strong_ordering::greater;
  // Exact: the fraction is cut off, and what is left fits.
  const auto whole = static_cast<ExpressionInteger>(value);
  if (integer != whole) return integer <=> whole;
  const double fraction = value - static_cast<double>(whole);
  if (fraction > 0) return std::strong_ordering::less;
  if (fraction < 0) return std::strong_ordering::greater;
  return std::strong_ordering::equal;
}

std::strong_ordering Reverse(std::strong_ordering order) { return 0 <=> order; }

bool IsEqual(const ExpressionValue& a, const ExpressionValue& b) {
  if (const auto* text = std::get_if<std::string>(&a)) {
    return *text == std::get<std::string>(b);
  }
  if (const auto* truth = std::get_if<bool>(&a)) {
    return *truth == std::get<bool>(b);
  }
  return CompareNumbers(a, b) == 0;
}

std::string FormatInteger(ExpressionInteger value) {
  return value < 0 ? fmt::format("{}", static_cast<int64_t>(value))
                   : fmt::format("{}", static_cast<uint64_t>(value));
}

}  // namespace

std::string_view ExpressionOperatorName(ExpressionOperator op) {
  constexpr std::string_view kNames[] = {"or", "and", "not", "==",    "!=",
                                         "<",  "<=",  ">",   ">=",    "+",
                                         "-",  "*",   "/",   "negate"};
  return kNames[static_cast<size_t>(op)];
}

std::strong_ordering CompareNumbers(const ExpressionValue& a,
                                    const ExpressionValue& b) {
  const auto* const left = std::get_if<ExpressionInteger>(&a);
  const auto* const right = std::get_if<ExpressionInteger>(&b);
  if (left != nullptr && right != nullptr) return *left <=> *right;
  if (left != nullptr) return CompareMixed(*left, std::get<double>(b));
  if (right != nullptr) {
    return Reverse(CompareMixed(*right, std::get<double>(a)));
  }
  const double x = std::get<double>(a);
  const double y = std::get<double>(b);
  CHECK(!IsNan(x) && !IsNan(y));
  if (x < y) return std::strong_ordering::less;
  return x > y ? std::strong_ordering::greater : std::strong_ordering::equal;
}

ExpressionValue Compare(ExpressionOperator op, const ExpressionValue& a,
                        const ExpressionValue& b) {
  if (IsAbsent(a) || IsAbsent(b)) return ExpressionAbsence{};
  switch (op) {
    case ExpressionOperator::kEqual:
      return IsEqual(a, b);
    case ExpressionOperator::kNotEqual:
      return !IsEqual(a, b);
    case ExpressionOperator::kLess:
      return CompareNumbers(a, b) < 0;
    case ExpressionOperator::kLessOrEqual:
      return CompareNumbers(a, b) <= 0;
    case ExpressionOperator::kGreater:
      return CompareNumbers(a, b) > 0;
    default:
      return CompareNumbers(a, b) >= 0;
  }
}

ExpressionAnswer Calculate(ExpressionOperator op, const ExpressionValue& a,
                           const ExpressionValue& b) {
  if (IsAbsent(a) || IsAbsent(b)) return ExpressionValue(ExpressionAbsence{});
  const double y = ToDouble(b);
  if (op == ExpressionOperator::kDivide) {
    if (y == 0) return absl::OutOfRangeError("a division by zero");
    return CheckedDouble(ToDouble(a) / y);
  }
  const auto* const left = std::get_if<ExpressionInteger>(&a);
  const auto* const right = std::get_if<ExpressionInteger>(&b);
  if (left != nullptr && right != nullptr) {
    return CalculateIntegers(op, *left, *right);
  }
  const double x = ToDouble(a);
  if (op == ExpressionOperator::kAdd) return CheckedDouble(x + y);
  if (op == ExpressionOperator::kSubtract) return CheckedDouble(x - y);
  return CheckedDouble(x * y);
}

ExpressionAnswer Negate(const ExpressionValue& value) {
  if (IsAbsent(value)) return value;
  if (const auto* integer = std::get_if<ExpressionInteger>(&value)) {
    return CheckedInteger(-*integer);
  }
  return ExpressionValue(-std::get<double>(value));
}

ExpressionAnswer AbsoluteValue(const ExpressionValue& value) {
  if (IsAbsent(value)) return value;
  if (const auto* integer = std::get_if<ExpressionInteger>(&value)) {
    return CheckedInteger(*integer < 0 ? -*integer : *integer);
  }
  return ExpressionValue(Abs(std::get<double>(value)));
}

ExpressionAnswer SquareRoot(const ExpressionValue& value) {
  if (IsAbsent(value)) return value;
  const double radicand = ToDouble(value);
  if (radicand < 0) {
    return absl::OutOfRangeError("the square root of something below zero");
  }
  return ExpressionValue(Sqrt(radicand));
}

ExpressionValue And(const ExpressionValue& a, const ExpressionValue& b) {
  if (IsBool(a, false) || IsBool(b, false)) return false;
  if (IsAbsent(a) || IsAbsent(b)) return ExpressionAbsence{};
  return true;
}

ExpressionValue Or(const ExpressionValue& a, const ExpressionValue& b) {
  return Not(And(Not(a), Not(b)));
}

ExpressionValue Not(const ExpressionValue& value) {
  if (IsAbsent(value)) return value;
  return !std::get<bool>(value);
}

bool IsBool(const ExpressionValue& value, bool wanted) {
  const auto* const truth = std::get_if<bool>(&value);
  return truth != nullptr && *truth == wanted;
}

bool IsSame(const ExpressionValue& a, const ExpressionValue& b) {
  if (a.index() != b.index()) return false;
  if (const auto* number = std::get_if<double>(&a)) {
    return std::bit_cast<uint64_t>(*number) ==
           std::bit_cast<uint64_t>(std::get<double>(b));
  }
  return a == b;
}

std::string FormatExpressionValue(const ExpressionValue& value) {
  if (IsAbsent(value)) return "absent";
  if (const auto* truth = std::get_if<bool>(&value)) {
    return *truth ? "true" : "false";
  }
  if (const auto* integer = std::get_if<ExpressionInteger>(&value)) {
    return FormatInteger(*integer);
  }
  if (const auto* number = std::get_if<double>(&value)) {
    return fmt::format("{}", *number);
  }
  return fmt::format("\"{}\"", std::get<std::string>(value));
}

}  // namespace reprise::sim
