// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a machine hands values in and out unchanged, that an error leaves
// it as it was, and tells who called whom.

#include "sim/script/script_machine.h"

#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/script/functions/testing_api.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

TEST(ScriptMachineTest, ValuesGoInAndOut) {
  const auto machine =
      LoadText("return {same = function(value) return value end}");
  ASSERT_TRUE(machine.ok()) << machine.status();
  const auto same = (*machine)->Find("a.lua", "same");
  ASSERT_TRUE(same.has_value());
  const std::string bytes("a\0b\xff", 4);
  for (const ScriptValue& value : std::vector<ScriptValue>{
           std::monostate(), true, false, int64_t{-7},
           std::numeric_limits<int64_t>::min(), 0.5, -0.0,
           std::numeric_limits<double>::infinity(), std::string_view(bytes),
           std::string_view(), Vector3{.x = 1, .y = -2, .z = 0.25},
           Handle{.index = 0, .generation = 0xffffffff}}) {
    ScriptValue result = std::string_view("unset");
    ASSERT_FALSE((*machine)->Call(*same, {{value}}, nullptr, &result));
    EXPECT_EQ(result, value);
  }
}

TEST(ScriptMachineTest, ValuesThatCannotLeaveAreRefused) {
  EXPECT_EQ(RunBody("return {}"),
            "a.lua:1: the result is a table, which can't leave a script");
  EXPECT_EQ(RunBody("return print or next"),
            "a.lua:1: the result is a function, which can't leave a script");
  EXPECT_EQ(RunBody("return coroutine.create(next)"),
            "a.lua:1: the result is a thread, which can't leave a script");
}

TEST(ScriptMachineTest, FunctionsAreFoundByPath) {
  const auto machine =
      LoadFiles({{"a.lua",
                  "return {update = function() return 1 end, states = {idle = "
                  "{enter = function() return 2 end}}, speed = 3}"},
                 {"b.lua", "x = 1"}});
  ASSERT_TRUE(machine.ok()) << machine.status();
  EXPECT_EQ(CallText(**machine, "update"), "1");
  EXPECT_EQ(CallText(**machine, "states.idle.enter"), "2");
  for (const char* const path : {"speed", "states", "states.idle", "nothing",
                                 "states.idle.enter.x", "", "."}) {
    EXPECT_FALSE((*machine)->Find("a.lua", path).has_value()) << path;
  }
  EXPECT_FALSE((*machine)->Find("b.lua", "x").has_value());
  EXPECT_FALSE((*machine)->Find("c.lua", "x").has_value());
  EXPECT_EQ((*machine)->FunctionNames("a.lua"),
            std::vector<std::string>{"update"});
  EXPECT_TRUE((*machine)->FunctionNames("b.lua").empty());
}

TEST(ScriptMachineTest, TablesAreReadByPath) {
  const auto machine = LoadText(
      "return {b = 1, a = {deep = 'text', [1] = true, x = vector(1)},\n"
      "f = next}");
  ASSERT_TRUE(machine.ok()) << machine.status();
  ScriptMachine& scripts = **machine;
  using Names = std::vector<std::string>;
  EXPECT_EQ(scripts.Keys("a.lua", ""), (Names{"b", "a", "f"}));
  EXPECT_EQ(scripts.Keys("a.lua", "a"), (Names{"deep", "x"}));
  EXPECT_EQ(scripts.Keys("a.lua", "b"), Names());
  EXPECT_EQ(scripts.Keys("b.lua", ""), Names());
  EXPECT_EQ(scripts.Value("a.lua", "a.deep"),
            ScriptValue(std::string_view("text")));
  EXPECT_EQ(scripts.Value("a.lua", "b"), ScriptValue(int64_t{1}));
  EXPECT_EQ(scripts.Value("a.lua", "a.x"), ScriptValue(Vector3{.x = 1}));
  for (const std::string_view path :
       {"", "a", "f", "c", "b.deep", "a.deep.x"}) {
    EXPECT_EQ(scripts.Value("a.lua", path), ScriptValue()) << path;
  }
}

