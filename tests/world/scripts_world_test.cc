// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what a script says is what its objects do: properties of every
// type, events, timers, other objects; that a mistake has a place, an event and
// one inert object, in every run alike; and that a world can be restored at any
// tick, for its scripts keep nothing.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/state/state.h"
#include "sim/systems/scripts/script_system.h"
#include "sim/world/objects/world_log.h"
#include "sim/world/world.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kTypes = R"(
components {
  name: "all"
  properties { name: "flag" type: TYPE_BOOLEAN }
  properties { name: "whole" type: TYPE_INTEGER maximum: 1000000 }
  properties { name: "number" type: TYPE_NUMBER }
  properties { name: "text" type: TYPE_TEXT }
  properties { name: "name" type: TYPE_NAME }
  properties { name: "choice" type: TYPE_CHOICE choices: "red" choices: "green" }
  properties { name: "flat" type: TYPE_VECTOR2 }
  properties { name: "point" type: TYPE_VECTOR3 }
  properties { name: "turn" type: TYPE_ROTATION }
  properties { name: "friend" type: TYPE_REFERENCE }
  properties { name: "list" type: TYPE_INTEGER list_max: 4 }
}
events { name: "ring" arguments { name: "timer" type: TYPE_NAME } }
events {
  name: "half"
  arguments { name: "timeline" type: TYPE_NAME }
  arguments { name: "count" type: TYPE_INTEGER }
}
events {
  name: "hit"
  arguments { name: "damage" type: TYPE_INTEGER }
  arguments { name: "by" type: TYPE_REFERENCE }
  arguments { name: "how" type: TYPE_NAME }
}
types {
  name: "scripted"
  components { component: "marker" }
  components { component: "all" }
  behaviours { file: "main.lua" PARAMETERS }
}
types { name: "quiet" components { component: "marker" } }
objects { name: "one" type: "scripted" }
objects { name: "two" type: "quiet" }
)";

PackArchive ScriptedPack(std::string script, std::string_view parameters = "",
                         std::string_view more = "") {
  std::string types(kTypes);
  const std::string_view mark = "PARAMETERS";
  types.replace(types.find(mark), mark.size(), parameters);
  PackArchive pack = PackOf(Manifest({kMarker, types, more}));
  EXPECT_TRUE(pack.Add("main.lua", std::move(script)).ok());
  return pack;
}

std::unique_ptr<Simulation> ScriptedWorld(std::string script,
                                          std::string_view parameters = "",
                                          std::string_view more = "") {
  auto world =
      CreateWorld(ScriptedPack(std::move(script), parameters, more), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *std::move(world) : nullptr;
}

std::vector<std::string> ProblemsOf(const PackArchive& pack,
                                    const PackPolicy& policy = {}) {
  PackReport report(policy);
  CompilePack(pack, 1, report);
  std::vector<std::string> lines;
  for (const PackProblem& problem : report.problems()) {
    lines.push_back(FormatProblem(problem));
  }
  return lines;
}

// Runs `body` once in an update; it is right when it says so, by hits.
void ExpectRuns(std::string_view body, std::string_view more = "",
                int64_t hits = 1) {
  const auto world = ScriptedWorld(
      "return { reads_others = true, queries = true,\n"
      "  marks_timelines = true, update = function()\n" +
          std::string(body) +
          "\nown.set('marker.hits', own.get('marker.hits') + 1) end }",
      "", more);
  ASSERT_NE(world, nullptr);
  StepTimes(*world, static_cast<int>(hits));
  for (const Event& event : EventsOf(*world, "script_failed")) {
    for (const EventArgument& argument : event.arguments) {
      ADD_FAILURE() << body << ": " << world->IdName(Id{argument.value.bits});
    }
  }
  EXPECT_EQ(HitsOf(*world, "one"), hits) << body;
}

TEST(ScriptsWorldTest, AnUpdateReadsAndWritesProperties) {
  ExpectRuns("", "", 3);
}

TEST(ScriptsWorldTest, PropertiesOfEveryTypeComeBackAsTheyWereSet) {
  ExpectRuns(R"(
    local values = {
      flag = true, whole = 7, number = 2.5, text = 'never seen ' .. 4,
      name = 'anybody', choice = 'green', flat = vector(1, 2),
      point = vector(1, 2, 3), friend = world.find('two')
    }
    for name, value in pairs(values) do
      own.set('all.' .. name, value)
      assert(own.get('all.' .. name) == value, name)
    end
    own.set('all.turn', vector(0, 0.5, 0))
    assert((own.get('all.turn') - vector(0, 0.5, 0)):length() < 1e-12)
    own.set('all.friend', nil)
    assert(own.get('all.friend') == nil)
    own.set('all.number', 3)
    assert(own.get('all.number') == 3.0)
  )");
}

TEST(ScriptsWorldTest, ListsGrowAndShrink) {
  ExpectRuns(R"(
    for i = 1, 4 do own.append('all.list', 10 * i) end
    assert(not pcall(own.append, 'all.list', 50))
    assert(own.size('all.list') == 4 and own.get('all.list', 3) == 30)
    own.set('all.list', 5, 2)
    own.remove('all.list', 1)
    assert(own.get('all.list', 1) == 5 and own.size('all.list') == 3)
    assert(own.get('all.list', 4) == nil)
    own.clear('all.list')
    assert(own.size('all.list') == 0)
  )");
}

TEST(ScriptsWorldTest, OthersAreReadAsOfTheLastTick) {
  ExpectRuns(R"(
    local two = world.find('two')
    assert(other.get(two, 'marker.hits') == 0)
    assert(other.get(two, 'all.whole') == nil)
    assert(other.get(own.handle(), 'marker.hits') == world.tick())
    assert(not pcall(other.now, two, 'marker.hits'))
    assert(other.position(two) == vector(0, 0, 0))
    assert(world.exists(two))
  )",
             "", 2);
}

