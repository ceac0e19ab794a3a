// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that objects are in the states that their scripts say: who handles
// what, when they change, what steps do and how long they take, that a world
// goes on from the middle of any step, and that what can be known of a mistake
// when a pack is loaded is told with its line. What is expected is worked out
// by hand from the rules in docs/scripts.md.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/geometry/vector3.h"
#include "sim/state/state.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kTypes = R"(
components {
  name: "log"
  properties { name: "text" type: TYPE_TEXT }
  properties { name: "goal" type: TYPE_VECTOR3 }
}
events { name: "poke" arguments { name: "timer" type: TYPE_NAME } }
events { name: "ring" arguments { name: "timer" type: TYPE_NAME } }
types {
  name: "scripted"
  components { component: "marker" }
  components { component: "log" }
  behaviours { file: "main.lua" }
  timers { name: "poke" event: "poke" delay_s: 0.08334 }
}
types {
  name: "watcher"
  components { component: "log" }
  behaviours { file: "watcher.lua" }
}
objects { name: "one" type: "scripted" position { x: 1 } }
objects { name: "zwei" type: "watcher" }
)";

// Writes a letter of what happens into the object's text.
constexpr std::string_view kNote = R"(
local function note(text)
  own.set("log.text", own.get("log.text") .. text)
end
local function notes(text) return function() note(text) end end
)";

PackArchive PackWith(std::string_view script, std::string_view more = "") {
  PackArchive pack = PackOf(Manifest({kMarker, kTypes, more}));
  EXPECT_TRUE(
      pack.Add("main.lua", std::string(kNote) + std::string(script)).ok());
  EXPECT_TRUE(pack.Add("watcher.lua", R"(return {
    reads_others = true,
    update = function()
      own.set("log.text", other.get(world.find("one"), "script.state") or "?")
    end })")
                  .ok());
  return pack;
}

std::unique_ptr<Simulation> WorldWith(std::string_view script,
                                      std::string_view more = "") {
  auto world = CreateWorld(PackWith(script, more), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *std::move(world) : nullptr;
}

std::string TextOf(const Simulation& world, std::string_view object = "one") {
  const auto value = ValueOf(world, "components", "log", object, "text");
  return value.has_value() ? world.IdName(Id{value->bits}) : "no value";
}

std::string StateOf(const Simulation& world) {
  const auto value = ValueOf(world, "components", "script", "one", "state");
  return value.has_value() ? world.IdName(Id{value->bits}) : "no value";
}

double PositionX(const Simulation& world) {
  const auto value = ValueOf(world, "world", "places", "one", "position.x");
  EXPECT_TRUE(value.has_value());
  return value.has_value() ? value->AsNumber() : -1.0;
}

// The line and message of the only mistake of a run.
std::string MistakeOf(Simulation& world) {
  std::vector<Event> events = EventsOf(world, "script_failed");
  // The watcher has nobody with states to look at in some.
  std::erase_if(events, [&](const Event& event) {
    return world.ObjectName(event.object) == "zwei";
  });
  EXPECT_EQ(events.size(), 1u);
  std::string line;
  std::string message;
  for (const Event& event : events) {
    for (const EventArgument& argument : event.arguments) {
      if (argument.name == IdOf("line")) {
        line = fmt::format("{}", argument.value.bits);
      }
      if (argument.name == IdOf("message")) {
        message = world.IdName(Id{argument.value.bits});
      }
    }
  }
  return line + ": " + message;
}

std::vector<std::string> ReportOf(const PackArchive& pack, bool warnings) {
  PackReport report;
  CompilePack(pack, 1, report);
  std::vector<std::string> lines;
  for (const PackProblem& problem :
       warnings ? report.warnings() : report.problems()) {
    lines.push_back(FormatProblem(problem));
  }
  return lines;
}

TEST(ScriptStatesWorldTest, TransitionsComeBehindTheHandler) {
  // s: spawn; then the initial state's enter. u: update, whose go_to comes
  // first and whose note comes before exit and enter.
  const auto world = WorldWith(R"(
return {
  spawn = notes("s"),
  initial = "a",
  states = {
    a = {
      enter = notes("A"), exit = notes("x"),
      update = function() state.go_to("b") note(state.name()) end,
    },
    b = { enter = notes("B"), update = notes("u") },
  },
})");
  ASSERT_NE(world, nullptr);
  EXPECT_EQ(TextOf(*world), "sA");
  StepTimes(*world, 1);
  EXPECT_EQ(TextOf(*world), "sAaxB");
  EXPECT_EQ(StateOf(*world), "b");
  StepTimes(*world, 2);
  EXPECT_EQ(TextOf(*world), "sAaxBuu");
  // As of when the update of all began.
  EXPECT_EQ(TextOf(*world, "zwei"), "b");
}

TEST(ScriptStatesWorldTest, HandlersThatAStateLacksAreTheFiles) {
  // The timer pokes after five ticks: a has no handler, so the file's comes; b
  // has one; c ignores it; d has one that leaves it to others.
  for (const auto& [initial, text] :
       {std::pair("a", "uuuuufuuu"), std::pair("b", "uuuuubuuu"),
        std::pair("c", "uuuuuuuu"), std::pair("d", "vvvvvdvvv")}) {
    const auto world = WorldWith(fmt::format(
        R"(
return {{
  initial = "{}",
  update = notes("u"),
  on = {{ poke = notes("f") }},
  states = {{
    a = {{}},
    b = {{ on = {{ poke = notes("b") }} }},
    c = {{ on = {{ poke = false }} }},
    d = {{ update = notes("v"), on = {{ poke = function() note("d") return false end }} }},
  }},
}})",
        initial));
    ASSERT_NE(world, nullptr);
    StepTimes(*world, 8);
    EXPECT_EQ(TextOf(*world), text) << initial;
  }
}

