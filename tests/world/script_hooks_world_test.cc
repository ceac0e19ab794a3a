// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the hooks of a script look on at what all scripts of a world ask
// the engine for: they may say something and post events, and change nothing
// else; their mistakes have a place and stop the object in whose call they are;
// and a world with hooks goes on from any tick.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/state/state.h"
#include "sim/systems/scripts/script_system.h"
#include "sim/world/objects/world_log.h"
#include "sim/world/world.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kTypes = R"(
events { name: "seen" arguments { name: "value" type: TYPE_INTEGER } }
types {
  name: "busy"
  components { component: "marker" }
  behaviours { file: "busy.lua" }
}
types {
  name: "watch"
  components { component: "marker" }
  behaviours { file: "watch.lua" }
}
objects { name: "one" type: "busy" }
objects { name: "two" type: "busy" }
objects { name: "watch" type: "watch" }
)";

// Counts up by one in each tick.
constexpr std::string_view kBusy = R"(return {
  update = function()
    own.set('marker.hits', own.get('marker.hits') + 1)
  end,
})";

PackArchive WatchedPack(std::string watch, std::string busy) {
  PackArchive pack = PackOf(Manifest({kMarker, kTypes}));
  EXPECT_TRUE(pack.Add("busy.lua", std::move(busy)).ok());
  EXPECT_TRUE(pack.Add("watch.lua", std::move(watch)).ok());
  return pack;
}

std::unique_ptr<Simulation> WatchedWorld(
    std::string watch, std::string busy = std::string(kBusy)) {
  auto world = CreateWorld(WatchedPack(std::move(watch), std::move(busy)), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *std::move(world) : nullptr;
}

std::vector<std::string> ProblemsOf(std::string watch) {
  PackReport report;
  CompilePack(WatchedPack(std::move(watch), std::string(kBusy)), 1, report);
  std::vector<std::string> lines;
  for (const PackProblem& problem : report.problems()) {
    lines.push_back(FormatProblem(problem));
  }
  return lines;
}

// The argument of an event as a number, or as what its name stands for.
int64_t NumberIn(const Simulation& world, const Event& event,
                 std::string_view name) {
  for (const EventArgument& argument : event.arguments) {
    if (world.IdName(argument.name) == name) {
      return static_cast<int64_t>(argument.value.bits);
    }
  }
  return -1;
}

std::string TextIn(const Simulation& world, const Event& event,
                   std::string_view name) {
  for (const EventArgument& argument : event.arguments) {
    if (world.IdName(argument.name) == name) {
      return world.IdName(Id{argument.value.bits});
    }
  }
  return "";
}

// Sums what others write into its own hits, by an event.
constexpr std::string_view kSumming = R"(return {
  after = {
    ['own.set'] = function(_, property, value)
      if own.handle() == world.find('watch') then return end
      event.give('value', value)
      event.post('seen', world.find('watch'))
    end,
  },
  on = { seen = function()
    own.set('marker.hits', own.get('marker.hits') + event.get('value'))
  end },
})";

TEST(ScriptHooksWorldTest, AHookTellsByEvents) {
  const auto world = WatchedWorld(std::string(kSumming));
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 4);
  const std::vector<Event> seen = EventsOf(*world, "seen");
  ASSERT_EQ(seen.size(), 8u);
  EXPECT_EQ(NumberIn(*world, seen[0], "value"), 1);
  EXPECT_EQ(NumberIn(*world, seen[7], "value"), 4);
  // Each of the two was seen with 1, 2, 3 and 4.
  EXPECT_EQ(HitsOf(*world, "watch"), 20);
  EXPECT_EQ(HitsOf(*world, "one"), 4);
}

TEST(ScriptHooksWorldTest, AWorldWithHooksGoesOnFromAnyTick) {
  constexpr int kTicks = 6;
  const auto world = WatchedWorld(std::string(kSumming));
  ASSERT_NE(world, nullptr);
  std::vector<State> states;
  for (int i = 0; i < kTicks; ++i) {
    states.push_back(world->state());
    StepTimes(*world, 1);
  }
  for (int i = 0; i < kTicks; ++i) {
    const auto other = WatchedWorld(std::string(kSumming));
    ASSERT_TRUE(other->Restore(states[static_cast<size_t>(i)]).ok());
    StepTimes(*other, kTicks - i);
    EXPECT_EQ(other->state().ComputeRootDigest(),
              world->state().ComputeRootDigest())
        << "from " << i;
  }
}

