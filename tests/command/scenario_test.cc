// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise test` tells what a scenario expected and what there was, names
// mistakes with file, line and field, and reproduces what it says: each case
// writes the tests of a copy of a pack that ships, and plays them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

class ScenarioTest : public testing::Test {
 protected:
  // A copy of the pack "pong" with these tests.
  static std::string PackWith(const std::string& name,
                              const std::string& scenarios) {
    const fs::path folder = TemporaryPath(name);
    fs::remove_all(folder);
    fs::copy("sim/packs/pong", folder, fs::copy_options::recursive);
    fs::remove_all(folder / "tests");
    if (!scenarios.empty()) {
      fs::create_directories(folder / "tests");
      WriteFileBytes((folder / "tests" / "play.txtpb").string(), scenarios);
    }
    return folder.string();
  }

  static CommandResult Test(const std::string& pack,
                            const std::vector<std::string>& flags = {}) {
    std::vector<std::string> words = {"tools/reprise/reprise", "test", pack};
    words.insert(words.end(), flags.begin(), flags.end());
    return RunCommand(words);
  }

  // The mistake in `scenarios` is refused, and told so.
  static void ExpectRefused(const std::string& scenarios,
                            const std::string& told) {
    const CommandResult result = Test(PackWith("refused", scenarios));
    EXPECT_EQ(result.exit_code, 2) << scenarios;
    EXPECT_NE(result.out.find(told), std::string::npos)
        << result.out << result.err;
  }
};

TEST_F(ScenarioTest, AFailureSaysTickExpressionAndValues) {
  const std::string pack = PackWith("failing",
                                    "scenarios { name: \"short\" ticks: 30 "
                                    "expect { always: \"tick < 5\" } }");
  const CommandResult result = Test(pack);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.out.find("FAILED  pong/short\n"), std::string::npos);
  EXPECT_NE(result.out.find("tests/play.txtpb:1:46: expected always tick < 5; "
                            "tick 5, running"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("reproduce: reprise test " + pack +
                            " --filter pong/short"),
            std::string::npos)
      << result.out;
}

TEST_F(ScenarioTest, EachKindOfExpectationCanFail) {
  const std::string pack = PackWith("kinds", R"(
scenarios { name: "that" ticks: 9 expect { that: "tick == 3" at: 4 } }
scenarios { name: "ever" ticks: 9 expect { eventually: "tick > 5" to: 5 } }
scenarios { name: "event" ticks: 9 expect { event: "point" } }
scenarios { name: "outcome" ticks: 9 outcome: "won" }
scenarios { name: "no_event" ticks: 300 objects { name: "court" set { property: "score.left" to: "20" } }
  objects { name: "right" position { x: 9 z: 4 } }
  objects { name: "ball" position { x: 6 } set { property: "ball.velocity" to: "8 0 0" } }
  expect { no_event: "left_leads" } }
scenarios { name: "right" ticks: 9 expect { that: "tick == 4" at: 4 } expect { eventually: "tick > 5" }
  expect { no_event: "point" } outcome: "running" }
)");
  const CommandResult result = Test(pack);
  EXPECT_EQ(result.exit_code, 1);
  for (const char* const name :
       {"that", "ever", "event", "outcome", "no_event"}) {
    EXPECT_NE(result.out.find(std::string("FAILED  pong/") + name),
              std::string::npos)
        << result.out;
  }
  EXPECT_NE(result.out.find("passed  pong/right"), std::string::npos);
  EXPECT_NE(result.out.find("6 scenarios, 5 failed"), std::string::npos);
  EXPECT_EQ(Test(pack).out, result.out) << "two runs differ";
  EXPECT_EQ(Test(pack, {"--filter", "rig*"}).exit_code, 0);
  EXPECT_EQ(Test(pack, {"--filter", "nobody"}).exit_code, 1);
}

TEST_F(ScenarioTest, MistakesAreToldWithTheirPlace) {
  const std::string end = " expect { that: \"tick == 1\" at: 1 } }\n";
  const std::string start = "scenarios { name: \"a\" ticks: 9";
  ExpectRefused(start + " inputs { axis: \"mvoe\" }" + end,
                "play.txtpb:1:41: scenario 'a', inputs[0].axis: there is no "
                "action 'mvoe'; did you mean 'move'?");
  ExpectRefused(start + " inputs { hold: \"move\" }" + end,
                "inputs[0].hold: move is no button or key");
  ExpectRefused(start + " inputs { player: 7 axis: \"move\" }" + end,
                "inputs[0].player: there is no player 7");
  ExpectRefused(start + " inputs { tick: 9 axis: \"move\" }" + end,
                "inputs[0].tick: tick 9 is beyond the last one that is played, "
                "tick 8");
  ExpectRefused(
      start +
          " inputs { axis: \"move\" ticks: 5 } inputs { tick: 3 axis: "
          "\"move\" ticks: 2 }" +
          end,
      "inputs[0] still holds move at tick 3");
  ExpectRefused(start + " objects { name: \"bal\" }" + end,
                "did you mean 'ball'?");
  ExpectRefused(start + " bots { name: \"kene\" }" + end, "scenario 'a', bots");
  ExpectRefused(start + " expect { that: \"court.score.lfet > 0\" } }",
                "scenario 'a', expect[0].that");
  ExpectRefused(start + " expect { that: \"tick == 1\" at: 10 } }",
                "expect[0].at: tick 10 is beyond the end, tick 9");
  ExpectRefused(start + " expect { event: \"piont\" } }",
                "there is no event 'piont'; did you mean 'point'?");
  ExpectRefused(start + " outcome: \"wno\" }", "did you mean 'won'?");
  ExpectRefused(start + end + start + end, "play.txtpb:2:13: scenario 'a'");
  ExpectRefused(start + " }", "expects nothing");
  ExpectRefused("scenarios { name: \"a\"" + end, "how many ticks");
  ExpectRefused(start + " sede: 4" + end,
                "Scenario has no field 'sede'; did you mean 'seed'? There are "
                "name");
}

