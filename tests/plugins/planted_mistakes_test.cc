// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that `reprise conform` finds the usual mistakes, each planted in a
// library of its own: by the check that shows it, the tick, the field and the
// kind; that the page it names has a heading of the kind; and that it finds
// nothing where nothing is planted.

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using Json = nlohmann::json;

constexpr char kReprise[] = "tools/reprise/reprise";
constexpr char kPack[] = "docs/examples/plugin/orchard";
constexpr char kPage[] = "docs/conforming.md";

Json Conform(const std::string& library, std::vector<std::string> words = {}) {
  words.insert(words.begin(), {kReprise, "conform", library, kPack});
  words.insert(words.end(), {"--format", "json"});
  const CommandResult result = RunCommand(words);
  const Json document =
      Json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(document.is_object()) << result.out << result.err;
  if (!document.is_object()) return Json::object();
  EXPECT_EQ(result.exit_code, document["passed"] == true ? 0 : 1);
  return document;
}

std::string Planted(const std::string& mistake) {
  return fmt::format("tests/plugins/lib{}.so", mistake);
}

// What was said of a check; null: it wasn't made.
Json Find(const Json& document, const std::string& check) {
  for (const Json& each : document["checks"]) {
    if (each["check"] == check) return each;
  }
  return Json();
}

struct PlantedMistake {
  std::string name;
  std::string check;
  std::string tick;        // a regular expression
  std::string difference;  // a part of it
  std::string kind;
};

class PlantedMistakeTest : public testing::TestWithParam<PlantedMistake> {
 protected:
  PlantedMistakeTest() {
    // What the mistakes go by.
    setenv("PLANTED_WIND", "1", /*overwrite=*/1);
    setenv("TZ", "UTC", 1);
    std::ofstream("planted_tuning.txt") << "7\n";
  }
};

