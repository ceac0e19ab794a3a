// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a tick of a world in which no objects come or go allocates
// nothing, by counting the calls of operator new.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "replays/playing/pack_folder.h"
#include "sim/bots/bot_players.h"
#include "sim/input/input_frame.h"
#include "sim/systems/navigation/testing_mesh_packs.h"
#include "tests/world/testing_worlds.h"

namespace {

std::atomic<uint64_t> allocation_count = 0;

void* CountedAllocation(size_t size, size_t alignment) {
  ++allocation_count;
  return std::aligned_alloc(alignment,
                            (size + alignment) / alignment * alignment);
}

}  // namespace

void* operator new(size_t size) {
  return CountedAllocation(size, alignof(std::max_align_t));
}
void* operator new(size_t size, std::align_val_t alignment) {
  return CountedAllocation(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace reprise::sim {
namespace {

// Objects that count, drift and read each other; bodies at rest on a floor and
// inside a trigger; a timer that is long in coming.
constexpr std::string_view kPack = R"(
types {
  name: "clock"
  components { component: "marker" }
  behaviours { behaviour: "testing_count" }
  behaviours { behaviour: "testing_drift" }
  timers { name: "end" event: "destroy" delay_s: 1000 }
}
types {
  name: "reader"
  components { component: "marker" }
  behaviours { behaviour: "testing_copy_last_tick" every_ticks: 3 spread: true }
}
types { name: "floor" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
types { name: "zone" body { motion: MOTION_TRIGGER shapes { box { half_extents { x: 9 y: 1 z: 9 } } } } }
types { name: "box" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { box { half_extents { x: 0.3 y: 0.3 z: 0.3 } } } } }
objects { name: "floor" type: "floor" }
objects { name: "zone" type: "zone" }
objects { name: "box" type: "box" position { y: 0.3 } grid { count_x: 5 count_y: 3 spacing { x: 1 y: 0.6 } } }
objects { name: "clock" type: "clock" grid { count_x: 300 } }
objects { name: "reader" type: "reader" after: "clock_0" grid { count_x: 300 }
          components { component: "marker" set { property: "friend" value { text: "clock_7" } } } }
)";

uint64_t AllocationsOf(Simulation& world, int ticks) {
  const uint64_t before = allocation_count;
  StepTimes(world, ticks);
  return allocation_count - before;
}

// The same without the account of what happened, which is no state: a list of
// arguments for each event that has some, and the list of events as it grows.
uint64_t UntoldAllocationsOf(Simulation& world, int ticks) {
  world.DrainEvents();
  const uint64_t all = AllocationsOf(world, ticks);
  const std::vector<Event> events = world.DrainEvents();
  const auto lists = static_cast<uint64_t>(std::ranges::count_if(
      events, [](const Event& event) { return !event.arguments.empty(); }));
  const uint64_t told = lists + std::bit_width(events.size()) + 1;
  return all > told ? all - told : 0;
}

bool HasCome(const std::vector<Event>& events, std::string_view type) {
  return std::ranges::any_of(
      events, [&](const Event& event) { return event.type == IdOf(type); });
}

// Under the address sanitizer pages are freed at once, so that it can see when
// one is used after that; there is nothing to count then.
class SteadyWorldTest : public testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "pages are not kept for reuse in this build";
#endif
  }
};

TEST_F(SteadyWorldTest, SteadyTicksAllocateNothing) {
  const auto world = WorldOf(Manifest({kMarker, kPack}));
  StepTimes(*world, 200);
  EXPECT_GE(RowCount(*world, "contacts", "overlaps"), 5u);
  EXPECT_EQ(AllocationsOf(*world, 100), 0u);
}

TEST_F(SteadyWorldTest, SnapshotEveryTickAllocatesNothingButItself) {
  const auto world = WorldOf(Manifest({kMarker, kPack}));
  State snapshot;
  for (int tick = 0; tick < 200; ++tick) {
    StepTimes(*world, 1);
    snapshot = world->state();
  }
  const uint64_t before = allocation_count;
  for (int tick = 0; tick < 50; ++tick) {
    StepTimes(*world, 1);
    snapshot = world->state();
  }
  EXPECT_EQ(allocation_count - before, 0u);
}

// A crowd on a flow field and one on paths of its own, in the middle of their
// ways.
TEST_F(SteadyWorldTest, NavigatorsThatGoAllocateNothing) {
  const auto world = WorldOf(Manifest({R"(
navigation {
  grids { name: "field" columns: 200 row_count: 200 neighbours: NEIGHBOURS_EIGHT areas { column: 50 row: 20 columns: 3 rows: 180 symbol: "#" } }
  flow_fields { name: "home" grid: "field" goal { x: 199.5 z: 199.5 } }
}
types { name: "sheep" navigator { flow_field: "home" speed: 6 } }
types { name: "goat" navigator { space: "field" speed: 6 } }
objects { name: "sheep" type: "sheep" position { x: 0.5 z: 0.5 } grid { count_x: 40 count_z: 10 spacing { x: 1 z: 1 } } set { property: "navigator.is_active" to: "1" } }
objects { name: "goat" type: "goat" position { x: 0.5 z: 50.5 } grid { count_x: 10 count_z: 10 spacing { x: 1 z: 1 } } set { property: "navigator.goal" to: "199 0 199" } set { property: "navigator.is_active" to: "1" } }
)"}));
  StepTimes(*world, 400);
  world->DrainEvents();
  ASSERT_EQ(RowCount(*world, "navigation", "searches"), 0u);
  ASSERT_GT(RowCount(*world, "navigation", "path_points"), 10'000u);
  EXPECT_EQ(AllocationsOf(*world, 100), 0u);
}

// Foxes in all directions among hares that run by, behind walls and in the
// open, within a budget that some pass; a bell that all of them hear.
TEST_F(SteadyWorldTest, SensesThatLookAndHearAllocateNothing) {
  const auto world = WorldOf(Manifest({R"(
navigation {
  grids { name: "field" columns: 200 row_count: 40 neighbours: NEIGHBOURS_EIGHT }
  flow_fields { name: "home" grid: "field" goal { x: 199.5 z: 20.5 } }
}
senses_budget { lines_per_tick: 300 }
types { name: "hare" navigator { flow_field: "home" speed: 6 } }
types { name: "wall" body { motion: MOTION_FIXED shapes { box { half_extents { x: 0.1 y: 1 z: 1 } } } } }
types {
  name: "fox"
  senses {
    vision { of: "hare" range: 12 angle_degrees: 120 near: 1 }
    hearing { acuity: 2 through_bodies: 0.5 }
    memory_s: 0.5 memories_max: 4 every_s: 0.05
  }
}
types { name: "bell" brain: "ring" }
brains { name: "ring" root { repeat { node { name: "again" wait { seconds: 0.2 } exit { send { object: "self" event: "make_noise" with { argument: "loudness" to: "20" } } } } } } }
objects { name: "hare" type: "hare" position { x: 0.5 z: 0.5 } grid { count_x: 10 count_z: 10 spacing { x: 2 z: 4 } } set { property: "navigator.is_active" to: "1" } }
objects { name: "fox" type: "fox" position { x: 5.5 z: 0.5 } grid { count_x: 10 count_z: 4 spacing { x: 15 z: 10 } } }
objects { name: "wall" type: "wall" position { x: 9.5 z: 2.5 } grid { count_x: 10 count_z: 4 spacing { x: 15 z: 10 } } }
objects { name: "bell" type: "bell" position { x: 100.5 z: 20.5 } }
)"}));
  StepTimes(*world, 600);
  const std::vector<Event> events = world->DrainEvents();
  EXPECT_TRUE(HasCome(events, "saw"));
  EXPECT_TRUE(HasCome(events, "lost_sight_of"));
  EXPECT_TRUE(HasCome(events, "heard_noise"));
  EXPECT_EQ(UntoldAllocationsOf(*world, 120), 0u);
}

// Trees, states and choices that begin and end something in every tick, with
// conditions, numbers, effects and chances.
TEST_F(SteadyWorldTest, BrainsThatThinkAllocateNothing) {
  const auto world = WorldOf(Manifest({R"(
components { name: "need" properties { name: "hunger" type: TYPE_NUMBER } properties { name: "meals" type: TYPE_INTEGER } }
types { name: "agent" brain: "mind" components { component: "need" } }
brains {
  name: "mind"
  symbols { name: "fed" if: "self.need.hunger < 5" }
  root {
    parallel {
      nodes { machine {
        states { name: "idle" update { add { object: "self" property: "need.hunger" amount: "0.5" } } update_every_s: 0.05
                 transitions { to: "hungry" if: "self.need.hunger > 3" chance: 0.5 } }
        states { name: "hungry" transitions { to: "idle" after_s: 0.2 } }
      } }
      nodes { repeat { node { selector {
        nodes { if: "self.need.hunger > 4" aborts: ABORTS_BOTH sequence { nodes { wait { seconds: 0.05 } } nodes { enter { add { object: "self" property: "need.meals" amount: "1" } } } } }
        nodes { choose { every_s: 0.1 options { node { wait { seconds: 0.1 } } considerations { of: "self.need.hunger" maximum: 10 curve: CURVE_QUADRATIC } } options { node { wait { seconds: 0.05 } } considerations { of: "self.need.meals" maximum: 100 curve: CURVE_LINEAR inverted: true } } } }
      } } } }
      nodes { repeat { node { plan {
        every_s: 0.2
        goals { name: "eat" wants: "fed" }
        actions { node { name: "bite" wait { seconds: 0.05 } exit { set { object: "self" property: "need.hunger" to: "0" } } } gives: "fed" }
      } } } }
    }
  }
}
objects { name: "agent" type: "agent" grid { count_x: 10 count_z: 10 spacing { x: 1 z: 1 } } }
)"}));
  StepTimes(*world, 600);
  const std::vector<Event> events = world->DrainEvents();
  EXPECT_TRUE(HasCome(events, "brain_changed"));
  EXPECT_TRUE(HasCome(events, "brain_planned"));
  EXPECT_EQ(UntoldAllocationsOf(*world, 120), 0u);
}

// Characters on paths of their own.
TEST_F(SteadyWorldTest, CharactersThatFindTheirWayAllocateNothing) {
  const auto world = WorldOf(Manifest({R"(
physics { gravity { y: -10 } }
navigation { grids { name: "field" columns: 100 row_count: 100 neighbours: NEIGHBOURS_EIGHT areas { column: 20 row: 20 columns: 3 rows: 80 symbol: "#" } } }
types { name: "ground" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
types {
  name: "hen"
  body { motion: MOTION_KINEMATIC shapes { capsule { radius: 0.2 half_length: 0.2 } } }
  character { speed: 2 acceleration: 20 step_height: 0.1 }
  navigator { space: "field" speed: 2 arrive_radius: 0.25 }
}
objects { name: "ground" type: "ground" }
objects { name: "hen" type: "hen" position { x: 1.5 y: 0.41 z: 50.5 } grid { count_x: 4 count_z: 4 spacing { x: 2 z: 2 } } set { property: "navigator.goal" to: "90 0 90" } set { property: "navigator.is_active" to: "1" } }
)"}));
  StepTimes(*world, 300);
  world->DrainEvents();
  ASSERT_EQ(RowCount(*world, "navigation", "searches"), 0u);
  EXPECT_EQ(AllocationsOf(*world, 100), 0u);
}

// Rounds after which everybody does what it did.
TEST_F(SteadyWorldTest, CommandersWhoseOrdersStandAllocateNothing) {
  const auto world = WorldOf(Manifest({R"(
types { name: "chief" objects_max: 1 commander { units: "soldier" tasks { name: "hold" of: "well" considerations { of: "distance" maximum: 1000 inverted: true } } } }
types { name: "soldier" }
types { name: "well" }
objects { name: "chief" type: "chief" }
objects { name: "soldier" type: "soldier" grid { count_x: 20 spacing { x: 0.1 } } }
objects { name: "well" type: "well" position { z: 5 } grid { count_x: 8 spacing { x: 1 } } }
)"}));
  StepTimes(*world, 200);
  const std::vector<Event> events = world->DrainEvents();
  EXPECT_TRUE(HasCome(events, "ordered"));
  EXPECT_EQ(AllocationsOf(*world, 200), 0u);
  EXPECT_TRUE(world->DrainEvents().empty());
}

// On the ground of a mesh, half-way along a path.
TEST_F(SteadyWorldTest, NavigatorsOnMeshesAllocateNothing) {
  const std::string manifest = Manifest({"navigation {", kRoomsMesh, R"( } }
types { name: "walker" navigator { space: "house" speed: 1 } }
objects { name: "walker" type: "walker" position { x: 0.5 z: 1 } grid { count_z: 8 spacing { z: 0.4 } } set { property: "navigator.goal" to: "10.5 0 4.5" } set { property: "navigator.is_active" to: "1" } }
)"});
  auto world = CreateWorld(
      PackOf(manifest, "house.mesh", BakedAs(manifest, TwoRooms())), 1);
  ASSERT_TRUE(world.ok()) << world.status();
  StepTimes(**world, 60);
  ASSERT_GT(RowCount(**world, "navigation", "path_points"), 8u);
  (*world)->DrainEvents();
  EXPECT_EQ(AllocationsOf(**world, 120), 0u);
  EXPECT_TRUE((*world)->DrainEvents().empty());
}

// What a search reaches takes pages now and then, and nothing else.
TEST_F(SteadyWorldTest, PathSearchesUnderWayAllocatePagesAlone) {
  const auto world = WorldOf(Manifest({R"(
navigation { expansions_per_tick: 1 grids { name: "field" columns: 200 row_count: 200 } }
types { name: "walker" navigator { space: "field" speed: 1 policy: POLICY_DIJKSTRA } }
objects { name: "walker" type: "walker" position { x: 100 z: 100 } set { property: "navigator.goal" to: "1 0 1" } set { property: "navigator.is_active" to: "1" } }
)"}));
  StepTimes(*world, 300);
  const uint32_t before = RowCount(*world, "navigation", "reached_nodes");
  constexpr int kTicks = 300;
  const uint64_t allocations = UntoldAllocationsOf(*world, kTicks);
  const uint32_t more =
      RowCount(*world, "navigation", "reached_nodes") - before;
  EXPECT_GE(more, 200u);
  // Of rows, and of what doubles as it grows.
  EXPECT_LE(allocations, more / 64 + 20);
}

// The same of plans: a ring of locks that nothing opens.
TEST_F(SteadyWorldTest, PlanSearchesUnderWayAllocatePagesAlone) {
  std::string symbols;
  std::string actions;
  for (int i = 0; i < 12; ++i) {
    symbols += fmt::format(
        "symbols {{ name: 'is_{0}' if: 'self.need.hunger > {0} + 1' }} ", i);
    actions += fmt::format(
        "actions {{ node {{ name: 'open_{0}' wait {{ }} }} needs: 'is_{1}' "
        "needs: 'is_{2}' gives: 'is_{0}' }} ",
        i, (i + 1) % 12, (i + 5) % 12);
  }
  const auto world = WorldOf(Manifest(
      {"components { name: 'need' properties { name: 'hunger' type: "
       "TYPE_NUMBER } }\ntypes { name: 'agent' objects_max: 1 brain: 'mind' "
       "components { component: 'need' } }\nbrains { name: 'mind' ",
       symbols, "root { plan { goals { name: 'out' wants: 'is_0' } ", actions,
       "expansions_per_update: 1 expansions: 4096 } } }\nobjects { name: "
       "'agent' type: 'agent' }\n"}));
  StepTimes(*world, 100);
  const uint32_t before = RowCount(*world, "plan_searches", "reached_facts");
  const uint64_t allocations = UntoldAllocationsOf(*world, 100);
  ASSERT_EQ(RowCount(*world, "plan_searches", "searches"), 1u);
  const uint32_t more =
      RowCount(*world, "plan_searches", "reached_facts") - before;
  EXPECT_GE(more, 50u);
  EXPECT_LE(allocations, more / 32 + 20);
}

// Scripts that read and write, in states, at steps that take time. Lua's own
// memory is had by the operator, too.
TEST_F(SteadyWorldTest, ScriptsThatMakeNothingAllocateNothing) {
  PackArchive pack = PackOf(Manifest({kMarker, R"(
types {
  name: "scripted"
  components { component: "marker" }
  behaviours { file: "a.lua" parameters { name: "gain" to: "0.5" } }
}
objects { name: "scripted" type: "scripted" grid { count_x: 300 } }
)"}));
  ASSERT_TRUE(pack.Add("a.lua", R"(
local function far() return world.tick() + 1000 end
return {
  reads_others = true,
  parameters = { gain = 1.0 },
  initial = "a",
  states = {
    a = {
      update = function()
        own.set("marker.hits", own.get("marker.hits") + 1)
        own.set("marker.speed", own.get("marker.speed") * parameter.get("gain") + 1)
        own.set("marker.friend", own.handle())
        if other.get(own.handle(), "marker.hits") > 0 and state.ticks() > 3 then
          state.go_to("b")
        end
      end,
    },
    b = {
      update = function() own.set("marker.speed", world.random()) end,
      steps = { { wait = 2 }, { move_to = vector(5, 0, 0), speed = 600 }, { wait_until = function() return true end } },
      next = "a",
    },
  },
}
)")
                  .ok());
  auto world = CreateWorld(pack, 1);
  ASSERT_TRUE(world.ok()) << world.status();
  StepTimes(**world, 200);
  EXPECT_TRUE(EventsOf(**world, "script_failed").empty());
  EXPECT_EQ(AllocationsOf(**world, 100), 0u);
}

// Vectors and strings go where those of earlier ticks were.
TEST_F(SteadyWorldTest, ScriptsThatMakeVectorsAndStringsAllocateNothing) {
  PackArchive pack = PackOf(Manifest({kMarker, R"(
types {
  name: "scripted"
  components { component: "marker" }
  behaviours { file: "a.lua" }
}
objects { name: "scripted" type: "scripted" grid { count_x: 100 } }
)"}));
  ASSERT_TRUE(pack.Add("a.lua", R"(
return {
  update = function()
    local at = own.position()
    for i = 1, 8 do at = at * 0.5 + vector(i, 0, at.z) end
    own.move_to(at)
    local text = "object " .. own.serial() .. " at " .. (world.tick() % 100 + 100)
    if #text > 12 then own.set("marker.hits", own.get("marker.hits") + 1) end
  end,
}
)")
                  .ok());
  auto world = CreateWorld(pack, 1);
  ASSERT_TRUE(world.ok()) << world.status();
  StepTimes(**world, 1000);
  EXPECT_EQ(HitsOf(**world, "scripted_7"), 1000);
  (*world)->DrainEvents();
  EXPECT_EQ(AllocationsOf(**world, 500), 0u);
}

// The whole game, but for ticks in which something is told: the account of what
// happened grows then.
TEST_F(SteadyWorldTest, PongWithItsBotsAllocatesNothing) {
  const auto pack = replays::ReadPackFolder("sim/packs/pong");
  ASSERT_TRUE(pack.ok()) << pack.status();
  auto world = CreateWorld(*pack, 1);
  ASSERT_TRUE(world.ok()) << world.status();
  const auto bots = BotPlayers::Create(**world, AllBots(**world));
  ASSERT_TRUE(bots.ok()) << bots.status();
  uint64_t untold = 0;
  int quiet_ticks = 0;
  int returns = 0;
  for (int tick = 0; tick < 4800; ++tick) {
    const std::vector<InputFrame> frames = (*bots)->Decide(**world);
    const uint64_t before = allocation_count;
    (*world)->Step(frames, nullptr);
    const uint64_t all = allocation_count - before;
    const std::vector<Event> events = (*world)->DrainEvents();
    (*bots)->Hear(events);
    if (tick < 3600) continue;
    if (HasCome(events, "returned")) ++returns;
    if (!events.empty()) continue;
    untold += all;
    ++quiet_ticks;
  }
  EXPECT_GT(quiet_ticks, 1000);
  EXPECT_GT(returns, 3);
  EXPECT_EQ(untold, 0u);
  EXPECT_EQ((*bots)->error_count(), 0u);
}

// Bots at every device hold, push and let go of controls, of which each has a
// binding, and menus capture some: the world's own tick, not the bots'
// thinking.
TEST_F(SteadyWorldTest, ControlsThatBotsUseAllocateNothing) {
  const auto world = WorldOf(Manifest({R"(
events { name: "jumped" } events { name: "dashed" } events { name: "charged" } events { name: "hadouken" }
players {
  count: 4
  actions { name: "a" button: 0 } actions { name: "b" button: 1 }
  actions { name: "space" key: KEY_SPACE } actions { name: "fire" mouse_button: 0 }
  actions { name: "x" axis: 0 } actions { name: "y" axis: 1 }
  actions { name: "look" mouse_motion {} } actions { name: "tilt" motion_sensor {} }
}
bots { name: "restless" native: "random" every_ticks: 1 }
controls {
  controls { name: "jump" pressed_event: "jumped" }
  controls { name: "punch" }
  controls { name: "move" kind: KIND_STICK }
  controls { name: "view" kind: KIND_STICK }
  controls { name: "lean" kind: KIND_AXIS }
  controls { name: "dash" pressed_event: "dashed" double_tap { control: "jump" within_s: 0.3 } }
  controls { name: "charge" pressed_event: "charged" hold { control: "punch" for_s: 0.2 } }
  controls { name: "combo" pressed_event: "hadouken" sequence { stick: "move" steps { direction: DIRECTION_RIGHT } steps { press: "punch" within_s: 2 } } }
  contexts { name: "play"
    bindings { name: "jump" control: "jump" button { action: "a" } }
    bindings { name: "jump_key" control: "jump" button { action: "space" } }
    bindings { name: "punch" control: "punch" button { action: "fire" } }
    bindings { name: "move" control: "move" stick { action_x: "x" action_y: "y" dead_zone: 0.2 smoothing_s: 0.1 } }
    bindings { name: "view" control: "view" mouse { } }
    bindings { name: "lean" control: "lean" tilt { } }
  }
  contexts { name: "menu" priority: 5 captures: true bindings { name: "b" control: "punch" button { action: "b" } } }
}
)"}));
  const auto bots = BotPlayers::Create(*world, AllBots(*world));
  ASSERT_TRUE(bots.ok()) << bots.status();
  uint64_t untold = 0;
  uint64_t event_count = 0;  // of the ticks that count
  for (int tick = 0; tick < 600; ++tick) {
    const std::vector<InputFrame> frames = (*bots)->Decide(*world);
    const uint64_t before = allocation_count;
    world->Step(frames, nullptr);
    const uint64_t all = allocation_count - before;
    const std::vector<Event> events = world->DrainEvents();
    // What happened is accounted for by a list, which grows from nothing, of
    // events with lists of arguments.
    const uint64_t told =
        events.empty() ? 0 : events.size() + std::bit_width(events.size()) + 1;
    if (tick < 300) continue;
    untold += all > told ? all - told : 0;
    event_count += events.size();
  }
  EXPECT_GT(event_count, 10u);
  EXPECT_EQ(untold, 0u);
  EXPECT_EQ((*bots)->error_count(), 0u);
}

// Both forms of predicates, of a condition and of a failure.
TEST_F(SteadyWorldTest, PredicatesThatAreAskedAllocateNothing) {
  const auto world = WorldOf(Manifest({kMarker, kPack, R"(
predicates { name: "far" if: "clock_0.marker.hits > 100000 and reader_3.type != 'clock' or max(clock_1.marker.speed, 2) * 3 < clock_2.marker.hits - 1e6" }
predicates { name: "farther" object: "clock_4" component: "marker" property: "hits" comparison: COMPARISON_MORE value: 100000 }
objectives { name: "one" condition { predicate: "far" } failures { predicate: "farther" } }
objectives { name: "other" condition { predicate: "farther" } failures { predicate: "far" } }
)"}));
  StepTimes(*world, 200);
  EXPECT_TRUE(EventsOf(*world, "objective_complete").empty());
  EXPECT_TRUE(EventsOf(*world, "objective_failed").empty());
  EXPECT_EQ(AllocationsOf(*world, 100), 0u);
}

// The control: what allocates is counted.
TEST_F(SteadyWorldTest, ForkIsCounted) {
  const auto world = WorldOf(Manifest({kMarker, kPack}));
  const uint64_t before = allocation_count;
  const auto fork = world->Fork();
  EXPECT_GT(allocation_count - before, 10u);
}

}  // namespace
}  // namespace reprise::sim
