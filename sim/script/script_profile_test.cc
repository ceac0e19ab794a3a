// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a profile counts each instruction at its line, the same as the
// budget does, that it changes nothing, and that it tells coverage: how often
// each line was begun, which ways conditions went, and what can never run.

#include "sim/script/script_profile.h"

#include <cstdint>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/script/functions/testing_api.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

constexpr char kScript[] = R"(local M = {}
function M.main(count)
  local sum = 0
  for i = 1, count do
    sum = sum + i
  end
  if sum < 0 then
    sum = nil
  end
  return sum
end
return M)";

int64_t CountOf(const ScriptMachine& machine, int line) {
  return machine.profile().lines(0)[static_cast<size_t>(line) - 1].instructions;
}

TEST(ScriptProfileTest, LinesCountTheirInstructions) {
  const auto machine = LoadText(kScript);
  ASSERT_TRUE(machine.ok()) << machine.status();
  (*machine)->SetProfiling(true);
  EXPECT_EQ(CallText(**machine, "main", {int64_t{10}}), "55");
  EXPECT_EQ(CountOf(**machine, 5), 10);
  EXPECT_EQ(CountOf(**machine, 8), 0);
  EXPECT_EQ((*machine)->profile().instructions(),
            (*machine)->usage().instructions);
  CallText(**machine, "main", {int64_t{100}});
  EXPECT_EQ(CountOf(**machine, 5), 110);
  (*machine)->ClearProfile();
  EXPECT_EQ(CountOf(**machine, 5), 0);
}

TEST(ScriptProfileTest, CountingChangesNothingThatIsCounted) {
  const auto machine = LoadText(kScript);
  ASSERT_TRUE(machine.ok()) << machine.status();
  CallText(**machine, "main", {int64_t{1000}});
  const ScriptUsage usage = (*machine)->usage();
  (*machine)->SetProfiling(true);
  CallText(**machine, "main", {int64_t{1000}});
  EXPECT_EQ((*machine)->usage(), usage);
  (*machine)->SetProfiling(false);
  CallText(**machine, "main", {int64_t{1000}});
  EXPECT_EQ((*machine)->usage(), usage);
  EXPECT_EQ((*machine)->profile().instructions(), usage.instructions);
}

TEST(ScriptProfileTest, BudgetsEndAtTheSameInstruction) {
  for (const int64_t limit : {100, 101, 102, 103, 104}) {
    const ScriptLimits limits = {.call_instructions = limit};
    const auto plain = LoadText(kScript, limits);
    const auto profiled = LoadFiles({{"a.lua", kScript}}, limits,
                                    std::make_shared<ScriptApi>(), true);
    ASSERT_TRUE(plain.ok() && profiled.ok());
    EXPECT_EQ(CallText(**plain, "main", {int64_t{1000}}),
              CallText(**profiled, "main", {int64_t{1000}}));
  }
}

TEST(ScriptProfileTest, LoadingIsCountedIfAskedFor) {
  const auto machine = LoadFiles({{"a.lua", kScript}, {"b.lua", "x = 1"}}, {},
                                 std::make_shared<ScriptApi>(), true);
  ASSERT_TRUE(machine.ok()) << machine.status();
  EXPECT_GT(CountOf(**machine, 1), 0);
  EXPECT_GT((*machine)->profile().lines(1)[0].instructions, 0);
  EXPECT_EQ(CountOf(**machine, 5), 0);
}

// `x` for a line with code.
std::string CodeLines(const ScriptMachine& machine) {
  std::string lines;
  for (const ScriptLineCount& line : machine.profile().lines(0)) {
    lines += line.has_code ? 'x' : '.';
  }
  return lines;
}

TEST(ScriptProfileTest, LinesWithCodeAreKnownWithoutRunning) {
  const auto machine = LoadText(kScript);
  ASSERT_TRUE(machine.ok()) << machine.status();
  (*machine)->SetProfiling(true);
  EXPECT_EQ(CodeLines(**machine), "xxxxx.xx.xxx");
}

TEST(ScriptProfileTest, WhatCanNeverRunIsNoCode) {
  // The first line is a comment, the loop never comes to its end.
  const auto machine = LoadText(
      "-- text\n"
      "local M = {}\n"
      "M.main = function(...)\n"
      "while true do\n"
      "if ... then return 1 else return 2 end\n"
      "end\n"
      "end\n"
      "return M");
  ASSERT_TRUE(machine.ok()) << machine.status();
  (*machine)->SetProfiling(true);
  EXPECT_EQ(CodeLines(**machine), ".x..x.xx");
}