TEST(ScriptsWorldTest, QueriesFindByPlaceAndType) {
  ExpectRuns(
      R"(
    assert(query.all('ball') == 2)
    assert(query.object(1) == world.find('far'))
    assert(query.sphere(vector(0, 0, 0), 3, 'ball') == 1)
    assert(query.distance(1) == 1 and query.object(2) == nil)
    assert(query.nearest(vector(20, 0, 0), 1, 'ball') == 1)
    assert(query.object(1) == world.find('far'))
    assert(query.along(vector(0, 0, 0), vector(9, 0, 0), 'ball') == 2)
    assert(query.box(vector(8, 0, 0), vector(1, 1, 1), 'ball') == 1)
    assert(query.cone(vector(0, 0, 0), vector(1, 0, 0), 0.1, 4, 'ball') == 1)
  )",
      R"(
types { name: "ball" body { motion: MOTION_FIXED shapes { sphere { radius: 1 } } } }
objects { name: "near" type: "ball" position { x: 2 } }
objects { name: "far" type: "ball" position { x: 8 } }
)");
}

// A rotation is as long as its angle, which says nothing where it is huge.
TEST(ScriptsWorldTest, RotationsWithoutEndAreMistakes) {
  ExpectRuns(R"(
    local far = vector(1e200, -1e300, 1e308)
    local one = vector(1, 1, 1)
    local function refuses(...)
      local ok, why = pcall(...)
      return not ok and why:find('it turns by more than 1e9 rad', 1, true)
    end
    assert(refuses(query.box, vector(), one, nil, far))
    assert(refuses(own.move_to, vector(), far))
    assert(refuses(own.set, 'all.turn', far))
    assert(refuses(world.give, 'all.turn', far))
    assert(refuses(world.spawn, 'quiet', vector(), 'child', nil, far))
    own.set('all.turn', vector(1e9, 0, 0))
    query.box(vector(), one, nil, vector(-1e9, 0, 0))
  )");
}

// What can't be is refused by what the snapshot of the tick before holds, so
// who goes on from it refuses the same; and every snapshot can be taken.
TEST(ScriptsWorldTest, WhatCanNotBeIsRefusedAlikeFromEachSnapshot) {
  PackArchive pack = PackOf(Manifest({R"(
types { name: "slide" body { motion: MOTION_KINEMATIC shapes { sphere { radius: 1 } } } behaviours { file: "slide.lua" } }
types { name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } } behaviours { file: "ball.lua" } }
types { name: "far" behaviours { file: "far.lua" } }
types { name: "tag" behaviours { file: "tag.lua" } }
objects { name: "slide" type: "slide" }
objects { name: "ball" type: "ball" position { y: 50 } }
objects { name: "parent" type: "far" }
objects { name: "child" type: "tag" }
)"}));
  ASSERT_TRUE(pack.Add("slide.lua", R"(return {
  update = function()
    if world.tick() % 4 == 0 then own.move_to(vector(1e308, 0, 0)) end
  end,
  after_physics = function()
    if world.tick() % 4 == 3 then own.move_to(vector(-1e3, world.tick(), 0)) end
    if world.tick() % 4 == 1 then own.move_to(vector(1e308, 1e308, -1e308)) end
  end,
})")
                  .ok());
  ASSERT_TRUE(pack.Add("ball.lua", R"(return {
  update = function()
    if world.tick() % 5 == 0 then own.kick(vector(1e300, 0, 0)) end
  end,
  after_physics = function()
    if world.tick() % 5 == 4 then own.kick(vector(3, 0, 0), vector(0, 1, 0)) end
  end,
})")
                  .ok());
  ASSERT_TRUE(pack.Add("far.lua", R"(return {
  update = function() own.move_to(vector(1e308, 0, 0)) end,
})")
                  .ok());
  ASSERT_TRUE(pack.Add("tag.lua", R"(return {
  update = function()
    if world.tick() == 5 then world.attach(world.find('parent')) end
    if world.tick() >= 9 then own.move_to(vector(1e308, 0, 0)) end
    if world.tick() >= 15 then own.move_to(vector(-1e308, 0, 0)) end
  end,
})")
                  .ok());
  const auto world = CreateWorld(pack, 1);
  ASSERT_TRUE(world.ok()) << world.status();
  int refused = 0;
  for (int tick = 0; tick < 24; ++tick) {
    const auto other = CreateWorld(pack, 1);
    const absl::Status restored = (*other)->Restore((*world)->state());
    ASSERT_TRUE(restored.ok()) << tick << ": " << restored;
    StepTimes(**world, 1);
    StepTimes(**other, 1);
    const std::vector<Event> told = (*world)->DrainEvents();
    refused += static_cast<int>(
        std::ranges::count(told, IdOf("body_refused"), &Event::type));
    EXPECT_EQ((*other)->DrainEvents(), told) << tick;
    ASSERT_EQ((*other)->state().ComputeRootDigest(),
              (*world)->state().ComputeRootDigest())
        << tick;
  }
  EXPECT_GE(refused, 12);
}

