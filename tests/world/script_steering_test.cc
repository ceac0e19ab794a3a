// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that scripts are told where flow fields lead, what cells weigh, and
// what velocity to want: held against costs counted by hand on a small grid and
// against closed forms; and that they follow a goal and a cell that change.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/compiler/pack_compiler.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

// A wall with a gap at its lower end, mud, and a cell that nobody gets to.
constexpr std::string_view kField = R"(
navigation {
  grids {
    name: "yard"
    neighbours: NEIGHBOURS_FOUR
    rows: "..#.#."
    rows: "..#..#"
    rows: "....~."
    symbols { symbol: "~" weight: 3 }
  }
  flow_fields { name: "home" grid: "yard" goal { x: 3.5 z: 0.5 } }
}
events { name: "script_heard" }
types { name: "other" }
types { name: "scout" components { component: "marker" } behaviours { file: "scout.lua" } }
objects { name: "scout" type: "scout" position { x: 0.5 z: 0.5 } }
objects { name: "post" type: "other" position { x: 0.5 z: 1.5 } }
objects { name: "tree" type: "other" position { x: 1.5 z: 0.5 } }
)";

std::unique_ptr<Simulation> ScoutWorld(std::string_view update) {
  PackArchive pack = PackOf(Manifest({kMarker, kField}));
  EXPECT_TRUE(pack.Add("scout.lua",
                       "return { reads_others = true, queries = "
                       "true, update = function()\n"
                       "local n = own.get('marker.hits') + 1\n" +
                           std::string(update) +
                           "\nown.set('marker.hits', n) end }")
                  .ok());
  auto world = CreateWorld(pack, 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

// Every update ran to its end.
void ExpectSteps(std::string_view update, int ticks) {
  const auto world = ScoutWorld(update);
  StepTimes(*world, ticks);
  for (const Event& event : EventsOf(*world, "script_failed")) {
    for (const EventArgument& argument : event.arguments) {
      ADD_FAILURE() << world->IdName(Id{argument.value.bits});
    }
  }
  EXPECT_EQ(HitsOf(*world, "scout"), ticks);
}

TEST(ScriptSteeringTest, FlowsLeadRoundTheWall) {
  // Down two, right three, up two: seven straight steps.
  ExpectSteps(R"(
    assert(flow.cost("home") == 7000)
    assert(flow.cost("home", vector(3.5, 9, 2.5)) == 2000)
    assert(flow.next("home", vector(2.5, 9, 2.5)) == vector(3.5, 9, 2.5))
    assert(flow.next("home", vector(3.2, 0, 0.8)) == vector(3.5, 0, 0.5))
    assert(flow.goal("home") == vector(3.5, 0, 0.5))
    -- Behind walls, in one, and outside.
    for _, place in ipairs({ vector(5.5, 0, 0.5), vector(2.5, 0, 0.5), vector(-1, 0, 0) }) do
      assert(flow.cost("home", place) == nil and flow.next("home", place) == nil)
    end
  )",
              2);
}

TEST(ScriptSteeringTest, CellsWeighWhatTheyAre) {
  ExpectSteps(R"(
    assert(grid.weight("yard") == 1 and grid.weight("yard", vector(2.5, 0, 0.5)) == 0)
    assert(grid.weight("yard", vector(4.5, 0, 2.5)) == 3)
    assert(grid.weight("yard", vector(6.5, 0, 2.5)) == nil)
    -- A step costs what the cell weighs that it leads to.
    assert(flow.cost("home", vector(5.5, 0, 2.5)) == 3000 + 3 * 1000)
  )",
              2);
}

TEST(ScriptSteeringTest, FlowsFollowGoalsAndCellsThatChange) {
  ExpectSteps(R"(
    if n == 1 then
      event.give("field", "home") event.give("x", 1.5) event.give("z", 0.5)
      event.post("move_flow_goal", own.handle())
      assert(flow.cost("home") == 7000)  -- posted: not yet
    elseif n == 2 then
      assert(flow.cost("home") == 1000 and flow.goal("home") == vector(1.5, 0, 0.5))
      event.give("grid", "yard") event.give("x", 1.5) event.give("z", 0.5) event.give("weight", 5)
      event.post("change_cell", own.handle())
    else
      assert(flow.cost("home") == 5000 and grid.weight("yard", vector(1.5, 0, 0.5)) == 5)
    end
  )",
              4);
}

