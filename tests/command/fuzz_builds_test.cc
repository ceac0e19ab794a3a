// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that `reprise fuzz --with` has another build play what a corpus keeps,
// and tells what that makes otherwise as a failure with a replay, which
// `minimize --with` sees, too; and that `bisect` over commits says what the bad
// one changed. The other build has one deliberate mistake: at tick 100 the
// behaviour `hover` is one unit in the last place off.

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

namespace fs = std::filesystem;

using testing::ContainsRegex;
using testing::HasSubstr;

using Json = nlohmann::json;

constexpr char kBuild[] = "docs/examples/hover/reprise_with_hover";
constexpr char kOtherBuild[] = "tests/command/reprise_with_wrong_hover";
constexpr char kPack[] = "docs/examples/hover/pack";

CommandResult Reprise(std::vector<std::string> words) {
  words.insert(words.begin(), kBuild);
  return RunCommand(words);
}

// A corpus with one run of so many ticks.
std::string CorpusOf(const std::string& name, int ticks) {
  const std::string corpus = TemporaryPath(name);
  fs::remove_all(corpus);
  fs::create_directories(corpus + "/runs");
  WriteFileBytes(
      corpus + "/runs/idle.txtpb",
      "pack: \"lanterns\"\ntick_count: " + std::to_string(ticks) + "\n");
  return corpus;
}

CommandResult Compare(const std::string& corpus, const std::string& program,
                      std::vector<std::string> more = {}) {
  std::vector<std::string> words = {"fuzz",     kPack,  "--ticks", "0",
                                    "--corpus", corpus, "--with",  program};
  words.insert(words.end(), more.begin(), more.end());
  return Reprise(words);
}

std::string OnlyReplayOf(const std::string& corpus) {
  std::vector<std::string> replays;
  for (const auto& entry : fs::directory_iterator(corpus + "/failures")) {
    const std::string path = entry.path().string();
    if (path.ends_with(".mcap")) replays.push_back(path);
  }
  EXPECT_EQ(replays.size(), 1);
  return replays.empty() ? std::string() : replays.front();
}

TEST(FuzzBuildsTest, DifferenceIsAFailureWithItsFieldAndAReplay) {
  const std::string corpus = CorpusOf("builds", 150);
  const CommandResult fuzz = Compare(corpus, kOtherBuild);
  EXPECT_EQ(fuzz.exit_code, 1) << fuzz.err;
  EXPECT_THAT(fuzz.out,
              ContainsRegex("failure: build difference "
                            "[a-z_]+\\.hover\\.phase_rad, at tick 101: "));
  EXPECT_THAT(fuzz.out, HasSubstr("5.04999999999999 | 5.049999999999991"));
  const std::string replay = OnlyReplayOf(corpus);
  EXPECT_EQ(Reprise({"verify", replay}).exit_code, 0);
  EXPECT_EQ(Reprise({"diff", replay, "--with", kOtherBuild}).exit_code, 1);
  // The capsule has the other build's run, so it takes that one no more.
  const std::string capsule =
      corpus + "/capsules/" + fs::path(replay).filename().string();
  ASSERT_TRUE(fs::exists(capsule)) << fuzz.err;
  const CommandResult diff = Reprise({"diff", capsule});
  EXPECT_EQ(diff.exit_code, 1) << diff.err;
  EXPECT_THAT(diff.out, HasSubstr("phase_rad"));
  // What is kept differs the next time, too, whether or not its run is there.
  fs::remove_all(corpus + "/runs");
  const CommandResult again =
      Compare(corpus, kOtherBuild, {"--format", "json"});
  EXPECT_EQ(again.exit_code, 1) << again.err;
  const Json failures = Json::parse(again.out)["failures"];
  ASSERT_EQ(failures.size(), 1) << again.out;
  EXPECT_EQ(failures[0]["tick"], 101);
  EXPECT_EQ(failures[0]["replay"], replay);
  EXPECT_EQ(failures[0]["capsule"], capsule);
}

TEST(FuzzBuildsTest, KnownDifferenceIsNoNews) {
  const std::string corpus = CorpusOf("known_builds", 150);
  const CommandResult fuzz = Compare(corpus, kOtherBuild, {"--format", "json"});
  const Json failures = Json::parse(fuzz.out)["failures"];
  ASSERT_EQ(failures.size(), 1) << fuzz.out;
  WriteFileBytes(corpus + "/known.txt",
                 failures[0]["signature"].get<std::string>() +
                     "  # of the next release\n");
  EXPECT_EQ(Compare(corpus, kOtherBuild).exit_code, 0);
}

