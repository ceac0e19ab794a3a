// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a changed control register is noticed, whichever of its settings
// was changed; that a scope puts right what a caller did and gives it back; and
// that the settings mean what they are taken to mean.

#include "sim/base/float_control.h"

#include <cfenv>
#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

#if defined(__x86_64__)
constexpr uint64_t kFlushToZero = 0x8000;
constexpr uint64_t kDenormalsAreZero = 0x0040;
constexpr uint64_t kDivisionByZeroMask = 0x0200;
#elif defined(__aarch64__)
constexpr uint64_t kFlushToZero = uint64_t{1} << 24;
constexpr uint64_t kDefaultNan = uint64_t{1} << 25;
constexpr uint64_t kRoundTowardsZero = uint64_t{3} << 22;
#endif

class FloatControlTest : public testing::Test {
 protected:
  void SetUp() override { SetDeterministicFloatControl(); }
  void TearDown() override {
    std::fesetround(FE_TONEAREST);
    WriteFloatControl(control_before_);
  }

  // As a library might that was built with -ffast-math.
  static void Toggle(uint64_t bits) {
    WriteFloatControl(ReadFloatControl() ^ bits);
  }

 private:
  const uint64_t control_before_ = ReadFloatControl();
};

// Arithmetic on volatile operands happens where it is written.
double Multiply(double a, double b) {
  volatile double left = a;
  volatile double right = b;
  return left * right;
}

double Add(double a, double b) {
  volatile double left = a;
  volatile double right = b;
  return left + right;
}

using FloatControlDeathTest = FloatControlTest;

constexpr double kSmallestNormal = std::numeric_limits<double>::min();

TEST_F(FloatControlTest, WhatIsSetIsDeterministic) {
  EXPECT_TRUE(FloatControlIsDeterministic());
}

TEST_F(FloatControlTest, EveryRoundingModeButToNearestIsNoticed) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    EXPECT_FALSE(FloatControlIsDeterministic());
  }
  std::fesetround(FE_TONEAREST);
  EXPECT_TRUE(FloatControlIsDeterministic());
}

TEST_F(FloatControlTest, FlushingToZeroIsNoticed) {
  Toggle(kFlushToZero);
  EXPECT_FALSE(FloatControlIsDeterministic());
}

#if defined(__x86_64__)
TEST_F(FloatControlTest, DenormalsAreZeroIsNoticed) {
  Toggle(kDenormalsAreZero);
  EXPECT_FALSE(FloatControlIsDeterministic());
}

TEST_F(FloatControlTest, ATrappedExceptionIsNoticed) {
  Toggle(kDivisionByZeroMask);
  EXPECT_FALSE(FloatControlIsDeterministic());
}
#elif defined(__aarch64__)
TEST_F(FloatControlTest, DefaultNanIsNoticed) {
  Toggle(kDefaultNan);
  EXPECT_FALSE(FloatControlIsDeterministic());
}

TEST_F(FloatControlTest, RoundingBitsAreThoseOfTheRegister) {
  Toggle(kRoundTowardsZero);
  EXPECT_EQ(std::fegetround(), FE_TOWARDZERO);
}
#endif

TEST_F(FloatControlTest, ExceptionsThatOccurredDoNotCount) {
  std::feraiseexcept(FE_INEXACT | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW);
  EXPECT_TRUE(FloatControlIsDeterministic());
}

TEST_F(FloatControlTest, SubnormalsSurviveOnceSet) {
  Toggle(kFlushToZero);
  EXPECT_EQ(Multiply(kSmallestNormal, 0.5), 0.0);
  SetDeterministicFloatControl();
  EXPECT_EQ(Multiply(kSmallestNormal, 0.5), kSmallestNormal / 2);
}

TEST_F(FloatControlTest, AScopePutsRightWhatTheCallerDidAndGivesItBack) {
  Toggle(kFlushToZero);
  std::fesetround(FE_UPWARD);
  const uint64_t callers = ReadFloatControl();
  {
    const ScopedFloatControl control;
    EXPECT_TRUE(FloatControlIsDeterministic());
    EXPECT_EQ(Add(1.0, 0x1p-60), 1.0) << "which upwards is more than 1";
  }
  EXPECT_EQ(ReadFloatControl(), callers);
}

TEST_F(FloatControlTest, RoundingIsTheCallersAgainAfterAScope) {
  std::fesetround(FE_UPWARD);
  { const ScopedFloatControl control; }
  EXPECT_GT(Add(1.0, 0x1p-60), 1.0);
}

TEST_F(FloatControlTest, ScopesNest) {
  const ScopedFloatControl outer;
  { const ScopedFloatControl inner; }
  EXPECT_TRUE(FloatControlIsDeterministic());
}

TEST_F(FloatControlDeathTest, AChangeWithinAScopeEndsTheProcess) {
  EXPECT_DEATH(
      {
        const ScopedFloatControl control;
        Toggle(kFlushToZero);
      },
      "something changed the floating-point control register");
}

}  // namespace
}  // namespace reprise::sim
