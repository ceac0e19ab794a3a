// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a script reaches nothing but what is listed, and sees no address,
// by trying each way out that Lua has.

#include <string>

#include "gtest/gtest.h"
#include "sim/script/functions/script_library.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

TEST(ScriptSandboxTest, GlobalsAreThoseListed) {
  std::string expected;
  for (const ScriptLibrary& library : ScriptLibraries()) {
    for (const std::string_view name : library.names) {
      expected += fmt::format("{}.{} ", library.name, name);
    }
  }
  EXPECT_EQ(RunBody(R"(
    local text = ""
    local libraries = {}
    for name, value in pairs(_G) do
      if type(value) == "table" and name ~= "_G" then
        libraries[#libraries + 1] = name
      else
        text = text .. "." .. name .. " "
      end
    end
    for _, library in ipairs(libraries) do
      for name in pairs(_G[library]) do
        text = text .. library .. "." .. name .. " "
      end
    end
    return text)"),
            expected);
}

TEST(ScriptSandboxTest, WaysOutAreAbsent) {
  for (const std::string name :
       {"os", "io", "debug", "package", "load", "loadfile", "loadstring",
        "dofile", "collectgarbage", "print", "warn", "string.dump",
        "string.pack", "math.random", "math.randomseed", "coroutine.close"}) {
    EXPECT_EQ(RunBody("return " + name), "nil") << name;
  }
}

TEST(ScriptSandboxTest, MethodsOfStringsAreThoseListed) {
  EXPECT_EQ(RunBody("return ('').dump"), "nil");
  EXPECT_EQ(RunBody("return getmetatable('').__index == string"), "true");
}

TEST(ScriptSandboxTest, NothingIsWrittenWithAnAddress) {
  EXPECT_EQ(RunBody(R"(return table.concat({
      tostring({}), tostring(function() end), tostring(next),
      tostring(coroutine.create(next)), tostring(vector(1, 2, 3)),
      tostring(setmetatable({}, {__name = "ball"})),
      string.format("%s", {})}, " "))"),
            "table function function thread (1.0, 2.0, 3.0) ball table");
  EXPECT_EQ(RunBody("return string.format('%p', {})"),
            "a.lua:1: invalid conversion '%p' to 'format'");
  EXPECT_EQ(RunBody("return {} .. ''"),
            "a.lua:1: attempt to concatenate a table value");
  EXPECT_EQ(RunBody("error({})"), "a.lua:1: an error that is a table value");
  EXPECT_EQ(RunBody("local t = setmetatable({}, {__tostring = 1}) "
                    "return tostring(t)"),
            "a.lua:1: attempt to call a number value");
}

TEST(ScriptSandboxTest, HandlesTellNothing) {
  const auto machine = LoadText(
      "return {main = function(h) return tostring(h) .. type(h) end, "
      "same = function(h) return h end, call = function(h) return h.x end}");
  ASSERT_TRUE(machine.ok()) << machine.status();
  const ScriptValue handle = Handle{.index = 4, .generation = 9};
  EXPECT_EQ(CallText(**machine, "main", {handle}), "handlehandle");
  EXPECT_EQ(CallText(**machine, "same", {handle}), "handle 4.9");
  EXPECT_EQ(CallText(**machine, "call", {handle}),
            "a.lua:1: attempt to index a userdata value (local 'h')");
  EXPECT_EQ(CallText(**machine, "same", {kNullHandle}), "nil");
}

TEST(ScriptSandboxTest, LibrariesCannotBeChangedNotEvenWhileLoading) {
  EXPECT_EQ(RunText("string.rep = nil"),
            "a.lua:1: attempt to set field 'rep' of a table that was made "
            "while loading (global 'string')");
  EXPECT_EQ(RunText("getmetatable('').__index = nil"),
            "a.lua:1: attempt to set field '__index' of a table that was made "
            "while loading");
  EXPECT_EQ(RunText("rawset(math, 'pi', 3)"),
            "a.lua:1: attempt to set field 'pi' of a table that was made while "
            "loading");
  EXPECT_EQ(RunBody("return getmetatable(vector())"), "false");
}

