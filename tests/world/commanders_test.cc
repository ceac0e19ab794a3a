// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that commanders share tasks out in a world as places, priorities and
// feasibility say; that units hear of it, and their brains act on it; that
// whoever is lost, done or at rest is replaced or relieved; that a budget makes
// orders late and no others; and that snapshots go on to the same bits.

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
#include "sim/systems/commanders/commander_rows.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::SizeIs;

// Three soldiers along x, at 0, 10 and 20, a well at 12 and one at 1.
constexpr std::string_view kField = R"(
components {
  name: "well"
  properties { name: "worth" type: TYPE_NUMBER default { number: 1 } }
  properties { name: "is_dry" type: TYPE_BOOLEAN }
}
types { name: "soldier" components { component: "marker" } }
types { name: "archer" extends: "soldier" }
types { name: "well" components { component: "well" } }
objects { name: "anna" type: "soldier" }
objects { name: "bert" type: "soldier" position { x: 10 } }
objects { name: "carl" type: "archer" position { x: 20 } }
objects { name: "deep" type: "well" position { x: 12 } }
objects { name: "east" type: "well" position { x: 1 } }
players {
  actions { name: "dry" command { } }
  actions { name: "kill" command { } }
  actions { name: "sink" command { } }
  actions { name: "finish" command { } }
  actions { name: "fail" command { } }
  actions { name: "rest" command { } }
  commands_per_tick_max: 1
}
connections { name: "dry" event: "dry" then { set { object: "deep" property: "well.is_dry" to: "true" } } }
connections { name: "kill" event: "kill" target: "bert" send: "destroy" }
connections { name: "sink" event: "sink" target: "deep" send: "destroy" }
connections { name: "finish" event: "finish" target: "bert" send: "finish_order" }
connections { name: "fail" event: "fail" then { send { event: "finish_order" object: "bert" with { argument: "result" to: "failed" } } } }
connections { name: "rest" event: "rest" then { set { object: "chief" property: "command.is_active" to: "0" } } }
)";

constexpr std::string_view kNear =
    "considerations { of: 'distance' maximum: 100 inverted: true }";

std::string Chief(std::string_view tasks, std::string_view more = "") {
  return fmt::format(
      "types {{ name: 'chief' objects_max: 4 commander {{ units: 'soldier' {} "
      "{} }} }}\nobjects {{ name: 'chief' type: 'chief' }}\n",
      tasks, more);
}

// A unit at each well that isn't dry, the one that is nearer.
std::string Holders(std::string_view more = "") {
  return Chief(
      fmt::format("tasks {{ name: 'hold' of: 'well' if: 'not "
                  "goal.well.is_dry' priority: 'goal.well.worth' {} "
                  "{} }}",
                  kNear, more));
}

std::unique_ptr<Simulation> World(std::string_view more,
                                  std::string_view last = "") {
  return WorldOf(Manifest({kMarker, kField, more, last}));
}

void Command(Simulation& world, std::string_view name) {
  InputFrame frame;
  frame.commands.push_back({.name = IdOf(name)});
  world.Step(std::vector{frame}, nullptr);
}

// "hold", and for whom: "hold deep"; "" for nothing.
std::string OrderOf(const Simulation& world, std::string_view unit) {
  const auto task = ValueOf(world, "components", "orders", unit, "task");
  if (!task.has_value() || task->bits == 0) return "";
  std::string order(world.IdName(Id{task->bits}));
  const auto goal = ValueOf(world, "components", "orders", unit, "goal");
  const Table& objects =
      world.state().table(*world.state().Find("world", "objects"));
  const ScalarPath handle = *objects.schema().Find("handle");
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    if (goal->AsHandle().is_null() ||
        ReadScalar(objects.schema(), objects.Row(row), handle).AsHandle() !=
            goal->AsHandle()) {
      continue;
    }
    const ObjectId owner{
        ReadScalar(objects.schema(), objects.Row(row), {.field = 0}).bits};
    order += fmt::format(" {}", world.ObjectName(owner));
  }
  return order;
}

