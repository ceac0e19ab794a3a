// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The command with a simulation that it was not built with: a library in C.

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kPack[] = "docs/examples/plugin/orchard";

std::string Library(const std::string& name) {
  return "tests/command/lib" + name + ".so";
}

// With the library `name`.
CommandResult RunWith(const std::string& name, std::vector<std::string> words) {
  words.insert(words.begin(), {kReprise, "--plugin", Library(name)});
  return RunCommand(words);
}

// Two ticks of 100,000 objects.
std::string RecordCrowd() {
  const std::string pack = TemporaryPath("crowd");
  std::filesystem::create_directories(pack);
  WriteFileBytes(pack + "/pack.txtpb",
                 "name: \"crowd\"\nsimulation: \"crowd\"\n");
  std::string path = TemporaryPath("crowd.mcap");
  std::filesystem::remove(path);
  const CommandResult result =
      RunWith("crowd", {"run", pack, "--ticks", "2", "--record", path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return path;
}

class PluginTest : public testing::Test {
 protected:
  // A hundred ticks as they should be.
  std::string Record() const {
    std::string path = TemporaryPath("orchard.mcap");
    std::filesystem::remove(path);
    const CommandResult result =
        RunWith("catch", {"run", kPack, "--random-inputs", "1", "--ticks",
                          "100", "--record", path});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return path;
  }
};

TEST_F(PluginTest, RecordsAndVerifies) {
  const CommandResult result = RunWith("catch", {"verify", Record()});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("100 of 100"));
}

TEST_F(PluginTest, ReplayNamesItAndItsDigest) {
  const std::string path = Record();
  const std::string digest =
      RunCommand({"sha256sum", Library("catch")}).out.substr(0, 64);
  const std::string plugin = "libcatch.so " + digest;

  EXPECT_THAT(RunCommand({kReprise, "info", path}).out,
              HasSubstr("plug-in     " + plugin + "\n"));
  const CommandResult json =
      RunCommand({kReprise, "info", path, "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at("plugin"), plugin);
  const CommandResult other = RunWith("otherwise", {"verify", path});
  EXPECT_THAT(other.out + other.err,
              HasSubstr("recorded with plug-in " + plugin +
                        ", replayed with libotherwise.so "));
}

TEST_F(PluginTest, ComparesQuestionsAndShowsItsRuns) {
  const std::string path = Record();
  const std::string changed = TemporaryPath("otherwise.mcap");
  std::filesystem::remove(changed);
  ASSERT_EQ(RunWith("otherwise", {"run", kPack, "--random-inputs", "1",
                                  "--ticks", "100", "--record", changed})
                .exit_code,
            0);
  const CommandResult diff = RunWith("catch", {"diff", path, changed});
  EXPECT_EQ(diff.exit_code, 1) << diff.err;
  // Both play alike on the plug-in of now: what differs are the recordings.
  EXPECT_THAT(diff.out + diff.err, AllOf(HasSubstr("ticks 50 to 59"),
                                         HasSubstr("plays both alike")));

  const CommandResult query =
      RunWith("catch", {"query", path, "game.basket_x != 0", "--first"});
  EXPECT_EQ(query.exit_code, 0) << query.err;
  EXPECT_THAT(query.out, HasSubstr("tick"));

  const CommandResult lines =
      RunWith("catch", {"export", path, "--from", "60", "--to", "60"});
  EXPECT_EQ(lines.exit_code, 0) << lines.err;
  EXPECT_THAT(lines.out,
              AllOf(HasSubstr("\"apple_1\""), HasSubstr("\"tick\":\"60\"")));

  const std::string page = TemporaryPath("orchard.html");
  const CommandResult view = RunWith("catch", {"view", path, "--output", page});
  EXPECT_EQ(view.exit_code, 0) << view.err;
  EXPECT_THAT(ReadFileBytes(page),
              AllOf(HasSubstr("\"apple_1\""), HasSubstr("basket_x")));
}

// All that can be made of 100,000 objects is made, by every verb that shows,
// and names the states that it shows.
TEST_F(PluginTest, AHundredThousandObjectsAreShownInEveryWay) {
  const std::string path = RecordCrowd();
  const auto expect_right = [&](const std::string& file) {
    const CommandResult proof =
        RunWith("crowd", {"verify", path, "--export", file});
    EXPECT_EQ(proof.exit_code, 0) << file << proof.out << proof.err;
    EXPECT_THAT(proof.out, HasSubstr("right: 1 state of")) << file;
  };
  for (const std::string format : {"csv", "gltf", "jsonl", "usda"}) {
    const std::string output = TemporaryPath("crowd_shown." + format);
    const CommandResult result =
        RunWith("crowd", {"export", path, "--from", "1", "--to", "1",
                          "--format", format, "--output", output});
    EXPECT_EQ(result.exit_code, 0) << format << result.err;
    EXPECT_GT(std::filesystem::file_size(output), 100000u * 50) << format;
    expect_right(output);
    std::filesystem::remove(output);
  }
  const std::string page = TemporaryPath("crowd_all.html");
  const CommandResult view = RunWith(
      "crowd", {"view", path, "--from", "1", "--to", "1", "--output", page});
  EXPECT_EQ(view.exit_code, 0) << view.err;
  expect_right(page);
  const CommandResult picture =
      RunWith("crowd", {"render", path, "--to", "0", "--size", "320x180",
                        "--samples", "1", "--digests"});
  EXPECT_EQ(picture.exit_code, 0) << picture.err;
  EXPECT_THAT(picture.err, HasSubstr("1 picture"));
  const CommandResult plot =
      RunWith("crowd", {"plot", path, "count(boxes.height > 0)", "--output",
                        TemporaryPath("crowd.svg")});
  EXPECT_EQ(plot.exit_code, 0) << plot.err;
}

// A message takes some 50,000 objects: more topics share them, and the file
// proves its run as any other.
TEST_F(PluginTest, AsManyObjectsAsThereAreAreExported) {
  const std::string path = RecordCrowd();
  const std::string frames = TemporaryPath("crowd.frames.mcap");
  const CommandResult result = RunWith(
      "crowd",
      {"export", path, "--format", "mcap", "--every", "2", "--output", frames});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(std::filesystem::exists(frames + ".partial"));
  const CommandResult proof =
      RunWith("crowd", {"verify", path, "--export", frames});
  EXPECT_EQ(proof.exit_code, 0) << proof.err;
  EXPECT_THAT(proof.out, HasSubstr("right: 2 states"));

  // A timeline has no room for all that happened, and says so.
  const CommandResult page = RunWith(
      "crowd", {"view", path, "--every", "2", "--no-fields", "--no-layers",
                "--objects", "box_1", "--output", TemporaryPath("crowd.html")});
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_THAT(page.err, HasSubstr("5000 of 25000 events have no mark"));

  // With as many fields as a file takes there is no room for more topics.
  std::string fields = "tick";
  for (int i = 1; i < 24; ++i) fields += ", tick";
  const std::string none = TemporaryPath("crowd_none.mcap");
  const CommandResult refused =
      RunWith("crowd", {"export", path, "--format", "mcap", "--fields", fields,
                        "--to", "0", "--output", none});
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("fewer --fields make room"));
  EXPECT_FALSE(std::filesystem::exists(none));
  EXPECT_FALSE(std::filesystem::exists(none + ".partial"));
}

TEST_F(PluginTest, VariableNamesPluginsToo) {
  const CommandResult result =
      RunCommand({"env", "REPRISE_PLUGINS=" + Library("catch"), kReprise,
                  "verify", Record()});

  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(PluginTest, LineThatReproducesNamesThePluginOfTheVariable) {
  const CommandResult result =
      RunCommand({"env", "REPRISE_PLUGINS=" + Library("catch"), kReprise,
                  "verify", Record(), "--outcome", "lost"});

  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("reproduce: reprise --plugin " +
                                    Library("catch") + " verify"));
}

TEST_F(PluginTest, ProgramWithoutItNamesTheSimulation) {
  const CommandResult result = RunCommand({kReprise, "verify", Record()});

  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.out + result.err, AllOf(HasSubstr("no simulation 'catch'"),
                                             HasSubstr("--plugin LIBRARY")));
}

TEST_F(PluginTest, InspectionShowsItsNamesAndUnits) {
  const CommandResult result =
      RunWith("catch", {"inspect", Record(), "--tick", "60"});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("basket_x"), HasSubstr("apple_1"),
                                HasSubstr("m/s")));
}