TEST(ScriptStatesWorldTest, EnterMayGoOnAndTheOwnStateIsEnteredAgain) {
  const auto world = WorldWith(R"(
return {
  initial = "a",
  states = {
    a = { enter = function() note("a") state.go_to("b") end, exit = notes("x") },
    b = {
      enter = notes("b"),
      update = function() if state.ticks() == 2 then state.go_to("b") end end,
      exit = notes("y"),
    },
  },
})");
  ASSERT_NE(world, nullptr);
  EXPECT_EQ(TextOf(*world), "axb");
  StepTimes(*world, 3);
  EXPECT_EQ(TextOf(*world), "axbyb");
}

TEST(ScriptStatesWorldTest, ThePackMaySayInWhichState) {
  // The object is set to b; the connection sends it to a, which the next call
  // enters in order.
  const auto world = WorldWith(R"(
return {
  initial = "a",
  states = { a = { enter = notes("a") }, b = { enter = notes("b"), exit = notes("x") } },
})",
                               R"(
objects { name: "two" type: "scripted" set { property: "script.state" to: "b" } }
connections {
  name: "back" source: "two" event: "poke"
  then { set { object: "two" property: "script.state" to: "'a'" } }
}
)");
  ASSERT_NE(world, nullptr);
  EXPECT_EQ(TextOf(*world, "two"), "b");
  StepTimes(*world, 8);
  EXPECT_EQ(TextOf(*world, "two"), "bxa");
  EXPECT_EQ(TextOf(*world), "a");
}