int64_t OfChief(const Simulation& world, std::string_view field,
                std::string_view chief = "chief") {
  return static_cast<int64_t>(
      ValueOf(world, "components", "command", chief, field)->bits);
}

std::vector<std::string> Orders(const Simulation& world) {
  return {OrderOf(world, "anna"), OrderOf(world, "bert"),
          OrderOf(world, "carl")};
}

using Strings = std::vector<std::string>;

TEST(CommandersTest, WhoIsNearestIsOrdered) {
  const auto world = World(Holders());
  StepTimes(*world, 1);
  EXPECT_EQ(Orders(*world), (Strings{"hold east", "hold deep", ""}));
  EXPECT_EQ(OfChief(*world, "units"), 3);
  EXPECT_EQ(OfChief(*world, "busy"), 2);
  EXPECT_EQ(OfChief(*world, "tasks"), 2);
  EXPECT_EQ(
      ValueOf(*world, "components", "orders", "bert", "place.x")->AsDouble(),
      12.0);
  // 1 - 2 / 100, and nothing to raise it for.
  EXPECT_EQ(
      ValueOf(*world, "components", "orders", "bert", "score")->AsDouble(),
      0.98);
  StepTimes(*world, 1);
  std::vector<Event> told = world->DrainEvents();
  const auto count = [&](std::string_view type) {
    return std::ranges::count(told, IdOf(type), &Event::type);
  };
  EXPECT_EQ(count("ordered"), 2);
  EXPECT_EQ(count("task_begun"), 2);
  StepTimes(*world, 20);
  told = world->DrainEvents();
  EXPECT_EQ(count("ordered"), 0);
  EXPECT_EQ(count("relieved"), 0);
}

TEST(CommandersTest, UrgentTasksTakeWhomTheyNeed) {
  // Both want everybody; the eastern well is worth more.
  const auto world = World(
      Chief(fmt::format("tasks {{ name: 'hold' of: 'well' priority: "
                        "'goal.well.worth' units_min: 2 units_max: 2 {} }}",
                        kNear)),
      "objects { name: 'fern' type: 'well' position { x: 50 } set { "
      "property: 'well.worth' to: '5' } }");
  StepTimes(*world, 1);
  // Two go far, since that is worth most; one is left, and one is too few.
  EXPECT_EQ(Orders(*world), (Strings{"", "hold fern", "hold fern"}));
  EXPECT_EQ(ValueOf(*world, "components", "orders", "carl", "group")->bits, 2u);
  EXPECT_EQ(ValueOf(*world, "components", "orders", "bert", "number")->bits,
            0u);
  EXPECT_EQ(ValueOf(*world, "components", "orders", "carl", "number")->bits,
            1u);
}

TEST(CommandersTest, OnlyWhoFitsIsOrdered) {
  const auto world = World(Holders("fits: 'self.type == \"archer\"'"));
  StepTimes(*world, 1);
  EXPECT_EQ(Orders(*world), (Strings{"", "", "hold deep"}));
}

TEST(CommandersTest, TasksWithoutGoalsAreDoneToo) {
  const auto world =
      World(Chief("tasks { name: 'wait' units_min: 1 units_max: 5 }"));
  StepTimes(*world, 1);
  EXPECT_EQ(Orders(*world), (Strings{"wait", "wait", "wait"}));
}

TEST(CommandersTest, WhoFallsIsReplaced) {
  const auto world = World(Holders());
  StepTimes(*world, 2);
  Command(*world, "kill");
  StepTimes(*world, 3);
  EXPECT_EQ(OrderOf(*world, "carl"), "hold deep");
  EXPECT_EQ(OfChief(*world, "units"), 2);
}