TEST_F(ScenarioTest, AFailureIsRecordedAndVerifies) {
  const std::string pack = PackWith("recorded", R"(
scenarios { name: "moved" ticks: 60 seed: 5 all_bots: true
  objects { name: "ball" position { x: 3 } }
  expect { that: "tick == 0" } }
)");
  const std::string folder = TemporaryPath("failures");
  fs::remove_all(folder);
  EXPECT_EQ(Test(pack, {"--record", folder}).exit_code, 1);
  const std::string replay = folder + "/pong_moved.mcap";
  const CommandResult verified =
      RunCommand({"tools/reprise/reprise", "verify", replay});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  // It is the run with the ball where the scenario puts it.
  const CommandResult asked =
      RunCommand({"tools/reprise/reprise", "run", "--inputs", replay,
                  "--expect", "tick == 60"});
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
}

TEST_F(ScenarioTest, AFailureIsShownAndReportsSayWhere) {
  const std::string pack = PackWith("shown", R"(
scenarios { name: "good" ticks: 9 outcome: "running" }
scenarios { name: "bad" ticks: 400 expect { always: "tick < 300" } }
)");
  const std::string folder = TemporaryPath("shown_failures");
  const std::string junit = TemporaryPath("shown.xml");
  fs::remove_all(folder);
  const CommandResult result = Test(pack, {"--view", folder, "--junit", junit});
  EXPECT_EQ(result.exit_code, 1);
  const std::string page = folder + "/pong_bad.html";
  EXPECT_THAT(result.out, HasSubstr("shown in " + page + "#t=300\n"));
  EXPECT_THAT(ReadFileBytes(junit), HasSubstr("shown in " + page + "#t=300"));
  EXPECT_FALSE(fs::exists(folder + "/pong_good.html"));
  // Two seconds on both sides.
  const std::string html = ReadFileBytes(page);
  EXPECT_THAT(html, HasSubstr("\"first_tick\":180"));
  EXPECT_THAT(html, HasSubstr("\"last_tick\":400"));
  EXPECT_TRUE(fs::exists(folder + "/pong_bad.mcap"));

  const CommandResult unwritten = Test(pack, {"--view", "/proc/none"});
  EXPECT_NE(unwritten.exit_code, 0);
}

TEST_F(ScenarioTest, JunitNamesWhatFailed) {
  const std::string pack = PackWith("junit", R"(
scenarios { name: "good" ticks: 9 outcome: "running" }
scenarios { name: "bad" ticks: 9 expect { that: "tick < 3" } }
)");
  const std::string file = TemporaryPath("junit.xml");
  EXPECT_EQ(Test(pack, {"--junit", file}).exit_code, 1);
  const std::string xml = ReadFileBytes(file);
  EXPECT_NE(xml.find("tests=\"2\" failures=\"1\" errors=\"0\""),
            std::string::npos);
  EXPECT_NE(xml.find("classname=\"reprise.test.pong\" name=\"bad\""),
            std::string::npos);
  EXPECT_NE(xml.find("<failure type=\"expectation\" message=\"expected that "
                     "tick &lt; 3\">"),
            std::string::npos)
      << xml;
}

TEST_F(ScenarioTest, CodeHostsAreToldThePlace) {
  const std::string pack =
      PackWith("hosts",
               "scenarios { name: \"bad\" ticks: 9 expect { that: \"tick < 3\" "
               "} }");
  const std::string sarif = TemporaryPath("hosts.sarif");
  const std::string markdown = TemporaryPath("hosts.md");
  const CommandResult result =
      Test(pack, {"--sarif", sarif, "--markdown", markdown, "--github"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.out.find("::error file=" + pack +
                            "/tests/play.txtpb,line=1,col=43,title=bad "
                            "expectation::"),
            std::string::npos)
      << result.out;
  EXPECT_NE(ReadFileBytes(sarif).find("\"startLine\": 1"), std::string::npos);
  EXPECT_NE(ReadFileBytes(markdown).find("0 of 1 scenarios passed"),
            std::string::npos);
  // A place that can't be written is told before anything is played.
  const CommandResult refused = Test(pack, {"--sarif", "no/such/folder/x"});
  EXPECT_EQ(refused.exit_code, 5);
  EXPECT_EQ(refused.out, "");
}

TEST_F(ScenarioTest, TestsAreNoPartOfThePack) {
  const std::string with = PackWith("with", "scenarios { }");
  const std::string without = PackWith("without", "");
  const auto run = [](const std::string& pack) {
    return RunCommand({"tools/reprise/reprise", "run", pack, "--ticks", "2"});
  };
  EXPECT_EQ(run(with).out, run(without).out);
}

TEST_F(ScenarioTest, APackWithoutScenariosIsNotPassed) {
  const CommandResult result = Test(PackWith("none", ""));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("nothing was checked"), std::string::npos);
  EXPECT_EQ(Test(TemporaryPath("nowhere")).exit_code, 3);
}

}  // namespace
}  // namespace reprise::tests