// Nothing is so far away that a ray's answer is no number.
TEST(ScriptsWorldTest, RaysHaveAReach) {
  ExpectRuns(R"(
    local function refuses(...)
      local ok, why = pcall(query.request_ray, ...)
      return not ok and why:find('it is 1e16 m away or more', 1, true)
    end
    assert(refuses(vector(0, -1e100, 0), vector(0, 1e100, 0), 1, 'ring'))
    assert(refuses(vector(), vector(1e16, 0, 0), 1, 'ring'))
    assert(query.request_ray(vector(0, 9e15, 0), vector(0, -9e15, 0), 1, 'ring'))
  )");
}

TEST(ScriptsWorldTest, VectorsWithoutAFiniteResultAreMistakes) {
  ExpectRuns(R"(
    own.move_to(vector(), vector(0.5, 0.7, 0.3))
    for _, turn in ipairs { own.to_local, own.to_world } do
      local ok, why = pcall(turn, vector(-1.7e308, 1.7e308, -1.7e308))
      assert(not ok and why:find('no finite result', 1, true), why)
      local near = turn(vector(3, 0, 4))
      assert(math.abs(near:length() - 5) < 1e-9)
    end
    assert(steering.limit(vector(1e308, 0, 0), vector(-1e308, 0, 0), 1e6) ==
           vector(1e308, 0, 0))
  )");
}

TEST(ScriptsWorldTest, ChanceComesFromTheObjectsOwnStream) {
  ExpectRuns(R"(
    for _ = 1, 100 do
      local unit = world.random()
      assert(unit >= 0 and unit < 1)
      local number = world.random_integer(-2, 2, 'dice')
      assert(number >= -2 and number <= 2)
    end
    assert(world.random_integer(math.mininteger, math.maxinteger))
  )");
}

constexpr std::string_view kHearing = R"(return {
  spawn = function()
    timer.start("soon", "ring", 2, 3)
    own.set("all.text", "spawned")
  end,
  on = {
    ring = function()
      event.give("damage", 3)
      event.give("by", own.handle())
      event.give("how", "hard")
      event.post("hit", own.handle(), 1)
    end,
    hit = function()
      assert(event.type() == "hit" and event.sender() == own.handle())
      assert(event.get("by") == own.handle() and event.get("how") == "hard")
      assert(event.get("nothing") == nil)
      own.set("marker.hits", own.get("marker.hits") + event.get("damage"))
    end,
  },
})";

TEST(ScriptsWorldTest, TimersAndEventsReachHandlers) {
  const auto world = ScriptedWorld(std::string(kHearing));
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 10);
  EXPECT_TRUE(EventsOf(*world, "script_failed").empty());
  // Rings at 2, 5 and 8, hits a tick later each.
  EXPECT_EQ(HitsOf(*world, "one"), 9);
}

TEST(ScriptsWorldTest, ObjectsComeWithValuesAndGo) {
  const auto world = ScriptedWorld(R"(return {
    update = function()
      if world.tick() == 0 then
        world.give("marker.hits", 42)
        own.set("all.friend", world.spawn("quiet", vector(1, 2, 3), "new"))
      elseif world.tick() == 2 then
        assert(own.get("all.friend") == world.find("new"))
        world.destroy(own.get("all.friend"))
        world.destroy()
      end
    end,
    destroyed = function()
      world.give("marker.hits", 7)
      world.spawn("quiet", own.position(), "ghost")
    end,
  })");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 1);
  EXPECT_EQ(HitsOf(*world, "new"), 42);
  StepTimes(*world, 2);
  EXPECT_TRUE(EventsOf(*world, "script_failed").empty());
  EXPECT_EQ(HitsOf(*world, "ghost"), 7);
  EXPECT_EQ(RowCount(*world, "components", "marker"), 2u);
}

TEST(ScriptsWorldTest, TimelinesTellOfTheirMarks) {
  const auto world = ScriptedWorld(R"(return {
    marks_timelines = true,
    spawn = function()
      timeline.mark(2, "half")
      timeline.start("swing", 4, "ping_pong")
    end,
    on = { half = function()
      own.set("marker.hits", own.get("marker.hits") + 1)
      own.set("all.number", timeline.time("swing"))
    end },
  })");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 9);
  EXPECT_TRUE(EventsOf(*world, "script_failed").empty());
  EXPECT_EQ(HitsOf(*world, "one"), 2);
}

constexpr std::string_view kTuned = R"(return {
  parameters = {
    step = { default = 2, minimum = 1, maximum = 9, help = "how much" },
    label = "none",
  },
  update = function()
    own.set("marker.hits", own.get("marker.hits") + parameter.get("step"))
    own.set("all.text", parameter.get("label"))
  end,
})";

TEST(ScriptsWorldTest, ParametersAreSetByTypes) {
  const auto world = ScriptedWorld(std::string(kTuned),
                                   R"(parameters { name: "step" to: "5" })");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 2);
  EXPECT_EQ(HitsOf(*world, "one"), 10);
}

