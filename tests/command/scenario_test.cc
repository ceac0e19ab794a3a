// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what people get of `reprise test`: what holds passes and what doesn't
// fails, at the tick at which it shows; a failure's replay verifies by itself;
// mistakes in scenarios are told by file, line and field; the folder of tests
// is no part of a pack.

#include <filesystem>
#include <fstream>
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

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Json = nlohmann::json;

// A counter that goes up at each press.
constexpr char kPack[] = R"(name: "turnstile"
players {
  count: 2
  actions { name: "push" button: 0 }
  actions { name: "lean" axis: 0 }
}
events { name: "pushed" }
controls {
  controls { name: "push" pressed_event: "pushed" }
  contexts { name: "hands" bindings { name: "push" control: "push" button { action: "push" } } }
}
components { name: "count" properties { name: "people" type: TYPE_INTEGER } }
types { name: "gate" components { component: "count" } interests { event: "pushed" } }
types { name: "ball" body { shapes { sphere { radius: 0.5 } } } }
objects { name: "gate" type: "gate" set { property: "count.people" to: "10" } }
objects { name: "ball" type: "ball" position { y: 100 } }
connections { name: "push" event: "pushed" then { add { object: "gate" property: "count.people" amount: "1" } } }
)";

void Write(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << text;
}

// The pack with one scenario of 60 ticks, which says `words`.
std::string PackWith(const std::string& words) {
  const std::string folder = TemporaryPath("turnstile");
  fs::remove_all(folder);
  Write(folder + "/pack.txtpb", kPack);
  Write(folder + "/tests/gate.txtpb",
        "scenarios {\n  name: \"one\"\n  ticks: 60\n" + words + "\n}\n");
  return folder;
}

// Its failures, as JSON tells them.
Json FailuresOf(const std::string& words) {
  const CommandResult test =
      Reprise({"test", PackWith(words), "--format", "json"});
  EXPECT_LE(test.exit_code, 1) << test.err;
  const Json json = Json::parse(test.out);
  EXPECT_EQ(json["failed"], test.exit_code);
  return json["scenarios"][0]["failures"];
}

std::string MistakeOf(const std::string& words) {
  const CommandResult test = Reprise({"test", PackWith(words)});
  EXPECT_EQ(test.exit_code, 2) << test.out << test.err;
  return test.err;
}

TEST(ScenarioTest, PressesAreCounted) {
  const std::string inputs =
      "inputs { at: 10 action: \"push\" ticks: 3 }"
      "inputs { at: 20 player: 1 action: \"push\" ticks: 3 }";
  EXPECT_EQ(FailuresOf(inputs + R"(
      expect { that: "gate.count.people == 10" always: true to: 10 }
      expect { that: "gate.count.people == 11" at: 15 }
      expect { that: "gate.count.people == 12" }
      expect { that: "gate.count.people == 11" sometimes: true from: 15 to: 15 }
      expect { that: "gate.count.people > 12" never: true }
      expect { event: "pushed" count: 2 }
      expect { event: "pushed" count: 1 to: 15 }
      expect { event: "pushed" never: true from: 30 })"),
            Json::array());
}

TEST(ScenarioTest, FallIsThatOfThePhysics) {
  // Ten metres a second squared, sixty ticks of semi-implicit Euler:
  // g dt^2 n (n + 1) / 2 = 9.81 / 3600 * 1830 = 4.98675 m.
  EXPECT_EQ(FailuresOf(R"(expect {
      that: "ball.bodies.position.y > 95.0 and ball.bodies.position.y < 95.1" })"),
            Json::array());
}

TEST(ScenarioTest, WhatDoesNotHoldSaysWhenAndWhatItCameTo) {
  const auto failure = [](const std::string& expectation) {
    const Json failures =
        FailuresOf("inputs { at: 30 action: \"push\" ticks: 1 }\nexpect { " +
                   expectation + " }");
    EXPECT_EQ(failures.size(), 1) << expectation;
    return std::pair(failures[0]["tick"].get<uint64_t>(),
                     failures[0]["found"].get<std::string>());
  };
  EXPECT_EQ(failure("that: \"gate.count.people == 10\""),
            std::pair(uint64_t{60},
                      std::string("tick 60, running; gate.count.people = 11")));
  EXPECT_EQ(failure("that: \"gate.count.people == 10\" always: true").first,
            failure("that: \"gate.count.people == 11\" never: true").first);
  EXPECT_EQ(failure("that: \"gate.count.people == 12\" sometimes: true"),
            std::pair(uint64_t{60},
                      std::string("tick 60, running; gate.count.people = 11")));
  EXPECT_EQ(failure("that: \"gate.count.people == 11\" at: 5").first, 5);
  EXPECT_EQ(failure("event: \"pushed\" count: 2"),
            std::pair(uint64_t{60}, std::string("it came 1 times")));
  EXPECT_EQ(failure("event: \"pushed\" to: 20"),
            std::pair(uint64_t{20}, std::string("it came 0 times")));
  EXPECT_EQ(failure("event: \"pushed\" never: true").second, "it came");
}

