// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that brains decide in a world: by events and conditions, with effects
// of connections, ways of navigators and random numbers of their own; that what
// they do is told and seen in rows; that bounds end what would not end; and
// that a snapshot in the middle goes on to the same bits.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/state/state_codec.h"
#include "sim/systems/brains/brain_rows.h"
#include "sim/systems/brains/plan_search_rows.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kAgent = R"(
components {
  name: "agent"
  properties { name: "count" type: TYPE_INTEGER }
  properties { name: "level" type: TYPE_NUMBER }
  properties { name: "home" type: TYPE_VECTOR3 }
  properties { name: "friend" type: TYPE_REFERENCE }
}
players {
  actions { name: "poke" command { arguments { name: "hard" minimum: 0 maximum: 9 } } }
  actions { name: "calm" command { } }
  actions { name: "nap" command { } }
  actions { name: "rise" command { } }
  commands_per_tick_max: 1
}
connections { name: "poke" event: "poke" target: "anna" send: "poked" pass { from: "hard" } }
connections { name: "calm" event: "calm" target: "anna" send: "calmed" }
connections { name: "nap" event: "nap" target: "anna" send: "sleep" }
connections { name: "rise" event: "rise" target: "anna" send: "wake" }
events { name: "poked" arguments { name: "hard" type: TYPE_INTEGER } }
events { name: "calmed" }
types { name: "agent" objects_max: 1000 brain: "mind" components { component: "agent" } }
objects { name: "anna" type: "agent" }
)";

std::string Mind(std::string_view root, std::string_view more = "") {
  return fmt::format("brains {{ name: 'mind' root {{ {} }} {} }}\n", root,
                     more);
}

std::unique_ptr<Simulation> World(std::string_view root,
                                  std::string_view more = "") {
  return WorldOf(Manifest({kAgent, Mind(root, more)}));
}

void Command(Simulation& world, std::string_view name,
             std::vector<int64_t> arguments = {}) {
  InputFrame frame;
  frame.commands.push_back(
      {.name = IdOf(name), .arguments = {arguments.begin(), arguments.end()}});
  world.Step(std::vector{frame}, nullptr);
}

int64_t Count(const Simulation& world) {
  return static_cast<int64_t>(
      ValueOf(world, "components", "agent", "anna", "count")->bits);
}

std::string Named(const Simulation& world, std::string_view property) {
  const uint64_t bits =
      ValueOf(world, "components", "brain", "anna", property)->bits;
  return bits == 0 ? "" : std::string(world.IdName(Id{bits}));
}

std::string StateOf(const Simulation& world) { return Named(world, "state"); }

// "add N to count".
std::string Add(int amount) {
  return fmt::format(
      "add {{ object: 'self' property: 'agent.count' amount: '{}' }}", amount);
}

constexpr std::string_view kGuard = R"(
machine {
  states { name: "patrol" enter { %1 } transitions { to: "alert" on: "poked" if: "hard > 3" } }
  states {
    name: "alert"
    enter { %10 } exit { %100 }
    update { %1000 } update_every_s: 0.05
    transitions { to: "patrol" on: "calmed" }
    transitions { to: "patrol" after_s: 0.5 }
  }
}
)";

std::string Guard() {
  std::string text(kGuard);
  for (const int amount : {1000, 100, 10, 1}) {
    const std::string mark = fmt::format("%{} ", amount);
    text.replace(text.find(mark), mark.size(), Add(amount) + " ");
  }
  return text;
}

TEST(BrainsTest, EventsConditionsAndTimeChangeStates) {
  const auto world = World(Guard());
  StepTimes(*world, 1);
  EXPECT_EQ(StateOf(*world), "patrol");
  EXPECT_EQ(Count(*world), 1);
  Command(*world, "poke", {3});
  EXPECT_EQ(StateOf(*world), "patrol");
  Command(*world, "poke", {4});
  EXPECT_EQ(StateOf(*world), "alert");
  EXPECT_EQ(Count(*world), 11);
  StepTimes(*world, 3);
  EXPECT_EQ(Count(*world), 1011);
  Command(*world, "calm");
  EXPECT_EQ(StateOf(*world), "patrol");
  EXPECT_EQ(Count(*world), 1112);
  Command(*world, "poke", {9});
  StepTimes(*world, 29);
  EXPECT_EQ(StateOf(*world), "alert");
  StepTimes(*world, 1);
  EXPECT_EQ(StateOf(*world), "patrol");
}