// Six changes of one step, each with somebody who asks: four are followed at
// once, which is what a step may cost, and the last from the next step on.
TEST(ScriptSteeringTest, FlowsFollowSoManyChangesOfAStep) {
  PackArchive pack = PackOf(Manifest({kMarker, R"(
navigation {
  grids { name: "lane" rows: "........" }
  flow_fields { name: "home" grid: "lane" goal { x: 0.5 z: 0.5 } }
}
events { name: "script_heard" }
types { name: "scout" components { component: "marker" } behaviours { file: "scout.lua" } }
objects { name: "scout" type: "scout" position { x: 0.5 z: 0.5 } }
)"}));
  ASSERT_TRUE(pack.Add("scout.lua", R"(
return {
  update = function()
    if world.tick() == 3 then own.set("marker.hits", own.get("marker.hits") * 10 + flow.cost("home") // 1000) end
    if world.tick() > 0 then return end
    for cell = 1, 6 do
      event.give("field", "home") event.give("x", cell + 0.5) event.give("z", 0.5)
      event.post("move_flow_goal", own.handle())
      event.post("script_heard", own.handle())
    end
  end,
  on = {
    script_heard = function()
      own.set("marker.hits", own.get("marker.hits") * 10 + flow.cost("home") // 1000)
    end,
  },
}
)")
                  .ok());
  auto world = CreateWorld(pack, 1);
  ASSERT_TRUE(world.ok()) << world.status();
  StepTimes(**world, 4);
  const std::vector<Event> told = (*world)->DrainEvents();
  const auto count = [&](std::string_view type) {
    return std::ranges::count(told, IdOf(type), &Event::type);
  };
  EXPECT_EQ(count("script_failed"), 0);
  EXPECT_EQ(HitsOf(**world, "scout"), 1234446);
  // Whoever asks is told once a step that the field is late.
  EXPECT_EQ(count("flow_field_late"), 1);
}

TEST(ScriptSteeringTest, UnknownFieldsAndGridsAreMistakes) {
  for (const std::string_view call :
       {"flow.next('away')", "flow.cost('away')", "flow.goal('away')"}) {
    const auto world = ScoutWorld(call);
    StepTimes(*world, 1);
    EXPECT_EQ(EventsOf(*world, "script_failed").size(), 1u) << call;
  }
  const auto world = ScoutWorld("grid.weight('away')");
  StepTimes(*world, 1);
  EXPECT_EQ(EventsOf(*world, "script_failed").size(), 1u);
}

// From (0.5, 0, 0.5).
TEST(ScriptSteeringTest, VelocitiesAreThoseOfClosedForms) {
  ExpectSteps(R"(
    local function near(a, b) assert((a - b):length() < 1e-12, tostring(a)) end
    near(steering.seek(vector(3.5, 0, 4.5), 10), vector(6, 0, 8))
    near(steering.flee(vector(3.5, 0, 4.5), 10), vector(-6, 0, -8))
    near(steering.arrive(vector(3.5, 0, 4.5), 10, 20), vector(1.5, 0, 2))  -- 5 of 20 m
    near(steering.seek(own.position(), 10), vector(0, 0, 0))
    -- 4 m ahead across at 3 m/s, at 5 m/s: met after 1 s at (4, 3).
    near(steering.pursue(vector(4.5, 0, 0.5), vector(0, 0, 3), 5, 10), vector(4, 0, 3))
    near(steering.evade(vector(4.5, 0, 0.5), vector(0, 0, 3), 5, 10), vector(-4, 0, -3))
    near(steering.limit(vector(1, 0, 0), vector(1, 0, 4), 1), vector(1, 0, 1))
    near(steering.limit(vector(1, 0, 0), vector(1, 0, 0.5), 1), vector(1, 0, 0.5))
  )",
              2);
}

TEST(ScriptSteeringTest, WanderersKeepTheirAngle) {
  ExpectSteps(R"(
    local function near(a, b) assert((a - b):length() < 1e-12, tostring(a)) end
    -- The circle's middle is 3 m ahead, and the goal 4 m aside of it or straight on.
    near(steering.wander(vector(2, 9, 0), math.pi / 2, 3, 4, 5), vector(3, 0, -4))
    near(steering.wander(vector(0, 0, 1), 0, 3, 4, 5), vector(0, 0, 5))
    near(steering.wander(vector(0, 0, 0), 0, 3, 4, 5), vector(5, 0, 0))
    -- The angle is a property: what it strays to is where the next step begins.
    local angle = own.get("marker.speed") + (2 * world.random() - 1) / 2
    own.set("marker.speed", angle)
    local way = steering.wander(vector(1, 0, 0), angle, 2, 1, 3)
    assert(math.abs(way:length() - 3) < 1e-12 and way.x > 0)
  )",
              20);
}

// Both others are 1 m away, one to x and one to z.
TEST(ScriptSteeringTest, OthersAreThoseOfTheLastQuery) {
  ExpectSteps(R"(
    local function near(a, b) assert((a - b):length() < 1e-12, tostring(a)) end
    assert(query.sphere(own.position(), 0.5) == 0)
    near(steering.separate(2, 4), vector(0, 0, 0))
    assert(query.sphere(own.position(), 2) == 2)
    near(steering.separate(2, 4), vector(-2, 0, -2))   -- half of 4 from each
    near(steering.separate(2, 1), vector(-0.5, 0, -0.5))
    -- At 1 m/s along x it touches the tree after 1 - 0.5 s: half of the speed, to the right.
    near(steering.avoid(vector(1, 0, 0), 0.25, 0.25, 1, 3), vector(0, 0, 1.5))
  )",
              2);
}

// They read others, which a script has to say.
TEST(ScriptSteeringTest, ReadingOthersHasToBeSaid) {
  PackArchive pack = PackOf(Manifest({kMarker, kField}));
  ASSERT_TRUE(pack.Add("scout.lua",
                       "return { queries = true, update = function() "
                       "query.all() steering.separate(1, 1) end }")
                  .ok());
  auto world = CreateWorld(pack, 1);
  ASSERT_TRUE(world.ok()) << world.status();
  StepTimes(**world, 1);
  EXPECT_EQ(EventsOf(**world, "script_failed").size(), 1u);
}

}  // namespace
}  // namespace reprise::sim
