// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that native functions get what their descriptions say and nothing
// else, that mistakes name function, argument and line, and that budgets hold
// within them.

#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "sim/script/functions/testing_api.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

class ScriptNativeTest : public ::testing::Test {
 protected:
  std::string Run(const std::string& body, ScriptValue argument = {}) {
    const auto machine = LoadFiles(
        {{"a.lua", "return {main = function(value)\n" + body + "\nend}"}},
        {.call_instructions = 100000, .call_bytes = 100000}, TestingApi());
    if (!machine.ok()) return std::string(machine.status().message());
    return CallText(**machine, "main", {argument}, &world_);
  }

  TestingWorld world_;
};

TEST_F(ScriptNativeTest, ArgumentsAndResultsOfEachTypeGoThrough) {
  EXPECT_EQ(Run("world.push(vector(0, 1, 0), 2) world.push(vector(1), 3.5) "
                "return world.position()"),
            "(3.5, 2, 0)");
  EXPECT_EQ(Run("return height() + 1"), "3");
  EXPECT_EQ(Run("return text_times('ab') .. text_times('c', 3.0)"), "ababccc");
  const Handle handle = {.index = 1, .generation = 3};
  EXPECT_EQ(Run("return world.follow(value, true)", handle), "handle 1.3");
  EXPECT_EQ(Run("return world.follow(value, false)", handle), "nil");
  EXPECT_EQ(Run("return select('#', world.push(vector(), 0))"), "0");
}

TEST_F(ScriptNativeTest, WrongArgumentsAreNamed) {
  const std::string wanted = "not a number in m from 0 to 100";
  EXPECT_EQ(Run("world.push(vector())"),
            "a.lua:2: world.push: 'distance' is nil, " + wanted);
  EXPECT_EQ(Run("world.push(vector(), '1')"),
            "a.lua:2: world.push: 'distance' is a string, " + wanted);
  EXPECT_EQ(Run("world.push(vector(), {})"),
            "a.lua:2: world.push: 'distance' is a table, " + wanted);
  EXPECT_EQ(Run("world.push(vector(), -1)"),
            "a.lua:2: world.push: 'distance' is -1, " + wanted);
  EXPECT_EQ(Run("world.push(vector(), 100.5)"),
            "a.lua:2: world.push: 'distance' is 100.5, " + wanted);
  EXPECT_EQ(Run("world.push(vector(), 0/0)"),
            "a.lua:2: world.push: 'distance' is NaN, " + wanted);
  EXPECT_EQ(Run("world.push(vector(), math.huge)"),
            "a.lua:2: world.push: 'distance' is inf, " + wanted);
  EXPECT_EQ(Run("world.push(vector(math.huge), 1)"),
            "a.lua:2: world.push: 'direction' is a vector that is not finite, "
            "not a vector");
  EXPECT_EQ(Run("world.push({x = 1}, 1)"),
            "a.lua:2: world.push: 'direction' is a table, not a vector");
  EXPECT_EQ(Run("world.push(vector(), 1, 2)"),
            "a.lua:2: world.push: 3 arguments; 2 is the most");
  EXPECT_EQ(Run("text_times('x', 1.5)"),
            "a.lua:2: text_times: 'count' is 1.5, not an integer of 0 or more");
  EXPECT_EQ(Run("text_times(5)"),
            "a.lua:2: text_times: 'text' is 5, not a string");
  EXPECT_EQ(Run("world.follow(nil, true)"),
            "a.lua:2: world.follow: 'object' is nil, not a handle");
  EXPECT_EQ(world_.calls, 0);
}

// Of a function that takes anything and gives it back, within a world alone.
std::string RunSame(const std::string& body, bool is_loading = false) {
  auto api = std::make_shared<ScriptApi>();
  const absl::Status status =
      api->Add({.name = "same",
                .help = "Gives back.",
                .parameters = {{.name = "value",
                                .type = ScriptType::kAny,
                                .help = "what"}},
                .result = {.type = ScriptType::kAny, .help = "the same"},
                .failures = {},
                .native = [](ScriptCall& call) {
                  call.Return(call.arguments()[0]);
                  return absl::OkStatus();
                }});
  EXPECT_TRUE(status.ok()) << status;
  const auto machine = LoadFiles(
      {{"a.lua", is_loading
                     ? body
                     : "return {main = function(value)\n" + body + "\nend}"}},
      {}, api);
  if (!machine.ok()) return std::string(machine.status().message());
  int context = 0;
  return CallText(**machine, "main", {}, &context);
}

TEST_F(ScriptNativeTest, AnyIsOfEveryTypeButNil) {
  for (const std::string value :
       {"true", "-7", "0.5", "'text'", "vector(1, 2, 3)"}) {
    EXPECT_EQ(RunSame("return same(" + value + ") == " + value), "true");
  }
  const std::string wanted = ", not a finite value";
  EXPECT_EQ(RunSame("same()"), "a.lua:2: same: 'value' is nil" + wanted);
  EXPECT_EQ(RunSame("same(0 / 0.0)"), "a.lua:2: same: 'value' is NaN" + wanted);
  EXPECT_EQ(RunSame("same(1 / 0.0)"), "a.lua:2: same: 'value' is inf" + wanted);
  EXPECT_EQ(RunSame("same({})"), "a.lua:2: same: 'value' is a table" + wanted);
}

TEST_F(ScriptNativeTest, WhatNeedsAContextIsRefusedWhileScriptsAreLoaded) {
  EXPECT_EQ(RunSame("return {main = same(1)}", /*is_loading=*/true),
            "a.lua:1: same: not while scripts are loaded");
}

TEST_F(ScriptNativeTest, ErrorsOfTheFunctionCanBeCaught) {
  const Handle stranger = {.index = 2, .generation = 1};
  EXPECT_EQ(Run("\nworld.follow(value, true)", stranger),
            "a.lua:3: world.follow: the object is gone");
  EXPECT_EQ(Run("local ok, what = pcall(world.follow, value, true) "
                "return tostring(ok) .. ' ' .. what",
                stranger),
            "false world.follow: the object is gone");
}

TEST_F(ScriptNativeTest, BudgetsHoldWithin) {
  EXPECT_EQ(Run("return text_times('x', 1000000)"),
            "a.lua:2: the budget of instructions is used up");
  EXPECT_EQ(Run("return text_times('xxxxxxxxxx', 50000)"),
            "a.lua:2: the budget of bytes is used up");
}

TEST_F(ScriptNativeTest, FunctionsCannotBeReplaced) {
  EXPECT_EQ(Run("world.push = nil"),
            "a.lua:2: attempt to set field 'push' of a table that was made "
            "while loading (global 'world')");
  EXPECT_EQ(Run("height = nil"),
            "a.lua:2: attempt to set global 'height' after loading");
}

}  // namespace
}  // namespace reprise::sim