TEST(ScriptMachineTest, AnErrorTellsWhoCalledWhom) {
  const auto machine = LoadText(R"(local M = {}
local function aim(target)
  return target.x
end
function M.update()
  aim(nil)
  return 1
end
return M)");
  ASSERT_TRUE(machine.ok()) << machine.status();
  const auto error = (*machine)->Call(*(*machine)->Find("a.lua", "update"), {});
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->kind, ScriptErrorKind::kRuntime);
  EXPECT_EQ(error->ToStringWithFrames(),
            "a.lua:3: attempt to index a nil value (local 'target')\n"
            "  a.lua:3: in function 'aim'\n"
            "  a.lua:6: in function of line 5");
  EXPECT_EQ(error->ToStatus(), absl::InvalidArgumentError(error->ToString()));
}

TEST(ScriptMachineTest, DeepErrorsTellTheInnermostFrames) {
  const auto machine = LoadText(
      "local function f(n) if n == 0 then error('deep') end f(n - 1) "
      "return n end return {main = function() f(100) end}");
  ASSERT_TRUE(machine.ok()) << machine.status();
  const auto error = (*machine)->Call(*(*machine)->Find("a.lua", "main"), {});
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->ToString(), "a.lua:1: deep");
  EXPECT_EQ(error->frames.size(), static_cast<size_t>(kScriptFramesMax));
}

TEST(ScriptMachineTest, ErrorsMayBlameTheCaller) {
  EXPECT_EQ(RunText("local function check() error('bad', 2) end\n"
                    "return {main = function()\n"
                    "check() return 1 end}"),
            "a.lua:3: bad");
}

TEST(ScriptMachineTest, MachineIsUsableAfterEachKindOfError) {
  const auto machine = LoadText(R"(local M = {}
function M.good(x) return x + 1 end
function M.raise() error("no") end
function M.spin() while true do end end
function M.eat() return ("x"):rep(1 << 40) end
function M.deep() return 1 + M.deep() end
function M.frozen() M.x = 1 end
function M.table() return {} end
function M.handler() xpcall(error, function() error("again") end) error() end
return M)");
  ASSERT_TRUE(machine.ok()) << machine.status();
  const ScriptValue one = int64_t{1};
  EXPECT_EQ(CallText(**machine, "good", {one}), "2");
  const ScriptUsage usage = (*machine)->usage();
  for (const std::string& name : (*machine)->FunctionNames("a.lua")) {
    if (name == "good") continue;
    ScriptValue result;
    const auto error = (*machine)->Call(*(*machine)->Find("a.lua", name), {},
                                        nullptr, &result);
    EXPECT_TRUE(error.has_value()) << name;
    EXPECT_EQ(CallText(**machine, "good", {one}), "2") << name;
    EXPECT_EQ((*machine)->usage(), usage) << name;
  }
}

TEST(ScriptMachineTest, LoadingIsInTheOrderOfNamesOrRequirements) {
  const std::string log = "log = (log or '') .. ";
  const auto machine = LoadFiles({{"c.lua", log + "'c'"},
                                  {"a.lua", "require('b') " + log +
                                                "'a' return {main = function() "
                                                "return log end}"},
                                  {"b.lua", log + "'b'"}});
  ASSERT_TRUE(machine.ok()) << machine.status();
  EXPECT_EQ(CallText(**machine, "main"), "bac");
}

TEST(ScriptMachineTest, WhatNativeFunctionsDidBeforeAnErrorStays) {
  TestingWorld world;
  const auto machine =
      LoadFiles({{"a.lua",
                  "return {main = function() world.push(vector(1), 1) "
                  "error('no') end}"}},
                {}, TestingApi());
  ASSERT_TRUE(machine.ok()) << machine.status();
  EXPECT_EQ(CallText(**machine, "main", {}, &world), "a.lua:1: no");
  EXPECT_EQ(world.position, (Vector3{.x = 1, .y = 0, .z = 0}));
}

TEST(ScriptMachineTest, LimitsMustBePositive) {
  for (const ScriptLimits limits :
       {ScriptLimits{.call_instructions = 0}, ScriptLimits{.call_bytes = -1},
        ScriptLimits{.load_instructions = 0}, ScriptLimits{.load_bytes = 0}}) {
    EXPECT_EQ(LoadText("", limits).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace reprise::sim
