// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a team sees that plays old replays on today's packs: each on the
// one of its name, the outcome and the pack's change first, and a pack that
// isn't there, is there twice or is another game's never called a difference;
// and that the packs that ship pass their own check.

#include <filesystem>
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

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Json = nlohmann::json;

constexpr char kChange[] = "types.marble.body.friction: 0.8 -> 0.7\n";

class PacksTest : public MarbleReplayTest {
 protected:
  // A folder with this pack in it, beside files that are none.
  static std::string FolderWith(const std::string& name,
                                const std::string& pack) {
    std::string folder = TemporaryPath(name);
    RunCommand({"rm", "-rf", folder});
    RunCommand({"mkdir", "-p", folder + "/notes"});
    RunCommand({"cp", "-rL", pack, folder + "/game"});
    WriteFileBytes(folder + "/notes/todo.txt", "none");
    return folder;
  }

  // The marble with another friction; the type is the manifest's first.
  static std::string Slippery() {
    return MakeChangedPack("slippery", "friction: 0.8", "friction: 0.7");
  }
};

TEST_F(PacksTest, PacksThatShipPassTheirCheck) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("sim/packs")) {
    const std::string pack = entry.path().string();
    if (!std::filesystem::exists(pack + "/pack.txtpb")) continue;
    ++count;
    const CommandResult check = Reprise({"pack", "check", pack});
    EXPECT_EQ(check.exit_code, 0) << pack << ": " << check.out << check.err;
  }
  EXPECT_GE(count, 18);
}