TEST_P(PlantedMistakeTest, IsNamedByCheckTickFieldAndKind) {
  const PlantedMistake& mistake = GetParam();
  const Json document = Conform(Planted(mistake.name));

  const Json found = Find(document, mistake.check);
  ASSERT_TRUE(found.is_object()) << document.dump(2);
  if (found["tried"] == false) {
    GTEST_SKIP() << "this machine can't show it: " << found["reason"];
  }
  EXPECT_EQ(document["passed"], false);
  ASSERT_EQ(found["passed"], false) << document.dump(2);
  EXPECT_THAT(found["tick"].dump(), MatchesRegex(mistake.tick));
  EXPECT_THAT(found["difference"].get<std::string>(),
              HasSubstr(mistake.difference));
  EXPECT_EQ(found["kind"], mistake.kind) << document.dump(2);
  EXPECT_EQ(found["page"], fmt::format("{}#{}", kPage, mistake.kind));
  EXPECT_THAT(ReadFileBytes(kPage),
              HasSubstr(fmt::format("\n## {}\n", mistake.kind)));
  // Whatever else it breaks is no other mistake.
  for (const Json& each : document["checks"]) {
    if (!each.contains("kind")) continue;
    EXPECT_EQ(each["kind"], mistake.kind) << each.dump(2);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, PlantedMistakeTest,
    testing::Values(
        PlantedMistake{"address", "addresses", "11", "orchard.game 0 random",
                       "address"},
        PlantedMistake{"container_order", "addresses", "[0-9]+",
                       "orchard.game 0 basket_x", "container-order"},
        PlantedMistake{"clock", "twice", "21", "orchard.game 0 random",
                       "clock"},
        PlantedMistake{"seconds", "again", "1", "orchard.game 0 basket_x",
                       "clock"},
        PlantedMistake{"uninitialised", "memory", "1",
                       "orchard.game 0 basket_x", "uninitialised-memory"},
        PlantedMistake{"libm", "processor", "[0-9]+", "orchard.game 0 random",
                       "libm"},
        PlantedMistake{"language", "language", "1", "orchard.game 0 basket_x",
                       "language"},
        PlantedMistake{"time_zone", "time zone", "1", "orchard.game 0 basket_x",
                       "time-zone"},
        PlantedMistake{"folder", "folder", "1", "orchard.game 0 basket_x",
                       "folder"},
        PlantedMistake{"file", "enclosed", "30", "it opens 'planted_level.txt'",
                       "file"},
        PlantedMistake{"environment", "environment", "1",
                       "orchard.game 0 basket_x", "environment"},
        PlantedMistake{"thread_race", "enclosed", "0",
                       "it starts a thread or process", "thread"},
        PlantedMistake{"hidden_change", "unchanged", "[0-9]+",
                       "; it was said not to change", "hidden-change"},
        PlantedMistake{"hidden_state", "restored", "300",
                       "orchard.game 0 basket_x", "hidden-state"},
        PlantedMistake{"shared_state", "forked", "[0-9]+",
                       "orchard.game 0 basket_x", "shared-state"},
        PlantedMistake{"thread_variable", "threads", "1",
                       "orchard.game 0 basket_x", "thread-variable"},
        PlantedMistake{"drawing", "drawn", "[0-9]+", "orchard.game 0 random",
                       "looking"},
        PlantedMistake{"float_control", "runs", "40",
                       "it changed the control of floating point",
                       "float-control"},
        PlantedMistake{"padding", "restored", "[0-9]+",
                       "row 0 of table 'game' has bytes 28 to 31 that no "
                       "field describes",
                       "padding"}),
    [](const auto& instance) { return instance.param.name; });

TEST(PlantedMistakesTest, WhereNothingIsPlantedAllChecksHold) {
  for (const std::string& library :
       {Planted("nothing"), std::string("tests/command/libcatch.so")}) {
    const Json document = Conform(library);
    EXPECT_EQ(document["passed"], true) << document.dump(2);
    EXPECT_EQ(document["checks"].size(), 21U);
  }
}

// What a plug-in says of its changes is its own: a world says nothing.
TEST(PlantedMistakesTest, HiddenChangesAreNoQuestionToAWorld) {
  const CommandResult result = RunCommand(
      {kReprise, "conform", "pong", "--ticks", "4", "--format", "json"});
  const Json found = Find(Json::parse(result.out), "unchanged");
  EXPECT_EQ(found["tried"], false) << result.out << result.err;
  EXPECT_EQ(found["reason"], "only a plug-in says what a step didn't change");
}

// As every kind: a failure whose type is the kind, for CI.
TEST(PlantedMistakesTest, HiddenChangeIsAFailureOfItsTypeInJunit) {
  const std::string path = TemporaryPath("hidden_change.xml");
  const CommandResult result =
      RunCommand({kReprise, "conform", Planted("hidden_change"), kPack,
                  "--ticks", "20", "--junit", path});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const std::string report = ReadFileBytes(path);
  EXPECT_THAT(report, AllOf(HasSubstr("name=\"unchanged\""),
                            HasSubstr("type=\"hidden-change\""),
                            HasSubstr("conforming.md#hidden-change")));
}

TEST(PlantedMistakesTest, BuildsAreHeldAgainstEachOther) {
  const Json document =
      Conform("tests/command/libcatch.so",
              {"--build", Planted("nothing"), "--build",
               "tests/command/libotherwise.so", "--build", kReprise});

  EXPECT_EQ(Find(document, "build libnothing.so")["passed"], true);
  EXPECT_EQ(Find(document, "build reprise")["passed"], true)
      << document.dump(2);
  const Json other = Find(document, "build libotherwise.so");
  EXPECT_EQ(other["passed"], false);
  EXPECT_EQ(other["tick"], 51);
  EXPECT_THAT(other["difference"].get<std::string>(),
              HasSubstr("orchard.game 0 basket_x"));
  EXPECT_EQ(other["kind"], "build");
}

}  // namespace
}  // namespace reprise::tests
