// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that `reprise run` seats bots as it is told, that the packs' own win
// their games, that what they play is recorded like a person's inputs and
// verified without them, and that the same run is the same file.

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

using Json = nlohmann::json;

// Records a run of `pack`, and gives its path.
std::string Record(const std::string& name, std::vector<std::string> words) {
  const std::string path = TemporaryPath(name);
  words.insert(words.begin(), "run");
  words.insert(words.end(), {"--record", path});
  const CommandResult run = Reprise(words);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return path;
}

TEST(BotsCommandTest, PacksBotsWinTheirGames) {
  for (const char* const pack : {"harbour", "rally"}) {
    const CommandResult run =
        Reprise({"run", pack, "--bots", "--expect", "outcome == won"});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_THAT(run.err, Not(HasSubstr("warning")));
  }
}

TEST(BotsCommandTest, RunOfBotsIsVerifiedWithoutThem) {
  const std::string path = Record("bots.mcap", {"rally", "--bots"});
  const CommandResult verify = Reprise({"verify", path});
  EXPECT_EQ(verify.exit_code, 0) << verify.err;
  // Its inputs are a track like any other.
  const std::string again = Record("bots_inputs.mcap", {"--inputs", path});
  EXPECT_EQ(ReadFileBytes(again), ReadFileBytes(path));
}

TEST(BotsCommandTest, SameRunIsTheSameFile) {
  const std::vector<std::string> words = {"rally", "--bot",     "0:racer",
                                          "--bot", "1:learner", "--seed",
                                          "7",     "--ticks",   "200"};
  const std::string one = Record("one.mcap", words);
  std::vector<std::string> other_seed = words;
  other_seed[6] = "8";
  EXPECT_EQ(ReadFileBytes(Record("same.mcap", words)), ReadFileBytes(one));
  EXPECT_NE(ReadFileBytes(Record("other.mcap", other_seed)),
            ReadFileBytes(one));
}

TEST(BotsCommandTest, RunSaysWhoPlayed) {
  const CommandResult run =
      Reprise({"run", "rally", "--bots", "--ticks", "30"});
  EXPECT_EQ(ValueOf(run.out, "bots"), "0:racer 1:trucker");
  const CommandResult json = Reprise({"run", "rally", "--bot", "1:learner",
                                      "--ticks", "30", "--format", "json"});
  const Json document = Json::parse(json.out);
  EXPECT_EQ(document["bots"],
            Json::array({{{"player", 1}, {"bot", "learner"}}}));
  EXPECT_EQ(document["bot_decisions"], 30);
  EXPECT_EQ(document["bot_errors"], 0);
}

TEST(BotsCommandTest, WayToAGoalIsFoundPlayedAndRecorded) {
  const std::string path = Record(
      "way.mcap", {"tests/fuzzing/packs/lock", "--bot", "0:towards", "--goal",
                   "lock.dial.progress >= 4", "--goal-ticks", "400000"});
  const CommandResult query =
      Reprise({"query", path, "lock.dial.progress >= 4", "--format", "json"});
  EXPECT_EQ(query.exit_code, 0) << query.out << query.err;
  EXPECT_EQ(Reprise({"verify", path}).exit_code, 0);
  const std::string again = Record(
      "way2.mcap", {"tests/fuzzing/packs/lock", "--bot", "0:towards", "--goal",
                    "lock.dial.progress >= 4", "--goal-ticks", "400000"});
  EXPECT_EQ(ReadFileBytes(again), ReadFileBytes(path));
}

TEST(BotsCommandTest, SearchWinsAGameThatItKnowsNothingOf) {
  const std::string path = Record(
      "won.mcap",
      {"marble", "--bot", "0:towards", "--goal", "outcome == won", "--nearer",
       "player.bodies.position.x", "--expect", "outcome == won"});
  const CommandResult verify = Reprise({"verify", path, "--outcome", "won"});
  EXPECT_EQ(verify.exit_code, 0) << verify.out << verify.err;
}

TEST(BotsCommandTest, GoalThatIsNotReachedSaysHowNearItCame) {
  const CommandResult run =
      Reprise({"run", "tests/fuzzing/packs/lock", "--bot", "0:towards",
               "--goal", "lock.dial.progress > 1000000", "--nearer",
               "lock.dial.progress", "--goal-ticks", "20000"});
  EXPECT_EQ(run.exit_code, 1) << run.out;
  EXPECT_THAT(run.err, HasSubstr("no way to 'lock.dial.progress > 1000000' was "
                                 "found within 2"));
  EXPECT_THAT(run.err, HasSubstr("'lock.dial.progress' came to "));
}

TEST(BotsCommandTest, SearchSaysWhatItNeeds) {
  const auto error = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"run", "rally"});
    const CommandResult run = Reprise(words);
    EXPECT_EQ(run.exit_code, 2);
    return run.err;
  };
  EXPECT_THAT(error({"--bot", "0:towards"}), HasSubstr("needs --goal"));
  EXPECT_THAT(error({"--goal", "tick > 3"}),
              HasSubstr("are for --bot PLAYER:towards"));
  EXPECT_THAT(error({"--bot", "0:towards", "--goal", "tick + 3"}),
              HasSubstr("--goal 'tick + 3': it is no condition"));
  EXPECT_THAT(error({"--bot", "9:towards", "--goal", "tick > 3"}),
              HasSubstr("--bot 9:towards: the pack rally has"));
  EXPECT_THAT(
      error({"--bot", "0:towards", "--bot", "1:trucker", "--goal", "tick > 3"}),
      HasSubstr("other bots can't play beside a search"));
  EXPECT_THAT(error({"--bot", "0:towards", "--goal", "tick > 3",
                     "--random-inputs", "1"}),
              HasSubstr("goes with none of --inputs"));
}

