// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that scripts see what behaviours in C++ see: what devices report,
// what bodies are hit by their exact shapes, how others are turned, what timers
// and timelines are, whom a serial is of, what characters and vehicles do.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "tests/world/testing_inputs.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kTypes = R"(
events { name: "ring" arguments { name: "timer" type: TYPE_NAME } }
types {
  name: "asker"
  components { component: "marker" }
  behaviours { file: "main.lua" }
}
types { name: "ball" body { motion: MOTION_FIXED shapes { sphere { radius: 1 } } } }
types { name: "ghost" body { motion: MOTION_TRIGGER shapes { sphere { radius: 1 } } } }
types { name: "floor" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
objects { name: "asker" type: "asker" position { y: 5 } }
objects { name: "floor" type: "floor" position { y: -9 } }
objects { name: "near" type: "ball" position { x: 4 } }
objects { name: "far" type: "ball" position { x: 10 } rotation_degrees { y: 90 } }
objects { name: "ghost" type: "ghost" position { x: 7 } }
objects { name: "sleeper" type: "ball" position { x: -4 } dormant: true }
)";

std::unique_ptr<Simulation> WorldAsking(
    std::string_view body, std::string_view more = "",
    std::string_view players = kEveryInput) {
  PackArchive pack = PackOf(Manifest({players, kMarker, kTypes, more}));
  const std::string script =
      "return { reads_others = true, queries = true, update = function()\n" +
      std::string(body) +
      "\nown.set('marker.hits', own.get('marker.hits') + 1) end }";
  EXPECT_TRUE(pack.Add("main.lua", script).ok());
  auto world = CreateWorld(pack, 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *std::move(world) : nullptr;
}

// What the asker's script says of itself, and whether it has made its steps.
void ExpectSteps(Simulation& world, int64_t steps) {
  for (const Event& event : EventsOf(world, "script_failed")) {
    for (const EventArgument& argument : event.arguments) {
      if (argument.name != IdOf("message")) continue;
      ADD_FAILURE() << world.IdName(Id{argument.value.bits});
    }
  }
  EXPECT_EQ(HitsOf(world, "asker"), steps);
}

void ExpectRuns(std::string_view body, std::string_view more = "",
                int steps = 1) {
  const auto world = WorldAsking(body, more);
  ASSERT_NE(world, nullptr);
  StepTimes(*world, steps);
  ExpectSteps(*world, steps);
}

// The mistake that the asker makes.
std::string MistakeIn(std::string_view body, std::string_view players) {
  const auto world = WorldAsking(body, "", players);
  if (world == nullptr) return "";
  StepTimes(*world, 1);
  for (const Event& event : EventsOf(*world, "script_failed")) {
    for (const EventArgument& argument : event.arguments) {
      if (argument.name != IdOf("message")) continue;
      return world->IdName(Id{argument.value.bits});
    }
  }
  return "none";
}

TEST(ScriptQuestionsWorldTest, DevicesAreAskedAsTheyReport) {
  const auto world = WorldAsking(R"(
    local function is(actual, x, y, z)
      assert((actual - vector(x, y, z or 0)):length() < 1e-12, tostring(actual))
    end
    is(player.pointer(1), 1, 7 / 65535)
    is(player.mouse_motion(1), -3, 4)
    is(player.wheel(1), 0.5, -1)
    is(player.acceleration(1), 1.5, 0, -9.81)
    is(player.turning(1), 0, 0.002, 0)
    assert(player.touch(1) == nil)
    assert(player.touches(1) == 2 and player.touches(0) == 0)
    assert(player.touch(1) == nil)  -- of player 0
    assert(player.touches(1) == 2)
    is(player.touch(1), 1 / 65535, 2 / 65535, 9 / 65535)
    assert(player.touch_id(2) == 8 and player.touch_phase(2) == 'began')
    assert(player.touch(3) == nil and player.touch_id(3) == nil)
    assert(player.touch_phase(3) == nil)
  )");
  ASSERT_NE(world, nullptr);
  InputFrame frame{.player = 1};
  frame.device.mouse = {.x = 65535, .y = 7};
  frame.device.touches = {{.id = 3, .x = 1, .y = 2, .pressure = 9}, {.id = 8}};
  frame.device.motion_sensor = {.acceleration_mm_s2 = {1500, 0, -9810},
                                .angular_velocity_mrad_s = {0, 2, 0}};
  frame.activity = {
      .mouse_x = -3, .mouse_y = 4, .wheel_x = 60, .wheel_y = -120};
  ASSERT_TRUE(world->Validate(std::span(&frame, 1)).ok());
  world->Step(std::span(&frame, 1), nullptr);
  ExpectSteps(*world, 1);
}

TEST(ScriptQuestionsWorldTest, DevicesThatAPackLacksAreMistakes) {
  EXPECT_THAT(
      MistakeIn("player.pointer(2)", kEveryInput),
      HasSubstr("player.pointer: there is no player 2: the pack has 2"));
  constexpr std::string_view kFew = "players { actions { name: 'a' axis: 0 } }";
  for (const auto& [call, device] :
       {std::pair("player.pointer(0)", "a pointer"),
        std::pair("player.mouse_motion(0)", "a mouse_motion"),
        std::pair("player.wheel(0)", "a wheel"),
        std::pair("player.touches(0)", "a touch"),
        std::pair("player.acceleration(0)", "a motion_sensor"),
        std::pair("player.turning(0)", "a motion_sensor")}) {
    EXPECT_THAT(MistakeIn(call, kFew),
                HasSubstr(std::string(": no action of the pack is ") + device))
        << call;
  }
}

// What a pack for a later version of the program would do.
TEST(ScriptQuestionsWorldTest, FunctionThatIsNotThereIsToldWithItsLine) {
  const auto world = WorldAsking("\n\nquery.teleport(vector())");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 1);
  const std::vector<Event> mistakes = EventsOf(*world, "script_failed");
  ASSERT_EQ(mistakes.size(), 1u);
  bool has_line = false;
  bool has_name = false;
  for (const EventArgument& argument : mistakes.front().arguments) {
    if (argument.name == IdOf("line")) {
      has_line = true;
      EXPECT_EQ(argument.value, FieldValue::OfInt64(4));
    }
    if (argument.name == IdOf("message")) {
      has_name = true;
      EXPECT_THAT(world->IdName(Id{argument.value.bits}),
                  HasSubstr("(field 'teleport')"));
    }
  }
  EXPECT_TRUE(has_line);
  EXPECT_TRUE(has_name);
  EXPECT_EQ(HitsOf(*world, "asker"), 0);
}

