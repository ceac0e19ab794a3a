// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a profile counts each instruction at its line, the same as the
// budget does, that it changes nothing, and that coverage is told by it.

#include "sim/script/script_profile.h"

#include <string>

#include "gtest/gtest.h"
#include "sim/script/testing_api.h"
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

TEST(ScriptProfileTest, LinesWithCodeAreKnownWithoutRunning) {
  const auto machine = LoadText(kScript);
  ASSERT_TRUE(machine.ok()) << machine.status();
  std::string lines;
  for (const ScriptLineCount& line : (*machine)->profile().lines(0)) {
    lines += line.has_code ? 'x' : '.';
  }
  EXPECT_EQ(lines, "xxxxx.xx.xxx");
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
