// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a simulation of one's own gets every verb by being linked into
// the command, and that one which crashes is told from one that differs, with a
// command built by reprise_binary for the purpose.

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using Json = nlohmann::json;

constexpr char kReprise[] = "tests/command/reprise_with_tiny";

CommandResult Reprise(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), kReprise);
  return RunCommand(arguments);
}

// A folder with this manifest.
std::string MakePack(const std::string& name, const std::string& manifest) {
  const std::string folder = TemporaryPath(name);
  RunCommand({"mkdir", "-p", folder});
  WriteFileBytes(folder + "/pack.txtpb", manifest);
  return folder;
}

class SecondSimulationTest : public testing::Test {
 protected:
  SecondSimulationTest()
      : pack_(MakePack("tiny", "name: \"tiny\"\nstep: 0.1\ngoal: 100\n")),
        replay_(TemporaryPath("tiny.mcap")) {
    const CommandResult result =
        Reprise({"run", pack_, "--simulation", "tiny", "--random-inputs", "5",
                 "--ticks", "150", "--record", replay_});
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }

  const std::string pack_;
  const std::string replay_;
};

TEST_F(SecondSimulationTest, ItsReplaysAreVerified) {
  const CommandResult result = Reprise({"verify", replay_});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("verified 150 of 150 ticks, digest "));
}

TEST_F(SecondSimulationTest, ItsRunsAreComparedDownToTheField) {
  const std::string changed = TemporaryPath("changed.mcap");
  ASSERT_EQ(Reprise({"run", "--inputs", replay_, "--change-input",
                     "90:0:steer=-32001", "--record", changed})
                .exit_code,
            0);
  const CommandResult result =
      Reprise({"diff", replay_, changed, "--format", "json"});
  ASSERT_EQ(result.exit_code, 1) << result.err;
  const Json diff = Json::parse(result.out);
  EXPECT_EQ(diff["first_input_difference"]["tick"], 90);
  EXPECT_EQ(diff["divergence"]["last_equal_tick"], 90);
  EXPECT_EQ(diff["divergence"]["phase"], "input");
}

TEST_F(SecondSimulationTest, ItsStateIsInspected) {
  const CommandResult result = Reprise({"inspect", replay_, "--tick", "70"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("pieces"), HasSubstr("runner")));
}

TEST_F(SecondSimulationTest, ItsFramesAreExported) {
  const CommandResult result =
      Reprise({"export", replay_, "--from", "7", "--to", "7"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["tick"], "7");
}

TEST_F(SecondSimulationTest, ItsMistakesAreReported) {
  const std::string pack = MakePack("untiny", "name: \"tiny\"\nstep: x\n");
  const CommandResult result =
      Reprise({"pack", "check", pack, "--simulation", "tiny"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr(pack + "/pack.txtpb: "));
}

TEST_F(SecondSimulationTest, CommandWithoutItSaysSo) {
  const CommandResult result =
      RunCommand({"tools/reprise/reprise", "verify", replay_});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("no simulation 'tiny'"));
}

TEST_F(SecondSimulationTest, CrashIsFourAndReproducible) {
  const CommandResult result =
      Reprise({"run", pack_, "--simulation", "crashing"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, AllOf(HasSubstr("this simulation always crashes"),
                                HasSubstr("reproduce: reprise run " + pack_ +
                                          " --simulation crashing\n")));
}

}  // namespace
}  // namespace reprise::tests
