// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that `reprise accept` shows what a change of a pack does to a golden,
// first field first, before it touches anything; that it touches nothing
// without a reason or without a change; and that what it then leaves is a
// golden that holds: replay, text, and reasons in the order in which they came.

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <string_view>
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
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr char kReprise[] = "tools/reprise/reprise";

// A copy of a pack that ships, which tests change as its author would, and a
// golden of it.
class AcceptTest : public testing::Test {
 protected:
  AcceptTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::copy("sim/packs/marble", pack_,
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    // What the sandbox links to can't be written.
    const std::string manifest = ReadFileBytes(pack_ + "/pack.txtpb");
    fs::remove(pack_ + "/pack.txtpb");
    WriteFileBytes(pack_ + "/pack.txtpb", manifest);
    const std::string run = folder_ + "/run.mcap";
    EXPECT_EQ(RunCommand({kReprise, "run", pack_, "--random-inputs", "5",
                          "--ticks", "90", "--record", run})
                  .exit_code,
              0);
    EXPECT_EQ(Accept({"--inputs", run, "--reason", "the first"}).exit_code, 0);
  }

  CommandResult Accept(std::vector<std::string> flags) const {
    flags.insert(flags.begin(),
                 {kReprise, "accept", Golden(".mcap"), "--pack", pack_});
    return RunCommand(flags);
  }

  // Makes the game another one: the marble is pushed half as hard.
  void ChangePack() const {
    std::string manifest = ReadFileBytes(pack_ + "/pack.txtpb");
    const std::string_view force = "force_n: 14";
    const size_t place = manifest.find(force);
    ASSERT_NE(place, std::string::npos);
    manifest.replace(place, force.size(), "force_n: 7");
    WriteFileBytes(pack_ + "/pack.txtpb", manifest);
  }

  std::string Golden(const std::string& extension) const {
    return folder_ + "/golden" + extension;
  }

  // All three files, as one text.
  std::string Contents() const {
    return ReadFileBytes(Golden(".mcap")) + ReadFileBytes(Golden(".txtpb")) +
           ReadFileBytes(Golden(".reasons.txt"));
  }

  const std::string folder_ = TemporaryPath("accept");
  const std::string pack_ = folder_ + "/marble";
};

TEST_F(AcceptTest, FirstGoldenHasItsTextAndItsReason) {
  EXPECT_EQ(RunCommand({kReprise, "verify", Golden(".mcap")}).exit_code, 0);
  EXPECT_EQ(RunCommand({kReprise, "cat", Golden(".mcap")}).out,
            ReadFileBytes(Golden(".txtpb")));
  EXPECT_THAT(ReadFileBytes(Golden(".reasons.txt")),
              MatchesRegex("the first\n  inputs: those of run.mcap\n"));
}

TEST_F(AcceptTest, GoldenDoesNotSayWhichEngineMadeIt) {
  EXPECT_THAT(ReadFileBytes(folder_ + "/run.mcap"), HasSubstr("engine"));
  EXPECT_THAT(ReadFileBytes(Golden(".mcap")), Not(HasSubstr("engine")));
}

TEST_F(AcceptTest, WithoutAChangeNothingIsAccepted) {
  const std::string before = Contents();
  const CommandResult result = Accept({"--reason", "none"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("nothing changes"));
  EXPECT_EQ(Contents(), before);
}

TEST_F(AcceptTest, WithoutAReasonTheChangeIsShownAndNothingElse) {
  ChangePack();
  const std::string before = Contents();
  const CommandResult result = Accept({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out,
              HasSubstr("changes (golden | now)\n  "
                        "types.marble.roller.force_n: 14 -> 7\n  tick "));
  EXPECT_THAT(result.err, HasSubstr("--reason"));
  EXPECT_EQ(Contents(), before);
}

TEST_F(AcceptTest, ChangeIsShownFirstFieldFirstAndAccepted) {
  ChangePack();
  const CommandResult result = Accept({"--reason", "weaker\nlegs "});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("  tick 0, pre_physics"),
                                HasSubstr("object player, bodies.force.x: "),
                                HasSubstr("accepted")));
  EXPECT_EQ(RunCommand({kReprise, "verify", Golden(".mcap"), "--pack", pack_})
                .exit_code,
            0);
  EXPECT_EQ(RunCommand({kReprise, "cat", Golden(".mcap")}).out,
            ReadFileBytes(Golden(".txtpb")));
  const std::string reasons = ReadFileBytes(Golden(".reasons.txt"));
  EXPECT_THAT(reasons, StartsWith("the first\n"));
  EXPECT_THAT(
      reasons,
      HasSubstr(
          "\nweaker legs\n  types.marble.roller.force_n: 14 -> 7\n  tick "));
  EXPECT_EQ(Accept({"--reason", "again"}).exit_code, 1);
}

TEST_F(AcceptTest, ProgramsReadTheDivergence) {
  ChangePack();
  const CommandResult result =
      Accept({"--reason", "weaker legs", "--format", "json"});
  const Json document = Json::parse(result.out);
  const Json& golden = document["goldens"][0];
  EXPECT_EQ(golden["is_changed"], true);
  EXPECT_EQ(golden["is_accepted"], true);
  EXPECT_GT(golden["divergence_of_packs"]["first_different_tick"], 0);
  EXPECT_FALSE(golden["divergence_of_packs"]["fields"].empty());
}