TEST(FuzzBuildsTest, MinimizeSeesTheSameDifference) {
  const std::string corpus = CorpusOf("short_builds", 400);
  ASSERT_EQ(Compare(corpus, kOtherBuild).exit_code, 1);
  const std::string replay = OnlyReplayOf(corpus);
  const CommandResult check =
      Reprise({"minimize", replay, "--check", "--with", kOtherBuild});
  EXPECT_EQ(check.exit_code, 1) << check.err;
  EXPECT_THAT(check.out, HasSubstr("build difference "));
  const CommandResult same =
      Reprise({"minimize", replay, "--check", "--with", kBuild});
  EXPECT_EQ(same.exit_code, 0) << same.out;
  const CommandResult small =
      Reprise({"minimize", replay, "--with", kOtherBuild, "--format", "json"});
  EXPECT_EQ(small.exit_code, 0) << small.err;
  EXPECT_EQ(Json::parse(small.out)["tick_count"], 101);
}

TEST(FuzzBuildsTest, BuildsThatMakeTheSameHaveNoFailure) {
  // The mistake comes later.
  EXPECT_EQ(Compare(CorpusOf("early_builds", 90), kOtherBuild).exit_code, 0);
  EXPECT_EQ(Compare(CorpusOf("same_builds", 150), kBuild).exit_code, 0);
}

TEST(FuzzBuildsTest, ProgramHasToBeThereAndNeedsACorpus) {
  EXPECT_EQ(Compare(CorpusOf("no_build", 150), "no/such/reprise").exit_code, 3);
  const CommandResult alone =
      Reprise({"fuzz", kPack, "--ticks", "0", "--with", kOtherBuild});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.err, HasSubstr("--with needs --corpus"));
}

// Three commits: the second one's program has the mistake, and says of each run
// that it fails.
TEST(FuzzBuildsTest, BisectSaysTheFieldThatTheBadCommitChanged) {
  const std::string repository = TemporaryPath("repository");
  fs::remove_all(repository);
  fs::create_directories(repository);
  const std::string build = fs::absolute(kBuild).string();
  const std::string other = fs::absolute(kOtherBuild).string();
  const auto git = [&repository](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", repository});
    const CommandResult result = RunCommand(words);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  };
  git({"init", "-q"});
  const std::string program = repository + "/program";
  for (const int number : {1, 2, 3}) {
    const bool is_bad = number > 1;
    WriteFileBytes(program, "#!/bin/sh\n# change " + std::to_string(number) +
                                "\ntest \"$1\" != minimize || exit " +
                                (is_bad ? "1" : "0") + "\nexec " +
                                (is_bad ? other : build) + " \"$@\"\n");
    fs::permissions(program, fs::perms::owner_all);
    git({"add", "."});
    git({"-c", "user.email=a@b", "-c", "user.name=a", "commit", "-q", "-m",
         "change " + std::to_string(number)});
  }
  const std::string replay = fs::absolute(TemporaryPath("run.mcap")).string();
  ASSERT_EQ(
      Reprise({"run", kPack, "--ticks", "150", "--record", replay}).exit_code,
      0);
  const CommandResult bisect =
      RunCommand({"bash", "-c",
                  "cd " + repository + " && " + build + " bisect " + replay +
                      " --good HEAD~2 --bad HEAD --program ./program"});
  EXPECT_EQ(bisect.exit_code, 0) << bisect.err;
  EXPECT_THAT(bisect.out, HasSubstr("is the first bad commit"));
  EXPECT_THAT(bisect.out, HasSubstr("change 2"));
  EXPECT_THAT(bisect.out,
              HasSubstr("\ndiffers   tick 100, pre_physics, object lantern_0, "
                        "hover.phase_rad: 5.04999999999999 | "));
}

// A program that plays nothing.
TEST(FuzzBuildsTest, BuildThatRefusesARunDiffers) {
  const CommandResult fuzz = Compare(CorpusOf("refused", 150), "/bin/false");
  EXPECT_EQ(fuzz.exit_code, 1) << fuzz.err;
  EXPECT_THAT(fuzz.out, HasSubstr("failure: build difference refused"));
}

}  // namespace
}  // namespace reprise::tests
