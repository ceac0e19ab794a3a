// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves, on worlds made from data, that objectives follow what happens in a
// world and what its state is, in the same tick and whoever listens; that they
// unlock, penalise and end the run; and that a world restored between any two
// ticks of it goes on to the bit.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/systems/objectives/objectives.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

// The walker enters the hall, at 6 m, in tick 9; the bomb ends in tick 30; the
// clock counts ticks in `hits`.
constexpr std::string_view kThings = R"(
types {
  name: "walker"
  components { component: "marker" }
  behaviours { behaviour: "testing_drift" }
}
types { name: "bomb" timers { name: "fuse" event: "destroy" delay_s: 0.5 } }
types {
  name: "clock"
  components { component: "marker" }
  behaviours { behaviour: "testing_count" }
}
objects {
  name: "walker" type: "walker" position { x: 5.05 }
  components { component: "marker" set { property: "speed" value { integer: 6 } } }
}
objects { name: "bomb" type: "bomb" position { y: 50 } }
objects { name: "clock" type: "clock" position { y: 50 } }
regions { name: "hall" volume { sphere { centre { x: 8 } radius: 2 } } }
predicates { name: "late" object: "clock" component: "marker" property: "hits"
             comparison: COMPARISON_AT_LEAST value: 20 }
)";

std::unique_ptr<Simulation> WorldWith(std::string_view objectives) {
  return WorldOf(Manifest({kMarker, kThings, objectives}));
}

// "10 objective_complete enter", a line for each event of an objective.
std::string StoryOf(Simulation& world, int ticks) {
  std::string story;
  for (int i = 0; i < ticks; ++i) {
    world.Step({}, nullptr);
    for (const Event& event : world.DrainEvents()) {
      if (event.arguments.empty() ||
          event.arguments[0].name != IdOf("objective")) {
        continue;
      }
      story += fmt::format("{} {} {}\n", event.tick, world.IdName(event.type),
                           world.IdName(Id{event.arguments[0].value.bits}));
    }
  }
  return story;
}

constexpr std::string_view kHeist = R"(
objectives { name: "heist" kind: KIND_SEQUENCE children: "enter" children: "wait"
             children: "blast" decides: DECISION_WON }
objectives { name: "enter" condition { event { event: "region_entered" subject: "hall"
             object: "walker" } } }
objectives { name: "wait" condition { elapsed_s: 0.1 } }
objectives { name: "blast" condition { event { event: "object_destroyed" } } }
)";

TEST(WorldObjectivesTest, SequenceGoesOnStepByStepAndWinsTheRun) {
  const auto world = WorldWith(kHeist);
  EXPECT_EQ(StoryOf(*world, 40),
            "9 objective_active wait\n"
            "9 objective_complete enter\n"
            "15 objective_active blast\n"
            "15 objective_complete wait\n"
            "30 objective_complete blast\n"
            "30 objective_complete heist\n"
            "30 game_won heist\n");
  EXPECT_EQ(world->outcome(),
            (Outcome{.status = Outcome::Status::kWon, .reason = "heist"}));
}

// A run that ends with its outcome has told all of it by then.
TEST(WorldObjectivesTest, OutcomeIsToldBehindItsCauseInTheTickThatDecides) {
  const auto world = WorldWith(kHeist);
  StepTimes(*world, 30);
  world->DrainEvents();
  EXPECT_EQ(StoryOf(*world, 1),
            "30 objective_complete blast\n"
            "30 objective_complete heist\n"
            "30 game_won heist\n");
  EXPECT_NE(world->outcome().status, Outcome::Status::kRunning);
}

