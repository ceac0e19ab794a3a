// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a script can't work or allocate without bound, whatever it does,
// that what it used up is the same in every build (the numbers are pinned), and
// that neither the collector nor earlier calls have a say in it.

#include <string>

#include "gtest/gtest.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

constexpr ScriptLimits kSmall = {.call_instructions = 200'000,
                                 .call_bytes = 1 << 20,
                                 .load_instructions = 200'000,
                                 .load_bytes = 1 << 20};

constexpr char kInstructionsUsed[] = "the budget of instructions is used up";
constexpr char kBytesUsed[] = "the budget of bytes is used up";

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ScriptBudgetTest, LoopsEnd) {
  for (const std::string body :
       {"while true do end", "local function f() return f() end f()",
        "::again:: goto again", "for i = 1, math.huge do end",
        "while true do pcall(function() while true do end end) end",
        "while true do pcall(error) end",
        "return pcall(function() while true do end end)",
        "xpcall(function() while true do end end, function() return 1 end)",
        "while true do coroutine.wrap(function() while true do end end)() "
        "end",
        "local t = setmetatable({}, {__index = function(t, k) "
        "return t[k + 1] end}) while true do pcall(function() return t[1] "
        "end) end",
        "local co = coroutine.wrap(function() while true do "
        "coroutine.yield() end end) while true do co() end"}) {
    EXPECT_EQ(RunBody(body, kSmall),
              std::string("a.lua:1: ") + kInstructionsUsed)
        << body;
  }
}

TEST(ScriptBudgetTest, LibraryFunctionsPayForTheirWork) {
  for (const std::string body :
       {// Patterns that try for ever.
        "(('a'):rep(40)):find(('a?'):rep(40) .. ('a'):rep(40))",
        "(('a'):rep(20000)):find('.-.-.-.-b')",
        "(('a'):rep(2000)):gsub('.*.*b', '')", "('('):rep(30000):find('%b()')",
        "while true do ('a'):rep(9000):find('[' .. ('b'):rep(9000) .. ']') "
        "end",
        // Plain searches, comparisons.
        "while true do ('a'):rep(30000):find(('a'):rep(9000) .. 'b', 1, "
        "true) end",
        "local a, b = ('a'):rep(200000) .. 'b', ('a'):rep(200000) .. 'c' "
        "while true do local _ = a < b end",
        "local a, b = ('a'):rep(200000), 'a' b = b:rep(200000) "
        "while true do local _ = a == b end",
        // Ranges without end.
        "table.move({}, 1, math.maxinteger - 1, 2)",
        "table.insert(setmetatable({}, {__len = function() "
        "return math.maxinteger - 1 end}), 1, 1)",
        "table.sort(setmetatable({}, {__len = function() return 1 << 30 "
        "end, __index = function() return 1 end}))",
        // Values on the stack, over and over.
        "local t = {} for i = 1, 9000 do t[i] = i end "
        "while true do select(1, table.unpack(t)) end",
        "local s = ('x'):rep(9000) while true do s:byte(1, -1) end",
        "local s = ('x'):rep(90000) while true do utf8.len(s) end",
        "local s = ('\\x80'):rep(90000) while true do "
        "utf8.offset(s, 0, #s) end",
        // A table of empty places.
        "local t = {} for i = 1, 9000 do t['k' .. i] = i end "
        "for k in pairs(t) do t[k] = nil end "
        "while true do next(t) end",
        // Keys that meet in one chain.
        "local t = {} for i = 1, 1e6 do t[i * 4095] = i end"}) {
    const std::string text = RunBody(body, kSmall);
    EXPECT_TRUE(Has(text, "is used up")) << body << ": " << text;
    EXPECT_EQ(text.rfind("a.lua:1: ", 0), 0u) << body << ": " << text;
  }
}

TEST(ScriptBudgetTest, HugeThingsAreNotMade) {
  for (const std::string body :
       {"return ('x'):rep(1e9)", "return ('x'):rep(1e6, ('y'):rep(1e3))",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} for i = 1, 1e9 do t[i] = i end",
        "local t = {} for i = 1, 1e9 do t[i] = {} end",
        "while true do local t = {} end",
        "while true do local s = ('x'):upper() end",
        "while true do local f = function() return pcall end end",
        "while true do local v = vector(1, 2, 3) end",
        "while true do coroutine.create(pcall) end",
        "local t = {} for i = 1, 20 do t[i] = ('x'):rep(9000) end "
        "while true do table.concat(t) end",
        "return (('x'):rep(9000)):gsub('x', ('y'):rep(9000))",
        "table.concat(setmetatable({}, {__index = tostring, __len = function() "
        "return 1e9 end}))",
        "return table.pack(('x'):rep(60000):byte(1, -1))"}) {
    const std::string text = RunBody(body, kSmall);
    EXPECT_EQ(text, std::string("a.lua:1: ") + kBytesUsed) << body;
  }
  EXPECT_EQ(RunBody("return ('x'):rep(1 << 62)", kSmall),
            "a.lua:1: resulting string too large");
  EXPECT_EQ(RunBody("return #(''):rep(1 << 62)", kSmall), "0");
  EXPECT_EQ(RunBody("return string.format('%1000d', 1)", kSmall),
            "a.lua:1: invalid conversion specification: '%1000d'");
}