TEST(BrainsTest, ChangesAreTold) {
  const auto world = World(Guard());
  StepTimes(*world, 1);
  EXPECT_THAT(EventsOf(*world, "brain_changed"), IsEmpty());
  Command(*world, "poke", {4});
  StepTimes(*world, 1);
  const std::vector<Event> changed = EventsOf(*world, "brain_changed");
  ASSERT_EQ(changed.size(), 1u);
  std::vector<std::string> arguments;
  for (const EventArgument& argument : changed[0].arguments) {
    arguments.push_back(fmt::format("{} {}", world->IdName(argument.name),
                                    world->IdName(Id{argument.value.bits})));
  }
  EXPECT_THAT(arguments, ::testing::UnorderedElementsAre(
                             "machine machine", "from patrol", "to alert"));
}

TEST(BrainsTest, WhoSleepsDecidesNothing) {
  const auto world = World(Guard());
  StepTimes(*world, 1);
  Command(*world, "nap");
  Command(*world, "poke", {9});
  StepTimes(*world, 3);
  EXPECT_EQ(StateOf(*world), "patrol");
  Command(*world, "rise");
  Command(*world, "poke", {9});
  EXPECT_EQ(StateOf(*world), "alert");
}

TEST(BrainsTest, WhoIsntActiveIsStopped) {
  const auto world = World(
      "machine { states { name: 'a' update { add { object: 'self' property: "
      "'agent.count' amount: '1' } } exit { set { object: 'self' property: "
      "'agent.count' to: '-5' } } transitions { to: 'b' on: 'poked' } } states "
      "{ name: 'b' enter { set { object: 'self' property: 'brain.is_active' "
      "to: '0' } } exit { add { object: 'self' property: 'agent.count' "
      "amount: '-2' } } } }");
  StepTimes(*world, 4);
  EXPECT_EQ(Count(*world), 3);
  Command(*world, "poke", {1});
  EXPECT_EQ(Count(*world), -7);
  StepTimes(*world, 5);
  EXPECT_EQ(Count(*world), -7);
  EXPECT_EQ(StateOf(*world), "");
}

TEST(BrainsTest, TreesWaitForEventsWithTheirArguments) {
  const auto world = World(
      fmt::format("sequence {{ nodes {{ await {{ event: 'poked' if: 'hard == 7 "
                  "and self.agent.count == 0' }} }} nodes {{ name: 'act' enter "
                  "{{ {} }} }} nodes {{ wait {{ seconds: 100 }} }} }}",
                  Add(1)));
  StepTimes(*world, 1);
  EXPECT_EQ(Named(*world, "node"), "await");
  Command(*world, "poke", {6});
  StepTimes(*world, 1);
  EXPECT_EQ(Count(*world), 0);
  Command(*world, "poke", {7});
  EXPECT_EQ(Count(*world), 1);
  EXPECT_EQ(Named(*world, "node"), "wait");
}

TEST(BrainsTest, ConditionsAbortWhatIsLessUrgent) {
  const auto world = World(
      "selector { nodes { name: 'flee' if: 'self.agent.level > 0.5' aborts: "
      "ABORTS_BOTH wait { seconds: 100 } } nodes { name: 'graze' wait { "
      "seconds: 100 } } } update { add { object: 'self' property: "
      "'agent.level' amount: '0.1' } }");
  StepTimes(*world, 5);
  EXPECT_EQ(Named(*world, "node"), "graze");
  StepTimes(*world, 3);
  EXPECT_EQ(Named(*world, "node"), "flee");
}

// Anna in a yard with a wall, a post and a home.
std::unique_ptr<Simulation> Walk(std::string_view root) {
  std::string agent(kAgent);
  agent.replace(agent.find("objects {"), std::string::npos,
                "objects { name: 'anna' type: 'walker' position { x: 0.5 z: "
                "0.5 } set { property: 'agent.home' to: '3.5 0 2.5' } set { "
                "property: 'agent.friend' to: 'post' } }\ntypes { name: 'post' "
                "}\nobjects { name: 'post' type: 'post' position { x: 2.5 z: "
                "0.5 } }\n");
  agent.replace(agent.find("brain: \"mind\""), 13, "");
  return WorldOf(Manifest(
      {agent,
       "types { name: 'mover' extends: 'agent' navigator { space: 'yard' "
       "speed: 6 } brain: 'mind' }\nnavigation { grids { name: 'yard' rows: "
       "'...#' rows: '.#..' rows: '....' } }\ntypes { name: 'walker' extends: "
       "'mover' }\n",
       Mind(root)}));
}