TEST_F(PacksTest, SamePackVerifies) {
  const CommandResult result = Reprise(
      {"verify", replay(), "--packs", FolderWith("same", "sim/packs/marble")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST_F(PacksTest, ChangeOfThePackStandsBeforeTheFirstDifference) {
  const CommandResult result = Reprise(
      {"verify", replay(), "--packs", FolderWith("changed", Slippery())});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const size_t change = result.out.find(kChange);
  const size_t tick = result.out.find("\ntick ");
  ASSERT_NE(change, std::string::npos) << result.out;
  ASSERT_NE(tick, std::string::npos) << result.out;
  EXPECT_LT(change, tick);
}

TEST_F(PacksTest, CauseIsTheOneChangeThatMakesTheDifference) {
  const std::string pack = Slippery();
  const std::string manifest = ReadFileBytes(pack + "/pack.txtpb");
  const size_t title = manifest.find("title: \"");
  ASSERT_NE(title, std::string::npos);
  WriteFileBytes(pack + "/pack.txtpb",
                 std::string(manifest).insert(title + 8, "New: "));
  const CommandResult result = Reprise(
      {"verify", replay(), "--cause", "--packs", FolderWith("cause", pack)});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr(std::string("cause: ") + kChange),
                                Not(HasSubstr("cause: title"))));
}

TEST_F(PacksTest, DiffNamesTheCauseToo) {
  const std::string pack = Slippery();
  const CommandResult result =
      Reprise({"diff", replay(), "--pack", pack, "--cause"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr(std::string("cause: ") + kChange));
  const CommandResult json = Reprise(
      {"diff", replay(), "--pack", pack, "--cause", "--format", "json"});
  EXPECT_EQ(Json::parse(json.out)["cause"], std::string("cause: ") + kChange);
  EXPECT_THAT(Reprise({"diff", replay(), "--cause"}).err,
              HasSubstr("--cause looks at changes of a pack: with --pack"));
}

// The tick that made the difference has no digest; the capsule has its state.
TEST_F(PacksTest, FailureIsKeptInACapsule) {
  const std::string capsules = TemporaryPath("capsules");
  RunCommand({"rm", "-rf", capsules});
  const CommandResult result =
      Reprise({"verify", replay(), "--packs", FolderWith("kept", Slippery()),
               "--capsule", capsules, "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const Json run = Json::parse(result.out)["files"][0];
  ASSERT_TRUE(run["capsule"].is_string()) << result.out;
  EXPECT_EQ(run["divergence"]["is_exact"], true);
  const std::string capsule = run["capsule"];
  const CommandResult again = Reprise({"diff", capsule, "--format", "json"});
  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_EQ(Json::parse(again.out)["divergence"]["last_equal_tick"],
            run["divergence"]["last_equal_tick"]);
  // Of the run as it should have been: on its own pack nothing is wrong.
  EXPECT_EQ(Reprise({"verify", capsule}).exit_code, 0);
}

TEST_F(PacksTest, PacksThatShipAreFoundFromAnyFolder) {
  const std::string root = TemporaryPath("installed");
  RunCommand({"rm", "-rf", root});
  RunCommand({"mkdir", "-p", root + "/bin", root + "/share/reprise",
              root + "/elsewhere"});
  RunCommand({"cp", "-L", kReprise, root + "/bin/reprise"});
  RunCommand({"cp", "-rL", "sim/packs", root + "/share/reprise/packs"});
  const auto from_elsewhere = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"env", "-C", root + "/elsewhere", root + "/bin/reprise"});
    return RunCommand(arguments);
  };
  const CommandResult run = from_elsewhere({"run", "marble", "--ticks", "5"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const CommandResult list = from_elsewhere({"pack", "list"});
  EXPECT_THAT(list.out, HasSubstr("marble")) << list.err;

  // What the folder has comes first, and without either it is said what isn't
  // there.
  RunCommand({"mkdir", "-p", root + "/elsewhere/sim/packs/other"});
  EXPECT_THAT(from_elsewhere({"run", "marble", "--ticks", "5"}).err,
              HasSubstr("neither here nor in sim/packs"));
  RunCommand({"rm", "-r", root + "/elsewhere/sim", root + "/share"});
  EXPECT_THAT(from_elsewhere({"run", "marble", "--ticks", "5"}).err,
              HasSubstr("neither here nor in sim/packs"));
}

TEST_F(PacksTest, VariableOfPacksChangesNothing) {
  const std::string folder = FolderWith("lookup", Slippery());
  const CommandResult inside = RunCommand(
      {"env", "REPRISE_PACKS=" + folder, kReprise, "verify", replay()});
  EXPECT_EQ(inside.exit_code, 0) << inside.out << inside.err;
  const CommandResult today = RunCommand(
      {"env", "REPRISE_PACKS=" + folder, kReprise, "verify", replay(),
       "--packs", FolderWith("same_again", "sim/packs/marble")});
  EXPECT_EQ(today.exit_code, 0) << today.out << today.err;
}

TEST_F(PacksTest, PackThatIsNotThereIsMissing) {
  const CommandResult result =
      Reprise({"verify", replay(), "--packs",
               FolderWith("none", "sim/packs/pile"), "--format", "json"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  const Json file = Json::parse(result.out)["files"][0];
  EXPECT_EQ(file["verdict"], "missing");
  EXPECT_THAT(file["summary"].get<std::string>(),
              HasSubstr("no pack is called 'marble'"));
}

TEST_F(PacksTest, TwoPacksOfANameAndAnotherGameAreRefused) {
  const std::string twice = FolderWith("twice", "sim/packs/marble");
  RunCommand({"cp", "-rL", twice + "/game", twice + "/again"});
  CommandResult result = Reprise({"verify", replay(), "--packs", twice});
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_THAT(result.err, AllOf(HasSubstr("2 packs are called 'marble'"),
                                Not(HasSubstr("diverged"))));

  const std::string other = FolderWith("other", "sim/packs/marble");
  RunCommand({"chmod", "-R", "u+w", other});
  WriteFileBytes(other + "/game/pack.txtpb",
                 "name: \"marble\"\nsimulation: \"chess\"\n");
  result = Reprise({"verify", replay(), "--packs", other});
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("another game's"), Not(HasSubstr("diverged"))));
}

// Both are of the simulation `world`, so only what is in them tells.
TEST_F(PacksTest, AnotherGameOfTheSameSimulationIsRefused) {
  const auto named = [](const std::string& folder, const std::string& from,
                        const std::string& to) {
    RunCommand({"chmod", "-R", "u+w", folder});
    std::string manifest = ReadFileBytes(folder + "/game/pack.txtpb");
    const std::string old_name = "\nname: \"" + from + "\"";
    const size_t place = ("\n" + manifest).find(old_name);
    ASSERT_NE(place, std::string::npos) << manifest;
    manifest.replace(place, old_name.size() - 1, "name: \"" + to + "\"");
    WriteFileBytes(folder + "/game/pack.txtpb", manifest);
  };
  const std::string pong = FolderWith("pong_as_marble", "sim/packs/pong");
  named(pong, "pong", "marble");
  CommandResult result = Reprise({"verify", replay(), "--packs", pong});
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("another game's: it has none of the replay's "),
                    HasSubstr(" actions"), Not(HasSubstr("diverged"))));

  // Nobody plays this one, so it has no actions.
  const std::string pile = TemporaryPath("pile.mcap");
  result =
      Reprise({"run", "sim/packs/pile", "--ticks", "30", "--record", pile});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string marble = FolderWith("marble_as_pile", "sim/packs/marble");
  named(marble, "marble", "pile");
  result = Reprise({"verify", pile, "--packs", marble});
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("another game's: it has none of the "
                              "replay's "),
                    HasSubstr(" types"), Not(HasSubstr("diverged"))));

  // The game itself, changed, is no other one.
  const std::string changed = FolderWith("changed_pile", "sim/packs/pile");
  RunCommand({"chmod", "-R", "u+w", changed});
  RunCommand({"sed", "-i", "0,/mass_kg/s/mass_kg: /mass_kg: 1/",
              changed + "/game/pack.txtpb"});
  result = Reprise({"verify", pile, "--packs", changed});
  EXPECT_THAT(result.err, Not(HasSubstr("another game's")));
}