TEST(ScenarioTest, StartIsWhatTheScenarioSaysOfIt) {
  EXPECT_EQ(FailuresOf(R"(
      objects { name: "gate" set { property: "count.people" to: "-4" } }
      objects { name: "ball" position { x: 3 } linear_velocity { x: 60 } }
      objects { name: "other" type: "gate" set { property: "count.people" to: "7" } }
      expect { that: "gate.count.people == -4" }
      expect { that: "other.count.people == 7" }
      expect { that: "ball.bodies.position.y == 0" at: 0 }
      expect { that: "ball.bodies.position.x > 3.9 and ball.bodies.position.x < 4.1" at: 1 })"),
            Json::array());
}

TEST(ScenarioTest, FailureIsAReplayThatStandsAlone) {
  const std::string pack = PackWith(R"(
      objects { name: "gate" set { property: "count.people" to: "50" } }
      inputs { at: 3 action: "push" ticks: 1 }
      expect { that: "gate.count.people == 50" })");
  const std::string folder = TemporaryPath("failures");
  const std::string junit = TemporaryPath("junit.xml");
  const CommandResult test =
      Reprise({"test", pack, "--record", folder, "--junit", junit});
  EXPECT_EQ(test.exit_code, 1) << test.err;
  EXPECT_THAT(
      test.out,
      AllOf(HasSubstr("FAILED  turnstile/one, 60 ticks"),
            HasSubstr("at the end: gate.count.people == 50; tick 60, "
                      "running; gate.count.people = 51 ("),
            HasSubstr("tests/gate.txtpb:6:"), HasSubstr("0 passed, 1 failed")));
  EXPECT_THAT(ReadFileBytes(junit),
              AllOf(HasSubstr("classname=\"turnstile\" name=\"one\""),
                    HasSubstr("failures=\"1\"")));
  const std::string replay = folder + "/turnstile-one.mcap";
  EXPECT_EQ(Reprise({"verify", replay}).exit_code, 0);
  const CommandResult query =
      Reprise({"query", replay, "gate.count.people == 51"});
  EXPECT_EQ(query.exit_code, 0) << query.out << query.err;

  // The line that does it again.
  const size_t begin = test.out.find("reproduce: reprise ") + 19;
  const std::string line =
      test.out.substr(begin, test.out.find('\n', begin) - begin);
  EXPECT_EQ(line, "test " + pack + " --filter turnstile/one");
  EXPECT_EQ(Reprise({"test", pack, "--filter", "turnstile/one"}).exit_code, 1);
}

TEST(ScenarioTest, BotsPlay) {
  EXPECT_EQ(FailuresOf(R"(bots { player: 1 name: "random" }
      expect { event: "pushed" })"),
            Json::array());
  EXPECT_THAT(MistakeOf(R"(bots { player: 1 name: "random" }
inputs { at: 1 player: 1 action: "push" }
expect { event: "pushed" })"),
              HasSubstr("inputs[0].player: a bot plays this one"));
}

TEST(ScenarioTest, RecordingIsPlayed) {
  const std::string pack = PackWith(R"(recording: "push.txtpb"
      expect { event: "pushed" count: 1 }
      expect { that: "gate.count.people == 11" })");
  // What isn't a scenario stands elsewhere.
  fs::create_directories(pack + "/tests/tracks");
  Write(pack + "/tests/tracks/push.txtpb",
        "tick_count: 20\nticks { tick: 4 frames { device { buttons: 1 } } }\n"
        "ticks { tick: 8 frames { } }\n");
  const std::string scenario = ReadFileBytes(pack + "/tests/gate.txtpb");
  std::string moved = scenario;
  moved.replace(moved.find("push.txtpb"), 10, "tracks/push.txtpb");
  Write(pack + "/tests/gate.txtpb", moved);
  const CommandResult test = Reprise({"test", pack});
  EXPECT_EQ(test.exit_code, 0) << test.out << test.err;
}