double Place(const Simulation& world, std::string_view scalar) {
  return ValueOf(world, "world", "places", "anna", scalar)->AsDouble();
}

TEST(BrainsTest, GoesToPlacesPropertiesAndObjects) {
  const auto world = Walk(
      "sequence { nodes { name: 'a' go_to { property: 'agent.home' } } nodes { "
      "name: 'b' go_to { object: 'post' } } nodes { name: 'c' go_to { place { "
      "x: 0.5 z: 2.5 } } } nodes { name: 'd' go_to { property: 'agent.friend' "
      "} } nodes { name: 'e' wait { seconds: 100 } } }");
  const auto run_until = [&](std::string_view node) {
    for (int i = 0; i < 200 && Named(*world, "node") != node; ++i) {
      StepTimes(*world, 1);
    }
    EXPECT_EQ(Named(*world, "node"), node);
  };
  run_until("b");
  EXPECT_NEAR(Place(*world, "position.x"), 3.5, 0.25);
  EXPECT_NEAR(Place(*world, "position.z"), 2.5, 0.25);
  run_until("c");
  EXPECT_NEAR(Place(*world, "position.x"), 2.5, 0.25);
  run_until("d");
  EXPECT_NEAR(Place(*world, "position.x"), 0.5, 0.25);
  run_until("e");
  EXPECT_NEAR(Place(*world, "position.z"), 0.5, 0.25);
}

TEST(BrainsTest, WhereNoWayLeadsGoingFails) {
  const auto world = Walk(
      "selector { nodes { go_to { place { x: 3.5 z: 0.5 } } } nodes { name: "
      "'stuck' wait { seconds: 100 } } }");
  StepTimes(*world, 10);
  EXPECT_EQ(Named(*world, "node"), "stuck");
}

// As the ways are: the hut that is two cells away stands behind a wall.
TEST(BrainsTest, GoesToTheNearestOfASet) {
  const auto world = WorldOf(Manifest({R"(
navigation {
  grids { name: 'yard' rows: '..#..' rows: '..#..' rows: '.....' }
  goal_sets { name: 'huts' space: 'yard' goals { position { x: 3.5 z: 0.5 } } goals { position { x: 0.5 z: 2.5 } } }
}
types { name: 'walker' brain: 'mind' navigator { space: 'yard' speed: 6 } }
objects { name: 'anna' type: 'walker' position { x: 1.5 z: 0.5 } }
)",
                                       Mind("sequence { nodes { name: 'a' "
                                            "go_to { goals: 'huts' } } nodes { "
                                            "name: 'b' go_to { goals: 'huts' } "
                                            "} nodes { name: 'c' go_to { place "
                                            "{ x: 4.5 z: 2.5 } } } nodes { "
                                            "name: 'd' go_to { goals: 'huts' } "
                                            "} nodes { name: 'e' wait { "
                                            "seconds: 100 } } }")}));
  const auto run_until = [&](std::string_view node) {
    for (int i = 0; i < 200 && Named(*world, "node") != node; ++i) {
      StepTimes(*world, 1);
    }
    EXPECT_EQ(Named(*world, "node"), node);
  };
  run_until("b");
  EXPECT_NEAR(Place(*world, "position.x"), 0.5, 0.25);
  EXPECT_NEAR(Place(*world, "position.z"), 2.5, 0.25);
  // Who is there already has arrived.
  run_until("c");
  EXPECT_NEAR(Place(*world, "position.x"), 0.5, 0.25);
  run_until("d");
  EXPECT_NEAR(Place(*world, "position.x"), 4.5, 0.25);
  run_until("e");
  EXPECT_NEAR(Place(*world, "position.x"), 3.5, 0.25);
  EXPECT_NEAR(Place(*world, "position.z"), 0.5, 0.25);
}

