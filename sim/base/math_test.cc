// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that each function gives the same bits on every platform, by digests
// of a million results that this very file must reproduce under every compiler
// and on every CPU; that the results are right, against the C library's long
// double; and that special values are those of C99, annex F.

#include "sim/base/math.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/base/random.h"

namespace reprise::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr double kLargest = std::numeric_limits<double>::max();

using Unary = double (*)(double);
using Binary = double (*)(double, double);
using UnaryReference = long double (*)(long double);
using BinaryReference = long double (*)(long double, long double);

struct UnaryCase {
  const char* name;
  Unary function;
  UnaryReference reference;
  uint64_t digest;  // of the results for a million inputs
};

struct BinaryCase {
  const char* name;
  Binary function;
  BinaryReference reference;
  uint64_t digest;
};

const UnaryCase kUnaryCases[] = {
    {"Sin", Sin, std::sin, 0x2ee588a833c6938a},
    {"Cos", Cos, std::cos, 0x957d0329bb7ac1b1},
    {"Tan", Tan, std::tan, 0x67d9529248f64c49},
    {"Asin", Asin, std::asin, 0x5ce0a9d29f15ffd4},
    {"Acos", Acos, std::acos, 0xb0324589b3fe543b},
    {"Atan", Atan, std::atan, 0xcd11e00051e0773e},
    {"Exp", Exp, std::exp, 0x20222ea2545123b4},
    {"Log", Log, std::log, 0x0e81f0410492c4eb},
    {"Log2", Log2, std::log2, 0x0b7f90e1311383b2},
    {"Log10", Log10, std::log10, 0x2f7ecd1fb8ae121e},
};

const BinaryCase kBinaryCases[] = {
    {"Atan2", Atan2, std::atan2, 0xb0c6f259075b9a89},
    {"Pow", Pow, std::pow, 0xf5b130bd7359f54d},
};

// Input `index` of a test: one of five kinds in turn, so that every branch of
// every function is taken, the rare ones too.
double DrawInput(RandomStream& stream, int index) {
  const uint64_t bits = NextUint64(stream);
  const double unit = static_cast<double>(static_cast<int64_t>(bits)) * 0x1p-63;
  switch (index % 5) {
    case 0:  // any double there is: subnormal, huge, infinite, NaN
      return std::bit_cast<double>(bits);
    case 1:  // the domain of the inverse functions
      return unit;
    case 2:  // the range in which Exp is neither 0 nor infinite, and angles
      return unit * 800.0;
    case 3: {  // closer and closer to 1, where logarithms vanish
      const int64_t size = NextInRange(stream, 1, 52);
      return 1.0 + std::ldexp(unit, -static_cast<int>(size));
    }
    default: {  // multiples of a quarter turn, as near as a double can be
      const int64_t quarters = NextInRange(stream, -1'000'000, 1'000'000);
      return static_cast<double>(quarters) * (kPi / 2);
    }
  }
}

// As bits, with one NaN for all: the sign of a NaN is the CPU's choice.
uint64_t BitsOf(double result) {
  return std::bit_cast<uint64_t>(IsNan(result) ? kNan : result);
}

Digest DigestOfResults(const std::vector<uint64_t>& results) {
  return DigestOf(std::as_bytes(std::span(results)));
}

constexpr int kKnownAnswers = 1'000'000;

// The error of `actual` in units in the last place that a double has at
// `expected`. Infinity counts as the power of two after the largest double.
long double UnitsInTheLastPlace(double actual, long double expected) {
  if (std::isnan(actual) || std::isnan(expected)) {
    return std::isnan(actual) && std::isnan(expected) ? 0.0L : HUGE_VALL;
  }
  if (std::isinf(expected)) return actual == expected ? 0.0L : HUGE_VALL;
  const long double value =
      std::isinf(actual) ? std::copysign(0x1p1024L, actual) : actual;
  if (std::isinf(actual) && std::fabs(expected) > 0x1p1024L) {
    return std::signbit(actual) == std::signbit(expected) ? 0.0L : HUGE_VALL;
  }
  int exponent = 0;
  std::frexp(expected, &exponent);
  if (expected == 0.0L || exponent < -1021) exponent = -1021;
  return std::fabs(value - expected) / std::ldexp(1.0L, exponent - 53);
}