TEST(ScriptsWorldTest, ParametersAreCheckedAsThoseOfNativeBehaviours) {
  for (const auto& [setting, problem] :
       {std::pair(R"(parameters { name: "stepp" to: "5" })",
                  "'main.lua' has no parameter 'stepp'; did you mean 'step'?"),
        std::pair(R"(parameters { name: "step" to: "10" })", "10"),
        std::pair(R"(parameters { name: "step" to: "x" })", "'step'")}) {
    const std::vector<std::string> problems =
        ProblemsOf(ScriptedPack(std::string(kTuned), setting));
    ASSERT_EQ(problems.size(), 1u) << setting;
    EXPECT_NE(problems[0].find(problem), std::string::npos) << problems[0];
  }
}

// A world with an object `mover` whose type has `parts` and does `update` in
// each tick, with the number of the tick's update as n, from 1.
std::unique_ptr<Simulation> MoverWorld(std::string_view parts,
                                       std::string_view update,
                                       std::string_view more = "") {
  PackArchive pack = ScriptedPack("return { update = function() end }", "",
                                  fmt::format(R"(
events {{
  name: "path"
  arguments {{ name: "request" type: TYPE_INTEGER }}
  arguments {{ name: "found" type: TYPE_BOOLEAN }}
  arguments {{ name: "cost" type: TYPE_INTEGER optional: true }}
  arguments {{ name: "points" type: TYPE_INTEGER optional: true }}
  arguments {{ name: "reason" type: TYPE_NAME optional: true }}
}}
types {{ name: "mover" components {{ component: "marker" }} {} behaviours {{ file: "mover.lua" }} }}
{})",
                                              parts, more));
  EXPECT_TRUE(pack.Add("mover.lua",
                       "return { update = function()\n"
                       "local n = own.get('marker.hits') + 1\n" +
                           std::string(update) +
                           "\nown.set('marker.hits', n) end, on = { path = "
                           "function() assert(event.get('found')) "
                           "own.set('marker.speed', navigator.count()) end } }")
                  .ok());
  auto world = CreateWorld(pack, 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *std::move(world) : nullptr;
}

// Every update ran to its end.
void ExpectSteps(Simulation& world, int ticks) {
  StepTimes(world, ticks);
  for (const Event& event : EventsOf(world, "script_failed")) {
    for (const EventArgument& argument : event.arguments) {
      ADD_FAILURE() << world.IdName(Id{argument.value.bits});
    }
  }
  EXPECT_EQ(HitsOf(world, "mover"), ticks);
}

TEST(ScriptsWorldTest, CharactersWalkAndJump) {
  const auto world = MoverWorld(
      R"(body { motion: MOTION_KINEMATIC shapes { capsule { radius: 0.3 half_length: 0.6 } } }
         character { speed: 3 acceleration: 6000 jump_speed: 4 step_height: 0.3 })",
      R"(
    if n == 60 then assert(character.stands()) assert(character.walk(vector(2, 0, 0))) end
    if n == 120 then
      local at = own.position()
      assert(math.abs(at.x - 2) < 0.1, at.x)  -- 60 ticks at 2 m/s
      assert(character.walk(vector(0, 0, 0)) and character.jump())
    end
    if n == 130 then assert(not character.stands() and own.position().y > 1.1) end
  )",
      R"(
types { name: "ground" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
objects { name: "ground" type: "ground" }
objects { name: "mover" type: "mover" position { y: 0.95 } }
)");
  ASSERT_NE(world, nullptr);
  ExpectSteps(*world, 140);
}

TEST(ScriptsWorldTest, VehiclesAreDriven) {
  const auto world = MoverWorld(
      R"(
  body { motion: MOTION_DYNAMIC mass_kg: 200 shapes { box { half_extents { x: 0.5 y: 0.2 z: 0.8 } } } }
  vehicle {
    engine_force_n: 600
    brake_force_n: 1500
    steering_max_degrees: 30
    wheels { position { x: 0.5 y: -0.1 z: 0.6 } radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 damping_rebound: 400 force_max_n: 9000 steered: true braked: true }
    wheels { position { x: -0.5 y: -0.1 z: 0.6 } radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 damping_rebound: 400 force_max_n: 9000 steered: true braked: true }
    wheels { position { x: 0.5 y: -0.1 z: -0.6 } radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 damping_rebound: 400 force_max_n: 9000 driven: true braked: true }
    wheels { position { x: -0.5 y: -0.1 z: -0.6 } radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 damping_rebound: 400 force_max_n: 9000 driven: true braked: true }
  })",
      R"(
    if n == 60 then assert(vehicle.drive(1, 0)) end
    if n == 180 then
      -- 1,200 N at most for 2 s on 200 kg: 12 m/s, and some of it at least.
      local speed = own.velocity():length()
      assert(speed > 1 and speed <= 12, speed)
      assert(vehicle.drive(0, 0, 1))
    end
    if n == 400 then assert(own.velocity():length() < 0.1) end
  )",
      R"(
types { name: "ground" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
objects { name: "ground" type: "ground" }
objects { name: "mover" type: "mover" position { y: 0.5 } }
)");
  ASSERT_NE(world, nullptr);
  ExpectSteps(*world, 410);
}

