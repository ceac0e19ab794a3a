// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/math.h"

#include <sleef.h>

#include <limits>
#include <span>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/random.h"

namespace reprise::sim {
namespace {

// Below this size x differs from tan x by less than a quarter of a unit in its
// last place: the next term of the series is x^3 / 3.
constexpr double kLinearBelow = 0x1p-27;

// -2^63 and 2^63, both exact.
constexpr double kInt64Low = -0x1p63;
constexpr double kInt64End = 0x1p63;

}  // namespace

double Sin(double angle_rad) { return Sleef_cinz_sind1_u10purec(angle_rad); }

double Cos(double angle_rad) { return Sleef_cinz_cosd1_u10purec(angle_rad); }

double Tan(double angle_rad) {
  // SLEEF loses a unit, and the sign with it, among the subnormal numbers.
  if (Abs(angle_rad) < kLinearBelow) return angle_rad;
  return Sleef_cinz_tand1_u10purec(angle_rad);
}

double Asin(double sine) { return Sleef_cinz_asind1_u10purec(sine); }

double Acos(double cosine) { return Sleef_cinz_acosd1_u10purec(cosine); }

double Atan(double tangent) { return Sleef_cinz_atand1_u10purec(tangent); }

double Atan2(double y, double x) {
  // Where the result is subnormal SLEEF is off by up to 1.5 units. There, and
  // long before, it is the quotient.
  if (x > 0.0 && Abs(y) < x * 0x1p-1000) return y / x;
  return Sleef_cinz_atan2d1_u10purec(y, x);
}

double Exp(double exponent) { return Sleef_cinz_expd1_u10purec(exponent); }

double Log(double value) { return Sleef_cinz_logd1_u10purec(value); }

double Log2(double value) { return Sleef_cinz_log2d1_u10purec(value); }

double Log10(double value) { return Sleef_cinz_log10d1_u10purec(value); }

double Pow(double base, double exponent) {
  return Sleef_cinz_powd1_u10purec(base, exponent);
}

std::optional<int64_t> ToInt64(double value) {
  // Written so that NaN, for which no comparison holds, is refused too.
  if (!(value >= kInt64Low && value < kInt64End)) return std::nullopt;
  return static_cast<int64_t>(value);
}

int64_t ToInt64Saturated(double value) {
  if (IsNan(value)) return 0;
  if (value < kInt64Low) return std::numeric_limits<int64_t>::min();
  if (value >= kInt64End) return std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(value);
}

namespace {

// Results in the order they were computed, as bits, with one NaN for all.
class ResultBits {
 public:
  void Add(double result) {
    constexpr uint64_t kQuietNan = 0x7ff8000000000000;
    bits_.push_back(IsNan(result) ? kQuietNan
                                  : std::bit_cast<uint64_t>(result));
  }

  Digest digest() const { return DigestOf(std::as_bytes(std::span(bits_))); }

 private:
  std::vector<uint64_t> bits_;
};

// Either sign, any fraction, and a size from 2^-16 to 2^16, which is where
// games compute and takes every function through all of its branches but those
// for extremes.
double DrawOperand(RandomStream& stream) {
  const uint64_t fraction = NextUint64(stream) >> 12;
  const uint64_t exponent = 1023 - 16 + NextBelow(stream, 32);
  const uint64_t sign = NextBelow(stream, 2);
  return std::bit_cast<double>(sign << 63 | exponent << 52 | fraction);
}

void AddArithmetic(double x, double y, ResultBits& results) {
  // Contracted to a fused multiply-add, this one rounds once less.
  results.Add(x * y + x);
  results.Add(x - y);
  results.Add(x / y);
  results.Add(Sqrt(Abs(x)));
  // A subnormal result, then a subnormal operand: told by a CPU that is set to
  // flush them to zero.
  const double subnormal = x * 0x1p-1050;
  results.Add(subnormal);
  results.Add(subnormal * 0x1p60);
  results.Add(Floor(x));
  results.Add(Ceil(x));
  results.Add(static_cast<double>(ToInt64Saturated(x)));
}

void AddFunctions(double x, double y, ResultBits& results) {
  results.Add(Sin(x));
  results.Add(Cos(x));
  results.Add(Tan(x));
  results.Add(Asin(x));
  results.Add(Acos(x));
  results.Add(Atan(x));
  results.Add(Atan2(x, y));
  results.Add(Exp(x));
  results.Add(Log(Abs(x)));
  results.Add(Log2(Abs(x)));
  results.Add(Log10(Abs(x)));
  results.Add(Pow(Abs(x), y));
}

}  // namespace

Digest MathFingerprint() {
  // A fused multiply-add gives another result for one pair in seven, and libm's
  // functions do for one input in two thousand or more: enough to tell.
  constexpr int kOperandPairs = 2048;
  RandomStream stream = MakeRandomStream(0, IdOf("math fingerprint"));
  ResultBits results;
  for (int pair = 0; pair < kOperandPairs; ++pair) {
    const double x = DrawOperand(stream);
    const double y = DrawOperand(stream);
    AddArithmetic(x, y, results);
    AddFunctions(x, y, results);
  }
  return results.digest();
}

}  // namespace reprise::sim
