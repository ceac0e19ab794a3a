// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the order of a table follows from what was done to it: the list
// first, then the order in which keys came, whatever the keys are and whenever
// the collector ran.

#include <string>

#include "gtest/gtest.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

constexpr char kKeys[] = R"(
  local function keys(t)
    local text = {}
    for k in pairs(t) do text[#text + 1] = tostring(k) end
    return table.concat(text, " ")
  end
)";

std::string Order(const std::string& body) { return RunBody(kKeys + body); }

TEST(ScriptOrderTest, KeysComeInTheOrderInWhichTheyWereSet) {
  EXPECT_EQ(Order("local t = {} for word in ('the quick brown fox jumps over a "
                  "lazy dog'):gmatch('%a+') do t[word] = true end "
                  "return keys(t)"),
            "the quick brown fox jumps over a lazy dog");
  EXPECT_EQ(Order("return keys({z = 1, a = 2, m = 3, [true] = 4, [1.5] = 5})"),
            "z a m true 1.5");
}

TEST(ScriptOrderTest, TheListComesFirst) {
  EXPECT_EQ(Order("return keys({x = 1, 10, 20, y = 2, 30})"), "1 2 3 x y");
}

TEST(ScriptOrderTest, ARemovedKeyKeepsItsPlaceUntilTheTableGrows) {
  EXPECT_EQ(Order("local t = {a = 1, b = 2, c = 3, d = 4} t.b = nil "
                  "local first = keys(t) t.b = 5 return first .. ', ' .. "
                  "keys(t)"),
            "a c d, a b c d");
  EXPECT_EQ(Order("local t = {a = 1, b = 2, c = 3, d = 4} t.b = nil t.e = 5 "
                  "t.b = 6 t.f = 7 return keys(t)"),
            "a c d e b f");
}

TEST(ScriptOrderTest, TheCollectorDoesNotChangeIt) {
  const std::string churn =
      "for i = 1, 3000 do local garbage = {('x'):rep(i)} end ";
  for (const std::string& middle : {std::string(), churn}) {
    EXPECT_EQ(Order("local t = {} for i = 1, 8 do t['key' .. i] = i end "
                    "for i = 1, 8, 2 do t['key' .. i] = nil end " +
                    middle + "t['key' .. 5] = 5 t.new = 1 return keys(t)"),
              "key2 key4 key5 key6 key8 new");
  }
}

TEST(ScriptOrderTest, AddressesDoNotChangeIt) {
  // Tables, functions and coroutines as keys, told by what they lead to.
  EXPECT_EQ(RunBody(R"(
    local t, keep = {}, {}
    for i = 1, 50 do
      local key = i % 3 == 0 and {} or i % 3 == 1 and function() return i end
          or coroutine.create(next)
      keep[i] = ("x"):rep(i * 7)
      t[key] = i
    end
    local last = 0
    for _, i in pairs(t) do
      if i ~= last + 1 then return "out of order at " .. i end
      last = i
    end
    return last)"),
            "50");
}

TEST(ScriptOrderTest, RemovingWhileGoingThroughIsAllowed) {
  EXPECT_EQ(RunBody("local t = {} for i = 1, 100 do t['k' .. i] = i end "
                    "local sum = 0 for k, v in pairs(t) do sum = sum + v "
                    "t[k] = nil end return sum + (next(t) and 1 or 0)"),
            "5050");
}

TEST(ScriptOrderTest, SortingIsTheSameEveryTime) {
  // 2,000 keys of ten values, where the places of equal ones tell the pivots.
  EXPECT_EQ(RunBody(R"(
    local t = {}
    for i = 1, 2000 do t[i] = {key = (i * 7919) % 10, place = i} end
    table.sort(t, function(a, b) return a.key < b.key end)
    local sum = 0
    for i = 1, 2000 do sum = (sum * 31 + t[i].place) % 1000000007 end
    return sum)"),
            "564244563");
}

TEST(ScriptOrderTest, SortingByAnOrderThatIsNoneDoesNoHarm) {
  for (const std::string order :
       {"function() return true end", "function(a, b) return a ~= b end",
        "function(a, b) t[1] = nil return a < b end",
        "function(a, b) return (a * b) % 3 == 1 end"}) {
    const std::string text = RunBody(
        "local t = {} for i = 1, 200 do t[i] = (i * 7919) % 211 end "
        "local ok, what = pcall(table.sort, t, " +
        order +
        ") "
        "return tostring(ok) .. tostring(what)");
    EXPECT_FALSE(text.empty()) << order;
  }
  EXPECT_EQ(RunBody("table.sort({3, 'x', 1})"),
            "a.lua:1: attempt to compare string with number");
  EXPECT_EQ(RunBody("table.sort({1, 2, 3, 4, 5, 6, 7, 8}, "
                    "function() return true end)"),
            "a.lua:1: invalid order function for sorting");
}

}  // namespace
}  // namespace reprise::sim
