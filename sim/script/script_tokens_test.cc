// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that names and strings of a source are found with their lines, and not
// in comments and long strings.

#include "sim/script/script_tokens.h"

#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kSource = R"x(-- go_to("comment") state = 1
--[[ go_to("long
comment") ]]
local text = [==[ go_to("text")
]==]
state.go_to("alarm")
go_to "quiet" go_to 'a\'b'
go_to("part" .. rest)
if x == "late" then x = { late = 1, ["on hold"] = 2 } end
)x";

TEST(ScriptTokensTest, FirstArgumentsAreThoseOfCallsAlone) {
  const std::vector<ScriptToken> found =
      FirstArguments(TokensOfScript(kSource), "go_to");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].text, "alarm");
  EXPECT_EQ(found[0].line, 6);
  EXPECT_EQ(found[1].text, "quiet");
  EXPECT_EQ(found[1].line, 7);
  EXPECT_EQ(found[2].text, "a\\'b");
}

TEST(ScriptTokensTest, ArgumentsAreWholeStringsOfThatFunction) {
  const std::vector<ScriptToken> tokens = TokensOfScript(R"(
own.set("a", 1) own.get("b" .. c) x.own.get("d") own.get("e")
own.get(name, "f") other.get(o, "g", 2) other.get(f(o), "h") own.get "i"
other.get(o.p, "j") own.get(
  'k')
)");
  const auto texts = [&](const ScriptArgumentPlace& argument) {
    std::string all;
    for (const ScriptToken& token : ArgumentsAt(tokens, argument)) {
      all += token.text + std::to_string(token.line) + " ";
    }
    return all;
  };
  EXPECT_EQ(texts({"own", "get", 0}), "e2 k5 ");
  EXPECT_EQ(texts({"own", "get", 1}), "f3 ");
  EXPECT_EQ(texts({"other", "get", 1}), "g3 h3 j4 ");
  EXPECT_EQ(texts({"own", "set", 0}), "a2 ");
}

TEST(ScriptTokensTest, KeysComeBeforeStrings) {
  const std::vector<ScriptToken> tokens = TokensOfScript(kSource);
  EXPECT_EQ(LineOfWord(tokens, "late"), 9);
  EXPECT_EQ(LineOfWord(tokens, "on hold"), 9);
  EXPECT_EQ(LineOfWord(tokens, "quiet"), 7);
  EXPECT_EQ(LineOfWord(tokens, "text"), 4);
  EXPECT_EQ(LineOfWord(tokens, "comment"), 0);
}

TEST(ScriptTokensTest, AFunctionOfATableIsItsKey) {
  const std::vector<ScriptToken> tokens = TokensOfScript(
      "local function late() end\nlate() M.late()\n"
      "function M.late() end\nfunction M.on.hit(a) end\nfunction hit() end");
  EXPECT_EQ(LineOfWord(tokens, "late"), 3);
  EXPECT_EQ(LineOfWord(tokens, "hit"), 4);
}

TEST(ScriptTokensTest, ArgumentsBeforeMayBeAsLongAsTheyLike) {
  const auto texts_at = [](std::string_view source, size_t place) {
    std::vector<std::string> texts;
    for (const ScriptToken& each :
         ArgumentsAt(TokensOfScript(source),
                     {.table = "query", .function = "box", .place = place})) {
      texts.push_back(each.text);
    }
    return texts;
  };
  EXPECT_EQ(texts_at("query.box(own.position(), vector(1, 2, 3) * (r + 1), "
                     "\"imp\", nil)",
                     2),
            std::vector<std::string>{"imp"});
  EXPECT_EQ(texts_at("query.box({ 1, 2 }, function(a, b) return a, b end, "
                     "'imp')",
                     2),
            std::vector<std::string>{"imp"});
  EXPECT_EQ(texts_at("query.box(t[f(1, 2)], 'imp')", 1),
            std::vector<std::string>{"imp"});
  for (const std::string_view source :
       {"query.box(own.position(), 'imp')", "query.box(a, b) f('imp', 'imp')",
        "query.box(a, b, 'im' .. p)", "query.box(a, b, \"imp\"",
        "query.box(a, b,", "query.box(a", "query.box("}) {
    EXPECT_TRUE(texts_at(source, 2).empty()) << source;
  }
}

TEST(ScriptTokensTest, StepsBeginWhereTheyAreWrittenOut) {
  const auto lines = LinesOfSteps(TokensOfScript(R"(
local states = made()
return { states = {
  walk = {
    enter = function() if x then steps = { 1 } end for i = 1, 2 do f(i, 3) end end,
    steps = { { wait = 1, { 2, 3 } },
      { call = function() return 1, 2 end },

      go(1, 2), },
  },
  ["stand"] = { steps = { { wait = 1 } }, next = "walk" },
  made = other,
  turned = { steps = turn(1) },
} })"));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines.at("walk"), (std::vector<int>{6, 7, 9}));
  EXPECT_EQ(lines.at("stand"), std::vector<int>{11});
  EXPECT_TRUE(lines.at("turned").empty());
  for (const std::string_view source :
       {"states = {", "states = { a = {", "states = { a = { steps = {",
        "states", "states = { [",
        "states = { a = { steps = { } } end end } }"}) {
    for (const auto& [state, steps] : LinesOfSteps(TokensOfScript(source))) {
      EXPECT_TRUE(steps.empty()) << source;
    }
  }
}

TEST(ScriptTokensTest, WhatIsCutOffEndsThere) {
  for (const std::string_view source :
       {"\"", "'\\", "[[", "--[==[", "a = \"b", "[=", "--"}) {
    EXPECT_LE(TokensOfScript(source).size(), 4u) << source;
  }
}

}  // namespace
}  // namespace reprise::sim