TEST(BrainsTest, WhereNoGoalOfASetIsToBeReachedGoingFails) {
  const auto world = WorldOf(Manifest({R"(
navigation {
  grids { name: 'yard' rows: '..#..' }
  goal_sets { name: 'huts' space: 'yard' goals { position { x: 3.5 z: 0.5 } } }
}
types { name: 'walker' brain: 'mind' navigator { space: 'yard' speed: 6 } }
objects { name: 'anna' type: 'walker' position { x: 1.5 z: 0.5 } }
)",
                                       Mind("selector { nodes { go_to { goals: "
                                            "'huts' } } nodes { name: 'stuck' "
                                            "wait { seconds: 100 } } }")}));
  StepTimes(*world, 10);
  EXPECT_EQ(Named(*world, "node"), "stuck");
}

TEST(BrainsTest, WhoIsStoppedOnTheWayStays) {
  const auto world = Walk(
      "machine { states { name: 'go' go_to { property: 'agent.home' } "
      "transitions { to: 'stay' on: 'poked' } } states { name: 'stay' } }");
  StepTimes(*world, 10);
  EXPECT_EQ(
      ValueOf(*world, "components", "navigator", "anna", "is_active")->bits,
      1u);
  Command(*world, "poke", {1});
  StepTimes(*world, 1);
  EXPECT_EQ(
      ValueOf(*world, "components", "navigator", "anna", "is_active")->bits,
      0u);
}

TEST(BrainsTest, PlansAreMadeDoneAndSeen) {
  const auto world = World(
      fmt::format(
          "plan {{ actions {{ node {{ name: 'fetch' wait {{ seconds: 0.05 }} "
          "exit {{ {0} }} }} gives: 'has_key' }} actions {{ node {{ name: "
          "'open' enter {{ {0} }} }} needs: 'has_key' gives: 'is_open' cost: 3 "
          "}} goals {{ name: 'out' wants: 'is_open' }} }}",
          Add(1)),
      "symbols { name: 'has_key' if: 'self.agent.count >= 1' } symbols { name: "
      "'is_open' if: 'self.agent.count >= 2' }");
  StepTimes(*world, 2);
  EXPECT_EQ(Named(*world, "goal"), "out");
  EXPECT_EQ(Named(*world, "node"), "fetch");
  const Table& steps =
      world->state().table(*world->state().Find("brains", "plan_steps"));
  ASSERT_EQ(steps.row_count(), 16u);
  const auto action = [&](uint32_t row) {
    const uint64_t bits = ReadScalar(steps.schema(), steps.Row(row),
                                     *steps.schema().Find("action"))
                              .bits;
    return bits == 0 ? "" : std::string(world->IdName(Id{bits}));
  };
  EXPECT_EQ(action(0), "fetch");
  EXPECT_EQ(action(1), "open");
  EXPECT_EQ(action(2), "");
  StepTimes(*world, 4);
  EXPECT_EQ(Count(*world), 2);
  EXPECT_FALSE(EventsOf(*world, "brain_planned").empty());
}

// A row of locks, each opened by what the one before gives, among others that
// lead nowhere: a search of some dozen expansions.
std::string Locks(uint32_t expansions_per_update, uint32_t expansions = 200) {
  std::string symbols;
  std::string actions;
  for (int i = 0; i < 8; ++i) {
    symbols += fmt::format(
        "symbols {{ name: 'is_{0}' if: 'self.agent.count > {0}' }} "
        "symbols {{ name: 'no_{0}' if: 'self.agent.level < -{0}' "
        "}} ",
        i);
    const std::string needs =
        i == 0 ? "" : fmt::format("needs: 'is_{}'", i - 1);
    actions += fmt::format(
        "actions {{ node {{ name: 'open_{0}' wait {{ seconds: 0.05 }} exit {{ "
        "{1} }} }} {2} gives: 'is_{0}' }} actions {{ node {{ name: 'try_{0}' "
        "wait {{ }} }} needs: 'no_{0}' gives: 'is_{0}' }} ",
        i, Add(1), needs);
  }
  return Mind(fmt::format("plan {{ {} goals {{ name: 'out' wants: 'is_7' }} "
                          "expansions_per_update: {} expansions: {} }}",
                          actions, expansions_per_update, expansions),
              symbols);
}

std::vector<std::string> PlanOf(const Simulation& world) {
  const Table& steps =
      world.state().table(*world.state().Find("brains", "plan_steps"));
  std::vector<std::string> plan;
  for (uint32_t row = 0; row < steps.row_count(); ++row) {
    const uint64_t bits = ReadScalar(steps.schema(), steps.Row(row),
                                     *steps.schema().Find("action"))
                              .bits;
    if (bits != 0) plan.emplace_back(world.IdName(Id{bits}));
  }
  return plan;
}