TEST(ScriptsWorldTest, WhatAnObjectIsNotIsSaid) {
  const auto world = MoverWorld("",
                                R"(
    assert(not character.walk(vector(1, 0, 0)) and not character.jump())
    assert(character.stands() == nil and not vehicle.drive(1, 0))
    assert(navigator.request(vector(), 1, "path") == nil)
    assert(navigator.request_nearest("nowhere", 1, "path") == nil)
    assert(navigator.count() == 0 and navigator.point(1) == nil)
    assert(path.length("nowhere") == nil and path.point("nowhere", 1) == nil)
    assert(layer.is_on("nowhere") == nil)
    assert(not pcall(layer.switch, "nowhere", true))
  )",
                                R"(objects { name: "mover" type: "mover" })");
  ASSERT_NE(world, nullptr);
  ExpectSteps(*world, 2);
}

TEST(ScriptsWorldTest, LayersAreSwitchedAndPathsMeasured) {
  // A path of two points is the straight line between them.
  const auto world = MoverWorld("",
                                R"(
    assert(math.abs(path.length("line") - 6) < 1e-6)
    assert((path.point("line", 1.5) - vector(1.5, 0, 0)):length() < 1e-3)
    assert(layer.is_on("night") == (n > 3))
    if n == 3 then layer.switch("night", true) end
  )",
                                R"(
paths { name: "line" points { } points { x: 6 } }
layers { name: "night" disabled: true }
objects { name: "mover" type: "mover" }
)");
  ASSERT_NE(world, nullptr);
  ExpectSteps(*world, 6);
}

TEST(ScriptsWorldTest, NavigatorsAskForPaths) {
  const auto world = MoverWorld(R"(navigator { space: "yard" speed: 6 })",
                                R"(
    if n == 2 then assert(navigator.request(vector(3.5, 0, 0.5), 1, "path")) end
  )",
                                R"(
navigation { grids { name: "yard" neighbours: NEIGHBOURS_FOUR rows: "...." rows: "...." } }
objects { name: "mover" type: "mover" position { x: 0.5 z: 0.5 } }
)");
  ASSERT_NE(world, nullptr);
  ExpectSteps(*world, 10);
  // The answer came, and counted the points that are ahead.
  const auto count = ValueOf(*world, "components", "marker", "mover", "speed");
  ASSERT_TRUE(count.has_value());
  EXPECT_GE(count->AsNumber(), 1.0);
}

TEST(ScriptsWorldTest, NavigatorsAskForTheNearestGoal) {
  const auto world = MoverWorld(R"(navigator { space: "yard" speed: 6 })",
                                R"(
    if n == 2 then
      assert(navigator.request_nearest("none", 1, "path") == nil)
      assert(not pcall(navigator.request_nearest, "huts", 1, "path_found"))
      assert(navigator.request_nearest("huts", 1, "path"))
    end
    if n == 6 then
      assert(navigator.point(navigator.count()) == vector(0.5, 0, 1.5))
    end
  )",
                                R"(
navigation {
  grids { name: "yard" neighbours: NEIGHBOURS_FOUR rows: "...." rows: "...." }
  goal_sets { name: "huts" space: "yard" goals { position { x: 3.5 z: 0.5 } } goals { position { x: 0.5 z: 1.5 } } }
}
objects { name: "mover" type: "mover" position { x: 0.5 z: 0.5 } }
)");
  ASSERT_NE(world, nullptr);
  ExpectSteps(*world, 10);
}

struct Mistake {
  std::string_view code;
  std::string_view message;
};

TEST(ScriptsWorldTest, MistakesHaveALineAndStopTheirObjectAlone) {
  for (const Mistake& mistake : std::vector<Mistake>{
           {"own.get('marker.hats')", "hats"},
           {"own.set('marker.hits', 'x')", "a whole number"},
           {"own.set('marker.hits', -1)", "hits"},
           {"own.set('all.choice', 'blue')", "choice"},
           {"other.get(own.handle(), 'marker.hits')", "reads_others"},
           {"query.all()", "queries"},
           {"own.push(1)", "own.push: 'force' is 1, not a vector in N"},
           {"world.spawn('nothing', vector())", "no such type or archetype"},
           {"for i = 1, 9 do event.give('x' .. i, i) end",
            "event.give: argument 'x9': an event has at most 8 arguments"},
           {"layer.switch('no' .. 'where', true)",
            "the pack has no layer 'nowhere'"},
           {"error('no')", "no"},
           {"error({})", ""},
           {"count = 1", "attempt to set global 'count' after loading"},
           {"while true do end", "the budget of instructions is used up"},
           {"local function f() return 1 + f() end f()", "stack overflow"},
           {"local t = {} while true do t[#t + 1] = ('x'):rep(9999) end",
            "the budget of bytes is used up"}}) {
    const std::string script =
        "return { update = function()\n" + std::string(mistake.code) +
        "\nend, on = { ring = function() error('heard') end } }";
    const auto world = ScriptedWorld(script);
    const auto again = ScriptedWorld(script);
    ASSERT_NE(world, nullptr);
    ASSERT_NE(again, nullptr);
    StepTimes(*world, 3);
    StepTimes(*again, 3);
    EXPECT_EQ(world->state().ComputeRootDigest(),
              again->state().ComputeRootDigest());
    const std::vector<Event> events = EventsOf(*world, "script_failed");
    ASSERT_EQ(events.size(), 1u) << mistake.code;
    EXPECT_EQ(world->ObjectName(events[0].object), "one");
    for (const EventArgument& argument : events[0].arguments) {
      const std::string name = world->IdName(argument.name);
      const std::string text = world->IdName(Id{argument.value.bits});
      if (name == "file") {
        EXPECT_EQ(text, "main.lua");
      }
      if (name == "line") {
        EXPECT_EQ(argument.value.bits, 2u);
      }
      if (name == "message") {
        EXPECT_NE(text.find(mistake.message), std::string::npos) << text;
      }
    }
  }
}