TEST(ScriptHooksWorldTest, LookingOnChangesNothing) {
  const auto silent = WatchedWorld(
      "return { before = { ['own.get'] = "
      "function() end } }");
  const auto saying = WatchedWorld(
      "return { before = { ['own.set'] = function(property, value)\n"
      "log.info(property .. ' ' .. value) end } }");
  ASSERT_NE(silent, nullptr);
  ASSERT_NE(saying, nullptr);
  FindWorldLog(*saying)->Keep(LogLevel::kInfo);
  StepTimes(*silent, 3);
  StepTimes(*saying, 3);
  EXPECT_EQ(silent->state().ComputeRootDigest(),
            saying->state().ComputeRootDigest());
  const std::vector<WorldLogLine> lines = FindWorldLog(*saying)->Drain();
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[5].text, "marker.hits 3");
  EXPECT_EQ(saying->ObjectName(lines[5].object), "two");
}

TEST(ScriptHooksWorldTest, WhatAHookGathersIsItsOwn) {
  const auto world = WatchedWorld(
      "return { before = { ['event.post'] = function()\n"
      "event.give('value', 9) end } }",
      "return { update = function()\nevent.give('value', 1)\n"
      "event.post('seen', own.handle())\nend }");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 1);
  const std::vector<Event> seen = EventsOf(*world, "seen");
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(NumberIn(*world, seen[0], "value"), 1);
}

TEST(ScriptHooksWorldTest, AMistakeStopsTheObjectBehindTheCall) {
  for (const auto& [hook, message] :
       {std::pair("error('bad')", "bad"),
        std::pair("own.set('marker.hits', 50)",
                  "own.set: not in a hook, which only looks on"),
        std::pair("world.random()",
                  "world.random: not in a hook, which only looks on"),
        std::pair("local x = nil; x()",
                  "attempt to call a nil value (local 'x')")}) {
    const auto world =
        WatchedWorld("return { before = { ['own.set'] = function()\n" +
                     std::string(hook) + "\nend } }");
    ASSERT_NE(world, nullptr);
    StepTimes(*world, 3);
    // What was watched is done, once: then the object is inert.
    EXPECT_EQ(HitsOf(*world, "one"), 1) << hook;
    const std::vector<Event> failed = EventsOf(*world, "script_failed");
    ASSERT_EQ(failed.size(), 2u) << hook;
    EXPECT_EQ(world->ObjectName(failed[0].object), "one");
    EXPECT_EQ(TextIn(*world, failed[0], "file"), "watch.lua");
    EXPECT_EQ(NumberIn(*world, failed[0], "line"), 2);
    EXPECT_EQ(TextIn(*world, failed[0], "message"), message);
  }
}

TEST(ScriptHooksWorldTest, AHookThatHooksItselfIsBoundedAndTold) {
  const auto world = WatchedWorld(
      "return { after = { ['own.get'] = function()\n"
      "own.get('marker.hits') end } }");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 2);
  const std::vector<Event> failed = EventsOf(*world, "script_failed");
  ASSERT_EQ(failed.size(), 2u);
  EXPECT_EQ(TextIn(*world, failed[0], "message"),
            "own.get: its own hook calls it");
}

TEST(ScriptHooksWorldTest, MistakesInDeclarationsAreProblemsOfThePack) {
  for (const auto& [script, problem] :
       {std::pair("return { before = {\n['own.sett'] = print or function() "
                  "end } }",
                  "watch.lua:2: before: there is no function 'own.sett'; did "
                  "you mean 'own.set'?"),
        std::pair("return { after = { ['own.set'] = 7 } }",
                  "watch.lua: after: 'own.set' is no function"),
        std::pair("return { before = 7 }",
                  "watch.lua: 'before' is no table of hooks"),
        std::pair("return { after = {} }",
                  "watch.lua: 'after' is no table of hooks")}) {
    const std::vector<std::string> problems = ProblemsOf(script);
    ASSERT_EQ(problems.size(), 1u) << script;
    EXPECT_NE(problems[0].find(problem), std::string::npos) << problems[0];
  }
}

}  // namespace
}  // namespace reprise::sim