TEST(BrainsTest, PlansAreSoughtOverTicks) {
  const auto at_once = WorldOf(Manifest({kAgent, Locks(0)}));
  EXPECT_FALSE(at_once->state().Find("plan_searches", "searches").has_value());
  StepTimes(*at_once, 1);
  const std::vector<std::string> expected = PlanOf(*at_once);
  ASSERT_EQ(expected.size(), 8u);
  int last = 0;
  for (const uint32_t slice : {1u, 4u, 100u}) {
    const auto world = WorldOf(Manifest({kAgent, Locks(slice)}));
    int ticks = 0;
    for (; PlanOf(*world).empty() && ticks < 300; ++ticks) {
      EXPECT_EQ(RowCount(*world, "plan_searches", "searches"),
                ticks == 0 ? 0u : 1u);
      StepTimes(*world, 1);
    }
    EXPECT_EQ(PlanOf(*world), expected) << slice;
    EXPECT_EQ(RowCount(*world, "plan_searches", "searches"), 0u);
    EXPECT_EQ(RowCount(*world, "plan_searches", "reached_facts"), 0u);
    EXPECT_EQ(ticks == 1, slice == 100) << ticks;
    EXPECT_TRUE(last == 0 || ticks < last);
    last = ticks;
    StepTimes(*world, 1);
    EXPECT_EQ(EventsOf(*world, "brain_planned").size(), 1u);
  }
}

// How often a bound is told, for a reason.
int64_t Bounded(const std::vector<Event>& events, std::string_view reason) {
  return std::ranges::count_if(events, [&](const Event& event) {
    return event.type == IdOf("brain_bounded") &&
           std::ranges::any_of(event.arguments, [&](const EventArgument& each) {
             return each.name == IdOf("reason") &&
                    Id{each.value.bits} == IdOf(reason);
           });
  });
}

// A ring of locks that nothing opens, for many: a search of 2,000 expansions
// that comes to nothing. What is done when there is no plan is counted.
std::string Crowd(int count, std::string_view update) {
  std::string symbols = "symbols { name: 'odd' if: 'self.agent.level > 0.5' } ";
  std::string actions;
  for (int i = 0; i < 12; ++i) {
    symbols += fmt::format(
        "symbols {{ name: 'is_{0}' if: 'self.agent.level < -{0} - 1' }} ", i);
    actions += fmt::format(
        "actions {{ node {{ name: 'open_{0}' wait {{ }} }} needs: 'is_{1}' "
        "needs: 'is_{2}' gives: 'is_{0}' }} ",
        i, (i + 1) % 12, (i + 5) % 12);
  }
  return Mind(
             fmt::format("repeat {{ node {{ selector {{ nodes {{ plan {{ goals "
                         "{{ name: 'out' wants: 'is_0' }} {} expansions: 2000 "
                         "}} }} nodes {{ enter {{ {} }} }} }} }} }} {}",
                         actions, Add(1), update),
             symbols) +
         fmt::format(
             "objects {{ name: 'crowd' type: 'agent' grid {{ count_x: {} "
             "spacing {{ x: 1 }} }} }}\n",
             count);
}

// Plans of all share what a tick may expand; nobody is asked again of what
// can't be, and who waits has its turn.
TEST(BrainsTest, PlansOfManyTakeTurns) {
  const auto world = WorldOf(Manifest({kAgent, Crowd(39, "")}));
  StepTimes(*world, 1);
  std::vector<Event> told = world->DrainEvents();
  // 32,768 in a tick; the one that begins last ends.
  const int64_t first = Bounded(told, "expansions");
  EXPECT_GE(first, 16);
  EXPECT_LE(first, 18);
  EXPECT_EQ(Bounded(told, "plans"), 40 - first);
  StepTimes(*world, 4);
  told = world->DrainEvents();
  EXPECT_EQ(Bounded(told, "expansions"), 40 - first);
  StepTimes(*world, 20);
  told = world->DrainEvents();
  EXPECT_EQ(Bounded(told, "expansions"), 0);
  EXPECT_EQ(Bounded(told, "no_plan"), 0);
  EXPECT_EQ(Bounded(told, "plans"), 0);
}