TEST(CommandersTest, WhatIsGoneOrClosedIsLeft) {
  const auto world = World(Holders());
  StepTimes(*world, 2);
  Command(*world, "dry");
  StepTimes(*world, 2);
  EXPECT_EQ(OrderOf(*world, "bert"), "");
  EXPECT_THAT(EventsOf(*world, "task_ended"), SizeIs(1));
  const auto other = World(Holders());
  StepTimes(*other, 2);
  Command(*other, "sink");
  StepTimes(*other, 3);
  EXPECT_EQ(OrderOf(*other, "bert"), "");
  EXPECT_THAT(EventsOf(*other, "relieved"), SizeIs(1));
  EXPECT_EQ(RowCount(*other, "commanders", "tasks"), 1u);
}

TEST(CommandersTest, WhatIsFinishedRests) {
  const auto world = World(Holders("rest_s: 0.5"));
  for (const char* const way : {"finish", "fail"}) {
    StepTimes(*world, 2);
    ASSERT_EQ(OrderOf(*world, "bert"), "hold deep");
    world->DrainEvents();
    Command(*world, way);
    StepTimes(*world, 2);
    EXPECT_EQ(OrderOf(*world, "bert"), "");
    const std::vector<Event> ended = EventsOf(*world, "task_ended");
    ASSERT_THAT(ended, SizeIs(1));
    const auto& arguments = ended[0].arguments;
    EXPECT_TRUE(std::ranges::any_of(arguments, [&](const EventArgument& each) {
      return each.value.type == ScalarType::kId &&
             Id{each.value.bits} ==
                 IdOf(way == std::string_view("fail") ? "failed" : "done");
    }));
    StepTimes(*world, 26);
    EXPECT_EQ(OrderOf(*world, "bert"), "");
    StepTimes(*world, 4);
    EXPECT_EQ(OrderOf(*world, "bert"), "hold deep");
  }
}

TEST(CommandersTest, WhoIsAtRestCommandsNobody) {
  const auto world = World(Holders());
  StepTimes(*world, 2);
  Command(*world, "rest");
  StepTimes(*world, 2);
  EXPECT_EQ(Orders(*world), (Strings{"", "", ""}));
  EXPECT_EQ(RowCount(*world, "commanders", "tasks"), 0u);
  EXPECT_EQ(RowCount(*world, "commanders", "scores"), 0u);
  EXPECT_EQ(OfChief(*world, "busy"), 0);
}

TEST(CommandersTest, UnitsObeyWhomTheyName) {
  const auto world =
      World(Chief("tasks { name: 'wait' units_max: 5 }"),
            "objects { name: 'other' type: 'chief' }\n"
            "objects { name: 'dora' type: 'soldier' set { property: "
            "'orders.commander' to: 'other' } }\n"
            "objects { name: 'emil' type: 'soldier' set { property: "
            "'orders.is_active' to: '0' } }\n");
  StepTimes(*world, 1);
  EXPECT_EQ(OfChief(*world, "units"), 3);
  EXPECT_EQ(OfChief(*world, "units", "other"), 1);
  EXPECT_EQ(OrderOf(*world, "dora"), "wait");
  EXPECT_EQ(OrderOf(*world, "emil"), "");
}