TEST(ScriptStatesWorldTest, StepsTakeTheTimeThatTheySay) {
  // At 60 Hz: 1 m at 10 m/s takes 6 ticks, in which the object goes 1/6 m each.
  // Steps that take no time follow in the same update.
  const auto world = WorldWith(R"(
local M = {}
function M.say() note("c") end
M.initial = "work"
M.states = {
  work = {
    steps = {
      { call = "say" },
      { wait = 2 },
      { call = function() note("w" .. state.ticks()) end },
      { move_to = vector(2, 0, 0), speed = 10 },
      { call = function() note("m" .. state.ticks()) end },
      { play = "door", ticks = 3 },
      { call = function() note("p" .. state.ticks() .. state.step()) end },
      { wait_until = function() return world.tick() % 7 == 0 end },
      { wait = function() return 1 end },
    },
    finished = function() note("f" .. state.ticks() .. tostring(state.step())) end,
    next = "rest",
  },
  rest = { enter = notes("r") },
}
return M)");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 1);
  EXPECT_EQ(TextOf(*world), "c");
  const auto first = ValueOf(*world, "components", "script", "one", "began");
  const auto since = ValueOf(*world, "components", "script", "one", "since");
  ASSERT_TRUE(first.has_value() && since.has_value());
  const uint64_t start = first->bits - since->bits;  // of the first update
  StepTimes(*world, 2);
  EXPECT_EQ(TextOf(*world), fmt::format("cw{}", start + 2));
  EXPECT_DOUBLE_EQ(PositionX(*world), 1.0);
  for (int tick = 1; tick <= 6; ++tick) {
    StepTimes(*world, 1);
    EXPECT_NEAR(PositionX(*world), 1.0 + tick / 6.0, 1e-12);
  }
  EXPECT_DOUBLE_EQ(PositionX(*world), 2.0);
  StepTimes(*world, 3);
  EXPECT_EQ(TextOf(*world),
            fmt::format("cw{}m{}p{}7", start + 2, start + 8, start + 11));
  StepTimes(*world, 9);
  EXPECT_EQ(StateOf(*world), "rest");
  EXPECT_TRUE(TextOf(*world).ends_with("nilr")) << TextOf(*world);
}

Vector3 PlaceOf(const Simulation& world) {
  const auto scalar = [&](std::string_view name) {
    const auto value = ValueOf(world, "world", "places", "one", name);
    EXPECT_TRUE(value.has_value());
    return value.has_value() ? value->AsNumber() : -1.0;
  };
  return {scalar("position.x"), scalar("position.y"), scalar("position.z")};
}

// Each state's steps are its own: the one that follows begins with its first
// step in the next update, with what it is given itself.
TEST(ScriptStatesWorldTest, AWaitBehindAWaitTakesItsOwnTime) {
  // At T the first wait is done and b entered, whose wait begins at T + 1.
  const auto world = WorldWith(R"(
return {
  initial = "a",
  states = {
    a = { steps = { { wait = 2 } }, next = "b" },
    b = { steps = { { wait = 5 }, { call = function() note("b" .. state.ticks()) end } } },
  },
})");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 20);
  EXPECT_EQ(TextOf(*world), "b6");
}

TEST(ScriptStatesWorldTest, AMoveBehindAMoveGoesWhereItIsToGo) {
  // 1 m at 60 m/s takes a tick, 3 m take three.
  const auto world = WorldWith(R"(
return {
  initial = "a",
  states = {
    a = { steps = { { move_to = vector(2, 0, 0), speed = 60 } }, next = "b" },
    b = { steps = { { move_to = vector(2, 3, 0), speed = 60 } }, next = "c" },
    c = { steps = { { move_to = function() return own.get("log.goal") end, speed = 60 } },
          next = "d" },
    d = {},
  },
  spawn = function() own.set("log.goal", vector(2, 3, 9)) end,
})");
  ASSERT_NE(world, nullptr);
  Vector3 before = PlaceOf(*world);
  for (int tick = 0; tick < 30; ++tick) {
    StepTimes(*world, 1);
    const Vector3 now = PlaceOf(*world);
    EXPECT_LE(Length(now - before), 1.0 + 1e-9) << tick;
    before = now;
  }
  EXPECT_EQ(StateOf(*world), "d");
  EXPECT_EQ(before, (Vector3{2, 3, 9}));
}

