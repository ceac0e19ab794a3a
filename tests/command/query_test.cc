// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what people and scripts see of `reprise query` and of `run --expect`,
// by running the real program on replays of the packs nursery and marble.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Json = nlohmann::json;

CommandResult Reprise(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "tools/reprise/reprise");
  return RunCommand(arguments);
}

// A folder with two replays: 120 idle ticks of the nursery, and the marble's
// course, which is won.
class QueryCommandTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ASSERT_EQ(RunCommand({"mkdir", "-p", Folder()}).exit_code, 0);
    ASSERT_EQ(
        Reprise({"run", "nursery", "--ticks", "120", "--record", Nursery()})
            .exit_code,
        0);
    ASSERT_EQ(Reprise({"run", "marble", "--inputs",
                       "sim/packs/tracks/marble_course.txtpb",
                       "--keyframe-stride", "60", "--record", Marble()})
                  .exit_code,
              0);
  }

  static std::string Folder() { return TemporaryPath("replays"); }
  static std::string Nursery() { return Folder() + "/nursery.mcap"; }
  static std::string Marble() { return Folder() + "/marble.mcap"; }

  static CommandResult Query(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "query");
    return Reprise(std::move(arguments));
  }
};

TEST_F(QueryCommandTest, FirstTellsTickAndObject) {
  const CommandResult result =
      Query({Nursery(), "objects.type == 'ball'", "--first"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("tick "));
  EXPECT_THAT(result.out, HasSubstr(": ball#"));
}

TEST_F(QueryCommandTest, CountIsANumber) {
  const CommandResult result = Query({Nursery(), "tick >= 100", "--count"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "21\n");
}

TEST_F(QueryCommandTest, AllTicksAreBoundedByLimit) {
  const CommandResult result =
      Query({Nursery(), "tick >= 100", "--limit", "2"});
  EXPECT_EQ(result.out,
            "tick 100\ntick 101\nand 19 more ticks: --limit shows them\n"
            "at 21 of 121 ticks\n");
}

TEST_F(QueryCommandTest, EventsAndCountsGoTogether) {
  // The bell rings after a second; the first ball drops before.
  const CommandResult rung =
      Query({Nursery(),
             "event('rung') > 0 and count(objects.type == 'ball') > "
             "0",
             "--first"});
  EXPECT_EQ(rung.exit_code, 0) << rung.out << rung.err;
}

TEST_F(QueryCommandTest, ExtremeTellsWhereItWas) {
  const CommandResult result = Query({Nursery(), "tick", "--max"});
  EXPECT_EQ(result.out, "120 at tick 120\n");
  const CommandResult height = Query({Marble(), "bodies.position.y", "--max"});
  EXPECT_EQ(height.exit_code, 0) << height.err;
  EXPECT_THAT(height.out, HasSubstr(" at tick "));
}

TEST_F(QueryCommandTest, WatchTellsFromAndTo) {
  const CommandResult result = Query({Marble(), "--watch", "outcome"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(": \"running\" -> \"won\", by "));
  const CommandResult field =
      Query({Marble(), "--watch", "player.bodies.position.y", "--limit", "1"});
  EXPECT_THAT(field.out, HasSubstr(": 0.25 -> 0.2"));
  EXPECT_THAT(field.out, HasSubstr(", by solver\n"));
  EXPECT_THAT(field.out, HasSubstr(" more changes: --limit shows them\n"));
}

TEST_F(QueryCommandTest, FolderIsAskedFileByFileWithAnyJobs) {
  const CommandResult one = Query({Folder(), "outcome == won", "--first"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, StartsWith(Marble() + ": tick "));
  EXPECT_THAT(one.out, EndsWith(Nursery() + ": at none of 121 ticks\n"));
  const CommandResult two =
      Query({Folder(), "outcome == won", "--first", "--jobs", "2"});
  EXPECT_EQ(two.out, one.out);
}

TEST_F(QueryCommandTest, PartsOfAFileGiveTheSameToTheByte) {
  const std::vector<std::vector<std::string>> questions = {
      {Marble(), "bodies.position.y < 0.2"},
      {Marble(), "player.bodies.linear_velocity.y < -1", "--first"},
      {Marble(), "player.bodies.linear_velocity.y < -1", "--count"},
      {Marble(), "bodies.position.y", "--max"},
      {Marble(), "--watch", "player.bodies.linear_velocity.x > 1"},
      {Marble(), "--watch", "outcome"},
      {Marble(), "--watch", "player.bodies.position.y", "--format", "json"},
      {Marble(), "1 / (tick - 600) > 0", "--limit", "3"},
  };
  for (std::vector<std::string> question : questions) {
    const CommandResult one = Query(question);
    EXPECT_EQ(one.exit_code, 0) << question[1] << one.err;
    question.insert(question.end(), {"--jobs", "4"});
    const CommandResult four = Query(question);
    EXPECT_EQ(four.out, one.out) << question[1];
    EXPECT_EQ(four.err, one.err) << question[1];
  }
}

TEST_F(QueryCommandTest, JsonHasTheSame) {
  const CommandResult result = Query(
      {Nursery(), "bodies.position.y > 3", "--first", "--format", "json"});
  const Json document = Json::parse(result.out);
  EXPECT_EQ(document["command"], "query");
  const Json& file = document["files"][0];
  EXPECT_EQ(file["match_count"], 1);
  EXPECT_EQ(file["error_count"], 0);
  EXPECT_FALSE(file["matches"][0]["objects"].empty());
}

TEST_F(QueryCommandTest, NothingFoundIsOne) {
  const CommandResult result = Query({Nursery(), "tick > 900"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "at none of 121 ticks\n");
}

TEST_F(QueryCommandTest, DivisionByZeroIsToldWithItsTick) {
  const CommandResult result =
      Query({Nursery(), "1 / (tick - 7) > 0", "--first"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "tick 8\n");
  EXPECT_THAT(result.err,
              HasSubstr("tick 7: a division by zero; no answer 1 time"));
}

TEST_F(QueryCommandTest, MistakesAreTwoWithTheirColumn) {
  const CommandResult result = Query({Marble(), "bodys.position.y < 0"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("column 1: there is no component 'bodys'; "
                                    "did you mean 'bodies'?"));
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_EQ(Query({Marble(), "tick"}).exit_code, 2);
  EXPECT_EQ(Query({Marble(), "tick > 3", "--first", "--count"}).exit_code, 2);
  EXPECT_EQ(Query({"tick > 3"}).exit_code, 2);
  EXPECT_EQ(Query({"nowhere.mcap", "tick > 3"}).exit_code, 3);
}

TEST_F(QueryCommandTest, RunExpectsTheSameLanguage) {
  const std::vector<std::string> run = {"run", "nursery", "--ticks", "120",
                                        "--expect"};
  std::vector<std::string> holds = run;
  holds.push_back("count(objects.type == 'ball') > 0 and tick == 120");
  EXPECT_EQ(Reprise(holds).exit_code, 0);
  std::vector<std::string> fails = run;
  fails.push_back("paddle.bodies.position.y > 3");
  const CommandResult failed = Reprise(fails);
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.err,
              HasSubstr("expected paddle.bodies.position.y > 3; tick 120, "
                        "running; paddle.bodies.position.y = 0.4"));
}

}  // namespace
}  // namespace reprise::tests