TEST(ScriptBudgetTest, RecursionEnds) {
  for (const std::string body :
       {"local function f() return 1 + f() end return f()",
        "local t = setmetatable({}, {__index = function(t, k) "
        "return t[k] end}) return t.x",
        "local function f() return (pcall(f)) and 1 end return f()",
        "local function f() return ('x'):gsub('x', f) end return f()",
        "local function f() return coroutine.wrap(f)() end return f()",
        "local t = {} setmetatable(t, {__index = t}) return t.x",
        "local function f(...) return f(1, ...) end return f()",
        "return table.unpack({}, 1, 1e7)",
        "local s = ('('):rep(100) .. (')'):rep(100) return ('x'):find(s)"}) {
    const std::string text = RunBody(body);
    EXPECT_TRUE(Has(text, "stack overflow") || Has(text, "too many") ||
                Has(text, "is used up") || Has(text, "loop") || text == "nil" ||
                text == "1" || Has(text, "overflow"))
        << body << ": " << text;
  }
  EXPECT_TRUE(Has(RunBody("local function f() return 1 + f() end return f()"),
                  "stack overflow"));
}

TEST(ScriptBudgetTest, SourcesThatNestDeeplyAreRefused) {
  const std::string parentheses =
      std::string(5000, '(') + "1" + std::string(5000, ')');
  EXPECT_TRUE(Has(RunText("return " + parentheses), "overflow"));
  std::string chain = "return x";
  for (int i = 0; i < 20000; ++i) chain += ".a";
  EXPECT_EQ(RunText("local x\n" + chain),
            "a.lua:2: attempt to index a nil value (local 'x')")
      << "looking for the name must not recur";
}

TEST(ScriptBudgetTest, LoadingHasABudgetOfItsOwn) {
  EXPECT_EQ(RunText("\nwhile true do end", kSmall),
            std::string("a.lua:2: ") + kInstructionsUsed);
  EXPECT_EQ(RunText("x = ('x'):rep(1 << 21)", kSmall),
            std::string("a.lua:1: ") + kBytesUsed);
}

TEST(ScriptBudgetTest, ErrorsSayWhichBudget) {
  const auto machine = LoadText(
      "return {spin = function() while true do end end, "
      "eat = function() return ('x'):rep(1 << 30) end}");
  ASSERT_TRUE(machine.ok()) << machine.status();
  const auto spin = (*machine)->Call(*(*machine)->Find("a.lua", "spin"), {});
  ASSERT_TRUE(spin.has_value());
  EXPECT_EQ(spin->kind, ScriptErrorKind::kInstructions);
  EXPECT_EQ(spin->ToStatus().code(), absl::StatusCode::kResourceExhausted);
  const auto eat = (*machine)->Call(*(*machine)->Find("a.lua", "eat"), {});
  ASSERT_TRUE(eat.has_value());
  EXPECT_EQ(eat->kind, ScriptErrorKind::kBytes);
}

// Everything that counts, once.
constexpr char kWork[] = R"(
local function work()
  local t, names = {}, {}
  for i = 1, 300 do t[i] = (i * 7919) % 1009 end
  table.sort(t, function(a, b) return a > b end)
  for i = 1, 300 do names["k" .. t[i]] = {t[i], vector(i, 0, 0)} end
  local text = {}
  for k, v in pairs(names) do
    text[#text + 1] = string.format("%s=%d;%.3f", k, v[1], v[2].x / 3)
  end
  for i = 1, 20 do coroutine.wrap(function() names[i] = {} end)() end
  local closures = {}
  for i = 1, 50 do closures[i] = function() return i + #text end end
  pcall(error, {code = 1})
  return #table.concat(text):gsub("%d+", "")
end
return {main = work, churn = function()
  for i = 1, 2000 do local garbage = {i, ("x"):rep(i % 100), {}} end
end}
)";

TEST(ScriptBudgetTest, UseIsTheSameInEveryBuild) {
  const auto machine = LoadText(kWork);
  ASSERT_TRUE(machine.ok()) << machine.status();
  EXPECT_EQ((*machine)->usage(), (ScriptUsage{14, 8628}));
  EXPECT_EQ(CallText(**machine, "main"), "1200");
  EXPECT_EQ((*machine)->usage(), (ScriptUsage{28734, 1784424}));
}

TEST(ScriptBudgetTest, NeitherCollectorNorHistoryHasASayInUse) {
  const auto fresh = LoadText(kWork);
  ASSERT_TRUE(fresh.ok()) << fresh.status();
  CallText(**fresh, "main");
  const auto used = LoadText(kWork);
  ASSERT_TRUE(used.ok()) << used.status();
  for (int i = 0; i < 20; ++i) {
    CallText(**used, "churn");
    CallText(**used, "main");
    EXPECT_EQ((*used)->usage(), (*fresh)->usage()) << i;
  }
}

TEST(ScriptBudgetTest, BudgetIsPassedAtTheSamePlaceWhateverIsLeft) {
  // One less than it takes fails, and what it takes is enough.
  const auto machine = LoadText(kWork);
  ASSERT_TRUE(machine.ok()) << machine.status();
  CallText(**machine, "main");
  const ScriptUsage usage = (*machine)->usage();
  ScriptLimits limits = {.call_instructions = usage.instructions,
                         .call_bytes = usage.bytes};
  EXPECT_EQ(RunText(kWork, limits), "1200");
  limits.call_instructions -= 1;
  EXPECT_TRUE(Has(RunText(kWork, limits), kInstructionsUsed));
  limits = {.call_instructions = usage.instructions,
            .call_bytes = usage.bytes - 1};
  EXPECT_TRUE(Has(RunText(kWork, limits), kBytesUsed));
}

}  // namespace
}  // namespace reprise::sim
