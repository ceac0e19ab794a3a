// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that numbers compute, read and print as docs/scripts.md says, by exact
// values, and that no NaN leaves a script.

#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

TEST(ScriptNumberTest, IntegersWrapAround) {
  EXPECT_EQ(RunBody("return math.maxinteger + 1"), "-9223372036854775808");
  EXPECT_EQ(RunBody("return math.mininteger * -1"), "-9223372036854775808");
  EXPECT_EQ(RunBody("return math.abs(math.mininteger)"),
            "-9223372036854775808");
  EXPECT_EQ(RunBody("return math.mininteger // -1"), "-9223372036854775808");
  EXPECT_EQ(RunBody("return math.mininteger % -1"), "0");
  EXPECT_EQ(RunBody("return math.fmod(math.mininteger, -1)"), "0");
}

TEST(ScriptNumberTest, OfEqualOperatorsTheLeftOneComesFirst) {
  EXPECT_EQ(RunBody("return 30 / 5 * 3"), "18");
  EXPECT_EQ(RunBody("return 10 - 4 - 3"), "3");
  // A constant may be worked out when it is read; these can't be.
  EXPECT_EQ(RunBody("local a, b, c = 30, 5, 3 return a / b * c"), "18");
  EXPECT_EQ(RunBody("local a, b, c = 10, 4, 3 return a - b - c"), "3");
}

TEST(ScriptNumberTest, DivisionRoundsDownAndSaysItsLine) {
  EXPECT_EQ(RunBody("return -7 // 2"), "-4");
  EXPECT_EQ(RunBody("return -7 % 3"), "2");
  EXPECT_EQ(RunBody("return -7.5 // 2"), "-4");
  EXPECT_EQ(RunBody("return math.fmod(-7, 3)"), "-1");
  EXPECT_EQ(RunBody("local z = 0\nreturn 1 // z"),
            "a.lua:2: attempt to divide by zero");
  EXPECT_EQ(RunBody("local z = 0\nreturn 1 % z"),
            "a.lua:2: attempt to perform 'n%0'");
  EXPECT_EQ(RunBody("return 1 // 0.0"), "inf");
}

TEST(ScriptNumberTest, DoublesBecomeIntegersOnlyIfNothingIsLost) {
  EXPECT_EQ(RunBody("return 3.0 | 0"), "3");
  EXPECT_EQ(RunBody("return 3.5 | 0"),
            "a.lua:1: number has no integer representation");
  EXPECT_EQ(RunBody("return (2^63) | 0"),
            "a.lua:1: number has no integer representation");
  EXPECT_EQ(RunBody("return math.tointeger(2^53)"), "9007199254740992");
  EXPECT_EQ(RunBody("return math.tointeger(2^63)"), "nil");
  EXPECT_EQ(RunBody("return math.tointeger('3')"), "nil");
  EXPECT_EQ(RunBody("return math.floor(-2.5) .. math.ceil(-2.5) .. "
                    "tostring(math.floor(1e300))"),
            "-3-21e+300");
}

TEST(ScriptNumberTest, FunctionsAreThoseOfTheSimulation) {
  const auto machine = LoadText(
      "return {sin = math.sin, exp = math.exp, log = math.log, "
      "pow = function(x) return x ^ 1.7 end, "
      "atan = function(x) return math.atan(x, -2) end, "
      "log2 = function(x) return math.log(x, 2) end}");
  ASSERT_TRUE(machine.ok()) << machine.status();
  for (double x = 0.1; x < 30.0; x += 0.37) {
    EXPECT_EQ(CallText(**machine, "sin", {x}), fmt::format("{}", Sin(x)));
    EXPECT_EQ(CallText(**machine, "exp", {x}), fmt::format("{}", Exp(x)));
    EXPECT_EQ(CallText(**machine, "log", {x}), fmt::format("{}", Log(x)));
    EXPECT_EQ(CallText(**machine, "pow", {x}), fmt::format("{}", Pow(x, 1.7)));
    EXPECT_EQ(CallText(**machine, "atan", {x}),
              fmt::format("{}", Atan2(x, -2.0)));
    EXPECT_EQ(CallText(**machine, "log2", {x}), fmt::format("{}", Log2(x)));
  }
}