TEST(ScriptQuestionsWorldTest, RaysHitShapesExactly) {
  ExpectRuns(R"(
    local from, to = vector(0, 0.6, 0), vector(20, 0.6, 0)
    assert(query.ray(from, to) == 1)
    assert(query.object(1) == world.find('near'))
    -- Where a ball of radius 1 is at a height of 0.6.
    assert((query.point(1) - vector(3.2, 0.6, 0)):length() < 1e-6)
    assert((query.normal(1) - vector(-0.8, 0.6, 0)):length() < 1e-6)
    assert(math.abs(query.distance(1) - 0.16) < 1e-6)
    assert(query.ray(from, to, true) == 2)
    assert(query.object(2) == world.find('far') and query.point(3) == nil)
    assert(query.ray(from, to, true, true) == 3)
    assert(query.object(2) == world.find('ghost'))
    assert(query.ray(from, vector(0, 20, 0)) == 0 and query.point(1) == nil)
    -- What other questions find lies nowhere in particular.
    assert(query.sphere(vector(4, 0, 0), 1) > 0 and query.point(1) == nil)
  )");
}

TEST(ScriptQuestionsWorldTest, BallsAndBoxesAreSwept) {
  ExpectRuns(R"(
    local from, to = vector(), vector(20, 0, 0)
    assert(query.sweep(from, to, 0.5) == 1)
    assert(query.object(1) == world.find('near'))
    assert(math.abs(query.distance(1) - 2.5 / 20) < 1e-3)
    assert(query.sweep(from, to, 0.5, true, true) == 3)
    assert(query.sweep_box(from, to, vector(0.5, 0.25, 0.25)) == 1)
    assert(math.abs(query.distance(1) - 2.5 / 20) < 1e-3)
    -- Turned by a right angle it is half as long.
    local turn = vector(0, math.pi / 2, 0)
    assert(query.sweep_box(from, to, vector(0.5, 0.25, 0.25), turn) == 1)
    assert(math.abs(query.distance(1) - 2.75 / 20) < 1e-3)
    assert(not pcall(query.sweep_box, from, to, vector(0, 1, 1)))
    assert(not pcall(query.sweep, vector(3e6, 0, 0), to, 0.5))
  )");
}