TEST_F(PacksTest, BadFlagsAreNamed) {
  const auto error = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"verify", replay()});
    const CommandResult result = Reprise(std::move(flags));
    EXPECT_NE(result.exit_code, 0);
    return result.err;
  };
  EXPECT_THAT(error({"--packs", "nowhere"}), HasSubstr("--packs nowhere"));
  EXPECT_THAT(error({"--packs", "sim/packs", "--pack", "sim/packs/marble"}),
              HasSubstr("one of these"));
  EXPECT_THAT(error({"--cause"}), HasSubstr("with --pack or --packs"));
  EXPECT_THAT(error({"--sarif", "no/such/folder/x.sarif"}),
              HasSubstr("no/such/folder/x.sarif: can't be written"));
  EXPECT_THAT(error({"--github", "--format", "json"}),
              HasSubstr("one of these"));
}

TEST_F(PacksTest, FolderOfReplaysIsVerifiedShownAndReproduced) {
  const std::string corpus = TemporaryPath("corpus");
  RunCommand({"rm", "-rf", corpus});
  RunCommand({"mkdir", "-p", corpus + "/deep"});
  RunCommand({"cp", replay(), corpus + "/deep/a.mcap"});
  WriteFileBytes(corpus + "/b.txt", "no replay");
  EXPECT_EQ(Reprise({"verify", corpus}).exit_code, 0);
  const CommandResult info = Reprise({"info", corpus, "--format", "json"});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_EQ(Json::parse(info.out)["files"].size(), 1);

  const std::string packs = FolderWith("reproduced", Slippery());
  const std::string sarif = TemporaryPath("out.sarif");
  const std::string junit = TemporaryPath("out.xml");
  const CommandResult result =
      Reprise({"verify", corpus, "--packs", packs, "--github", "--sarif", sarif,
               "--junit", junit});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("::error file="));
  const std::string text = Json::parse(
      ReadFileBytes(sarif))["runs"][0]["results"][0]["message"]["text"];
  EXPECT_THAT(text, AllOf(HasSubstr(kChange), HasSubstr("phase: "),
                          HasSubstr("diff: reprise diff ")));
  EXPECT_THAT(ReadFileBytes(junit),
              HasSubstr("classname=\"reprise.verify.marble\""));
  // The line is a command that fails the same way, without the variable.
  const std::string command = ValueOf(text, "reproduce: reprise");
  ASSERT_FALSE(command.empty()) << text;
  const CommandResult again =
      RunCommand({"sh", "-c", std::string(kReprise) + " " + command});
  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_THAT(again.out, HasSubstr(kChange));
}

TEST_F(PacksTest, TwoPacksAreComparedAsData) {
  const std::string pack = Slippery();
  const CommandResult result =
      Reprise({"pack", "diff", "sim/packs/marble", pack});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_EQ(result.out, kChange);
  EXPECT_EQ(Reprise({"pack", "diff", pack, pack}).exit_code, 0);
  const CommandResult diff = Reprise({"diff", replay(), "--pack", pack});
  EXPECT_LT(diff.out.find(kChange), diff.out.find("first different state: "));
}

TEST_F(PacksTest, CheckTakesAFolderOfPacks) {
  const CommandResult result =
      Reprise({"pack", "check", FolderWith("checked", "sim/packs/marble")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("checked/game: ok, "));
}

}  // namespace
}  // namespace reprise::tests