TEST(ScriptNumberTest, NumbersPrintTheSameEverywhere) {
  EXPECT_EQ(RunBody(R"(return table.concat({1e15, 1e16, 0.1, 1/3, -0.0, 2^63,
      1e-310, 5e-324, 100, 1e100}, " "))"),
            "1e+15 1e+16 0.1 0.33333333333333 -0.0 9.2233720368548e+18 "
            "1e-310 4.9406564584125e-324 100 1e+100");
  EXPECT_EQ(RunBody(R"(return string.format(
      "%5.2f|%-9.3e|%+g|% g|%010.3f|%a|%.2a|%A|%.0f|%G|%5d|%x|%5s|%q",
      3.14159, 12345.678, 0.1, 0.1, -3.14159, 1.5, 1/3, 255.5, 2.5, 1e-10,
      42, 255, "ab", 0.1))"),
            " 3.14|1.235e+04|+0.1| 0.1|-00003.142|0x1.8p+0|0x1.55p-2|"
            "0X1.FFP+7|2|1E-10|   42|ff|   ab|0x1.999999999999ap-4");
  EXPECT_EQ(RunBody("return ('%99.99f'):format(-1.7976931348623157e308):len()"),
            "410");
  EXPECT_EQ(RunBody("return ('%#g'):format(1)"),
            "a.lua:1: invalid conversion specification: '%#g'");
}

TEST(ScriptNumberTest, NumeralsReadTheSameEverywhere) {
  EXPECT_EQ(RunBody("return tonumber('0x1p-2') + '1e1' + tonumber(' 5 ')"),
            "15.25");
  EXPECT_EQ(RunBody("return tonumber('1e999')"), "inf");
  EXPECT_EQ(RunBody("return tonumber('nan') or tonumber('inf') or "
                    "tonumber('1,5') or tonumber('1e')"),
            "nil");
  EXPECT_EQ(RunBody("return 9007199254740993.0 == 9007199254740992"), "true");
  EXPECT_EQ(RunBody("return tonumber('7fffffffffffffff', 16)"),
            "9223372036854775807");
  EXPECT_EQ(RunBody("return tonumber(('0'):rep(201))"), "nil");
}

TEST(ScriptNumberTest, NanHasNoSignAndDoesNotLeave) {
  EXPECT_EQ(RunBody("return tostring(0/0) .. tostring(-(0/0)) .. "
                    "('%f %5.1f %+g'):format(0/0, -(0/0), 0/0)"),
            "nannannan   nan nan");
  EXPECT_EQ(RunBody("return 0/0"), "a.lua:1: the result is not a number (NaN)");
  EXPECT_EQ(RunBody("return vector(1, 0/0)"),
            "a.lua:1: the result is not a number (NaN)");
  EXPECT_EQ(RunBody("return ({})[0/0]"), "nil");
  EXPECT_EQ(RunBody("({})[0/0] = 1"), "a.lua:1: table index is NaN");
}

TEST(ScriptNumberTest, VectorsCompute) {
  EXPECT_EQ(RunBody("return vector(1, 2, 3) + vector(1, 1, 1) * 2 - "
                    "2 * vector(0.5) / 4"),
            "(2.75, 4, 5)");
  EXPECT_EQ(RunBody("return (-vector(3, 4)):length()"), "5");
  EXPECT_EQ(RunBody("return vector(1):cross(vector(0, 1))"), "(0, 0, 1)");
  EXPECT_EQ(RunBody("return vector(1, 2, 3):dot(vector(4, 5, 6))"), "32");
  EXPECT_EQ(RunBody("return vector(0, 3, 0):normalized()"), "(0, 1, 0)");
  EXPECT_EQ(RunBody("return vector(1, 2) == vector(1, 2, 0)"), "true");
  EXPECT_EQ(RunBody("local v = vector(1, 2, 3) return v.x + v.y * v.z"), "7");
  EXPECT_EQ(RunBody("local v = vector() v.x = 1"),
            "a.lua:1: a vector can't be changed; make another one");
  EXPECT_EQ(RunBody("return vector().w"),
            "a.lua:1: a vector has x, y, z and its methods, not 'w'");
  EXPECT_EQ(RunBody("return vector() + 1"),
            "a.lua:1: bad argument #2 to 'add' (vector expected, got number)");
}

}  // namespace
}  // namespace reprise::sim