// Whoever does something already keeps it, unless another is better by more
// than the inertia.
TEST(CommandersTest, EqualsDontTakeTurns) {
  constexpr std::string_view kTurns = R"(
components { name: "mood" properties { name: "will" type: TYPE_NUMBER default { number: 0.5 } } }
types { name: "worker" components { component: "mood" } }
types { name: "boss" objects_max: 1 commander { units: "worker" inertia: 0.5 tasks { name: "work" considerations { of: "self.mood.will" } } } }
objects { name: "boss" type: "boss" }
objects { name: "one" type: "worker" }
objects { name: "two" type: "worker" set { property: "mood.will" to: "0.6" } }
players { actions { name: "wish" command { } } commands_per_tick_max: 1 }
connections { name: "wish" event: "wish" then { add { object: "one" property: "mood.will" amount: "0.2" } } }
)";
  const auto world = WorldOf(Manifest({kTurns}));
  StepTimes(*world, 1);
  EXPECT_EQ(OrderOf(*world, "two"), "work");
  Command(*world, "wish");  // 0.7 against 0.9
  StepTimes(*world, 2);
  EXPECT_EQ(OrderOf(*world, "two"), "work");
  Command(*world, "wish");  // 0.9 against 0.9: the first of equal ones
  StepTimes(*world, 2);
  Command(*world, "wish");  // at most 1
  StepTimes(*world, 2);
  EXPECT_EQ(OrderOf(*world, "one"), "work");
  EXPECT_EQ(OrderOf(*world, "two"), "");
}

// A soldier's brain goes where its order is.
TEST(CommandersTest, BrainsActOnOrders) {
  constexpr std::string_view kBrains = R"(
navigation { grids { name: "yard" columns: 30 row_count: 3 origin { x: -0.5 z: -1.5 } } }
types { name: "scout" extends: "soldier" brain: "scout" navigator { space: "yard" speed: 10 } }
brains {
  name: "scout"
  root { machine {
    states { name: "idle" transitions { to: "march" on: "ordered" } }
    states {
      name: "march"
      go_to { property: "orders.goal" }
      transitions { to: "idle" on: "relieved" }
      transitions { to: "stay" when: BRAIN_RESULT_SUCCESS }
    }
    states {
      name: "stay"
      enter { send { event: "finish_order" object: "self" } }
      transitions { to: "idle" on: "relieved" }
    }
  } }
}
objects { name: "zoe" type: "scout" position { x: 14 } }
)";
  const auto world = World(Holders("rest_s: 60"), kBrains);
  StepTimes(*world, 2);
  EXPECT_EQ(OrderOf(*world, "zoe"), "");  // bert is as near, and first
  Command(*world, "kill");
  StepTimes(*world, 3);
  EXPECT_EQ(OrderOf(*world, "zoe"), "hold deep");
  StepTimes(*world, 30);
  EXPECT_EQ(OrderOf(*world, "zoe"), "");
  EXPECT_NEAR(
      ValueOf(*world, "world", "places", "zoe", "position.x")->AsDouble(), 12.0,
      0.6);
  const std::vector<Event> ended = EventsOf(*world, "task_ended");
  EXPECT_THAT(ended, SizeIs(1));  // zoe was there; bert was replaced
}

std::string Budget(uint64_t evaluations) {
  return fmt::format("orders_budget {{ evaluations_per_tick: {} }}\n",
                     evaluations);
}

// 2 tasks and 2 times 3 units: 8 evaluations.
TEST(CommandersTest, BudgetsMakeOrdersLateAndNoOthers) {
  for (const uint64_t budget : {1u, 3u, 7u, 8u}) {
    const auto world = World(Holders(), Budget(budget));
    const auto ticks = static_cast<int>((8 + budget - 1) / budget);
    StepTimes(*world, ticks - 1);
    EXPECT_EQ(Orders(*world), (Strings{"", "", ""})) << budget;
    EXPECT_EQ(EventsOf(*world, "orders_bounded").size(),
              static_cast<size_t>(ticks - 1))
        << budget;
    StepTimes(*world, 1);
    EXPECT_EQ(Orders(*world), (Strings{"hold east", "hold deep", ""}))
        << budget;
    EXPECT_EQ(OfChief(*world, "evaluations"), 8) << budget;
  }
}