TEST(ScriptQuestionsWorldTest, WhatIsNearSolidsIsFound) {
  ExpectRuns(R"(
    assert(query.near(vector(2, 0, 0), 0.5) == 0)
    assert(query.near(vector(2, 0, 0), 0.5, 0.6) == 1)
    assert(query.object(1) == world.find('near'))
    assert(math.abs(query.distance(1) - 0.5) < 1e-6)
    assert((query.point(1) - vector(3, 0, 0)):length() < 1e-6)
    assert(query.near_box(vector(2, 0, 0), vector(1.5, 1, 1)) == 1)
    assert(query.distance(1) < 0)
    assert(query.near(vector(7, 0, 0), 0.5) == 0)
    assert(query.near(vector(7, 0, 0), 0.5, 0, true) == 1)
    assert(query.object(1) == world.find('ghost'))
    assert(query.closest(vector(0, 0, 0), 10) == 1)
    assert(query.object(1) == world.find('near'))
    assert((query.point(1) - vector(3, 0, 0)):length() < 1e-6)
    assert(math.abs(query.distance(1) - 3) < 1e-6)
    assert(query.closest(vector(0, 0, 0), 2) == 0)
  )");
}

TEST(ScriptQuestionsWorldTest, QuestionsAreAboutWhomTheyName) {
  ExpectRuns(R"(
    local from, to = vector(0, 0.6, 0), vector(20, 0.6, 0)
    local near, far = world.find('near'), world.find('far')
    query.without(near)
    assert(query.ray(from, to) == 1 and query.object(1) == far)
    -- That held for one question.
    assert(query.ray(from, to) == 1 and query.object(1) == near)
    query.only(far)
    assert(query.sweep(from, to, 0.5, true) == 1 and query.object(1) == far)
    query.only(far)
    assert(query.near(vector(2, 0, 0), 0.5, 0.6) == 0)
    query.only(far)
    assert(query.closest(vector(), 20) == 1 and query.object(1) == far)
    assert(query.near(vector(2, 0, 0), 0.5, 0.6) == 1)
    assert(not pcall(query.colliding))  -- it has no body
    assert(not pcall(query.layer, 'nowhere'))
    assert(query.ray(from, to, true) == 2)
    query.layer('default')  -- that of all packs
    assert(query.ray(from, to, true) == 2)
  )");
}

