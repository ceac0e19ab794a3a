// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what `reprise run` makes of packs, inputs, expectations and branches:
// what it prints, what it refuses, and that recording changes nothing.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

using Json = nlohmann::json;

using RunTest = MarbleReplayTest;

TEST_F(RunTest, RunPrintsDigestsOfAllTicks) {
  const CommandResult result =
      Reprise({"run", "marble", "--ticks", "20", "--digests"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_GE(lines.size(), 21u);
  EXPECT_THAT(lines[0], StartsWith("0 "));
  EXPECT_EQ(lines[20], "20 " + ValueOf(result.out, "digest"));
}

TEST_F(RunTest, RecordingChangesNothing) {
  const CommandResult result =
      Reprise({"run", "marble", "--random-inputs", "3", "--seed", "11",
               "--ticks", "240", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json run = Json::parse(result.out);
  const Json info =
      Json::parse(Reprise({"info", replay(), "--format", "json"}).out);
  EXPECT_EQ(run["schema_version"], 1);
  EXPECT_EQ(run["tick_count"], 240);
  EXPECT_EQ(run["digest"], info["digest"]);
  EXPECT_EQ(run["event_count"], info["event_count"]);
}

TEST_F(RunTest, RunTakesPackSeedAndInputsFromAReplay) {
  const CommandResult original = Reprise({"verify", replay()});
  const CommandResult again = Reprise({"run", "--inputs", replay()});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(original.out,
              HasSubstr("digest " + ValueOf(again.out, "digest") + "\n"));
}

TEST_F(RunTest, FailedExpectationIsOne) {
  const std::vector<std::string> run = {"run", "marble", "--ticks", "5"};
  std::vector<std::string> holds = run;
  holds.insert(holds.end(),
               {"--expect", "outcome == running", "--expect", "tick <= 5"});
  EXPECT_EQ(Reprise(holds).exit_code, 0);
  std::vector<std::string> fails = run;
  fails.insert(fails.end(), {"--expect", "outcome == won"});
  const CommandResult result = Reprise(fails);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("expected outcome == won; tick 5, running"),
                    HasSubstr("reproduce: reprise run marble --ticks 5 "
                              "--expect 'outcome == won'\n")));
}

TEST_F(RunTest, LostGameIsOneUnlessItIsExpected) {
  std::vector<std::string> run = {"run", "marble", "--random-inputs", "10"};
  const CommandResult lost = Reprise(run);
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_THAT(lost.out, HasSubstr("outcome   lost: the marble fell off"));
  EXPECT_THAT(lost.err, HasSubstr("the game is lost"));
  run.insert(run.end(), {"--expect", "outcome == lost"});
  EXPECT_EQ(Reprise(run).exit_code, 0);
}

TEST_F(RunTest, RunRefusesBadInput) {
  EXPECT_EQ(Reprise({"run"}).exit_code, 2);
  EXPECT_EQ(Reprise({"run", "marbel"}).exit_code, 3);
  EXPECT_EQ(Reprise({"run", "marble", "--inputs", "nowhere"}).exit_code, 3);
  EXPECT_EQ(Reprise({"run", "marble", "--expect", "score > 3"}).exit_code, 2);
  EXPECT_EQ(
      Reprise({"run", "marble", "--inputs", replay(), "--random-inputs", "1"})
          .exit_code,
      2);
  EXPECT_EQ(
      Reprise({"run", "--inputs", replay(), "--record", replay()}).exit_code,
      2);
  EXPECT_EQ(
      Reprise({"run", "--inputs", replay(), "--change-input", "100:0:fly=1"})
          .exit_code,
      2);
}

TEST_F(RunTest, RunRefusesInputChangesThatItWouldNotReach) {
  for (const std::vector<std::string>& inputs :
       {std::vector<std::string>{"--random-inputs", "1", "--ticks", "100"},
        {"--ticks", "100"},
        {"--inputs", replay(), "--ticks", "100"}}) {
    std::vector<std::string> run = {"run", "marble", "--change-input",
                                    "100:0:roll_x=1"};
    run.insert(run.end(), inputs.begin(), inputs.end());
    const CommandResult result = Reprise(run);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("the run ends at tick 100"));
  }
  EXPECT_THAT(Reprise({"run", "marble", "--random-inputs", "1",
                       "--change-input", "3600:0:roll_x=1"})
                  .err,
              HasSubstr("the run ends at tick 3600"));
}

// Random inputs are played up to the game's end, and not behind it.
TEST_F(RunTest, RunTellsWhatTheGamesEndLeftUnplayed) {
  const std::string path = TemporaryPath("lost.mcap");
  CommandResult run;
  for (int seed = 1; run.exit_code != 1; ++seed) {
    ASSERT_LT(seed, 50) << "nobody rolls off the course";
    run = Reprise({"run", "marble", "--random-inputs", std::to_string(seed),
                   "--change-input", "3599:0:roll_x=1", "--record", path});
  }
  const std::string tick = ValueOf(run.out, "ticks");
  EXPECT_THAT(run.err, HasSubstr("the input change at tick 3599 was not "
                                 "played: the game ended at tick " +
                                 tick + "; --ticks goes on"));
  const CommandResult continued = Reprise({"run", "--continue", path});
  EXPECT_THAT(continued.err, HasSubstr("no tick was added"));
  EXPECT_THAT(Reprise({"run", "--continue", path, "--ticks", "3600"}).err,
              Not(HasSubstr("warning")));
}

TEST_F(RunTest, RunRefusesTracksThatThePackDoesNot) {
  const std::string track = TemporaryPath("track.txtpb");
  WriteFileBytes(track, "tick_count: 3 ticks { tick: 1 frames { player: 9 } }");
  const CommandResult result = Reprise({"run", "marble", "--inputs", track});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("tick 1: "));
  WriteFileBytes(track, "tick_count: 3 nonsense: 4");
  EXPECT_EQ(Reprise({"run", "marble", "--inputs", track}).exit_code, 2);
}

