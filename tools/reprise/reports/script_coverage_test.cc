// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a tracefile has the runs of each line and branch, summed over
// machines, and zeros for what could have run.

#include "tools/reprise/reports/script_coverage.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/check.h"
#include "sim/script/functions/script_api.h"
#include "sim/script/script_machine.h"
#include "sim/script/script_program.h"

namespace reprise::tools {
namespace {

constexpr char kScript[] =
    "local M = {}\n"
    "function M.main(n)\n"
    "  if n > 1 then\n"
    "    return n\n"
    "  end\n"
    "  return 0\n"
    "end\n"
    "function M.other()\n"
    "  return M and 1 or 2\n"
    "end\n"
    "return M\n";

std::unique_ptr<sim::ScriptMachine> Counted(const std::vector<int64_t>& calls) {
  auto program = sim::ScriptProgram::Compile({{"a.lua", kScript}});
  CHECK(program.ok());
  auto machine = sim::ScriptMachine::Create(
      *program, std::make_shared<sim::ScriptApi>(), {}, /*is_profiled=*/true);
  CHECK(machine.ok());
  for (const int64_t argument : calls) {
    (*machine)->Call(*(*machine)->Find("a.lua", "main"), {{argument}});
  }
  return *std::move(machine);
}

TEST(ScriptCoverageTest, RunsAndWaysAreSummed) {
  ScriptCoverage coverage;
  EXPECT_TRUE(coverage.empty());
  coverage.Add("packs/one", *Counted({1, 2, 3}));
  coverage.Add("packs/one", *Counted({4}));
  EXPECT_FALSE(coverage.empty());
  EXPECT_EQ(coverage.ToLcov(),
            "TN:\n"
            "SF:packs/one/a.lua\n"
            "BRDA:3,0,0,3\n"
            "BRDA:3,0,1,1\n"
            "BRDA:9,0,0,-\n"
            "BRDA:9,0,1,-\n"
            "BRDA:9,1,0,-\n"
            "BRDA:9,1,1,-\n"
            "BRF:6\n"
            "BRH:2\n"
            "DA:1,2\n"
            "DA:2,2\n"
            "DA:3,4\n"
            "DA:4,3\n"
            "DA:6,1\n"
            "DA:7,2\n"
            "DA:8,2\n"
            "DA:9,0\n"
            "DA:10,2\n"
            "DA:11,2\n"
            "LF:10\n"
            "LH:9\n"
            "end_of_record\n");
}

TEST(ScriptCoverageTest, TheProfileBeginsWithWhatCostsMost) {
  ScriptCoverage coverage;
  const auto machine = Counted({1, 2, 3});
  coverage.Add("packs/one", *machine);
  const std::string text = coverage.ToProfile();
  int64_t total = 0;
  int64_t last = std::numeric_limits<int64_t>::max();
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "instructions   share        runs  line");
  while (std::getline(lines, line) && !line.ends_with("all")) {
    const int64_t instructions = std::stoll(line);
    EXPECT_LE(instructions, last) << line;
    total += last = instructions;
  }
  EXPECT_EQ(total, machine->profile().instructions());
  EXPECT_EQ(std::stoll(line), total);
  EXPECT_NE(text.find("packs/one/a.lua:3\n"), std::string::npos) << text;
}

TEST(ScriptCoverageTest, FilesStandInTheOrderOfTheirPaths) {
  ScriptCoverage coverage;
  coverage.Add("b", *Counted({}));
  coverage.Add("", *Counted({}));
  coverage.Add("a", *Counted({}));
  const std::string text = coverage.ToLcov();
  const size_t plain = text.find("SF:a.lua");
  const size_t in_a = text.find("SF:a/a.lua");
  const size_t in_b = text.find("SF:b/a.lua");
  ASSERT_NE(plain, std::string::npos);
  ASSERT_NE(in_b, std::string::npos);
  EXPECT_LT(plain, in_a);
  EXPECT_LT(in_a, in_b);
}

}  // namespace
}  // namespace reprise::tools