// Names in another order than that of the manifest, so that each has its bit.
TEST(ScriptQuestionsWorldTest, QuestionsAreAboutCollisionLayers) {
  ExpectRuns(R"(
    local from, to = vector(0, 0.6, 0), vector(20, 0.6, 0)
    local wall, cloud = world.find('wall'), world.find('cloud')
    if own.handle() == world.find('asker') then
      assert(query.ray(from, to, true) == 4)
      query.layer('walls')
      assert(query.ray(from, to, true) == 1 and query.object(1) == wall)
      query.layer('air')
      assert(query.ray(from, to, true) == 1 and query.object(1) == cloud)
      query.layer('walls')
      query.layer('air')
      assert(query.ray(from, to, true) == 2 and query.object(2) == cloud)
      query.layer('shots')
      assert(query.ray(from, to, true) == 0)
      query.layer('default')
      assert(query.ray(from, to, true) == 2)
      assert(query.object(1) == world.find('near'))
    else
      query.colliding()
      assert(query.ray(from, to, true) == 1 and query.object(1) == wall)
      assert(query.ray(from, to, true) == 4)
    end
  )",
             R"(
collision_layers { name: "walls" }
collision_layers { name: "shots" collides_with: "walls" }
collision_layers { name: "air" }
types { name: "wall" body { motion: MOTION_FIXED layers: "walls" shapes { sphere { radius: 1 } } } }
types { name: "cloud" body { motion: MOTION_FIXED layers: "air" shapes { sphere { radius: 1 } } } }
types {
  name: "shot"
  body { motion: MOTION_KINEMATIC layers: "shots" shapes { sphere { radius: 0.5 } } }
  components { component: "marker" }
  behaviours { file: "main.lua" }
}
objects { name: "wall" type: "wall" position { x: 13 } }
objects { name: "cloud" type: "cloud" position { x: 16 } }
objects { name: "shot" type: "shot" position { y: 30 } }
)");
}

// Against a ball of radius 1 whose edge is 3 m away.
TEST(ScriptQuestionsWorldTest, CapsulesCylindersAndConesAreAsked) {
  ExpectRuns(R"(
    local from, to = vector(), vector(20, 0, 0)
    local function way(shape, turn)
      assert(query.sweep_solid(from, to, shape, 0.5, 2, turn) == 1, shape)
      assert(query.object(1) == world.find('near'))
      return 20 * query.distance(1)
    end
    local function is(actual, expected)
      assert(math.abs(actual - expected) < 0.01, tostring(actual))
    end
    local left, right = vector(0, 0, math.pi / 2), vector(0, 0, -math.pi / 2)
    is(way('capsule'), 2.5)
    is(way('capsule', right), 1.5)
    is(way('cylinder'), 2.5)
    is(way('cylinder', right), 2)
    -- By its tip, three quarters of its height away, and by its base.
    is(way('cone', right), 1.5)
    is(way('cone', left), 2.5)
    local at = vector(2, 0, 0)
    assert(query.near_solid(at, 'capsule', 0.5, 2) == 0)
    assert(query.near_solid(at, 'capsule', 0.5, 2, nil, 0.6) == 1)
    is(query.distance(1), 0.5)
    assert(query.near_solid(at, 'capsule', 0.5, 2, right) == 1)
    assert(query.distance(1) < 0)
    assert(not pcall(query.sweep_solid, from, to, 'hull', 0.5, 2))
    assert(not pcall(query.sweep_solid, from, to, 'cone', 0.5, 0))
    assert(not pcall(query.near_solid, vector(3e6, 0, 0), 'cone', 0.5, 2))
  )");
}