// Facts that are others in each tick: all are sought anew in each, and yet
// nobody waits for ever. A snapshot goes on with the same turn.
TEST(BrainsTest, WhoWaitsForAPlanHasItsTurn) {
  const std::string pack =
      Manifest({kAgent, Crowd(39,
                              "update { set { object: 'self' property: "
                              "'agent.level' to: '1 - self.agent.level' } "
                              "}")});
  const auto world = WorldOf(pack);
  const auto other = WorldOf(pack);
  for (int tick = 0; tick < 12; ++tick) {
    ASSERT_TRUE(other->Restore(world->state()).ok()) << tick;
    StepTimes(*world, 1);
    StepTimes(*other, 1);
    ASSERT_EQ(other->state().ComputeRootDigest(),
              world->state().ComputeRootDigest())
        << tick;
  }
  for (int i = 0; i < 39; ++i) {
    const auto count = ValueOf(*world, "components", "agent",
                               fmt::format("crowd_{}", i), "count");
    EXPECT_GE(count->bits, 2u) << i;
  }
  EXPECT_GE(Count(*world), 2);
}

TEST(BrainsTest, EmptyPlansAreToldOnce) {
  const auto world = World(
      "plan { goals { name: 'rest' wants: 'calm' } actions { node { name: "
      "'sit' wait { } } gives: 'calm' } }",
      "symbols { name: 'calm' if: 'self.agent.level < 1' }");
  StepTimes(*world, 20);
  EXPECT_EQ(EventsOf(*world, "brain_planned").size(), 1u);
}

// It never has its plan, and says so.
TEST(BrainsTest, PlansThatAreSoughtForTooLongArePassed) {
  const auto world = WorldOf(Manifest({kAgent, Locks(1, 5)}));
  StepTimes(*world, 4);
  EXPECT_THAT(EventsOf(*world, "brain_bounded"), IsEmpty());
  StepTimes(*world, 1);
  EXPECT_EQ(EventsOf(*world, "brain_bounded").size(), 2u);
  EXPECT_THAT(PlanOf(*world), IsEmpty());
}

TEST(BrainsTest, SnapshotsOfSearchesGoOnToTheSameBits) {
  for (const uint32_t slice : {1u, 3u}) {
    const auto world = WorldOf(Manifest({kAgent, Locks(slice)}));
    const auto other = WorldOf(Manifest({kAgent, Locks(slice)}));
    for (int tick = 0; tick < 120; ++tick) {
      const std::string bytes = EncodeState(world->state());
      const auto state =
          DecodeState(std::as_bytes(std::span(bytes)), other->state());
      ASSERT_TRUE(state.ok()) << state.status();
      ASSERT_TRUE(other->Restore(*state).ok()) << tick;
      StepTimes(*world, 1);
      StepTimes(*other, 1);
      ASSERT_EQ(other->state().ComputeRootDigest(),
                world->state().ComputeRootDigest());
    }
    EXPECT_EQ(Count(*world), 8);
  }
}

TEST(BrainsTest, SearchesThatNoRunLeavesAreRefused) {
  const auto world = WorldOf(Manifest({kAgent, Locks(1)}));
  StepTimes(*world, 5);
  const TableIndex searches = *world->state().Find("plan_searches", "searches");
  const TableIndex nodes =
      *world->state().Find("plan_searches", "reached_facts");
  const auto refuses = [&](auto change) {
    State state = world->state();
    change(state.mutable_table(searches).Mutable<PlanSearchRow>(0),
           state.mutable_table(nodes).Mutable<PlanNodeRow>(2));
    return !WorldOf(Manifest({kAgent, Locks(1)}))->Restore(state).ok();
  };
  EXPECT_FALSE(refuses([](PlanSearchRow&, PlanNodeRow&) {}));
  EXPECT_TRUE(refuses([](PlanSearchRow& row, PlanNodeRow&) { row.plan = 1; }));
  EXPECT_TRUE(refuses([](PlanSearchRow& row, PlanNodeRow&) { row.place = 1; }));
  EXPECT_TRUE(
      refuses([](PlanSearchRow& row, PlanNodeRow&) { row.object = {9}; }));
  EXPECT_TRUE(refuses([](PlanSearchRow&, PlanNodeRow& row) { row.next = 2; }));
  EXPECT_TRUE(
      refuses([](PlanSearchRow&, PlanNodeRow& row) { row.child = 99; }));
  EXPECT_TRUE(
      refuses([](PlanSearchRow&, PlanNodeRow& row) { row.number = 3; }));
  EXPECT_TRUE(
      refuses([](PlanSearchRow&, PlanNodeRow& row) { row.object = {9}; }));
  State fewer = world->state();
  fewer.mutable_table(nodes).Resize(0);
  EXPECT_FALSE(WorldOf(Manifest({kAgent, Locks(1)}))->Restore(fewer).ok());
}