TEST(ScriptSandboxTest, MetatablesNeitherFinalizeNorAreWeak) {
  for (const std::string name : {"__gc", "__mode", "__close"}) {
    EXPECT_EQ(RunBody("setmetatable({}, {" + name + " = 'k'})"),
              "a.lua:1: metatables can't have '" + name + "' here");
  }
  // Set afterwards, they mean nothing.
  EXPECT_EQ(RunBody(R"(
    local meta = {}
    local t = setmetatable({}, meta)
    local called = 0
    meta.__gc = function() called = called + 1 end
    meta.__mode = "k"
    t[{}] = 1
    for i = 1, 10000 do local garbage = {i, {}} end
    local count = 0
    for _ in pairs(t) do count = count + 1 end
    return called + count)"),
            "1");
}

TEST(ScriptSandboxTest, VariablesToBeClosedAreRefused) {
  EXPECT_EQ(RunBody("local x <close> = setmetatable({}, {})"),
            "a.lua:1: variables to be closed are not supported");
  EXPECT_EQ(RunBody("for _ in next, {}, nil, {} do end"),
            "a.lua:1: variables to be closed are not supported");
}

TEST(ScriptSandboxTest, BytecodeIsRefused) {
  const auto machine = LoadText("\x1bLuaT");
  EXPECT_EQ(machine.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(machine.status().message(),
            "a.lua:1: attempt to load a binary chunk (mode is 't')");
}

TEST(ScriptSandboxTest, RequireFindsScriptsOfThePackOnly) {
  const auto machine =
      LoadFiles({{"a.lua",
                  "local b = require('lib/b') return {main = function() "
                  "return b.x + require('lib/b.lua').x end, other = function() "
                  "return require('c') end}"},
                 {"lib/b.lua", "return {x = 4}"}});
  ASSERT_TRUE(machine.ok()) << machine.status();
  EXPECT_EQ(CallText(**machine, "main"), "8");
  EXPECT_EQ(CallText(**machine, "other"),
            "a.lua:1: require: the pack has no script 'c'");
  EXPECT_EQ(RunText("require('/etc/passwd')"),
            "a.lua:1: require: the pack has no script '/etc/passwd'");
}

TEST(ScriptSandboxTest, RequireRefusesACircle) {
  const auto machine =
      LoadFiles({{"a.lua", "require('b')"}, {"b.lua", "\nrequire('a')"}});
  EXPECT_EQ(machine.status().message(),
            "b.lua:2: require: 'a' requires itself, if not directly");
}

TEST(ScriptSandboxTest, ScriptThatFailsIsTriedAgainByTheNext) {
  const auto machine =
      LoadFiles({{"a.lua",
                  "local ok, what = pcall(require, 'b') "
                  "return {main = function() return what end}"},
                 {"b.lua", "error('no')"}});
  EXPECT_EQ(machine.status().message(), "b.lua:1: no");
}

TEST(ScriptSandboxTest, CoroutinesDieWithTheCall) {
  EXPECT_EQ(RunText("co = coroutine.create(function() end)"),
            "a coroutine is left when all scripts are loaded; it would be "
            "state");
  EXPECT_EQ(RunText("local co = coroutine.wrap(function() "
                    "coroutine.yield(1) end) co() "
                    "return {main = function() return co() end}"),
            "a coroutine is left when all scripts are loaded; it would be "
            "state");
  EXPECT_EQ(RunBody("local next = coroutine.wrap(function() "
                    "for i = 1, 3 do coroutine.yield(i) end end) "
                    "return next() + next() + next()"),
            "6");
  EXPECT_EQ(RunBody("coroutine.yield()"),
            "a.lua:1: attempt to yield from outside a coroutine");
}

}  // namespace
}  // namespace reprise::sim