// Of an octahedron whose corners are 1 m away its edges are 1 / sqrt(2) and its
// faces 1 / sqrt(3) m away; what it meets is a ball of radius 1 with its edge 3
// m away.
constexpr std::string_view kHulls = R"(
    local function octahedron()
      for _, x in ipairs { 1, -1 } do
        query.corner(vector(x, 0, 0))
        query.corner(vector(0, x, 0))
        query.corner(vector(0, 0, x))
      end
    end
    local function box(low, high)
      for i = 0, 7 do
        query.corner(vector(i % 2 == 0 and low.x or high.x,
                            i // 2 % 2 == 0 and low.y or high.y,
                            i // 4 == 0 and low.z or high.z))
      end
    end
    local function is(actual, expected)
      assert(math.abs(actual - expected) < 1.1e-3, tostring(actual))
    end
    local from, to = vector(), vector(20, 0, 0)
    local near, far = world.find('near'), world.find('far')
)";

TEST(ScriptQuestionsWorldTest, HullsAreSwept) {
  ExpectRuns(std::string(kHulls) + R"(
    local function way(turn)
      octahedron()
      assert(query.sweep_hull(from, to, turn) == 1)
      assert(query.object(1) == near)
      return 20 * query.distance(1)
    end
    is(way(), 3 - 1)
    is(way(vector(0, 0, math.pi / 4)), 3 - 1 / math.sqrt(2))
    -- Its face forward: by the angle between (1, 1, 1) and x.
    local angle = math.acos(1 / math.sqrt(3)) / math.sqrt(2)
    is(way(vector(0, angle, -angle)), 3 - 1 / math.sqrt(3))
    -- What eight corners span is the box; those inside add nothing.
    box(vector(-0.5, -0.25, -0.25), vector(0.5, 0.25, 0.25))
    query.corner(vector(0.1, 0.1, 0.1))
    assert(query.sweep_hull(from, to) == 1)
    is(20 * query.distance(1), 2.5)
    assert((query.point(1) - vector(3, 0, 0)):length() < 2e-3)
    assert((query.normal(1) - vector(-1, 0, 0)):length() < 2e-3)
    -- Its origin may lie outside, and is what goes along the way: behind the
    -- first ball it meets the second.
    box(vector(5.2, -0.25, -0.25), vector(6.2, 0.25, 0.25))
    assert(query.sweep_hull(from, to) == 1 and query.object(1) == far)
    is(20 * query.distance(1), 9 - 6.2)
    octahedron()
    assert(query.sweep_hull(from, to, nil, true) == 2)
    octahedron()
    assert(query.sweep_hull(from, to, nil, true, true) == 3)
    octahedron()
    query.only(far)
    assert(query.sweep_hull(from, to) == 1 and query.object(1) == far)
  )");
}

TEST(ScriptQuestionsWorldTest, WhatIsNearHullsIsFound) {
  ExpectRuns(std::string(kHulls) + R"(
    local function near_at(x, turn, distance, triggers)
      octahedron()
      return query.near_hull(vector(x, 0, 0), turn, distance, triggers)
    end
    assert(near_at(1.5) == 0 and near_at(1.5, nil, 0.4) == 0)
    assert(near_at(1.5, nil, 0.6) == 1 and query.object(1) == near)
    is(query.distance(1), 0.5)
    assert((query.point(1) - vector(3, 0, 0)):length() < 2e-3)
    assert(near_at(2.2) == 1)
    is(query.distance(1), -0.2)
    -- Turned so that an edge is in front it doesn't reach as far.
    assert(near_at(2.2, vector(0, 0, math.pi / 4)) == 0)
    assert(near_at(2.2, vector(0, 0, math.pi / 4), 0.2) == 1)
    is(query.distance(1), 3 - 2.2 - 1 / math.sqrt(2))
    assert(near_at(7) == 0 and near_at(7, nil, nil, true) == 1)
    assert(query.object(1) == world.find('ghost'))
  )");
}

// A wedge that is turned about its body's origin and moved from it.
TEST(ScriptQuestionsWorldTest, HullsOfTypesAreAsked) {
  constexpr std::string_view kWedge = R"(
types {
  name: "wedge"
  body {
    motion: MOTION_FIXED
    shapes { position { x: 0.5 } rotation_degrees { y: 90 } hull { points { x: -1 y: -1 } points { x: 1 y: -1 } points { x: -1 y: 1 } points { x: -1 y: -1 z: 2 } points { x: 1 y: -1 z: 2 } points { x: -1 y: 1 z: 2 } } }
  }
}
types { name: "pair" body { motion: MOTION_FIXED shapes { sphere { radius: 1 } } shapes { sphere { radius: 1 } } } }
objects { name: "wedge" type: "wedge" position { y: 40 } }
)";
  ExpectRuns(std::string(kHulls) + R"(
    -- z of the hull's corners is x of the body's, from 0.5 to 2.5.
    query.hull_of('wedge')
    assert(query.sweep_hull(from, to) == 1 and query.object(1) == near)
    is(20 * query.distance(1), 3 - 2.5)
    query.hull_of('wedge')
    assert(query.near_hull(vector(0.3, 0, 0)) == 0)
    query.hull_of('wedge')
    assert(query.near_hull(vector(0.3, 0, 0), nil, 0.25) == 1)
    is(query.distance(1), 3 - 2.5 - 0.3)
    -- As the body is where it stands: the ray that comes down on it from above
    -- meets its slope, from 1 at z = 1 to -1 at z = -1.
    assert(query.ray(vector(1, 50, 0), vector(1, 30, 0)) == 1)
    is(query.point(1).y, 40)
    -- What is said last counts.
    octahedron()
    query.hull_of('wedge')
    assert(query.near_hull(vector(0.3, 0, 0), nil, 0.25) == 1)
    query.hull_of('wedge')
    octahedron()
    assert(query.near_hull(vector(0.3, 0, 0), nil, 0.25) == 0)
    for _, type in ipairs { 'wegde', 'ball', 'pair', 'asker', 'floor' } do
      assert(not pcall(query.hull_of, type), type)
    end
    local ok, text = pcall(query.hull_of, 'wegde')
    assert(text:find("there is no type 'wegde'; did you mean 'wedge'?", 1, true), text)
  )",
             kWedge);
}