TEST_F(PluginTest, OtherRulesAreFoundByTicksAndRoom) {
  const CommandResult result = RunWith("otherwise", {"verify", Record()});

  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out + result.err,
              AllOf(HasSubstr("ticks 50 to 59: equal before, different after "
                              "(rooms: orchard)"),
                    HasSubstr("reproduce: reprise --plugin")));
}

TEST_F(PluginTest, FailedStepEndsTheRunAndKeepsWhatWasRecorded) {
  const std::string path = TemporaryPath("failed.mcap");
  std::filesystem::remove(path);
  const CommandResult result =
      RunWith("fails", {"run", kPack, "--ticks", "100", "--record", path});

  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("tick 50: plug-in 'catch': step: the tree is "
                              "gone"),
                    HasSubstr("what was recorded until then is in"),
                    HasSubstr("reprise --plugin")));
}

TEST_F(PluginTest, CrashIsTheResultOfItsReplayOnly) {
  const std::string path = Record();
  const CommandResult result = RunWith("crashes", {"verify", path});

  EXPECT_EQ(result.exit_code, 4) << result.out << result.err;
  EXPECT_THAT(result.out + result.err, HasSubstr("crash"));
}

TEST_F(PluginTest, HangIsTheResultOfItsReplayOnly) {
  const std::string path = Record();
  const CommandResult result =
      RunWith("hangs", {"verify", path, "--hang-timeout-seconds", "2"});

  EXPECT_EQ(result.exit_code, 4) << result.out << result.err;
  EXPECT_THAT(result.out + result.err, HasSubstr("hung"));
}

