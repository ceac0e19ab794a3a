// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise tournament` gives the same bytes for the same seeds, however many
// games are played side by side, and those that were kept of an earlier day;
// what it records of upsets is verified, and has
// the winner that the table tells of.

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

namespace fs = std::filesystem;

CommandResult Reprise(std::vector<std::string> words) {
  words.insert(words.begin(), "tools/reprise/reprise");
  return RunCommand(words);
}

CommandResult Tournament(const std::vector<std::string>& flags) {
  std::vector<std::string> words = {"tournament", "fighter",
                                    "--bots",     "rusher,zoner",
                                    "--ticks",    "1700",
                                    "--score",    "left.fighter.health",
                                    "--score",    "right.fighter.health"};
  words.insert(words.end(), flags.begin(), flags.end());
  return Reprise(words);
}

TEST(TournamentTest, JobsChangeNothing) {
  const CommandResult one = Tournament({"--seeds", "3", "--format", "json"});
  const CommandResult two =
      Tournament({"--seeds", "3", "--format", "json", "--jobs", "2"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.out, two.out);
  EXPECT_NE(one.out.find("\"rate_low\""), std::string::npos) << one.out;
  const CommandResult other =
      Tournament({"--seeds", "3", "--seed", "4", "--format", "json"});
  EXPECT_NE(one.out, other.out);
}

TEST(TournamentTest, UpsetsAreRecordedAndVerified) {
  const fs::path folder = TemporaryPath("upsets");
  fs::remove_all(folder);
  const CommandResult result =
      Tournament({"--seeds", "8", "--jobs", "2", "--record", folder.string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::regex line(
      "upset: (\\w+) beats (\\w+) as player ([01]), seed (\\d+):");
  size_t told = 0;
  for (std::sregex_iterator at(result.out.begin(), result.out.end(), line), end;
       at != end; ++at) {
    ++told;
    const bool is_left = (*at)[3] == "0";
    const std::string file =
        (folder /
         ((*at)[is_left ? 1 : 2].str() + "_against_" +
          (*at)[is_left ? 2 : 1].str() + "_seed_" + (*at)[4].str() + ".mcap"))
            .string();
    const CommandResult verified = Reprise({"verify", file});
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
    const CommandResult played =
        Reprise({"run", "fighter", "--inputs", file, "--expect",
                 is_left ? "left.fighter.health > right.fighter.health"
                         : "left.fighter.health < right.fighter.health"});
    EXPECT_EQ(played.exit_code, 0) << played.out << played.err;
  }
  EXPECT_GT(told, 0u) << result.out;
  const auto files = fs::directory_iterator(folder);
  EXPECT_EQ(told, static_cast<size_t>(std::distance(begin(files), end(files))));
}

// Three bots, and points that the pack says.
TEST(TournamentTest, SkirmishesAreCountedByThePack) {
  const std::vector<std::string> words = {
      "tournament", "skirmish", "--bots",  "hammer,warden,broker",
      "--seeds",    "1",        "--ticks", "600",
      "--format",   "json",     "--jobs",  "2"};
  const CommandResult one = Reprise(words);
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.out, Reprise(words).out);
  std::vector<std::string> given = words;
  given.insert(given.end(), {"--score", "referee.match.west", "--score",
                             "referee.match.east"});
  EXPECT_EQ(one.out, Reprise(given).out);
  // Each pair on both sides.
  const std::regex game("\"tick_count\"");
  EXPECT_EQ(
      std::distance(std::sregex_iterator(one.out.begin(), one.out.end(), game),
                    std::sregex_iterator()),
      6);
}

// The table of tomorrow is that of today. Whoever changes how games of the
// skirmish end makes the golden anew, from the root of the repository and with
// the optimised build, by one line:
//
//   bazel-bin/tools/reprise/reprise tournament skirmish
//     --bots hammer,warden,broker --seeds 2 --ticks 900 --format json
//     --jobs 2 > tests/command/golden/skirmish_tournament.json
TEST(TournamentTest, SkirmishesEndAsTheyDidBefore) {
  const auto table = [](const std::string& jobs) {
    const CommandResult result = Reprise(
        {"tournament", "skirmish", "--bots", "hammer,warden,broker", "--seeds",
         "2", "--ticks", "900", "--format", "json", "--jobs", jobs});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    // Warnings tell of decisions that came to nothing.
    EXPECT_EQ(result.err, "");
    return result.out;
  };
  const std::string golden =
      ReadFileBytes("tests/command/golden/skirmish_tournament.json");
  ASSERT_FALSE(golden.empty()) << "the golden is missing; see above";
  EXPECT_EQ(table("1"), golden);
  EXPECT_EQ(table("2"), golden);
}

TEST(TournamentTest, MistakesAreTold) {
  const CommandResult one_score =
      Reprise({"tournament", "fighter", "--bots", "rusher,zoner", "--score",
               "left.fighter.health"});
  EXPECT_EQ(one_score.exit_code, 2);
  EXPECT_NE(one_score.err.find("--score is given twice"), std::string::npos);
  const CommandResult nobody = Tournament({"--bots", "rusher,rushed"});
  EXPECT_EQ(nobody.exit_code, 2);
  EXPECT_NE(nobody.err.find("rushed"), std::string::npos) << nobody.err;
  const CommandResult one_player =
      Reprise({"tournament", "marble", "--bots", "random,idle", "--score",
               "tick", "--score", "tick"});
  EXPECT_EQ(one_player.exit_code, 2);
  EXPECT_NE(one_player.err.find("two players"), std::string::npos)
      << one_player.err;
}

}  // namespace
}  // namespace reprise::tests
