// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that scripts keep no state: whatever is there when loading ends can't
// be changed by any means, each refused with its line, and what a call makes is
// gone with it.

#include <string>

#include "gtest/gtest.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

// A script with something of each kind, whose line 9 is the function's body.
std::string Break(const std::string& statement) {
  return RunText(
      "local count = 0\n"
      "local list = {1, 2, 3}\n"
      "local deep = {inner = {value = 1}}\n"
      "total = 0\n"
      "shared = {speed = 1}\n"
      "local meta = {__newindex = function(t, k, v) "
      "rawset(t, k, v) end}\n"
      "local object = setmetatable({}, meta)\n"
      "local function bump() count = count + 1 return count end\n"
      "return {main = function() " +
      statement + " end}");
}

TEST(ScriptFreezingTest, UpvaluesOfLoadingAreReadOnly) {
  EXPECT_EQ(Break("count = 1"),
            "a.lua:9: attempt to set variable 'count' after loading");
  EXPECT_EQ(Break("return bump()"),
            "a.lua:8: attempt to set variable 'count' after loading");
  EXPECT_EQ(Break("local f = function() count = 2 end f()"),
            "a.lua:9: attempt to set variable 'count' after loading");
  EXPECT_EQ(Break("coroutine.wrap(function() list = {} end)()"),
            "a.lua:9: attempt to set variable 'list' after loading");
}

TEST(ScriptFreezingTest, GlobalsAreReadOnly) {
  EXPECT_EQ(Break("total = 1"),
            "a.lua:9: attempt to set global 'total' after loading");
  EXPECT_EQ(Break("fresh = 1"),
            "a.lua:9: attempt to set global 'fresh' after loading");
  EXPECT_EQ(Break("_G.fresh = 1"),
            "a.lua:9: attempt to set global 'fresh' after loading");
  EXPECT_EQ(Break("_ENV['fresh'] = 1"),
            "a.lua:9: attempt to set global 'fresh' after loading");
  EXPECT_EQ(Break("function shared.f() end"),
            "a.lua:9: attempt to set field 'f' of a table that was made while "
            "loading (global 'shared')");
}

TEST(ScriptFreezingTest, TablesAreReadOnly) {
  EXPECT_EQ(Break("shared.speed = 2"),
            "a.lua:9: attempt to set field 'speed' of a table that was made "
            "while loading (global 'shared')");
  EXPECT_EQ(Break("deep.inner.value = 2"),
            "a.lua:9: attempt to set field 'value' of a table that was made "
            "while loading (field 'inner')");
  EXPECT_EQ(Break("deep.fresh = 2"),
            "a.lua:9: attempt to set field 'fresh' of a table that was made "
            "while loading (upvalue 'deep')");
  EXPECT_EQ(Break("deep.inner = nil"),
            "a.lua:9: attempt to set field 'inner' of a table that was made "
            "while loading (upvalue 'deep')");
  for (const std::string statement :
       {"list[1] = 9", "list[4] = 9", "list[2.5] = 9", "list[bump] = 9",
        "local i = 2 list[i] = nil"}) {
    EXPECT_EQ(Break(statement),
              "a.lua:9: attempt to change a table that was made while loading "
              "(upvalue 'list')")
        << statement;
  }
}

TEST(ScriptFreezingTest, LibrariesWriteNoFrozenTable) {
  for (const std::string statement :
       {"table.insert(list, 4)", "table.insert(list, 1, 4)",
        "table.remove(list)", "table.remove(list, 1)",
        "table.sort(list, function(a, b) return a > b end)",
        "table.move({7}, 1, 1, 2, list)", "rawset(list, 1, 5)",
        "rawset(list, 'x', 5)", "rawset(_G, 'x', 5)", "setmetatable(list, {})",
        "setmetatable(object, nil)", "object.x = 1"}) {
    const std::string text = Break(statement);
    EXPECT_NE(text.find("made while loading"), std::string::npos)
        << statement << ": " << text;
    EXPECT_EQ(text.rfind("a.lua:", 0), 0u) << statement << ": " << text;
  }
}

TEST(ScriptFreezingTest, FrozenTablesCanBeRead) {
  EXPECT_EQ(Break("local sum = 0 for _, v in ipairs(list) do sum = sum + v end "
                  "for k, v in pairs(deep.inner) do sum = sum + v end "
                  "return sum + #list + shared.speed + count"),
            "11");
}

TEST(ScriptFreezingTest, WhatACallMakesIsFree) {
  EXPECT_EQ(Break("local n = 0 local function f() n = n + 1 end f() f() "
                  "local t = {} t.x = n t[1] = t "
                  "setmetatable(t, {__index = shared}) "
                  "return t.x + t.speed"),
            "3");
}

TEST(ScriptFreezingTest, NewindexOfAFrozenTableStillRuns) {
  EXPECT_EQ(RunText("local proxy = setmetatable({}, {__newindex = "
                    "function(t, k, v) v.seen = k end})\n"
                    "return {main = function() local v = {} proxy.name = v "
                    "return v.seen end}"),
            "name");
}

TEST(ScriptFreezingTest, CatchingAnErrorChangesNothing) {
  EXPECT_EQ(Break("pcall(function() count = 5 end) "
                  "pcall(function() list[1] = 5 end) "
                  "pcall(function() total = 5 end) "
                  "return count + list[1] + total"),
            "1");
}

TEST(ScriptFreezingTest, LengthOfAFrozenTableWithHolesIsAlwaysTheSame) {
  const auto machine = LoadText(
      "local t = {1, 2, 3, 4, 5, 6, 7, 8, nil, nil, nil, 12, nil, 14}\n"
      "return {main = function(i) local x = i and t[i] return #t end}");
  ASSERT_TRUE(machine.ok()) << machine.status();
  const std::string length = CallText(**machine, "main");
  for (int64_t i = 0; i < 20; ++i) {
    EXPECT_EQ(CallText(**machine, "main", {i}), length) << i;
  }
}

TEST(ScriptFreezingTest, ACallDoesNotKnowOfTheOneBefore) {
  const auto machine = LoadText(
      "local fresh = function() local n = 0 return function() n = n + 1 "
      "return n end end\n"
      "return {main = function() local f = fresh() f() return f() end}");
  ASSERT_TRUE(machine.ok()) << machine.status();
  EXPECT_EQ(CallText(**machine, "main"), "2");
  EXPECT_EQ(CallText(**machine, "main"), "2");
}

TEST(ScriptFreezingTest, LoadingMayChangeWhatItMakes) {
  EXPECT_EQ(RunText("local n = 0\n"
                    "local function f() n = n + 1 end f() f()\n"
                    "global = {} global.x = n\n"
                    "return {main = function() return global.x end}"),
            "2");
}

}  // namespace
}  // namespace reprise::sim