// Of strings that are given as they are; what is put together is found out when
// it is said.
TEST(ScriptsWorldTest, NamesOfWhatIsntThereAreProblemsOfThePack) {
  const std::vector<std::string> problems =
      ProblemsOf(ScriptedPack(
                     R"(return { parameters = { speed = 1 }, update = function()
  own.set("all.whol", 1)
  other.get(someone, "marker.hit")
  event.post("rin")
  timer.start("clock", "rung", 3)
  local s = parameter.get("sped")
  if player.axis(0, "push") then return end
  own.get("all." .. s) event.post(s) own.get("all.whole") event.post("ring")
end })"),
                 {.is_author = true});
  const char* const expected[] = {
      "main.lua:4: there is no event 'rin'; did you mean 'ring'?",
      "main.lua:5: there is no event 'rung'; did you mean 'ring'?",
      "main.lua:2: the component 'all' has no property 'whol'; did you mean "
      "'whole'?",
      "main.lua:3: the component 'marker' has no property 'hit'; did you mean "
      "'hits'?",
      "main.lua:6: there is no parameter 'sped'; did you mean 'speed'?",
      "main.lua:7: there is no action 'push'"};
  ASSERT_EQ(problems.size(), std::size(expected))
      << testing::PrintToString(problems);
  for (size_t i = 0; i < problems.size(); ++i) {
    EXPECT_NE(problems[i].find(expected[i]), std::string::npos) << problems[i];
  }
}

void ExpectProblems(const std::vector<std::string>& problems,
                    const std::vector<std::string>& expected) {
  ASSERT_EQ(problems.size(), expected.size())
      << testing::PrintToString(problems);
  for (size_t i = 0; i < problems.size(); ++i) {
    EXPECT_NE(problems[i].find(expected[i]), std::string::npos) << problems[i];
  }
}

TEST(ScriptsWorldTest, FunctionsThatArentThereAreProblemsOfThePack) {
  const PackArchive pack = ScriptedPack(R"(return { update = function()
  own.gte("all.whole")
  print(math.random())
end })");
  ExpectProblems(
      ProblemsOf(pack, {.is_author = true}),
      {"main.lua:2: there is no function 'own.gte'; did you mean 'own.get'?",
       "main.lua:3: scripts don't have Lua's 'print'; scripts have log.info",
       "main.lua:3: there is no function 'math.random'"});
  // What runs today goes on running.
  EXPECT_EQ(ProblemsOf(pack), std::vector<std::string>{});
}

TEST(ScriptsWorldTest, NamesOfThePacksListsAreLookedUp) {
  const PackArchive pack = ScriptedPack(R"(return {
  queries = true,
  update = function()
    own.get("whole")
    query.sphere(own.position(), 1 + 2, "quite")
    world.spawn("nothing", vector(0, 0, 0))
    query.layer("default") query.layer("walls")
    layer.switch("night", true) path.point("way", 0)
    grid.weight("yard") flow.next("home")
    navigator.request_nearest("nests", 1, "ring")
    query.sphere(own.position(), 1, "qui" .. "te")
  end,
})");
  ExpectProblems(ProblemsOf(pack, {.is_author = true}),
                 {"main.lua:4: 'whole' is no property: it is named with its "
                  "component, as in \"health.points\"",
                  "main.lua:5: there is no type 'quite'; did you mean "
                  "'quiet'?",
                  "main.lua:6: there is no type or archetype 'nothing'",
                  "main.lua:7: there is no collision layer 'walls'",
                  "main.lua:8: there is no layer 'night'",
                  "main.lua:8: there is no path 'way'",
                  "main.lua:9: there is no grid 'yard'",
                  "main.lua:9: there is no flow field 'home'",
                  "main.lua:10: there is no set of goals 'nests'"});
}

TEST(ScriptsWorldTest, AHandlerOfNoEventHasALine) {
  ExpectProblems(
      ProblemsOf(ScriptedPack("local M = { update = function() end }\n"
                              "M.on = {\n  rin = function() end }\nreturn M"),
                 {.is_author = true}),
      {"main.lua:3: there is no event 'rin'; did you mean 'ring'?"});
}

TEST(ScriptsWorldTest, AKeyOfAFunctionHasALine) {
  ExpectProblems(ProblemsOf(ScriptedPack("local M = {}\n"
                                         "function M.update() end\n"
                                         "function M.spwan() end return M"),
                            {.is_author = true}),
                 {"main.lua:3: nobody reads 'spwan'; did you mean 'spawn'?"});
}