TEST(BrainsTest, BoundsAreEvents) {
  const auto reasons = [](Simulation& world) {
    std::vector<std::string> found;
    for (const Event& event : EventsOf(world, "brain_bounded")) {
      for (const EventArgument& argument : event.arguments) {
        if (argument.name == IdOf("reason")) {
          found.push_back(std::string(world.IdName(Id{argument.value.bits})));
        }
      }
    }
    return found;
  };
  const auto ring = World(
      "machine { states { name: 'a' transitions { to: 'b' } } states { name: "
      "'b' transitions { to: 'a' } } }",
      "transitions_per_tick: 5");
  StepTimes(*ring, 2);
  EXPECT_THAT(reasons(*ring), ElementsAre("transitions", "transitions"));
  const auto slow = World("sequence { nodes { wait { } } nodes { wait { } } }",
                          "nodes_per_update: 1");
  StepTimes(*slow, 2);
  EXPECT_THAT(reasons(*slow), ElementsAre("nodes", "nodes"));
  const auto hopeless = World(
      "plan { actions { node { name: 'a' wait { } } gives: 's' } goals { name: "
      "'g' wants: 't' } }",
      "symbols { name: 's' if: 'self.agent.count > 1' } symbols { name: 't' "
      "if: 'self.agent.count > 1' }");
  StepTimes(*hopeless, 1);
  EXPECT_THAT(reasons(*hopeless), ElementsAre("no_plan"));
}

// Events that cause each other through a state's effects end at the bound of
// transitions, and the brain goes on in the next tick.
TEST(BrainsTest, RingsOfEventsAreBounded) {
  constexpr std::string_view kPoke =
      "enter { send { object: 'self' event: 'poked' with { argument: 'hard' "
      "to: '1' } } }";
  const auto world = World(
      fmt::format("machine {{ states {{ name: 'a' {0} transitions {{ to: 'b' "
                  "on: 'poked' }} }} states {{ name: 'b' {0} transitions {{ "
                  "to: 'a' on: 'poked' }} }} }}",
                  kPoke));
  StepTimes(*world, 20);
  EXPECT_FALSE(EventsOf(*world, "brain_bounded").empty());
  EXPECT_LE(RowCount(*world, "events", "queued_events"), 1u);
}

TEST(BrainsTest, ChancesAreTheObjectsOwnAndTheSeeds) {
  constexpr std::string_view kCrowd = R"(
types { name: "coin" brain: "flip" }
objects { name: "coin" type: "coin" grid { count_x: 400 spacing { x: 1 } } }
brains {
  name: "flip"
  root {
    machine {
      states { name: "toss" transitions { to: "head" chance: 0.25 } transitions { to: "tail" } }
      states { name: "head" }
      states { name: "tail" }
    }
  }
}
)";
  const auto heads = [&](uint64_t seed) {
    const auto world = WorldOf(Manifest({kCrowd}), seed);
    StepTimes(*world, 1);
    std::string sides;
    for (int i = 0; i < 400; ++i) {
      const auto state = ValueOf(*world, "components", "brain",
                                 fmt::format("coin_{}", i), "state");
      sides += state->bits == IdOf("head").value ? 'h' : 't';
    }
    return sides;
  };
  const std::string one = heads(1);
  EXPECT_EQ(heads(1), one);
  EXPECT_NE(heads(2), one);
  // 100 of 400, within four standard deviations of 8.7.
  EXPECT_NEAR(static_cast<double>(std::ranges::count(one, 'h')), 100.0, 35.0);
}