TEST(ScriptStatesWorldTest, ACallThatLeadsAStateIsItsOwn) {
  for (const std::string_view follows :
       {"next = 'b'", "finished = function() state.go_to('b') end"}) {
    const auto world = WorldWith(fmt::format(R"(
return {{
  initial = "a",
  states = {{
    a = {{ steps = {{ {{ call = notes("a") }}, {{ wait = 1 }}, {{ call = notes("A") }} }}, {} }},
    b = {{ steps = {{ {{ call = notes("b") }}, {{ wait = 1 }}, {{ call = notes("B") }} }} }},
  }},
}})",
                                             follows));
    ASSERT_NE(world, nullptr);
    StepTimes(*world, 2);
    EXPECT_EQ(TextOf(*world), "aA") << follows;
    EXPECT_EQ(StateOf(*world), "b");
    StepTimes(*world, 1);
    EXPECT_EQ(TextOf(*world), "aAb") << follows;
    StepTimes(*world, 5);
    EXPECT_EQ(TextOf(*world), "aAbB") << follows;
  }
}

TEST(ScriptStatesWorldTest, AStateThatFollowsItselfGoesRoundOnceAnUpdate) {
  const auto world = WorldWith(R"(
return {
  initial = "a",
  states = { a = { steps = { { call = notes("a") } }, next = "a" } },
})");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 3);
  EXPECT_EQ(TextOf(*world), "aaa");
  EXPECT_TRUE(EventsOf(*world, "script_failed").empty());
}

TEST(ScriptStatesWorldTest, ATransitionInterruptsSteps) {
  // The poke of tick 5 comes while the door plays, which stops then.
  const auto world = WorldWith(R"(
return {
  initial = "work",
  states = {
    work = {
      steps = { { play = "door", ticks = 1000 }, { call = function() note("never") end } },
      on = { poke = function() state.go_to("rest") end },
    },
    rest = { enter = function() note(timeline.time("door") and "on" or "off") end },
  },
})");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 3);
  EXPECT_EQ(RowCount(*world, "time", "timelines"), 1u);
  StepTimes(*world, 5);
  EXPECT_EQ(TextOf(*world), "off");
  EXPECT_EQ(RowCount(*world, "time", "timelines"), 0u);
}

constexpr std::string_view kBusy = R"(
return {
  initial = "walk",
  update = notes("u"),
  states = {
    walk = {
      steps = {
        { move_to = function() return vector(world.random_integer(0, 9), 0, 0) end, speed = 50 },
        { wait = function() return world.random_integer(0, 3) end },
        { play = "door", ticks = 2 },
      },
      next = "think",
    },
    think = {
      enter = notes("t"),
      steps = { { wait_until = function() return world.random() < 0.3 end } },
      finished = function() state.go_to("walk") end,
    },
  },
  on = { poke = function() state.go_to("think") end },
}
)";

TEST(ScriptStatesWorldTest, GoesOnFromTheMiddleOfAnyStep) {
  constexpr int kTicks = 40;
  const auto world = WorldWith(kBusy);
  ASSERT_NE(world, nullptr);
  std::vector<State> states;
  for (int i = 0; i < kTicks; ++i) {
    states.push_back(world->state());
    StepTimes(*world, 1);
  }
  EXPECT_TRUE(EventsOf(*world, "script_failed").empty());
  const auto end = world->state().ComputeRootDigest();
  for (int i = 0; i < kTicks; ++i) {
    const auto other = WorldWith(kBusy);
    ASSERT_TRUE(other->Restore(states[i]).ok());
    StepTimes(*other, kTicks - i);
    EXPECT_EQ(other->state().ComputeRootDigest(), end) << "from " << i;
  }
}

