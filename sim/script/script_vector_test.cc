// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that sums with vectors, which the interpreter does by itself, are
// those of C++ to the last bit, that they are paid for like any vector, and
// that what can't be done still says so where metamethods did.

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/geometry/vector3.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

std::array<uint64_t, 3> Bits(Vector3 v) {
  return {std::bit_cast<uint64_t>(v.x), std::bit_cast<uint64_t>(v.y),
          std::bit_cast<uint64_t>(v.z)};
}

TEST(ScriptVectorTest, SumsAreThoseOfCpp) {
  const auto machine = LoadText(R"(return {
    add = function(a, b) return a + b end,
    subtract = function(a, b) return a - b end,
    scale = function(a, b, n) return a * n end,
    scaled = function(a, b, n) return n * a end,
    divide = function(a, b, n) return a / n end,
    negate = function(a) return -a end,
    parts = function(a) return vector(a.z, a.x, a.y) end,
  })");
  ASSERT_TRUE(machine.ok()) << machine.status();
  const auto call = [&](std::string_view function, Vector3 a, Vector3 b,
                        const ScriptValue& n) {
    ScriptValue result;
    const ScriptValue arguments[] = {a, b, n};
    EXPECT_FALSE((*machine)->Call(*(*machine)->Find("a.lua", function),
                                  arguments, nullptr, &result));
    return Bits(*std::get_if<Vector3>(&result));
  };
  // Signed zeros, what rounds, what overflows, what is denormal.
  const Vector3 vectors[] = {{.x = 0.0, .y = -0.0, .z = 1.0},
                             {.x = 0.1, .y = -0.3, .z = 1e16},
                             {.x = 1e308, .y = -1e308, .z = 5e-324}};
  const double numbers[] = {3.0, -0.0, 1e-300, 0.1};
  for (const Vector3 a : vectors) {
    for (const Vector3 b : vectors) {
      EXPECT_EQ(call("add", a, b, 1.0), Bits(a + b));
      EXPECT_EQ(call("subtract", a, b, 1.0), Bits(a - b));
    }
    for (const double n : numbers) {
      EXPECT_EQ(call("scale", a, a, n), Bits(a * n));
      EXPECT_EQ(call("scaled", a, a, n), Bits(a * n));
      if (n != 0.0) {
        EXPECT_EQ(call("divide", a, a, n), Bits(a / n));
      }
    }
    EXPECT_EQ(call("scale", a, a, int64_t{7}), Bits(a * 7.0));
    EXPECT_EQ(call("negate", a, a, 1.0), Bits(-a));
    EXPECT_EQ(call("parts", a, a, 1.0), Bits({.x = a.z, .y = a.x, .z = a.y}));
  }
}

// A machine that is profiled calls the metamethods.
std::string RunBothWays(const std::string& body) {
  std::array<std::string, 2> texts;
  std::array<ScriptUsage, 2> usages;
  for (const bool is_profiled : {false, true}) {
    const auto machine =
        LoadFiles({{"a.lua", "return {main = function() " + body + "\nend}"}},
                  {}, std::make_shared<ScriptApi>(), is_profiled);
    EXPECT_TRUE(machine.ok()) << machine.status();
    texts[is_profiled ? 1 : 0] = CallText(**machine, "main");
    usages[is_profiled ? 1 : 0] = (*machine)->usage();
  }
  EXPECT_EQ(texts[0], texts[1]) << body;
  EXPECT_EQ(usages[0], usages[1]) << body;
  return texts[0];
}

TEST(ScriptVectorTest, WhatIsNoneSaysSo) {
  const struct {
    const char* body;
    const char* message;
  } cases[] = {
      {"return vector(1) + 1",
       "a.lua:1: bad argument #2 to 'add' (vector "
       "expected, got number)"},
      {"return 1 - vector(1)",
       "a.lua:1: bad argument #1 to 'sub' (vector "
       "expected, got number)"},
      {"return vector(1) * vector(2)",
       "a.lua:1: bad argument #2 to 'mul' "
       "(number expected, got vector)"},
      {"return 1 / vector(1)",
       "a.lua:1: bad argument #1 to 'div' (vector "
       "expected, got number)"},
      {"return vector(1).w",
       "a.lua:1: a vector has x, y, z and its methods, not 'w'"},
      {"return vector(1)[1]",
       "a.lua:1: a vector has x, y, z and its methods, not 'number'"},
      {"vector(1).x = 2",
       "a.lua:1: a vector can't be changed; make another "
       "one"},
      {"return vector(1) * '2'", "(2, 0, 0)"},
      {"return vector(3, 4):length()", "5"},
      {"return vector(1) % 2",
       "a.lua:1: attempt to perform arithmetic on a vector value"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(RunBothWays(each.body), each.message) << each.body;
  }
}

TEST(ScriptVectorTest, EachIsPaidFor) {
  const auto bytes_of = [](const std::string& body) {
    const auto machine = LoadText(
        "return {main = function() local v = vector(1, "
        "2, 3) for i = 1, 100 do " +
        body + " end end}");
    EXPECT_TRUE(machine.ok()) << machine.status();
    EXPECT_EQ(CallText(**machine, "main"), "nil");
    return (*machine)->usage().bytes;
  };
  const int64_t made = bytes_of("local w = vector(i, i, i)");
  EXPECT_GT(made, 100 * 24);
  for (const char* const body :
       {"local w = v + v", "local w = v - v", "local w = v * i",
        "local w = 2 * v", "local w = v / i", "local w = -v"}) {
    EXPECT_EQ(bytes_of(body), made) << body;
  }
  EXPECT_LT(bytes_of("local x = v.x + v.y * v.z"), made);
}

// How deep calls go within each other, with vectors at each depth.
TEST(ScriptVectorTest, BoundsAreThoseOfCalls) {
  for (const std::string function :
       {"local a = v.x f(f) return a + v.y", "local a = v + v f(f) return a",
        "f(f) return v.z", "f(f) return 2 * v",
        "local a, b, c, d, e = v.x, v.y, v * 2, v - v, v / 3 f(f) return a",
        "local a = (v * 2).x ('x'):gsub('x', function() f(f) end)",
        "local a = (2 * v).z - v.x pcall(f, f) return a",
        "local a = (v / 2).y - v.x coroutine.wrap(f)(f) return a"}) {
    const std::string depth = RunBothWays(
        "local v, n = vector(1, 2, 3), 0 local f = function(f) n = n + 1 " +
        function + " end local ok, e = pcall(f, f) return n .. tostring(e)");
    EXPECT_GT(depth.size(), 3u) << function << ": " << depth;
  }
}

TEST(ScriptVectorTest, WhatEndsTheBudgetIsTheSame) {
  for (const std::string body :
       {"local v = vector() while true do v = v + v end",
        "local v = vector() while true do v = 2 * v end",
        "local v = vector() while true do v = v / 3 end",
        "local v = vector() while true do local a = v.x + v.y end",
        "local v = vector() while true do pcall(function() return v.w end) "
        "end"}) {
    EXPECT_NE(RunBothWays(body).find("is used up"), std::string::npos) << body;
  }
}

}  // namespace
}  // namespace reprise::sim