TEST(WorldObjectivesTest, ChangesAreHeardOfInTheTickAfter) {
  const auto world = WorldOf(Manifest({kMarker, kThings, R"(
types { name: "ear" components { component: "marker" }
        behaviours { behaviour: "testing_hear" } interests { event: "objective_complete" } }
objects { name: "crowd" type: "ear" }
objectives { name: "first" condition { predicate: "late" } }
objectives { name: "second" decides: DECISION_WON
             condition { event { event: "objective_complete" subject: "first" } } }
)"}));
  StepTimes(*world, 20);  // the first is complete in tick 19
  EXPECT_EQ(HitsOf(*world, "crowd"), 0);
  EXPECT_EQ(world->outcome().status, Outcome::Status::kRunning);
  StepTimes(*world, 1);
  EXPECT_EQ(HitsOf(*world, "crowd"), 1);
  EXPECT_EQ(world->outcome().status, Outcome::Status::kWon);
}

TEST(WorldObjectivesTest, SubjectMayBeAnObjectAmongTheArguments) {
  const auto world = WorldWith(R"(
objectives { name: "race" deadline_s: 0.5 decides: DECISION_WON failure_decides: DECISION_LOST
             condition { event { event: "region_entered" subject: "walker" } } }
objectives { name: "other" condition { event { event: "region_entered" subject: "clock" } } }
)");
  StepTimes(*world, 60);
  EXPECT_EQ(world->outcome(),
            (Outcome{.status = Outcome::Status::kWon, .reason = "race"}));
  EXPECT_EQ(StatusOfObjective(world->state().table(*world->state().Find(
                                  "objectives", "objectives")),
                              IdOf("other")),
            ObjectiveStatus::kActive);
}

TEST(WorldObjectivesTest, SubjectMayBeAnObjectThatIsGone) {
  const auto world = WorldOf(Manifest({kMarker, R"(
types { name: "gate" body { motion: MOTION_TRIGGER shapes { sphere { radius: 1 } } } }
types { name: "ball" timers { name: "fuse" event: "destroy" delay_s: 0.1 }
        body { motion: MOTION_DYNAMIC mass_kg: 1 gravity_scale: 0 shapes { sphere { radius: 0.5 } } } }
objects { name: "gate" type: "gate" }
objects { name: "ball" type: "ball" }
objectives { name: "burst" decides: DECISION_WON
             condition { event { event: "trigger_left" object: "gate" subject: "ball" } } }
)"}));
  StepTimes(*world, 30);
  EXPECT_EQ(world->outcome().status, Outcome::Status::kWon);
}

TEST(WorldObjectivesTest, RunIsDecidedInTheTickOfTheEvent) {
  const auto world = WorldWith(kHeist);
  StepTimes(*world, 30);
  EXPECT_EQ(world->outcome().status, Outcome::Status::kRunning);
  StepTimes(*world, 1);
  EXPECT_EQ(world->outcome().status, Outcome::Status::kWon);
}

TEST(WorldObjectivesTest, DeadlineThatPassesLosesTheRun) {
  const auto world = WorldWith(R"(
objectives { name: "hurry" deadline_s: 0.25 failure_decides: DECISION_LOST
             condition { event { event: "object_destroyed" } } }
)");
  StepTimes(*world, 15);
  EXPECT_EQ(world->outcome().status, Outcome::Status::kRunning);
  StepTimes(*world, 1);
  EXPECT_EQ(world->outcome(),
            (Outcome{.status = Outcome::Status::kLost, .reason = "hurry"}));
}

TEST(WorldObjectivesTest, FirstDecisionStays) {
  const auto world = WorldWith(R"(
objectives { name: "lose" condition { predicate: "late" } decides: DECISION_LOST }
objectives { name: "win" condition { elapsed_s: 0.5 } decides: DECISION_WON }
)");
  StepTimes(*world, 60);
  EXPECT_EQ(world->outcome().reason, "lose");
}

TEST(WorldObjectivesTest, PredicateFollowsAPropertyOfTheState) {
  const auto world = WorldWith(R"(
objectives { name: "be_late" condition { predicate: "late" } decides: DECISION_WON }
)");
  // The twentieth count is made in tick 19.
  StepTimes(*world, 19);
  EXPECT_EQ(world->outcome().status, Outcome::Status::kRunning);
  StepTimes(*world, 1);
  EXPECT_EQ(world->outcome().status, Outcome::Status::kWon);
}

TEST(WorldObjectivesTest, PredicatesCompareAsTheySay) {
  struct Case {
    std::string_view comparison;
    int first_tick;  // in which `hits` of the clock, 3 then, is so
  };
  for (const auto& [comparison, first_tick] :
       {Case{"LESS", 0}, Case{"AT_MOST", 0}, Case{"EQUAL", 2},
        Case{"AT_LEAST", 2}, Case{"MORE", 3}}) {
    const auto world = WorldOf(Manifest(
        {kMarker, kThings,
         fmt::format("predicates {{ name: \"so\" object: \"clock\" component: "
                     "\"marker\" property: \"hits\" comparison: COMPARISON_{} "
                     "value: 3 }}\n",
                     comparison),
         "objectives { name: \"win\" condition { predicate: \"so\" } decides: "
         "DECISION_WON }\n"}));
    StepTimes(*world, first_tick);
    EXPECT_EQ(world->outcome().status, Outcome::Status::kRunning) << comparison;
    StepTimes(*world, 1);
    EXPECT_EQ(world->outcome().status, Outcome::Status::kWon) << comparison;
  }
}

TEST(WorldObjectivesTest, PredicateOfAnObjectThatIsGoneDoesNotHold) {
  const auto world = WorldOf(Manifest({kMarker, R"(
types { name: "bomb" components { component: "marker" }
        timers { name: "fuse" event: "destroy" delay_s: 0.5 } }
objects { name: "bomb" type: "bomb" }
predicates { name: "whole" object: "bomb" component: "marker" property: "hits"
             comparison: COMPARISON_EQUAL }
objectives { name: "guard" condition { elapsed_s: 1 } failures { predicate: "whole" } }
)"}));
  StepTimes(*world, 1);
  EXPECT_EQ(EventsOf(*world, "objective_failed").size(), 1u);
}

// The clock counts 3 in tick 2, the walker passes 6 m in tick 9.
TEST(WorldObjectivesTest, PredicateMayBeAnExpressionOfSeveralObjects) {
  struct Case {
    std::string_view condition;
    int first_tick;  // in which it is so
  };
  for (const auto& [condition, first_tick] :
       {Case{"clock.marker.hits == 3", 2},
        Case{"clock.marker.hits >= 3 and walker.marker.speed > 5.5", 2},
        Case{"clock.marker.hits > 4 * walker.marker.speed", 24},
        Case{"not clock.marker.hits < 12 or walker.type == 'bomb'", 11}}) {
    const auto world = WorldOf(Manifest(
        {kMarker, kThings,
         fmt::format("predicates {{ name: \"so\" if: \"{}\" }}\n", condition),
         "objectives { name: \"win\" condition { predicate: \"so\" } decides: "
         "DECISION_WON }\n"}));
    StepTimes(*world, first_tick);
    EXPECT_EQ(world->outcome().status, Outcome::Status::kRunning) << condition;
    StepTimes(*world, 1);
    EXPECT_EQ(world->outcome().status, Outcome::Status::kWon) << condition;
  }
}

// Neither a condition of what is gone nor its opposite holds; what is there
// decides where it can.
TEST(WorldObjectivesTest, ExpressionOfAnObjectThatIsGoneDoesNotHold) {
  constexpr std::string_view kBomb = R"(
types { name: "bomb" components { component: "marker" }
        timers { name: "fuse" event: "destroy" delay_s: 0.5 } }
objects { name: "bomb" type: "bomb" }
objectives { name: "guard" condition { predicate: "so" } after: "wait" }
objectives { name: "wait" condition { elapsed_s: 1 } }
)";
  struct Case {
    std::string_view condition;
    size_t completed;  // objectives, in all
  };
  for (const auto& [condition, completed] :
       {Case{"bomb.marker.hits == 0", 1}, Case{"bomb.marker.hits != 0", 1},
        Case{"not bomb.marker.hits != 0", 1}, Case{"bomb.type == 'bomb'", 1},
        Case{"bomb.marker.hits == 0 or 1 < 2", 2}}) {
    const auto world = WorldOf(
        Manifest({kMarker, kBomb,
                  fmt::format("predicates {{ name: \"so\" if: \"{}\" }}\n",
                              condition)}));
    StepTimes(*world, 90);
    EXPECT_EQ(EventsOf(*world, "objective_complete").size(), completed)
        << condition;
  }
}

// Whichever is there by that name is asked, also when it has come again.
TEST(WorldObjectivesTest, ExpressionFollowsAnObjectThatComesAndGoes) {
  const auto world = WorldOf(Manifest({kMarker, kThings, R"(
chunk_plan { chunks { name: "town" active_at_start: true always_wanted: true } }
objects { name: "owl" type: "clock" chunk: "town" }
predicates { name: "so" if: "owl.marker.hits >= 10" }
objectives { name: "win" condition { predicate: "so" } decides: DECISION_WON }
)"}));
  StepTimes(*world, 30);
  EXPECT_EQ(world->outcome().status, Outcome::Status::kWon);
}

TEST(WorldObjectivesTest, PenaltyIsSentAndTheTaskBeginsAnew) {
  const auto world = WorldOf(Manifest({kMarker, kThings, R"(
types { name: "ear" components { component: "marker" }
        behaviours { behaviour: "testing_hear" } interests { event: "shame" } }
objects { name: "crowd" type: "ear" }
objectives { name: "try" condition { event { event: "never" } } deadline_s: 0.1
             penalty_event: "shame" penalty_reset: "try" }
)"}));
  StepTimes(*world, 30);
  // Failed in ticks 6, 12, 18 and 24; heard of in the tick after each.
  EXPECT_EQ(HitsOf(*world, "crowd"), 4);
}

TEST(WorldObjectivesTest, GateSwitchesALayerOnAndItsThingsWithIt) {
  const auto world = WorldOf(Manifest({kMarker, kThings, R"(
layers { name: "night" disabled: true }
chunk_plan { chunks { name: "town" active_at_start: true always_wanted: true } }
objects { name: "owl" type: "clock" chunk: "town" layer: "night" }
objectives { name: "dusk" condition { predicate: "late" } gates: "night" }
)"}));
  StepTimes(*world, 20);
  EXPECT_EQ(HitsOf(*world, "owl"), 0);
  StepTimes(*world, 5);
  EXPECT_EQ(HitsOf(*world, "owl"), 5);
}

// Each tick 4,000 events: more in all than wait for a listener.
TEST(WorldObjectivesTest, EventsCountWhetherOrNotAnybodyListens) {
  constexpr std::string_view kStorm = R"(
types { name: "cloud" components { component: "marker" }
        behaviours { behaviour: "testing_storm" } }
objects { name: "cloud" type: "cloud"
  components { component: "marker" set { property: "hits" value { integer: 4000 } } } }
objectives { name: "weather" condition { event { event: "storm" count: 79000 } }
             decides: DECISION_WON }
)";
  const auto heard = WorldOf(Manifest({kMarker, kStorm}));
  const auto unheard = WorldOf(Manifest({kMarker, kStorm}));
  for (int tick = 0; tick < 25; ++tick) {
    StepTimes(*heard, 1);
    heard->DrainEvents();
    StepTimes(*unheard, 1);
  }
  EXPECT_EQ(heard->outcome().status, Outcome::Status::kWon);
  EXPECT_EQ(unheard->state().ComputeRootDigest(),
            heard->state().ComputeRootDigest());
}

TEST(WorldObjectivesTest, RestoredAndForkedWorldsGoOnToTheBitFromEveryTick) {
  const auto world = WorldWith(kHeist);
  const auto straight = WorldWith(kHeist);
  StepTimes(*straight, 45);
  for (int tick = 0; tick < 35; ++tick) {
    const auto restored = WorldWith(kHeist);
    ASSERT_TRUE(restored->Restore(world->state()).ok());
    const auto fork = world->Fork();
    StepTimes(*restored, 45 - tick);
    StepTimes(*fork, 45 - tick);
    EXPECT_EQ(restored->state().ComputeRootDigest(),
              straight->state().ComputeRootDigest())
        << tick;
    EXPECT_EQ(fork->state().ComputeRootDigest(),
              straight->state().ComputeRootDigest())
        << tick;
    StepTimes(*world, 1);
  }
}

TEST(WorldObjectivesTest, RowsThatCanNotBeAreRefused) {
  const auto world = WorldWith(kHeist);
  State odd = world->state();
  const TableIndex rows = *odd.Find("objectives", "objectives");
  odd.mutable_table(rows).Mutable<ObjectiveRow>(0).status = 4;
  EXPECT_EQ(world->Restore(odd).code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace reprise::sim