TEST(ScriptQuestionsWorldTest, HullsThatAreNoneAreRefused) {
  ExpectRuns(std::string(kHulls) + R"(
    local function refuses(text, ...)
      local ok, error = pcall(query.sweep_hull, ...)
      assert(not ok and error:find(text, 1, true), error)
    end
    refuses('0 were said before it', from, to)
    -- It holds for one question, whatever becomes of that.
    octahedron()
    assert(query.near_hull(from) == 0)
    refuses('0 were said before it', from, to)
    octahedron()
    refuses('2e6 m away', vector(3e6, 0, 0), to)
    refuses('0 were said before it', from, to)
    for i = 1, 3 do query.corner(vector(i, i * i, 0)) end
    refuses('3 were said before it', from, to)
    for i = 1, 5 do query.corner(vector(i, i * i, 0)) end
    refuses('in one plane', from, to)
    octahedron()
    refuses('1e9', from, to, vector(2e9, 0, 0))
    assert(not pcall(query.corner, vector(0, 10001, 0)))
    for i = 1, 64 do query.corner(vector(i, i * i / 64, i % 2)) end
    assert(not pcall(query.corner, vector()))
    assert(query.near_hull(vector(0, 500, 0)) == 0)
  )");
}

TEST(ScriptQuestionsWorldTest, BodiesAreNotAskedWithoutSayingSo) {
  PackArchive pack = PackOf(Manifest({kEveryInput, kMarker, kTypes}));
  ASSERT_TRUE(pack.Add("main.lua",
                       "return { update = function()\n"
                       "  for _, f in ipairs { query.ray, query.sweep } do\n"
                       "    assert(not pcall(f, vector(), vector(), 1))\n"
                       "  end\n"
                       "  own.set('marker.hits', 1) end }")
                  .ok());
  auto world = CreateWorld(pack, 1);
  ASSERT_TRUE(world.ok()) << world.status();
  StepTimes(**world, 1);
  ExpectSteps(**world, 1);
}