TEST(ScriptsWorldTest, AScriptThatIsNoModuleIsSaid) {
  const PackArchive pack = [] {
    PackArchive made = PackOf(
        Manifest({"types { name: \"a\" behaviours { file: \"main.lua\" } }"}));
    EXPECT_TRUE(made.Add("main.lua",
                         "local aim = require(\"lib/aim\")\n"
                         "return { update = aim }")
                    .ok());
    EXPECT_TRUE(made.Add("lib/aim.lua", "return function() end").ok());
    return made;
  }();
  ExpectProblems(ProblemsOf(pack),
                 {"main.lua:1: require: the pack has no script 'lib/aim' among "
                  "its `modules`: say modules: \"lib/aim.lua\""});
}

TEST(ScriptsWorldTest, MistakesOfFilesAreProblemsOfThePack) {
  for (const auto& [script, problem] :
       {std::pair("return {\n  = 1\n}", "main.lua:2: "),
        std::pair("local x = nil\nreturn x.y", "main.lua:2: "),
        std::pair("return {}", "main.lua: it returns no table with something"),
        std::pair("return { update = 1 }", "'update' is no function"),
        std::pair("return { on = { hit = 1 } }", "'on.hit' is no function"),
        std::pair("return { update = print, parameters = { a = {} } }",
                  "it returns no table"),
        std::pair("return { update = function() end, parameters = { a = "
                  "{ default = 5, minimum = 0, maximum = -1 } } }",
                  "main.lua: the default of the parameter 'a': "),
        std::pair("return { update = function() end, parameters = { a = "
                  "{ default = 5, maximum = 0 / 0 } } }",
                  "a bound of the parameter 'a' is no number"),
        std::pair("return { update = function() end, parameters = { a = "
                  "{ default = 1 / 0 } } }",
                  "main.lua: the default of the parameter 'a': "),
        std::pair("own.get('marker.hits') return {}",
                  "not while scripts are loaded"),
        std::pair("while true do end", "the budget of instructions")}) {
    const std::vector<std::string> problems = ProblemsOf(ScriptedPack(script));
    ASSERT_EQ(problems.size(), 1u) << script;
    EXPECT_NE(problems[0].find(problem), std::string::npos) << problems[0];
  }
}

TEST(ScriptsWorldTest, AParameterMayHaveNoBound) {
  EXPECT_EQ(
      ProblemsOf(ScriptedPack("return { update = function() end, parameters = "
                              "{ a = { default = 5, minimum = -math.huge, "
                              "maximum = math.huge } } }")),
      std::vector<std::string>{});
}

TEST(ScriptsWorldTest, AFileThatIsNotThereIsSuggested) {
  const PackArchive pack = [] {
    PackArchive made = PackOf(
        Manifest({"types { name: \"a\" behaviours { file: \"mian.lua\" } }"}));
    EXPECT_TRUE(made.Add("main.lua", "return {}").ok());
    return made;
  }();
  const std::vector<std::string> problems = ProblemsOf(pack);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("did you mean 'main.lua'?"), std::string::npos)
      << problems[0];
}

TEST(ScriptsWorldTest, AFileWithoutItsFolderIsSuggested) {
  const PackArchive pack = [] {
    PackArchive made = PackOf(
        Manifest({"types { name: \"a\" behaviours { file: \"aim.lua\" } }"}));
    EXPECT_TRUE(made.Add("air.lua", "return {}").ok());
    EXPECT_TRUE(made.Add("lib/aim.lua", "return {}").ok());
    return made;
  }();
  ExpectProblems(ProblemsOf(pack),
                 {"there is no script 'aim.lua'; did you mean "
                  "'lib/aim.lua'?"});
}

TEST(ScriptsWorldTest, OneScriptAsksForAnother) {
  PackArchive pack = ScriptedPack(
      "local lib = require('lib/more')\n"
      "return { update = function() own.set('marker.hits', lib.six()) end }",
      "modules: \"lib/more.lua\"");
  ASSERT_TRUE(
      pack.Add("lib/more.lua", "return { six = function() return 6 end }")
          .ok());
  const auto world = CreateWorld(pack, 1);
  ASSERT_TRUE(world.ok()) << world.status();
  StepTimes(**world, 1);
  EXPECT_EQ(HitsOf(**world, "one"), 6);
}

constexpr std::string_view kBusy = R"(
local function wave(x) return math.sin(x) * 3 end
return {
  reads_others = true,
  spawn = function() timer.start("t", "ring", 1, 2) end,
  update = function()
    own.set("all.number", own.get("all.number") + wave(world.tick()))
    own.set("all.text", "at " .. world.tick())
    own.set("marker.hits", world.random_integer(0, 1000))
    if world.tick() == 12 then error("enough") end
  end,
  on = { ring = function()
    world.give("marker.hits", own.get("marker.hits"))
    world.spawn("quiet", vector(world.tick(), 0, 0))
  end },
}
)";

