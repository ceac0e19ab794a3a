// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/script_calls.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/script/functions/script_api.h"
#include "sim/script/functions/script_call.h"
#include "sim/script/functions/script_function.h"
#include "sim/script/script_tokens.h"

namespace reprise::sim {
namespace {

ScriptApi ApiOf(std::initializer_list<const char*> names) {
  ScriptApi api;
  for (const char* const name : names) {
    EXPECT_TRUE(
        api.Add({.name = name,
                 .help = "Is there.",
                 .native = [](ScriptCall&) { return absl::OkStatus(); }})
            .ok())
        << name;
  }
  return api;
}

ScriptApi Api() { return ApiOf({"own.get", "own.set", "path.point"}); }

// "2: what", of each.
std::vector<std::string> MissingIn(std::string_view source,
                                   const ScriptApi& api = Api()) {
  std::vector<std::string> lines;
  for (const ScriptMisnomer& each :
       MissingFunctions(TokensOfScript(source), api)) {
    lines.push_back(fmt::format("{}: {}", each.line, each.what));
  }
  return lines;
}

TEST(ScriptCallsTest, WhatATableLacksIsToldWithWhatWasMeant) {
  EXPECT_EQ(MissingIn(R"(local x = own.gte("a.b")
own.set("a.b", math.flor(x)) -- own.comment("no")
if own.nothing_like_it then own.get("own.text") end)"),
            (std::vector<std::string>{
                "1: there is no function 'own.gte'; did you mean 'own.get'?",
                "2: there is no function 'math.flor'; did you mean "
                "'math.floor'?",
                "3: there is no function 'own.nothing_like_it'"}));
}

TEST(ScriptCallsTest, WhatLuaHasElsewhereIsToldWithWhatScriptsHave) {
  EXPECT_EQ(
      MissingIn("print('a')\nlocal r = math.random(3)\nlocal t = os.time()\n"
                "print \"b\" collectgarbage()"),
      (std::vector<std::string>{
          "1: scripts don't have Lua's 'print'; scripts have log.info",
          "2: there is no function 'math.random'; scripts have world.random "
          "or world.random_integer",
          "3: scripts don't have Lua's 'os'; scripts have world.tick for the "
          "time",
          "4: scripts don't have Lua's 'print'; scripts have log.info",
          "4: scripts don't have Lua's 'collectgarbage'"}));
}

TEST(ScriptCallsTest, ScriptsOfBotsHaveFunctionsOfTheirOwnInstead) {
  EXPECT_EQ(
      MissingIn("print('a')\nmath.random()\nos.time() warn('b') load('c')",
                ApiOf({"bot.log"})),
      (std::vector<std::string>{
          "1: scripts don't have Lua's 'print'; scripts have bot.log",
          "2: there is no function 'math.random'; scripts have bot.random or "
          "bot.random_integer",
          "3: scripts don't have Lua's 'os'; scripts have view.tick for the "
          "time",
          "3: scripts don't have Lua's 'warn'; scripts have bot.log",
          "3: scripts don't have Lua's 'load'; scripts have require"}));
}

TEST(ScriptCallsTest, WhatTheSourceHasItselfIsItsOwn) {
  for (const std::string_view source : {
           "local path = { first = 1 } return path.first",
           "local function print(text) end print(1)",
           "function print(text) end print(1)",
           "for own in pairs(all) do own.gte() end",
           "return function(own) return own.gte() end",
           "path = made() return path.nowhere",
           "local all = { print = 1 } all.print()",
           "all.own.gte() all:print() x = all.path.nowhere",
           "if print then print('a') end",
           "own[\"gte\"]() own:gte()",
           "",
           "own",
           "own.",
           "print",
       }) {
    EXPECT_TRUE(MissingIn(source).empty()) << source;
  }
}

}  // namespace
}  // namespace reprise::sim