// How often each line was begun, after the given calls of `main`.
std::vector<int64_t> RunsOf(const std::string& source,
                            const std::vector<int64_t>& calls) {
  const auto machine = LoadText(source);
  EXPECT_TRUE(machine.ok()) << machine.status();
  if (!machine.ok()) return {};
  (*machine)->SetProfiling(true);
  for (const int64_t argument : calls) CallText(**machine, "main", {argument});
  std::vector<int64_t> runs;
  for (const ScriptLineCount& line : (*machine)->profile().lines(0)) {
    runs.push_back(line.runs);
  }
  return runs;
}

TEST(ScriptProfileTest, LinesCountHowOftenTheyBegin) {
  // The loop's own line is begun at first, and again after each body.
  EXPECT_EQ(RunsOf(kScript, {3}),
            (std::vector<int64_t>{0, 0, 1, 4, 3, 0, 1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(RunsOf(kScript, {3, 0}),
            (std::vector<int64_t>{0, 0, 2, 5, 3, 0, 2, 0, 0, 2, 0, 0}));
}

TEST(ScriptProfileTest, ALoopOnOneLineBeginsItEachTime) {
  EXPECT_EQ(RunsOf("return {main = function(n)\n"
                   "local i = 0\n"
                   "while i < n do i = i + 1 end\n"
                   "end}",
                   {5})[2],
            6);
}

// The ways of all conditions, as "line: taken/taken".
std::vector<std::string> WaysOf(const std::string& source,
                                const std::vector<int64_t>& calls) {
  const auto machine = LoadText(source);
  EXPECT_TRUE(machine.ok()) << machine.status();
  if (!machine.ok()) return {};
  (*machine)->SetProfiling(true);
  for (const int64_t argument : calls) CallText(**machine, "main", {argument});
  std::vector<std::string> ways;
  for (const ScriptBranchCount& each : (*machine)->profile().branches(0)) {
    ways.push_back(
        fmt::format("{}: {}/{}", each.line, each.ways[0], each.ways[1]));
  }
  return ways;
}

TEST(ScriptProfileTest, ConditionsCountTheirWays) {
  const std::string source =
      "return {main = function(n)\n"
      "if n > 2 then n = n - 1 end\n"
      "for i = 1, n do n = i end\n"
      "for k, v in pairs({n, n}) do n = v end\n"
      "return n == 7 and n or 0\n"
      "end}";
  // 5 goes into the first branch, 0 and 1 don't; 0 makes no turn of the loop.
  // The loop over pairs ends once in each call and goes on twice. Nothing is 7.
  EXPECT_EQ(WaysOf(source, {5, 0, 1}),
            (std::vector<std::string>{"2: 1/2", "3: 2/1", "4: 3/6", "5: 0/3",
                                      "5: 0/0"}));
}

TEST(ScriptProfileTest, ClearedCountsBeginAgain) {
  const auto machine = LoadText(kScript);
  ASSERT_TRUE(machine.ok()) << machine.status();
  (*machine)->SetProfiling(true);
  CallText(**machine, "main", {int64_t{2}});
  (*machine)->ClearProfile();
  EXPECT_EQ((*machine)->profile().lines(0)[4].runs, 0);
  EXPECT_EQ((*machine)->profile().branches(0)[0].ways[0], 0);
  EXPECT_EQ(CodeLines(**machine), "xxxxx.xx.xxx");
}

TEST(ScriptProfileTest, TextNamesFileLineAndCount) {
  const auto program = ScriptProgram::Compile({{"a.lua", "x = 1\n\ny = 2"}});
  ASSERT_TRUE(program.ok());
  const auto machine = ScriptMachine::Create(
      *program, std::make_shared<ScriptApi>(), {}, /*is_profiled=*/true);
  ASSERT_TRUE(machine.ok());
  EXPECT_EQ((*machine)->profile().ToString(**program),
            "a.lua:1: 2\na.lua:3: 2\n");
}

TEST(ScriptProfileTest, WhatNativeFunctionsChargeIsTheCallersLine) {
  const auto machine = LoadFiles({{"a.lua",
                                   "return {main = function()\n"
                                   "return text_times('x', 500)\nend}"}},
                                 {}, TestingApi());
  ASSERT_TRUE(machine.ok()) << machine.status();
  (*machine)->SetProfiling(true);
  TestingWorld world;
  CallText(**machine, "main", {}, &world);
  EXPECT_GT(CountOf(**machine, 2), 500);
}

}  // namespace
}  // namespace reprise::sim