TEST(ScriptQuestionsWorldTest, SleepersAreFoundWhereTheyAreMeant) {
  ExpectRuns(R"(
    local at = vector(-4, 0, 0)
    assert(query.sphere(at, 1) == 0 and query.sphere(at, 1, nil, true) == 1)
    assert(query.object(1) == world.find('sleeper'))
    assert(query.box(at, vector(1, 1, 1), 'ball', nil, true) == 1)
    assert(query.along(at, vector(-3, 0, 0), 'ball', true) == 1)
    assert(query.nearest(at, 1, 'ball', true) == 1)
    assert(query.object(1) == world.find('sleeper'))
    assert(query.all('ball') == 2 and query.all('ball', nil, true) == 3)
    assert(query.cone(at, vector(1, 0, 0), 0.5, 1, 'ball', true) == 1)
  )");
}

TEST(ScriptQuestionsWorldTest, OthersAreSeenWithTheirTurn) {
  ExpectRuns(R"(
    local far = world.find('far')
    local turn = vector(0, math.pi / 2, 0)
    assert((other.rotation(far) - turn):length() < 1e-9)
    assert(world.by_serial(own.serial()) == own.handle())
    assert(world.by_serial(1000000) == nil)
  )");
}

TEST(ScriptQuestionsWorldTest, TimersAndTimelinesSayWhatTheyAre) {
  ExpectRuns(R"(
    timer.start('t', 'ring', 5, 7, 3, -2)
    assert(timer.due_in('t') == 5 and timer.period('t') == 7)
    assert(timer.firings('t') == 3)
    assert(timer.period('u') == nil and timer.firings('u') == nil)
    timeline.start('l', 60, 'loop', 1, 2)
    assert(timeline.duration('l') == 60 and timeline.rate('l') == 0.5)
    assert(timeline.is_paused('l') == false)
    timeline.pause('l')
    assert(timeline.is_paused('l') and timeline.duration('m') == nil)
    assert(timeline.rate('m') == nil and timeline.is_paused('m') == nil)
  )");
}

TEST(ScriptQuestionsWorldTest, WhatComesMaySpinAndWhoIsCarriedHasAPlace) {
  const auto world = WorldAsking(R"(
    local hits = own.get('marker.hits')
    if hits == 0 then
      world.spawn('top', vector(0, 50, 0), 'spinner', nil, nil, nil, nil, nil,
                  vector(0, 3, 0))
      local carried = world.find('carried')
      local way = vector(1, 2, 3)
      world.attach(own.handle(), carried, true, way, vector(0, 1, 0))
      assert(not pcall(world.attach, own.handle(), carried, true, vector(2e6)))
      assert(not pcall(world.attach, own.handle(), carried, true, nil, way))
    elseif hits == 4 then
      local carried = world.find('carried')
      assert((other.position(carried) - vector(1, 7, 3)):length() < 1e-9)
      assert((other.rotation(carried) - vector(0, 1, 0)):length() < 1e-9)
    end
  )",
                                 R"(
types { name: "top" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } } }
types { name: "thing" }
objects { name: "carried" type: "thing" position { x: 50 } }
)");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 5);
  ExpectSteps(*world, 5);
  const auto spin =
      ValueOf(*world, "physics", "bodies", "spinner", "angular_velocity.y");
  ASSERT_TRUE(spin.has_value());
  EXPECT_NEAR(spin->AsDouble(), 3.0, 0.01);
}

TEST(ScriptQuestionsWorldTest, PathsHaveADirection) {
  ExpectRuns(R"(
    assert((path.direction('line', 1.5) - vector(1, 0, 0)):length() < 1e-9)
    assert(path.direction('nowhere', 1) == nil)
  )",
             R"(paths { name: "line" points { } points { x: 6 } })");
}

TEST(ScriptQuestionsWorldTest, WhoIsNoCharacterOrVehicleIsNil) {
  ExpectRuns(R"(
    assert(character.ground() == nil and character.velocity() == nil)
    assert(vehicle.steering() == nil and vehicle.gear() == nil)
    assert(vehicle.engine_speed() == nil)
  )");
}

}  // namespace
}  // namespace reprise::sim