TEST(BotsCommandTest, BotsPlayWhomTheInputsDoNot) {
  const std::string track = TemporaryPath("truck.txtpb");
  WriteFileBytes(track,
                 "pack: \"rally\" tick_count: 60 ticks { tick: 0 frames { "
                 "player: 1 device { axes: 32767 } } }");
  const CommandResult run =
      Reprise({"run", "rally", "--inputs", track, "--bots"});
  EXPECT_EQ(ValueOf(run.out, "bots"), "0:racer") << run.err;
  EXPECT_EQ(ValueOf(run.out, "ticks"), "60");
  const CommandResult refused =
      Reprise({"run", "rally", "--inputs", track, "--bot", "1:trucker"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--bot 1:trucker: " + track +
                                     " plays player 1 already"));
}

TEST(BotsCommandTest, BranchAndContinuationHaveFreshBotsAndAreVerified) {
  const std::string path =
      Record("start.mcap", {"rally", "--bot", "0:learner", "--ticks", "100"});
  const CommandResult branch =
      Reprise({"run", "--from", path, "--at", "50", "--bots", "--ticks", "150",
               "--record", TemporaryPath("branch.mcap")});
  ASSERT_EQ(branch.exit_code, 0) << branch.err;
  EXPECT_EQ(Reprise({"verify", TemporaryPath("branch.mcap")}).exit_code, 0);
  const CommandResult more =
      Reprise({"run", "--continue", path, "--bots", "--ticks", "160"});
  ASSERT_EQ(more.exit_code, 0) << more.err;
  EXPECT_EQ(Reprise({"verify", path}).exit_code, 0);
}

TEST(BotsCommandTest, WhatCannotBeIsRefused) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"rally", "--bots", "--random-inputs", "1"},
       "--bots and --random-inputs exclude each other"},
      {{"rally", "--bot", "racer"},
       "--bot 'racer' is not PLAYER:NAME, such as 0:random"},
      {{"rally", "--bot", "0:racr"}, "there is no bot 'racr'; did you mean "},
      {{"rally", "--bot", "1:racer"}, "the bot racer doesn't play player 1"},
      {{"rally", "--bot", "2:random"}, "there is no player 2; the pack has 2"},
      {{"rally", "--bot", "0:racer", "--bot", "0:random"},
       "two bots are to play player 0: racer and random"},
      {{"pile", "--bots"}, "the pack pile has no bots"},
      {{"rally", "--bots", "--change-input", "5:0:brake=1"},
       "--change-input '5:0:brake=1': a bot plays player 0"}};
  for (const auto& [words, problem] : cases) {
    std::vector<std::string> all = words;
    all.insert(all.begin(), "run");
    const CommandResult run = Reprise(all);
    EXPECT_EQ(run.exit_code, 2) << words.back();
    EXPECT_THAT(run.err, HasSubstr(problem));
  }
}

TEST(BotsCommandTest, PageOfFunctionsIsWhatTheProgramSays) {
  EXPECT_EQ(Reprise({"describe", "--bot-functions"}).out,
            ReadFileBytes("docs/bot_functions.md"))
      << "reprise describe --bot-functions > docs/bot_functions.md";
}

TEST(ScriptsCommandTest, PagesOfFunctionsAreWhatTheProgramSays) {
  EXPECT_EQ(Reprise({"describe", "--script-functions"}).out,
            ReadFileBytes("docs/script_reference.md"))
      << "reprise describe --script-functions > docs/script_reference.md";
  EXPECT_THAT(Reprise({"describe", "--script-annotations"}).out,
              HasSubstr("function own.get(property, index) end"));
  EXPECT_THAT(Reprise({"describe", "--script-settings"}).out,
              HasSubstr("\"workspace.library\": [\"reprise.lua\"]"));
}

TEST(BotsCommandTest, DescriptionHasThePacksBots) {
  EXPECT_THAT(Reprise({"describe", "rally", "trucker"}).out,
              HasSubstr("plays 1; bots/driver.lua, each 3 ticks"));
}

TEST(BotsCommandTest, FailuresOfBotsAreToldAndTheRunGoesOn) {
  const std::string pack =
      MakeChangedPack("failing", "name: \"marble\"",
                      "name: \"marble\"\nbots { "
                      "name: \"f\" file: \"f.lua\" every_ticks: 1 }");
  WriteFileBytes(pack + "/f.lua",
                 "return { decide = function()\n  error('lost') end }");
  const CommandResult run = Reprise({"run", pack, "--bots", "--ticks", "40"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("tick 3, player 0, bot f: f.lua:2: lost"));
  EXPECT_THAT(run.err, HasSubstr("what else bots say is not shown"));
  EXPECT_THAT(run.err, Not(HasSubstr("tick 20, ")));
  EXPECT_THAT(run.err, HasSubstr("40 of 40 decisions of bots came to nothing"));
}

}  // namespace
}  // namespace reprise::tests
