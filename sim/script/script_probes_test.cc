// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that probes find exactly what a profile counts, at what a script does
// anyway: the same results, errors, instructions and bytes; and that what isn't
// looked for any more isn't told.

#include "sim/script/script_probes.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/check.h"
#include "sim/script/functions/testing_api.h"
#include "sim/script/testing_probes.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::unique_ptr<ScriptMachine> MachineOf(const std::string& source,
                                         const ScriptLimits& limits = {}) {
  auto machine = LoadFiles({{"a.lua", source}}, limits, TestingApi());
  CHECK(machine.ok());
  return *std::move(machine);
}

std::set<std::string> SetOf(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

constexpr char kWays[] = R"(return {main = function(n)
  if n > 2 then
    n = n - 1
  end
  for i = 1, n do n = i end
  for k, v in pairs({n, n}) do n = v end
  while n > 5 and n < 9 do
    n = n + 1
  end
  repeat
    n = n - 1
  until n < 3 or n == 7
  local large = n == 7 and 'seven' or n
  return not large
end})";

TEST(ScriptProbesTest, EachCallFindsWhatAProfileCounts) {
  for (int64_t n = -1; n < 12; ++n) {
    const auto profiled = MachineOf(kWays);
    profiled->SetProfiling(true);
    CallText(*profiled, "main", {n});
    const auto probed = MachineOf(kWays);
    ProbesEverywhere everywhere(*probed);
    CallText(*probed, "main", {n});
    EXPECT_EQ(SetOf(everywhere.Found()),
              ProbesEverywhere::Counted(profiled->profile()))
        << n;
    EXPECT_EQ(probed->usage(), profiled->usage()) << n;
  }
}

TEST(ScriptProbesTest, FindsComeInTheOrderOfTheRun) {
  const auto machine = MachineOf(
      "return {main = function(n)\n"
      "if n then\n"
      "return 1\n"
      "end\n"
      "return 2\n"
      "end}");
  ProbesEverywhere everywhere(*machine);
  CallText(*machine, "main", {});
  EXPECT_THAT(everywhere.Found(), ElementsAre("2", "branch 0 way 1", "5"));
  everywhere.probes().ClearFound();
  CallText(*machine, "main", {int64_t{1}});
  EXPECT_THAT(everywhere.Found(), ElementsAre("2", "branch 0 way 0", "3"));
}

TEST(ScriptProbesTest, WhatIsForgottenIsNotTold) {
  const auto machine = MachineOf(kWays);
  ProbesEverywhere everywhere(*machine);
  ScriptProbes& probes = everywhere.probes();
  CallText(*machine, "main", {int64_t{7}});
  for (const std::string& name : everywhere.Found()) {
    probes.Forget(everywhere.FindOf(name));
  }
  machine->SetProbes(&probes);
  probes.ClearFound();
  CallText(*machine, "main", {int64_t{7}});
  EXPECT_THAT(everywhere.Found(), IsEmpty());
  // What the other way alone comes to.
  CallText(*machine, "main", {int64_t{1}});
  EXPECT_THAT(everywhere.Found(), testing::Not(IsEmpty()));
}

TEST(ScriptProbesTest, NobodyIsToldUntilTheyAreSetAgain) {
  const auto machine = MachineOf(kWays);
  ProbesEverywhere everywhere(*machine);
  machine->SetProbes(nullptr);
  CallText(*machine, "main", {int64_t{7}});
  EXPECT_THAT(everywhere.Found(), IsEmpty());
  machine->SetProbes(&everywhere.probes());
  CallText(*machine, "main", {int64_t{7}});
  EXPECT_THAT(everywhere.Found(), testing::Not(IsEmpty()));
}

// Names in errors are read from the code.
TEST(ScriptProbesTest, ErrorsSayTheSame) {
  for (const std::string body :
       {"local t = {} return t.x.y", "return n.x.y", "return world.nothing(n)",
        "local s = 'x' return s < n", "return -{}", "return n .. {}",
        "for i = 1, 'x' do end", "n:call()", "local a <const> = {} a.b.c = 1",
        "error({})", "return ('x'):rep(1e9)", "while true do n = n + 1 end",
        "local function f() return f() + 1 end return f()"}) {
    const std::string source = "return {main = function(n)\n" + body + "\nend}";
    const ScriptLimits limits = {.call_instructions = 10'000};
    const auto plain = MachineOf(source, limits);
    const auto probed = MachineOf(source, limits);
    ProbesEverywhere everywhere(*probed);
    TestingWorld world;
    EXPECT_EQ(CallText(*probed, "main", {int64_t{7}}, &world),
              CallText(*plain, "main", {int64_t{7}}, &world));
    EXPECT_EQ(probed->usage(), plain->usage()) << body;
  }
}

TEST(ScriptProbesTest, BudgetsEndAtTheSameInstruction) {
  const std::string source =
      "return {main = function(n)\n"
      "local i = 0\n"
      "while i < n do if i == -1 then return end i = i + 1 end\n"
      "end}";
  for (int64_t limit = 90; limit < 110; ++limit) {
    const ScriptLimits limits = {.call_instructions = limit};
    const auto plain = MachineOf(source, limits);
    const auto probed = MachineOf(source, limits);
    ProbesEverywhere everywhere(*probed);
    EXPECT_EQ(CallText(*plain, "main", {int64_t{1000}}),
              CallText(*probed, "main", {int64_t{1000}}));
    EXPECT_EQ(plain->usage(), probed->usage()) << limit;
  }
}

// A condition that never comes to an end, and the call that takes its frame.
TEST(ScriptProbesTest, AnErrorWithinAConditionGoesNeitherWay) {
  const auto machine = MachineOf(
      "local M = setmetatable({}, {__lt = function() error('no') end})\n"
      "return {main = function(n)\n"
      "pcall(function() repeat local x = n until M < M end)\n"
      "return pcall(function() return n end)\n"
      "end}");
  ProbesEverywhere everywhere(*machine);
  EXPECT_EQ(CallText(*machine, "main", {int64_t{7}}), "true");
  EXPECT_THAT(everywhere.Found(), ElementsAre("3", "1", "4"));
}

TEST(ScriptProbesTest, WaysOfConditionsWithMetamethodsAreTold) {
  const std::string source =
      "local M = setmetatable({}, {__lt = function(a, b)\n"
      "local sum = 0 for i = 1, 20 do sum = sum + i end return sum > 0 end})\n"
      "return {main = function(n)\n"
      "if M < M then n = n + 1 end\n"
      "return n\n"
      "end}";
  const auto machine = MachineOf(source);
  const auto profiled = MachineOf(source);
  profiled->SetProfiling(true);
  ProbesEverywhere everywhere(*machine);
  EXPECT_EQ(CallText(*machine, "main", {int64_t{7}}), "8");
  EXPECT_EQ(CallText(*profiled, "main", {int64_t{7}}), "8");
  EXPECT_EQ(machine->usage(), profiled->usage());
  EXPECT_EQ(SetOf(everywhere.Found()),
            ProbesEverywhere::Counted(profiled->profile()));
}

}  // namespace
}  // namespace reprise::sim