TEST(ScenarioTest, MistakesHaveFileLineAndField) {
  EXPECT_THAT(MistakeOf("inputs { at: 1 action: \"puhs\" }\n"
                        "expect { event: \"pushed\" }"),
              AllOf(HasSubstr("tests/gate.txtpb:4:"),
                    HasSubstr("scenarios[0].inputs[0].action: there is no "
                              "action 'puhs'; did you mean 'push'?")));
  EXPECT_THAT(MistakeOf("expect { that: \"gate.count.peple == 1\" }"),
              AllOf(HasSubstr("scenarios[0].expect[0].that: "),
                    HasSubstr("did you mean 'people'?")));
  EXPECT_THAT(MistakeOf("expect { event: \"pusht\" }"),
              HasSubstr("expect[0].event: there is no event 'pusht'; did you "
                        "mean 'pushed'?"));
  EXPECT_THAT(MistakeOf("expect { that: \"tick > 1\" at: 61 }"),
              HasSubstr("expect[0].at: 61: the scenario ends after 60 ticks"));
  EXPECT_THAT(MistakeOf("expect { that: \"tick > 1\" always: true at: 3 }"),
              HasSubstr("exclude each other"));
  EXPECT_THAT(MistakeOf("expect { that: \"tick > 1\" from: 3 }"),
              HasSubstr("goes with sometimes, always or never"));
  EXPECT_THAT(MistakeOf("expect { that: \"tick > 1\" event: \"pushed\" }"),
              HasSubstr("either this or an event"));
  EXPECT_THAT(MistakeOf("expect { that: \"tick > 1\" count: 3 }"),
              HasSubstr("count: of events alone"));
  EXPECT_THAT(MistakeOf(""), HasSubstr("expect: 0 are not in 1..1000"));
  EXPECT_THAT(MistakeOf("inputs { at: 60 action: \"push\" }"),
              HasSubstr("inputs[0].at: 60: the scenario ends after 60 ticks"));
  EXPECT_THAT(MistakeOf("inputs { at: 1 player: 2 action: \"push\" }"),
              HasSubstr("inputs[0].player: the pack has 2 players"));
  EXPECT_THAT(MistakeOf("inputs { at: 1 action: \"lean\" to: \"40000\" }"),
              HasSubstr("inputs[0].to: "));
  EXPECT_THAT(MistakeOf("objects { name: \"gate\" set { property: "
                        "\"count.peple\" to: \"1\" } }\n"
                        "expect { that: \"tick > 1\" }"),
              AllOf(HasSubstr("scenarios[0].objects: objects["),
                    HasSubstr("'people'")));
  EXPECT_THAT(MistakeOf("objects { name: \"new\" }"),
              HasSubstr("scenarios[0].objects: objects["));
  EXPECT_THAT(MistakeOf("recording: \"none.txtpb\"\nexpect { event: "
                        "\"pushed\" }"),
              HasSubstr("scenarios[0].recording: "));
  EXPECT_THAT(MistakeOf("bots { player: 0 name: \"nobody\" }\nexpect { event: "
                        "\"pushed\" }"),
              HasSubstr("scenarios[0].bots: "));
  EXPECT_THAT(MistakeOf("expct { }"), HasSubstr("did you mean 'expect'?"));
  EXPECT_THAT(MistakeOf("}\nscenarios { name: \"one\" ticks: 1 expect { event: "
                        "\"pushed\" }"),
              HasSubstr("scenarios[1].name: 'one' stands there twice"));
}

TEST(ScenarioTest, TestsAreNoPartOfAPack) {
  const auto digest = [](const std::string& pack) {
    const CommandResult check =
        Reprise({"pack", "check", pack, "--format", "json"});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    return Json::parse(check.out)["packs"][0]["digest"].get<std::string>();
  };
  const std::string pack = PackWith("expect { event: \"pushed\" }");
  const std::string with_tests = digest(pack);
  fs::remove_all(pack + "/tests");
  EXPECT_EQ(digest(pack), with_tests);
  const CommandResult test = Reprise({"test", pack});
  EXPECT_EQ(test.exit_code, 3) << test.err;
  EXPECT_THAT(test.err, HasSubstr("no scenario is there"));
}

TEST(ScenarioTest, FolderOfPacksRunsThoseWithTests) {
  const CommandResult test = Reprise({"test", "sim/packs", "--format", "json"});
  EXPECT_EQ(test.exit_code, 0) << test.out << test.err;
  EXPECT_GT(Json::parse(test.out)["passed"], 5);
  const CommandResult nothing =
      Reprise({"test", "sim/packs", "--filter", "no such thing"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("leaves no scenario"));
}

}  // namespace
}  // namespace reprise::tests
