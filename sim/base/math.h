// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Elementary functions that give the same bits on every CPU, compiler and
// optimisation level. The C library's do not (its results change with its
// version and with whether the CPU has fused multiply-add), so simulations use
// these and nothing else.
//
// They are SLEEF's scalar functions that are free of fused multiply-add. Errors
// stay within 1 unit in the last place, and special values follow C99 annex F.
// The sign and payload of a NaN result are not promised, which is why state
// refuses NaN.

#ifndef REPRISE_SIM_BASE_MATH_H_
#define REPRISE_SIM_BASE_MATH_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

#include "sim/base/digest.h"

namespace reprise::sim {

inline constexpr double kPi = std::numbers::pi;

// Of IEEE-754 binary64, seen as an integer.
inline constexpr uint64_t kSignBit = 0x8000000000000000;
inline constexpr uint64_t kInfinityBits = 0x7ff0000000000000;

// Angles in radians, of any size.
double Sin(double angle_rad);
double Cos(double angle_rad);
double Tan(double angle_rad);

// Radians: Asin and Atan in [-pi/2, pi/2], Acos in [0, pi], Atan2 in [-pi, pi].
// Asin and Acos of anything outside [-1, 1] are NaN.
double Asin(double sine);
double Acos(double cosine);
double Atan(double tangent);
double Atan2(double y, double x);

// Infinity from 709.7827111495576 on, 2e-6 before e^x leaves the doubles.
double Exp(double exponent);

// Minus infinity for 0, NaN for anything below.
double Log(double value);
double Log2(double value);
double Log10(double value);

double Pow(double base, double exponent);

// Exact by IEEE-754, so the C library's are everybody's.
inline double Sqrt(double value) { return std::sqrt(value); }
inline double Abs(double value) { return std::fabs(value); }
inline double Floor(double value) { return std::floor(value); }
inline double Ceil(double value) { return std::ceil(value); }

// By their bits, so that no compiler option can assume the answer.
constexpr bool IsNan(double value) {
  return (std::bit_cast<uint64_t>(value) & ~kSignBit) > kInfinityBits;
}
constexpr bool IsFinite(double value) {
  return (std::bit_cast<uint64_t>(value) & ~kSignBit) < kInfinityBits;
}

// Floating point to integer: the language leaves the conversion of values out
// of range undefined, and CPUs differ, so these two are the only ways.
//
// Both cut the fraction off, towards zero. ToInt64 returns nullopt for NaN and
// for what doesn't fit; ToInt64Saturated returns the nearest end of the range
// for what doesn't fit, and 0 for NaN.
std::optional<int64_t> ToInt64(double value);
int64_t ToInt64Saturated(double value);

// Returns the digest of the results, for a fixed set of inputs, of everything
// above and of + - * / as this build and CPU compute them. A replay records it:
// two builds that disagree here can't replay each other's games, and this says
// so before any tick does.
Digest MathFingerprint();

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_MATH_H_