void ExpectSame(double actual, double expected) {
  EXPECT_EQ(BitsOf(actual), BitsOf(expected)) << actual << ", " << expected;
}

TEST(MathKnownAnswersTest, FunctionsOfOneArgument) {
  for (const UnaryCase& function : kUnaryCases) {
    RandomStream stream = MakeRandomStream(1, IdOf(function.name));
    std::vector<uint64_t> results;
    for (int i = 0; i < kKnownAnswers; ++i) {
      results.push_back(BitsOf(function.function(DrawInput(stream, i))));
    }
    EXPECT_EQ(FormatDigest(DigestOfResults(results)),
              FormatDigest(Digest{function.digest}))
        << function.name;
  }
}

TEST(MathKnownAnswersTest, FunctionsOfTwoArguments) {
  for (const BinaryCase& function : kBinaryCases) {
    RandomStream stream = MakeRandomStream(1, IdOf(function.name));
    std::vector<uint64_t> results;
    for (int i = 0; i < kKnownAnswers; ++i) {
      const double first = DrawInput(stream, i);
      const double second = DrawInput(stream, i / 5);
      results.push_back(BitsOf(function.function(first, second)));
    }
    EXPECT_EQ(FormatDigest(DigestOfResults(results)),
              FormatDigest(Digest{function.digest}))
        << function.name;
  }
}

TEST(MathAccuracyTest, FunctionsOfOneArgumentAreWithinOneUnit) {
  for (const UnaryCase& function : kUnaryCases) {
    RandomStream stream = MakeRandomStream(2, IdOf(function.name));
    long double worst = 0.0L;
    for (int i = 0; i < 100'000; ++i) {
      const double input = DrawInput(stream, i);
      const long double error = UnitsInTheLastPlace(function.function(input),
                                                    function.reference(input));
      ASSERT_LE(error, 1.0L) << function.name << " of " << input;
      worst = std::fmax(worst, error);
    }
    RecordProperty(function.name, std::to_string(worst));
  }
}

TEST(MathAccuracyTest, FunctionsOfTwoArgumentsAreWithinOneUnit) {
  for (const BinaryCase& function : kBinaryCases) {
    RandomStream stream = MakeRandomStream(2, IdOf(function.name));
    long double worst = 0.0L;
    for (int i = 0; i < 100'000; ++i) {
      const double first = DrawInput(stream, i);
      const double second = DrawInput(stream, i / 5);
      const long double error = UnitsInTheLastPlace(
          function.function(first, second), function.reference(first, second));
      ASSERT_LE(error, 1.0L)
          << function.name << " of " << first << ", " << second;
      worst = std::fmax(worst, error);
    }
    RecordProperty(function.name, std::to_string(worst));
  }
}

TEST(MathEdgeTest, SineAndItsKin) {
  for (const Unary odd : {Sin, Tan, Asin, Atan}) {
    for (const double tiny : {0.0, kSmallest, 0x1p-1022, 0x1p-600}) {
      ExpectSame(odd(tiny), tiny);
      ExpectSame(odd(-tiny), -tiny);
    }
  }
  ExpectSame(Cos(0.0), 1.0);
  for (const Unary function : {Sin, Cos, Tan}) {
    for (const double input : {kInfinity, -kInfinity, kNan}) {
      ExpectSame(function(input), kNan);
    }
  }
}

TEST(MathEdgeTest, HugeAnglesAreReducedExactly) {
  // sin(1e22), known to every implementer of the reduction (Ng, 1992).
  ExpectSame(Sin(1e22), -0.8522008497671888);
  EXPECT_LE(UnitsInTheLastPlace(Cos(kLargest), std::cos(0.0L + kLargest)), 1);
  EXPECT_LE(UnitsInTheLastPlace(Tan(kLargest), std::tan(0.0L + kLargest)), 1);
}

TEST(MathEdgeTest, InverseFunctionsAtAndBeyondTheirEnds) {
  ExpectSame(Asin(1.0), kPi / 2);
  ExpectSame(Asin(-1.0), -kPi / 2);
  ExpectSame(Acos(1.0), 0.0);
  ExpectSame(Acos(-1.0), kPi);
  ExpectSame(Atan(kInfinity), kPi / 2);
  ExpectSame(Atan(-kInfinity), -kPi / 2);
  ExpectSame(Atan(kNan), kNan);
  for (const Unary function : {Asin, Acos}) {
    for (const double input : {1.0 + 0x1p-52, -2.0, kInfinity, kNan}) {
      ExpectSame(function(input), kNan);
    }
  }
}