TEST(ScriptStatesWorldTest, MistakesOfARunHaveALine) {
  // Lines are counted with the five of kNote.
  struct Mistake {
    std::string_view script;
    std::string_view message;
  };
  for (const Mistake& each : std::vector<Mistake>{
           {"local x = 'zz'\nreturn { initial = 'a', states = { a = { update "
            "= function()\nstate.go_to(x) end } } }",
            "8: state.go_to: there is no state 'zz'"},
           {"return { initial = 'a', states = { a = { exit = function()\n"
            "state.go_to('a') end, update = function() state.go_to('a') end } "
            "} }",
            "7: state.go_to: a state that is left"},
           {"return { initial = 'a', states = { a = {\nenter = function() "
            "state.go_to('a') end } } }",
            "7: more than 16 transitions in one call, the last to 'a'"},
           {"return { initial = 'a', states = { a = { steps = {\n{ wait = "
            "function() return 1.5 end } } } } }",
            "7: 1.5 is no whole number of ticks"},
           {"return { initial = 'a', states = { a = { steps = {\n{ move_to = "
            "function() return 1 end, speed = 1 } } } } }",
            "7: move_to is given no vector"},
           {"return { update = function()\nstate.go_to('a'..'b') end }",
            "7: state.go_to: main.lua declares no states"}}) {
    const auto world = WorldWith(each.script);
    ASSERT_NE(world, nullptr) << each.script;
    StepTimes(*world, 3);
    EXPECT_TRUE(MistakeOf(*world).starts_with(each.message)) << each.message;
  }
}

constexpr std::string_view kBall = R"(
types {
  name: "ball" extends: "scripted"
  body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.3 } } }
}
types { name: "red_ball" extends: "ball" }
objects { name: "ball" type: "ball" position { y: 5 } }
)";

TEST(ScriptStatesWorldTest, WhatPhysicsMovesIsNotMovedBySteps) {
  const auto world = WorldWith(
      "return { initial = 'a', states = { a = { steps = { { wait = 1 },\n"
      "{ move_to = vector(9, 0, 0), speed = 1 } } } } }",
      kBall);
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 4);
  EXPECT_EQ(MistakeOf(*world),
            "7: step 2 of the state 'a': move_to: the object can't be there, "
            "or physics moves it");
}

// The file makes the list: which step it is, is said all the same.
TEST(ScriptStatesWorldTest, StepsThatAreNotWrittenOutHaveNoLine) {
  const auto world = WorldWith(
      "local steps = { { wait = 1 }, { move_to = vector(1e9, "
      "0, 0), speed = 1e-9 } }\n"
      "return { initial = 'a', states = { a = { steps = steps } } }");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 6);
  EXPECT_EQ(MistakeOf(*world),
            "0: step 2 of the state 'a': move_to would take more than "
            "1000000000 ticks");
}

TEST(ScriptStatesWorldTest, StepsThatMoveWhatIsntTheGamesToMoveAreWarnedOf) {
  constexpr std::string_view kMoves =
      "return { initial = 'a', states = { a = { steps = {\n{ move_to = "
      "vector(9, 0, 0), speed = 1 } } } } }";
  const auto warnings = [](std::string_view script, std::string_view ball) {
    std::vector<std::string> lines =
        ReportOf(PackWith(script, ball), /*warnings=*/true);
    std::erase_if(lines, [](const std::string& line) {
      return line.find("can't move the object") == std::string::npos;
    });
    return lines;
  };
  // Once, though two types have them.
  const std::vector<std::string> found = warnings(kMoves, kBall);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].ends_with(
      "].body: main.lua:7: step 1 of the state 'a' can't move the object: "
      "physics moves it, as its body is dynamic"))
      << found[0];
  const std::vector<std::string> still = warnings(kMoves, R"(
types {
  name: "ball" extends: "scripted"
  body { motion: MOTION_TRIGGER shapes { sphere { radius: 0.3 } } }
})");
  ASSERT_EQ(still.size(), 1u);
  EXPECT_TRUE(still[0].ends_with(
      "its body stays where it is, as it is fixed or a trigger"))
      << still[0];
  EXPECT_TRUE(warnings(kMoves, R"(
types {
  name: "ball" extends: "scripted"
  body { motion: MOTION_KINEMATIC shapes { sphere { radius: 0.3 } } }
})")
                  .empty());
  EXPECT_TRUE(warnings("return { initial = 'a', states = { a = { steps = { { "
                       "wait = 3 } } } } }",
                       kBall)
                  .empty());
}