TEST_F(PluginTest, ConformancePassesWhatKeepsTheContract) {
  const CommandResult plugin = RunWith("catch", {"conform", kPack});
  EXPECT_EQ(plugin.exit_code, 0) << plugin.out << plugin.err;
  EXPECT_THAT(plugin.out, HasSubstr("checks hold over 300 ticks"));

  const CommandResult world =
      RunCommand({kReprise, "conform", "sim/packs/marble", "--ticks", "120"});
  EXPECT_EQ(world.exit_code, 0) << world.out << world.err;
}

TEST_F(PluginTest, ConformanceNamesCheckTickFieldAndCause) {
  const CommandResult result = RunWith("remembers", {"conform", kPack});

  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("twice        differs"),
                                HasSubstr("tick 1: orchard.game"),
                                HasSubstr("basket_x"), HasSubstr("usually: ")));
}

// The path is relative, and a check has changed folders before it is written.
TEST_F(PluginTest, ConformanceIsReportedToCi) {
  const std::string junit = "conform.xml";
  std::filesystem::remove(junit);
  const CommandResult result =
      RunWith("remembers", {"conform", kPack, "--junit", junit, "--sarif",
                            TemporaryPath("conform.sarif"), "--markdown",
                            TemporaryPath("conform.md"), "--github"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("::error file=docs/examples/plugin/orchard,"
                                    "title=twice hidden-state::tick 1"));
  EXPECT_THAT(
      ReadFileBytes(junit),
      AllOf(HasSubstr("<testsuite name=\"reprise conform\" tests=\"21\""),
            HasSubstr("classname=\"reprise.conform.orchard\" "
                      "name=\"twice\""),
            HasSubstr("<failure type=\"hidden-state\" message=\"tick 1: "),
            HasSubstr("basket_x"), HasSubstr("usually: "),
            HasSubstr("conform docs/examples/plugin/orchard --ticks 300")));
  EXPECT_THAT(ReadFileBytes(TemporaryPath("conform.sarif")),
              HasSubstr("\"ruleId\": \"hidden-state\""));
  EXPECT_THAT(ReadFileBytes(TemporaryPath("conform.md")),
              HasSubstr("| twice | orchard | hidden-state | tick 1: "));
}

TEST_F(PluginTest, WhatIsNoPluginIsSaid) {
  const CommandResult missing = RunWith("nowhere", {"version"});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.err, HasSubstr("libnowhere.so: there is no such file"));

  const CommandResult text = RunCommand(
      {kReprise, "--plugin", "docs/examples/plugin/catch.c", "help"});
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.err, HasSubstr("catch.c: "));

  const CommandResult nothing = RunCommand({kReprise, "help", "--plugin"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("--plugin takes a file"));

  const CommandResult twice =
      RunCommand({kReprise, "--plugin", Library("catch"), "--plugin",
                  Library("fails"), "help"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.err, HasSubstr("there is a simulation 'catch' already"));
}

}  // namespace
}  // namespace reprise::tests
