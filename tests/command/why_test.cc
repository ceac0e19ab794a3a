// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that `reprise inspect` and `reprise query` say why an object does what
// it does: the points of its path, the node and state that it is in, the scores
// of its options, and the steps of its plan, as they are known on paper.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using Json = nlohmann::json;
using ::testing::ElementsAre;

// One who walks round a wall, one who weighs, one who plans and one who is
// ordered about.
constexpr char kPack[] = R"(
name: "why"
navigation { grids { name: "yard" rows: "....." rows: ".###." rows: "....." } }
components { name: "need" properties { name: "hunger" type: TYPE_NUMBER default { number: 50 } } properties { name: "oil" type: TYPE_BOOLEAN } properties { name: "light" type: TYPE_BOOLEAN } }
types { name: "walker" navigator { space: "yard" speed: 1 } }
types { name: "hermit" brain: "hermit" components { component: "need" } }
types { name: "keeper" brain: "keeper" components { component: "need" } }
types { name: "captain" objects_max: 1 commander { units: "walker" tasks { name: "hold" considerations { of: "1" maximum: 4 } } } }
brains {
  name: "hermit"
  root { choose {
    options { node { name: "eat" wait { seconds: 9 } } considerations { of: "self.need.hunger" maximum: 100 } }
    options { node { name: "rest" wait { seconds: 9 } } considerations { of: "25" maximum: 100 } }
  } }
}
brains {
  name: "keeper"
  symbols { name: "oil" if: "self.need.oil" }
  symbols { name: "light" if: "self.need.light" }
  root { plan {
    goals { name: "see" wants: "light" }
    actions { node { name: "strike" wait { seconds: 9 } } needs: "oil" gives: "light" }
    actions { node { name: "fetch" wait { seconds: 9 } } gives: "oil" }
  } }
}
objects { name: "captain" type: "captain" }
objects {
  name: "anna" type: "walker" position { x: 2.5 z: 0.5 }
  set { property: "navigator.goal" to: "2.5 0 2.5" } set { property: "navigator.is_active" to: "1" }
}
objects { name: "bert" type: "walker" position { x: 0.5 z: 0.5 }
  set { property: "navigator.goal" to: "0.5 0 2.5" } set { property: "navigator.is_active" to: "1" }
}
objects { name: "hermit" type: "hermit" }
objects { name: "keeper" type: "keeper" }
)";

CommandResult Reprise(std::vector<std::string> words) {
  words.insert(words.begin(), "tools/reprise/reprise");
  return RunCommand(words);
}

class WhyTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string pack = TemporaryPath("why");
    RunCommand({"mkdir", "-p", pack});
    WriteFileBytes(pack + "/pack.txtpb", kPack);
    path_ = TemporaryPath("why.mcap");
    const CommandResult run =
        Reprise({"run", pack, "--ticks", "10", "--record", path_});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }

  // The rows of a table that inspect shows of an object.
  Json RowsOf(const std::string& object, const std::string& table) const {
    const CommandResult shown =
        Reprise({"inspect", path_, object, "--format", "json"});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    const Json state = Json::parse(shown.out);
    for (const Json& room : state["rooms"]) {
      for (const Json& each : room["tables"]) {
        if (each["table"] == table) return each["rows"];
      }
    }
    return Json::array();
  }

  // Whether it was so at some tick.
  bool Holds(const std::string& question) const {
    const CommandResult asked = Reprise({"query", path_, question, "--first"});
    return asked.exit_code == 0 && asked.out.starts_with("tick ");
  }

  std::string path_;
};

TEST_F(WhyTest, PathsAreShownPointByPoint) {
  const Json points = RowsOf("anna", "path_points");
  // Round the wall by the left: three cells there, two down, two back.
  std::vector<std::string> places;
  for (const Json& point : points) {
    const Json& at = point["fields"]["position"];
    places.push_back(at["x"].dump() + " " + at["z"].dump());
  }
  EXPECT_THAT(places, ElementsAre("2.5 0.5", "1.5 0.5", "0.5 0.5", "0.5 1.5",
                                  "0.5 2.5", "1.5 2.5", "2.5 2.5"));
  // Those of another one are of that one.
  EXPECT_EQ(RowsOf("bert", "path_points").size(), 3u);
  EXPECT_TRUE(RowsOf("keeper", "path_points").empty());
  // The fourth point is one that Bert's path doesn't have; both have three in
  // the first column.
  EXPECT_TRUE(
      Holds("path_points.index == 3 and path_points.position.x == 0.5 and "
            "path_points.position.z == 1.5"));
  EXPECT_TRUE(Holds("count(path_points.position.x == 0.5) == 6"));
  EXPECT_FALSE(Holds("path_points.position.x > 2.5"));
  const CommandResult text = Reprise({"inspect", path_, "anna"});
  EXPECT_NE(text.out.find("position: 0.5 0 1.5 m"), std::string::npos)
      << text.out;
}

TEST_F(WhyTest, ScoresOfOptionsAreShown) {
  std::vector<double> scores;
  for (const Json& node : RowsOf("hermit", "brain_nodes")) {
    scores.push_back(node["fields"]["score"].get<double>());
  }
  EXPECT_THAT(scores, ElementsAre(0.0, 0.5, 0.25));
  EXPECT_TRUE(Holds("hermit.brain.node == 'eat'"));
  EXPECT_TRUE(
      Holds("brain_nodes.object == 'hermit' and brain_nodes.name == 'eat' and "
            "brain_nodes.score == 0.5"));
  EXPECT_TRUE(
      Holds("brain_nodes.name == 'rest' and brain_nodes.score == 0.25"));
  EXPECT_FALSE(
      Holds("brain_nodes.name == 'rest' and brain_nodes.score == 0.5"));
}

TEST_F(WhyTest, PlansAreShownStepByStep) {
  std::vector<std::string> actions;
  for (const Json& step : RowsOf("keeper", "plan_steps")) {
    if (step["fields"]["step"] != "0") {
      actions.push_back(step["fields"]["action"].get<std::string>());
    }
  }
  EXPECT_THAT(actions, ElementsAre("fetch", "strike"));
  EXPECT_TRUE(
      Holds("plan_steps.object == 'keeper' and plan_steps.number == 0 and "
            "plan_steps.action == 'fetch'"));
  EXPECT_TRUE(
      Holds("plan_steps.object == 'keeper' and plan_steps.number == 1 and "
            "plan_steps.action == 'strike'"));
  EXPECT_FALSE(
      Holds("plan_steps.number == 0 and plan_steps.action == 'strike'"));
  EXPECT_TRUE(Holds("keeper.brain.goal == 'see'"));
  EXPECT_TRUE(Holds("keeper.brain.node == 'fetch'"));
}

TEST_F(WhyTest, WhySomebodyIsOrderedIsShown) {
  const Json scores = RowsOf("anna", "scores");
  ASSERT_EQ(scores.size(), 1u);
  EXPECT_EQ(scores[0]["fields"]["unit"], "anna");
  EXPECT_TRUE(Holds("anna.orders.task == 'hold'"));
}

}  // namespace
}  // namespace reprise::tests