TEST(CommandersTest, CommandersTakeTurns) {
  const auto world =
      World(Chief("tasks { name: 'wait' units_max: 5 }"),
            Budget(1) +
                "objects { name: 'other' type: 'chief' }\n"
                "objects { name: 'dora' type: 'soldier' set { property: "
                "'orders.commander' to: 'other' } }\n");
  // One has 1 + 3 evaluations, the other 1 + 1, and then they begin anew.
  StepTimes(*world, 7);
  EXPECT_EQ(OrderOf(*world, "anna"), "wait");
  EXPECT_EQ(OrderOf(*world, "dora"), "wait");
}

// Whatever a round was in the middle of.
TEST(CommandersTest, SnapshotsGoOnToTheSameBits) {
  // So many that one of them is gone while they are weighed one by one.
  const std::string fern =
      "objects { name: 'fern' type: 'well' position { x: 50 } }\n";
  for (const uint64_t budget : {1u, 2u, 5u, 100u}) {
    const auto world = World(Holders("rest_s: 0.2"), Budget(budget) + fern);
    const auto other = World(Holders("rest_s: 0.2"), Budget(budget) + fern);
    for (int tick = 0; tick < 90; ++tick) {
      const std::string bytes = EncodeState(world->state());
      const auto state =
          DecodeState(std::as_bytes(std::span(bytes)), other->state());
      ASSERT_TRUE(state.ok()) << state.status();
      ASSERT_TRUE(other->Restore(*state).ok()) << tick;
      for (Simulation* const each : {world.get(), other.get()}) {
        if (tick == 20 || tick == 24) {
          Command(*each, "finish");
        } else if (tick == 50) {
          Command(*each, "kill");
        } else if (tick == 70) {
          Command(*each, "sink");
        } else {
          StepTimes(*each, 1);
        }
      }
      ASSERT_EQ(other->state().ComputeRootDigest(),
                world->state().ComputeRootDigest())
          << tick;
    }
  }
}

TEST(CommandersTest, RowsThatNoRunLeavesAreRefused) {
  const auto world = World(Holders(), Budget(3));
  StepTimes(*world, 2);
  const TableIndex tasks = *world->state().Find("commanders", "tasks");
  const TableIndex scores = *world->state().Find("commanders", "scores");
  const auto refuses = [&](auto change) {
    State state = world->state();
    change(state.mutable_table(tasks).Mutable<TaskRow>(1),
           state.mutable_table(scores).Mutable<ScoreRow>(1));
    return !World(Holders(), Budget(3))->Restore(state).ok();
  };
  EXPECT_FALSE(refuses([](TaskRow&, ScoreRow&) {}));
  EXPECT_TRUE(refuses([](TaskRow& row, ScoreRow&) { row.number = 2; }));
  EXPECT_TRUE(refuses([](TaskRow& row, ScoreRow&) { row.kind = 1; }));
  EXPECT_TRUE(refuses([](TaskRow& row, ScoreRow&) { row.is_open = 2; }));
  EXPECT_TRUE(refuses([](TaskRow& row, ScoreRow&) { row.object = {1}; }));
  EXPECT_TRUE(refuses([](TaskRow&, ScoreRow& row) { row.task = 2; }));
  EXPECT_TRUE(refuses([](TaskRow&, ScoreRow& row) { row.number = 0; }));
  EXPECT_TRUE(refuses([](TaskRow&, ScoreRow& row) { row.object = {1}; }));
  State fewer = world->state();
  fewer.mutable_table(*fewer.Find("commanders", "turns")).Resize(0);
  EXPECT_FALSE(World(Holders(), Budget(3))->Restore(fewer).ok());
}

// More goals than there can be tasks: the first ones count, and it is told.
TEST(CommandersTest, BoundsAreTold) {
  const auto world =
      World(Holders(),
            "objects { name: 'more' type: 'well' grid { count_x: 70 spacing { "
            "x: 1 } } }\n");
  StepTimes(*world, 2);
  EXPECT_EQ(RowCount(*world, "commanders", "tasks"), 64u);
  EXPECT_FALSE(EventsOf(*world, "orders_bounded").empty());
}

}  // namespace
}  // namespace reprise::sim