TEST(ScriptStatesWorldTest, MistakesOfStatesAreProblemsWithTheirLines) {
  struct Mistake {
    std::string_view script;
    std::string_view problem;
  };
  for (const Mistake& each : std::vector<Mistake>{
           {"return {\nstates = { a = {} } }",
            "main.lua:7: 'initial' names no state; there are a"},
           {"return { states = { a = {} },\ninitial = 'b' }",
            "main.lua:7: there is no state 'b'"},
           {"return { initial = 'alarm', states = {\nalarm = { next = "
            "\n'alrm' } } }",
            "main.lua:8: there is no state 'alrm'; did you mean 'alarm'?"},
           {"return { initial = 'a', states = { a = { update = function()\n"
            "state.go_to('b') end } } }",
            "main.lua:7: there is no state 'b'"},
           {"return { initial = 'a', states = { a = {\nupdat = notes('') } } }",
            "main.lua:7: a state has no 'updat'; did you mean 'update'?"},
           {"return { initial = 'a', states = { a = { on = {\npoke = 1 } } } }",
            "main.lua:7: 'states.a.on.poke' is neither a function nor false"},
           {"return { initial = 'a', states = { a = { steps = {\n{ call = "
            "'say' } } } } }",
            "main.lua:7: the script has no function 'say'"},
           {"return { initial = 'a', states = { a = { steps = {\n{ wait = -1 "
            "} } } } }",
            "main.lua:7: 'states.a.steps.1.wait' is neither a whole number"},
           {"return { initial = 'a', states = { a = { steps = { { wait = 1 "
            "},\n{ wayt = 1 } } } } }",
            "main.lua:7: 'states.a.steps.2' is no step"},
           {"return { initial = 'a', states = { a = { steps = { {\nmove_to = "
            "vector(), sped = 1 } } } } }",
            "main.lua:7: 'states.a.steps.1': a move_to has no 'sped'"}}) {
    const std::vector<std::string> problems =
        ReportOf(PackWith(each.script), /*warnings=*/false);
    ASSERT_FALSE(problems.empty()) << each.script;
    EXPECT_NE(problems[0].find(each.problem), std::string::npos) << problems[0];
  }
}

TEST(ScriptStatesWorldTest, AStateThatNothingLeadsToIsWarnedOf) {
  const std::vector<std::string> warnings = ReportOf(
      PackWith("return { initial = 'a', states = { a = { next = 'b' },\n"
               "b = {},\nnowhere_else = {} } }"),
      /*warnings=*/true);
  int count = 0;
  for (const std::string& warning : warnings) {
    if (warning.find("nothing leads") == std::string::npos) continue;
    ++count;
    EXPECT_NE(warning.find("main.lua:8: nothing leads to the state "
                           "'nowhere_else'"),
              std::string::npos)
        << warning;
  }
  EXPECT_EQ(count, 1);
}

TEST(ScriptStatesWorldTest, ATypeHasStatesByOneFile) {
  PackArchive pack = PackWith("return { initial = 'a', states = { a = {} } }",
                              R"(
types { name: "twice" behaviours { file: "main.lua" } behaviours { file: "more.lua" } }
)");
  ASSERT_TRUE(
      pack.Add("more.lua", "return { initial = 'a', states = { a = {} } }")
          .ok());
  const std::vector<std::string> problems = ReportOf(pack, /*warnings=*/false);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("the type has states already, by main.lua"),
            std::string::npos)
      << problems[0];
}

}  // namespace
}  // namespace reprise::sim