TEST_F(AcceptTest, LostTextIsWrittenAgain) {
  fs::remove(Golden(".txtpb"));
  EXPECT_EQ(Accept({"--reason", "the text was lost"}).exit_code, 0);
  EXPECT_EQ(RunCommand({kReprise, "cat", Golden(".mcap")}).out,
            ReadFileBytes(Golden(".txtpb")));
}

TEST_F(AcceptTest, PipesBesideTheGoldenAreRefusedAndNotWaitedFor) {
  ChangePack();
  const std::string before = ReadFileBytes(Golden(".mcap"));
  for (const std::string extension : {".txtpb", ".reasons.txt"}) {
    const std::string path = Golden(extension);
    const std::string contents = ReadFileBytes(path);
    fs::remove(path);
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);

    const CommandResult result =
        RunCommand({"timeout", "60", kReprise, "accept", Golden(".mcap"),
                    "--pack", pack_, "--reason", "on purpose"});

    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(path));
    EXPECT_EQ(ReadFileBytes(Golden(".mcap")), before);
    fs::remove(path);
    WriteFileBytes(path, contents);
  }
}

TEST_F(AcceptTest, PackThatRefusesTheInputsIsAnError) {
  const std::string before = Contents();
  WriteFileBytes(pack_ + "/pack.txtpb", "name: \"marble\" nonsense: 1");
  const CommandResult result = Accept({"--reason", "none"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("pack.txtpb:1:"));
  EXPECT_EQ(Contents(), before);
}

TEST_F(AcceptTest, GoldenThatIsNotThereSaysHowItIsMade) {
  const CommandResult result =
      RunCommand({kReprise, "accept", folder_ + "/none.mcap", "--reason", "x"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("--inputs"));
}

TEST_F(AcceptTest, ChangedProgramIsAChangeOnTheSamePack) {
  // Where this variable says so, the simulation has other rules.
  const std::string unwell = "tests/command/reprise_unwell";
  const std::string pack = folder_ + "/tiny";
  const std::string golden = folder_ + "/tiny.mcap";
  fs::create_directories(pack);
  WriteFileBytes(pack + "/pack.txtpb", "name: \"tiny\"\nstep: 0.1\ngoal: 9\n");
  ASSERT_EQ(RunCommand({unwell, "run", pack, "--simulation", "unwell",
                        "--ticks", "50", "--record", golden})
                .exit_code,
            0);
  ASSERT_EQ(RunCommand({unwell, "accept", golden, "--pack", pack, "--reason",
                        "its text"})
                .exit_code,
            0);
  const std::vector<std::string> accept = {
      "env",    "UNWELL=rules", unwell,     "accept",   golden,
      "--pack", pack,           "--reason", "new rules"};
  const CommandResult result = RunCommand(accept);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("rules"));
  EXPECT_EQ(RunCommand(accept).exit_code, 1);
}

TEST_F(AcceptTest, PersonIsAskedForTheReason) {
  ChangePack();
  // A terminal of its own, at which somebody types.
  const CommandResult result = RunCommand(
      {"sh", "-c",
       "printf 'typed by hand\\n' | script -qec \"$0 accept $1 --pack $2\" "
       "/dev/null",
       kReprise, Golden(".mcap"), pack_});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("Why is this right?"));
  EXPECT_THAT(ReadFileBytes(Golden(".reasons.txt")),
              HasSubstr("\ntyped by hand\n"));
}

// A golden of an older build, a changed pack: it is told what the build does.
TEST(AcceptOtherBuildTest, ChangeOfTheBuildIsToldFromThatOfThePack) {
  constexpr char kBuild[] = "docs/examples/hover/reprise_with_hover";
  constexpr char kOtherBuild[] = "tests/command/reprise_with_wrong_hover";
  const std::string folder = TemporaryPath("accept_other_build");
  fs::remove_all(folder);
  fs::create_directories(folder + "/pack");
  std::string manifest = ReadFileBytes("docs/examples/hover/pack/pack.txtpb");
  WriteFileBytes(folder + "/pack/pack.txtpb", manifest);
  const std::string run = folder + "/run.mcap";
  const std::string golden = folder + "/golden.mcap";
  ASSERT_EQ(RunCommand({kBuild, "run", folder + "/pack", "--ticks", "240",
                        "--record", run})
                .exit_code,
            0);
  ASSERT_EQ(RunCommand({kBuild, "accept", golden, "--pack", folder + "/pack",
                        "--inputs", run, "--reason", "the first"})
                .exit_code,
            0);

  manifest += "paths { name: \"unused\" points { x: 1 } points { x: 2 } }\n";
  WriteFileBytes(folder + "/pack/pack.txtpb", manifest);
  const auto told = HasSubstr(
      "by tick 110 this build doesn't play the pack inside as it was recorded");
  const std::vector<std::string> accept = {"accept", golden, "--pack",
                                           folder + "/pack"};
  for (const auto& [build, matcher] :
       {std::pair<std::string, testing::Matcher<std::string>>(kBuild,
                                                              Not(told)),
        std::pair<std::string, testing::Matcher<std::string>>(kOtherBuild,
                                                              told)}) {
    std::vector<std::string> command = {build};
    command.insert(command.end(), accept.begin(), accept.end());
    EXPECT_THAT(RunCommand(command).out, matcher) << build;
  }
}

}  // namespace
}  // namespace reprise::tests