TEST(ScriptsWorldTest, GoesOnFromAnyTick) {
  constexpr int kTicks = 16;
  const auto world = ScriptedWorld(std::string(kBusy));
  ASSERT_NE(world, nullptr);
  std::vector<State> states;
  for (int i = 0; i < kTicks; ++i) {
    states.push_back(world->state());
    StepTimes(*world, 1);
  }
  const auto end = world->state().ComputeRootDigest();
  for (int i = 0; i < kTicks; ++i) {
    const auto other = ScriptedWorld(std::string(kBusy));
    ASSERT_TRUE(other->Restore(states[i]).ok());
    StepTimes(*other, kTicks - i);
    EXPECT_EQ(other->state().ComputeRootDigest(), end) << "from " << i;
    // And one whose machine has run already.
    ASSERT_TRUE(other->Restore(states[i]).ok());
    StepTimes(*other, kTicks - i);
    EXPECT_EQ(other->state().ComputeRootDigest(), end) << "again from " << i;
  }
}

TEST(ScriptsWorldTest, TheLogIsKeptForWhoReadsItAndIsNoState) {
  const std::string script = R"(return { update = function()
    log.debug("unheard")
    log.info("at " .. world.tick(), "clock")
    log.error(("x"):rep(2000))
  end })";
  const auto silent = ScriptedWorld(script);
  const auto world = ScriptedWorld(script);
  ASSERT_NE(world, nullptr);
  ASSERT_NE(silent, nullptr);
  WorldLog* const log = FindWorldLog(*world);
  ASSERT_NE(log, nullptr);
  StepTimes(*world, 1);
  EXPECT_TRUE(log->Drain().empty());
  log->Keep(LogLevel::kInfo);
  StepTimes(*world, 2);
  const std::vector<WorldLogLine> lines = log->Drain();
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].level, LogLevel::kInfo);
  EXPECT_EQ(lines[0].channel, "clock");
  EXPECT_EQ(lines[0].text, fmt::format("at {}", lines[0].tick));
  EXPECT_EQ(world->ObjectName(lines[0].object), "one");
  EXPECT_EQ(lines[1].channel, "main.lua");
  EXPECT_EQ(lines[1].text.size(), kLogTextBytesMax);
  EXPECT_EQ(lines[2].tick, lines[0].tick + 1);
  StepTimes(*silent, 3);
  EXPECT_EQ(world->state().ComputeRootDigest(),
            silent->state().ComputeRootDigest());
}

TEST(ScriptsWorldTest, TheLogIsBounded) {
  const auto world = ScriptedWorld(
      "return { update = function() for i = 1, 6000 do log.info(i .. '') end "
      "end }");
  ASSERT_NE(world, nullptr);
  WorldLog* const log = FindWorldLog(*world);
  ASSERT_NE(log, nullptr);
  log->Keep(LogLevel::kDebug);
  StepTimes(*world, 2);
  EXPECT_EQ(log->Drain().size(), kLogLinesMax);
  EXPECT_EQ(log->dropped_count(), 12000 - kLogLinesMax);
}

// The same game with a behaviour in C++ has the same tables, to the last bit;
// what a script's game has beside them are texts that scripts could make.
TEST(ScriptsWorldTest, TheStateIsThatOfANativeTwin) {
  const auto world_of = [](std::string_view behaviour) {
    PackArchive pack = PackOf(Manifest(
        {kMarker, "types { name: 'counter' components { component: 'marker' } ",
         behaviour,
         " }\nobjects { name: 'counter' type: 'counter' grid { count_x: 70 } "
         "}\n"}));
    EXPECT_TRUE(pack.Add("count.lua",
                         "return { update = function() own.set('marker.hits', "
                         "own.get('marker.hits') + 1) end }")
                    .ok());
    auto world = CreateWorld(pack, 1);
    EXPECT_TRUE(world.ok()) << world.status();
    return world.ok() ? *std::move(world) : nullptr;
  };
  const auto scripted = world_of("behaviours { file: 'count.lua' }");
  const auto native = world_of("behaviours { behaviour: 'testing_count' }");
  ASSERT_NE(scripted, nullptr);
  ASSERT_NE(native, nullptr);
  StepTimes(*scripted, 50);
  StepTimes(*native, 50);
  EXPECT_EQ(HitsOf(*scripted, "counter_69"), 50);
  const auto name_of = [](const State& state, TableIndex table) {
    return std::pair(state.room_of(table).name,
                     state.table(table).schema().name());
  };
  for (uint32_t i = 0; i < native->state().table_count(); ++i) {
    const auto& [room, table] = name_of(native->state(), {i});
    const auto twin = scripted->state().Find(room, table);
    ASSERT_TRUE(twin.has_value()) << room << "." << table;
    EXPECT_EQ(scripted->state().table(*twin).ComputeDigest(),
              native->state().table({i}).ComputeDigest())
        << room << "." << table;
  }
  for (uint32_t i = 0; i < scripted->state().table_count(); ++i) {
    const auto& [room, table] = name_of(scripted->state(), {i});
    if (native->state().Find(room, table).has_value()) continue;
    EXPECT_EQ(scripted->state().table({i}).row_count(), 0u)
        << room << "." << table;
  }
}

TEST(ScriptsWorldTest, TheStateHasNoTableOfScripts) {
  const auto world = ScriptedWorld(std::string(kBusy));
  ASSERT_NE(world, nullptr);
  for (const State::Room& room : world->state().rooms()) {
    EXPECT_NE(room.name, "scripts");
  }
}

}  // namespace
}  // namespace reprise::sim