TEST(MathEdgeTest, Atan2OnTheAxes) {
  ExpectSame(Atan2(0.0, 1.0), 0.0);
  ExpectSame(Atan2(-0.0, 1.0), -0.0);
  ExpectSame(Atan2(0.0, -1.0), kPi);
  ExpectSame(Atan2(-0.0, -1.0), -kPi);
  ExpectSame(Atan2(0.0, 0.0), 0.0);
  ExpectSame(Atan2(-0.0, 0.0), -0.0);
  ExpectSame(Atan2(0.0, -0.0), kPi);
  ExpectSame(Atan2(-0.0, -0.0), -kPi);
  ExpectSame(Atan2(1.0, 0.0), kPi / 2);
  ExpectSame(Atan2(-1.0, -0.0), -kPi / 2);
}

TEST(MathEdgeTest, Atan2AtInfinity) {
  ExpectSame(Atan2(kInfinity, kInfinity), kPi / 4);
  ExpectSame(Atan2(kInfinity, -kInfinity), 3 * kPi / 4);
  ExpectSame(Atan2(-kInfinity, -kInfinity), -3 * kPi / 4);
  ExpectSame(Atan2(kInfinity, 1.0), kPi / 2);
  ExpectSame(Atan2(1.0, kInfinity), 0.0);
  ExpectSame(Atan2(-1.0, kInfinity), -0.0);
  ExpectSame(Atan2(1.0, -kInfinity), kPi);
  ExpectSame(Atan2(kNan, 1.0), kNan);
  ExpectSame(Atan2(1.0, kNan), kNan);
}

TEST(MathEdgeTest, Atan2AmongSubnormalResults) {
  // The quotients are exact, so they are the results.
  ExpectSame(Atan2(0x3p-1073, 2.0), 0x3p-1074);
  ExpectSame(Atan2(-kSmallest, 1.0), -kSmallest);
  ExpectSame(Atan2(kSmallest, kLargest), 0.0);
}

TEST(MathEdgeTest, ExpAtItsEnds) {
  ExpectSame(Exp(0.0), 1.0);
  ExpectSame(Exp(-0.0), 1.0);
  ExpectSame(Exp(kInfinity), kInfinity);
  ExpectSame(Exp(-kInfinity), 0.0);
  ExpectSame(Exp(kNan), kNan);
  ExpectSame(Exp(-745.13), kSmallest);
  ExpectSame(Exp(-745.14), 0.0);
}

TEST(MathEdgeTest, ExpIsInfiniteFromWhereTheHeaderSays) {
  constexpr double kFirst = 709.7827111495576;
  ExpectSame(Exp(kFirst), kInfinity);
  EXPECT_GT(Exp(std::nextafter(kFirst, 0.0)), 0.999998 * kLargest);
  EXPECT_TRUE(IsFinite(Exp(std::nextafter(kFirst, 0.0))));
}

TEST(MathEdgeTest, Logarithms) {
  for (const Unary function : {Log, Log2, Log10}) {
    ExpectSame(function(1.0), 0.0);
    ExpectSame(function(0.0), -kInfinity);
    ExpectSame(function(-0.0), -kInfinity);
    ExpectSame(function(kInfinity), kInfinity);
    for (const double input : {-kSmallest, -1.0, -kInfinity, kNan}) {
      ExpectSame(function(input), kNan);
    }
  }
}

TEST(MathEdgeTest, Log2OfPowersOfTwoIsExact) {
  for (int exponent = -1074; exponent <= 1023; ++exponent) {
    ASSERT_EQ(Log2(std::ldexp(1.0, exponent)), exponent);
  }
}

TEST(MathEdgeTest, PowOfAnythingToZeroAndOfOneToAnything) {
  for (const double value : {0.0, -0.0, 1.0, -1.0, kSmallest, kLargest,
                             kInfinity, -kInfinity, kNan}) {
    ExpectSame(Pow(value, 0.0), 1.0);
    ExpectSame(Pow(value, -0.0), 1.0);
    ExpectSame(Pow(1.0, value), 1.0);
  }
}