TEST_F(RunTest, UnwritableRecordingFails) {
  const CommandResult result =
      Reprise({"run", "marble", "--ticks", "5", "--record", "/dev/full"});
  EXPECT_EQ(result.exit_code, 5) << result.err;
}

TEST_F(RunTest, BranchSharesItsParentsPastAndGoesItsOwnWay) {
  const std::string branch = TemporaryPath("branch.mcap");
  const CommandResult run =
      Reprise({"run", "--from", replay(), "--at", "100", "--change-input",
               "150:0:roll_x=-32001", "--record", branch});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json info =
      Json::parse(Reprise({"info", branch, "--format", "json"}).out);
  EXPECT_EQ(info["tick_count"], 240);
  EXPECT_EQ(info["branches"][0]["parent"], "random.mcap");
  EXPECT_EQ(info["branches"][0]["tick"], 100);
  EXPECT_EQ(Reprise({"verify", branch}).exit_code, 0);
  const Json diff =
      Json::parse(Reprise({"diff", replay(), branch, "--format", "json"}).out);
  EXPECT_EQ(diff["first_input_difference"]["tick"], 150);
}

TEST_F(RunTest, BranchTakesNewInputsAndNeedsNoRecording) {
  const std::vector<std::string> run = {"run",  "--from",  replay(),
                                        "--at", "130",     "--random-inputs",
                                        "9",    "--ticks", "200"};
  const CommandResult unrecorded = Reprise(run);
  ASSERT_EQ(unrecorded.exit_code, 0) << unrecorded.err;
  EXPECT_EQ(ValueOf(unrecorded.out, "ticks"), "200");
  std::vector<std::string> recording = run;
  recording.insert(recording.end(), {"--record", TemporaryPath("new.mcap")});
  EXPECT_EQ(ValueOf(Reprise(recording).out, "digest"),
            ValueOf(unrecorded.out, "digest"));
}

TEST_F(RunTest, BranchWithoutNewInputsArrivesWhereItsParentDid) {
  const CommandResult run =
      Reprise({"run", "--from", replay(), "--at", "77", "--format", "json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json info =
      Json::parse(Reprise({"info", replay(), "--format", "json"}).out);
  EXPECT_EQ(Json::parse(run.out)["digest"], info["digest"]);
}

TEST_F(RunTest, BranchRefusesWhatItsParentDecides) {
  EXPECT_EQ(Reprise({"run", "--from", replay(), "--at", "241"}).exit_code, 2);
  EXPECT_EQ(Reprise({"run", "--from", replay(), "--seed", "1"}).exit_code, 2);
  EXPECT_EQ(Reprise({"run", "marble", "--at", "1"}).exit_code, 2);
  EXPECT_EQ(
      Reprise({"run", "--from", replay(), "--record", replay()}).exit_code, 2);
  EXPECT_EQ(Reprise({"run", "--from", replay(), "--at", "100", "--change-input",
                     "99:0:roll_x=1"})
                .exit_code,
            2);
  EXPECT_EQ(Reprise({"run", "--from", "nowhere.mcap"}).exit_code, 3);
}

TEST_F(RunTest, ReplayWithoutItsPackIsPlayedOnOneThatIsNamed) {
  const std::string path = TemporaryPath("packless.mcap");
  ASSERT_EQ(Reprise({"run", "marble", "--ticks", "50", "--pack-bytes-max", "1",
                     "--record", path})
                .exit_code,
            0);
  EXPECT_EQ(Reprise({"verify", path}).exit_code, 3);
  EXPECT_EQ(Reprise({"verify", path, "--pack", "marble"}).exit_code, 0);
  EXPECT_EQ(Reprise({"inspect", path, "player", "--tick", "20"}).exit_code, 3);
  EXPECT_EQ(
      Reprise({"inspect", path, "player", "--tick", "20", "--pack", "marble"})
          .exit_code,
      0);
}

}  // namespace
}  // namespace reprise::tests