TEST(BrainsTest, UpdatesAreInTurns) {
  const auto world = WorldOf(Manifest(
      {"components { name: 'agent' properties { name: 'count' type: "
       "TYPE_INTEGER } }\ntypes { name: 'agent' brain: 'mind' "
       "components { component: 'agent' } }\nobjects { name: 'a' "
       "type: 'agent' grid { count_x: 4 spacing { x: 1 } } }\n",
       Mind(fmt::format("repeat {{ node {{ enter {{ {} }} }} }}", Add(1)),
            "every_s: 0.0333333")}));
  StepTimes(*world, 10);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(
        ValueOf(*world, "components", "agent", fmt::format("a_{}", i), "count")
            ->bits,
        5u);
  }
}

TEST(BrainsTest, OtherBrainsAreParts) {
  const auto world = WorldOf(Manifest(
      {kAgent,
       Mind("machine { states { name: 'out' use: 'round' transitions { to: "
            "'home' when: BRAIN_RESULT_SUCCESS } } states { name: 'home' } }"),
       fmt::format("brains {{ name: 'round' root {{ sequence {{ nodes {{ wait "
                   "{{ seconds: 0.05 }} }} nodes {{ if: 'self.agent.count == "
                   "0' enter {{ {} }} }} }} }} }}\n",
                   Add(1))}));
  StepTimes(*world, 3);
  EXPECT_EQ(StateOf(*world), "out");
  StepTimes(*world, 2);
  EXPECT_EQ(StateOf(*world), "home");
  EXPECT_EQ(Count(*world), 1);
}

TEST(BrainsTest, SnapshotsGoOnToTheSameBits) {
  const auto world = World(Guard());
  const auto other = World(Guard());
  for (int tick = 0; tick < 120; ++tick) {
    const std::string bytes = EncodeState(world->state());
    const auto state =
        DecodeState(std::as_bytes(std::span(bytes)), other->state());
    ASSERT_TRUE(state.ok()) << state.status();
    ASSERT_TRUE(other->Restore(*state).ok()) << tick;
    if (tick % 7 == 0) {
      Command(*world, "poke", {tick % 10});
      Command(*other, "poke", {tick % 10});
    } else {
      StepTimes(*world, 1);
      StepTimes(*other, 1);
    }
    ASSERT_EQ(other->state().ComputeRootDigest(),
              world->state().ComputeRootDigest());
  }
}

TEST(BrainsTest, RowsThatNoRunLeavesAreRefused) {
  const auto world = World(Guard());
  StepTimes(*world, 3);
  const TableIndex nodes = *world->state().Find("brains", "brain_nodes");
  const auto refuses = [&](auto change) {
    State state = world->state();
    change(state.mutable_table(nodes).Mutable<BrainNodeRow>(0));
    return !World(Guard())->Restore(state).ok();
  };
  EXPECT_FALSE(refuses([](BrainNodeRow&) {}));
  EXPECT_TRUE(refuses([](BrainNodeRow& row) { row.status = 9; }));
  EXPECT_TRUE(refuses([](BrainNodeRow& row) { row.status = 0; }));
  EXPECT_TRUE(refuses([](BrainNodeRow& row) { row.done = 2; }));
  EXPECT_TRUE(refuses([](BrainNodeRow& row) { row.child = 2; }));
  EXPECT_TRUE(refuses([](BrainNodeRow& row) { row.number = 1; }));
  EXPECT_TRUE(refuses([](BrainNodeRow& row) { row.name = Id{1}; }));
  State fewer = world->state();
  fewer.mutable_table(nodes).Resize(2);
  EXPECT_FALSE(World(Guard())->Restore(fewer).ok());
}

TEST(BrainsTest, TheTurnIsOfNobodyOrOfABrain) {
  const std::string manifest =
      Manifest({kAgent, Locks(1),
                "types { name: 'stone' }\n"
                "objects { name: 'stone' type: 'stone' }\n"});
  const auto world = WorldOf(manifest);
  StepTimes(*world, 1);
  const TableIndex turns = *world->state().Find("brains", "turns");
  const auto restores = [&](ObjectId turn) {
    State state = world->state();
    state.mutable_table(turns).Mutable<BrainTurnRow>(0).next = turn;
    return WorldOf(manifest)->Restore(state).ok();
  };
  int count = 0;
  for (uint64_t serial = 0; serial < 20; ++serial) {
    const std::string name{world->ObjectName(ObjectId{serial})};
    EXPECT_EQ(restores(ObjectId{serial}), name != "stone") << serial;
    count += name == "stone" ? 1 : 0;
  }
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace reprise::sim