TEST(MathEdgeTest, PowOfZero) {
  ExpectSame(Pow(0.0, 3.0), 0.0);
  ExpectSame(Pow(-0.0, 3.0), -0.0);
  ExpectSame(Pow(-0.0, 2.0), 0.0);
  ExpectSame(Pow(-0.0, 0.5), 0.0);
  ExpectSame(Pow(0.0, -3.0), kInfinity);
  ExpectSame(Pow(-0.0, -3.0), -kInfinity);
  ExpectSame(Pow(-0.0, -2.0), kInfinity);
}

TEST(MathEdgeTest, PowOfNegativeBases) {
  ExpectSame(Pow(-2.0, 3.0), -8.0);
  ExpectSame(Pow(-2.0, 2.0), 4.0);
  ExpectSame(Pow(-2.0, 0.5), kNan);
  ExpectSame(Pow(-1.0, 0x1p53), 1.0);
  ExpectSame(Pow(-1.0, 0x1p53 - 1), -1.0);
  ExpectSame(Pow(-kInfinity, 3.0), -kInfinity);
  ExpectSame(Pow(-kInfinity, -3.0), -0.0);
}

TEST(MathEdgeTest, PowToInfinity) {
  ExpectSame(Pow(-1.0, kInfinity), 1.0);
  ExpectSame(Pow(-1.0, -kInfinity), 1.0);
  ExpectSame(Pow(0.5, kInfinity), 0.0);
  ExpectSame(Pow(0.5, -kInfinity), kInfinity);
  ExpectSame(Pow(2.0, kInfinity), kInfinity);
  ExpectSame(Pow(2.0, -kInfinity), 0.0);
  ExpectSame(Pow(kNan, 1.0), kNan);
  ExpectSame(Pow(2.0, kNan), kNan);
}

TEST(MathEdgeTest, ExactFunctionsKeepTheSignOfZero) {
  ExpectSame(Sqrt(-0.0), -0.0);
  ExpectSame(Sqrt(-1.0), kNan);
  ExpectSame(Abs(-0.0), 0.0);
  ExpectSame(Floor(-0.0), -0.0);
  ExpectSame(Floor(-0.5), -1.0);
  ExpectSame(Ceil(-0.5), -0.0);
}

TEST(MathClassifyTest, TellsNanInfiniteAndFiniteApart) {
  for (const double nan :
       {kNan, -kNan, std::bit_cast<double>(kInfinityBits | 1)}) {
    EXPECT_TRUE(IsNan(nan));
    EXPECT_FALSE(IsFinite(nan));
  }
  for (const double infinite : {kInfinity, -kInfinity}) {
    EXPECT_FALSE(IsNan(infinite));
    EXPECT_FALSE(IsFinite(infinite));
  }
  for (const double finite : {0.0, -0.0, kSmallest, -kLargest}) {
    EXPECT_FALSE(IsNan(finite));
    EXPECT_TRUE(IsFinite(finite));
  }
}

TEST(ToInt64Test, CutsTheFractionOff) {
  for (const auto convert :
       {+[](double value) { return *ToInt64(value); }, &ToInt64Saturated}) {
    EXPECT_EQ(convert(2.9), 2);
    EXPECT_EQ(convert(-2.9), -2);
    EXPECT_EQ(convert(-0.0), 0);
    EXPECT_EQ(convert(-0x1p63), std::numeric_limits<int64_t>::min());
    EXPECT_EQ(convert(0x1.fffffffffffffp62), 0x7ffffffffffffc00);
  }
}

TEST(ToInt64Test, RefusesOrSaturatesWhatDoesNotFit) {
  for (const double large : {0x1p63, kLargest, kInfinity}) {
    EXPECT_EQ(ToInt64(large), std::nullopt);
    EXPECT_EQ(ToInt64Saturated(large), std::numeric_limits<int64_t>::max());
    EXPECT_EQ(ToInt64Saturated(-large), std::numeric_limits<int64_t>::min());
  }
  EXPECT_EQ(ToInt64(-0x1.0000000000001p63), std::nullopt);
  EXPECT_EQ(ToInt64(kNan), std::nullopt);
  EXPECT_EQ(ToInt64Saturated(kNan), 0);
}

TEST(MathFingerprintTest, IsTheOneThatEveryPlatformHas) {
  EXPECT_EQ(FormatDigest(MathFingerprint()), "35e9b9f7d067da43");
}

}  // namespace
}  // namespace reprise::sim
