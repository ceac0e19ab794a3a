// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves, on worlds made from data, that objects come and go in the order in
// which they were asked for, that pools are bounded, that handles don't lead to
// strangers, and that a state in which all that happened goes on exactly.

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "gtest/gtest.h"
#include "sim/world/components/object_rows.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

// A hen that has a new chick each tick and gives the one before away.
constexpr std::string_view kFarm = R"(
types { name: "chick" objects_max: 2 components { component: "marker" } }
types {
  name: "hen"
  components { component: "marker" }
  behaviours { behaviour: "testing_breed" }
}
objects { name: "hen" type: "hen" position { x: 3 } }
)";

std::unique_ptr<Simulation> Farm() {
  return WorldOf(Manifest({kMarker, kFarm}));
}

TEST(ObjectsTest, ObjectAskedForIsThereAfterTheTick) {
  const auto world = Farm();
  EXPECT_EQ(RowCount(*world, "world", "objects"), 1u);
  StepTimes(*world, 1);
  EXPECT_EQ(RowCount(*world, "world", "objects"), 2u);
  EXPECT_EQ(RowCount(*world, "components", "marker"), 2u);
  EXPECT_EQ(ValueOf(*world, "world", "places", "chick#2", "position.x"),
            FieldValue::OfDouble(3.0));
}

TEST(ObjectsTest, SerialsAreNeverUsedAgainAndSlotsAre) {
  const auto world = Farm();
  StepTimes(*world, 100);
  EXPECT_EQ(RowCount(*world, "world", "objects"), 2u);
  EXPECT_TRUE(ValueOf(*world, "world", "objects", "chick#101", "name"));
  EXPECT_LE(RowCount(*world, "world", "slots"), 3u);
}

TEST(ObjectsTest, ComingAndGoingAreEventsWithTheType) {
  const auto world = Farm();
  std::string story;
  for (int tick = 0; tick < 3; ++tick) {
    StepTimes(*world, 1);
    for (const Event& event : world->DrainEvents()) {
      story += world->IdName(event.type) + " " +
               world->ObjectName(event.object) + " " +
               world->IdName(Id{event.arguments[0].value.bits}) + "\n";
    }
  }
  EXPECT_EQ(story,
            "object_spawned chick#2 chick\n"
            "object_destroyed object#2 chick\n"
            "object_spawned chick#3 chick\n"
            "object_destroyed object#3 chick\n"
            "object_spawned chick#4 chick\n");
}

// Two nests that drop balls onto each other in the same ticks.
constexpr std::string_view kNests = R"(
types {
  name: "ball"
  body {
    motion: MOTION_DYNAMIC
    mass_kg: 1
    shapes { sphere { radius: 0.3 } }
  }
}
types {
  name: "floor"
  body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } }
}
types {
  name: "nest"
  components {
    component: "spawner"
    set { property: "archetype" value { text: "ball" } }
    set { property: "every_ticks" value { integer: 15 } }
  }
  behaviours { behaviour: "spawn" }
}
objects { name: "floor" type: "floor" }
)";
constexpr std::string_view kNestA =
    "objects { name: \"a\" type: \"nest\" position { y: 2 } }\n";
constexpr std::string_view kNestB =
    "objects { name: \"b\" type: \"nest\" position { x: 0.25 y: 2 } }\n";

TEST(ObjectsTest, BodiesAddedInOneTickComeInTheOrderOfWhoAsked) {
  for (const auto& [first, second] :
       {std::pair(kNestA, kNestB), std::pair(kNestB, kNestA)}) {
    const auto world = WorldOf(Manifest({kNests, first, second}));
    while (RowCount(*world, "physics", "bodies") < 3) StepTimes(*world, 1);
    EXPECT_EQ(ValueOf(*world, "physics", "bodies", "ball#4", "position.x"),
              FieldValue::OfDouble(0.0));
    EXPECT_EQ(ValueOf(*world, "physics", "bodies", "ball#5", "position.x"),
              FieldValue::OfDouble(0.25));
  }
}

TEST(ObjectsTest, OrderInWhichAManifestNamesThoseWhoAskIsNothing) {
  const auto one = WorldOf(Manifest({kNests, kNestA, kNestB}));
  const auto two = WorldOf(Manifest({kNests, kNestB, kNestA}));
  for (int tick = 0; tick < 300; ++tick) {
    StepTimes(*one, 1);
    StepTimes(*two, 1);
    ASSERT_EQ(one->state().ComputeRootDigest(),
              two->state().ComputeRootDigest())
        << "tick " << tick;
  }
  EXPECT_GT(RowCount(*one, "physics", "bodies"), 30u);
  EXPECT_GT(RowCount(*one, "physics", "contact_points"), 30u);
}

TEST(ObjectsTest, FullPoolRefusesAndTells) {
  const auto world = WorldOf(Manifest({kMarker, R"(
types { name: "chick" objects_max: 2 components { component: "marker" } }
types {
  name: "hen"
  components { component: "marker" }
  behaviours { behaviour: "testing_breed" }
}
objects { name: "hen" type: "hen" grid { count_x: 3 } }
)"}));
  StepTimes(*world, 1);
  const std::vector<Event> refused = EventsOf(*world, "spawn_refused");
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(world->ObjectName(refused[0].object), "hen_2");
  EXPECT_EQ(RowCount(*world, "world", "objects"), 5u);
}

TEST(ObjectsTest, FullWorldRefusesAndTells) {
  const auto world =
      WorldOf(Manifest({kMarker, kFarm, "limits { objects_max: 1 }\n"}));
  StepTimes(*world, 1);
  EXPECT_EQ(EventsOf(*world, "spawn_refused").size(), 1u);
  EXPECT_EQ(RowCount(*world, "world", "objects"), 1u);
}

constexpr std::string_view kHeirs = R"(
types {
  name: "heir"
  components { component: "marker" }
  behaviours { behaviour: "testing_descend" }
}
objects { name: "first" type: "heir" }
)";

TEST(ObjectsTest, SpawnBelowTheLastBucketIsRefusedAndTold) {
  const auto world = WorldOf(Manifest({kMarker, kHeirs}));
  StepTimes(*world, 70);
  EXPECT_EQ(EventsOf(*world, "spawn_refused").size(), 1u);
  EXPECT_EQ(RowCount(*world, "world", "objects"), 64u);
  EXPECT_TRUE(world->Fork()->Restore(world->state()).ok());
}

TEST(ObjectsTest, NobodyIsPutWhereNothingCanBe) {
  const auto world = WorldOf(Manifest({kMarker, R"(
types {
  name: "ghost"
  components { component: "marker" }
  behaviours { behaviour: "testing_go_nowhere" }
}
objects { name: "ghost" type: "ghost" position { x: 2 } }
)"}));
  const State before = world->state();
  StepTimes(*world, 1);
  const auto places = before.Find("world", "places");
  EXPECT_EQ(world->state().table(*places).ComputeDigest(),
            before.table(*places).ComputeDigest());
}

TEST(ObjectsTest, SpawnStormIsBoundedAndTheSameEachTime) {
  const auto run = [] {
    auto world = WorldOf(Manifest({kMarker, R"(
limits { objects_max: 3000 }
types { name: "chick" components { component: "marker" } }
types {
  name: "hen"
  components { component: "marker" }
  behaviours { behaviour: "testing_breed" }
}
objects { name: "hen" type: "hen" grid { count_x: 2000 } }
)"}));
    StepTimes(*world, 3);
    return world;
  };
  const auto world = run();
  EXPECT_EQ(RowCount(*world, "world", "objects"), 3000u);
  EXPECT_EQ(world->state().ComputeRootDigest(),
            run()->state().ComputeRootDigest());
}

TEST(ObjectsTest, DestroyedObjectTakesItsRowsWithIt) {
  const auto world = WorldOf(Manifest({kMarker, R"(
types {
  name: "spark"
  components { component: "marker" }
  behaviours { behaviour: "testing_dice" }
  behaviours { behaviour: "testing_vanish" }
}
objects { name: "spark" type: "spark" grid { count_x: 5 } }
)"}));
  StepTimes(*world, 1);
  for (const std::string_view table :
       {"objects", "places", "attachments", "random_streams"}) {
    EXPECT_EQ(RowCount(*world, "world", table), 0u) << table;
  }
  EXPECT_EQ(RowCount(*world, "components", "marker"), 0u);
  EXPECT_EQ(EventsOf(*world, "object_destroyed").size(), 5u);
}

TEST(ObjectsTest, ReferenceToADestroyedObjectIsToldAndLeadsToNobody) {
  const auto world = WorldOf(Manifest({kMarker, R"(
types {
  name: "spark"
  components { component: "marker" }
  behaviours { behaviour: "testing_vanish" }
}
types {
  name: "fan"
  components { component: "marker" }
  behaviours { behaviour: "testing_copy_last_tick" }
}
objects { name: "a_spark" type: "spark" }
objects {
  name: "fan"
  type: "fan"
  components {
    component: "marker"
    set { property: "friend" value { text: "a_spark" } }
  }
}
)"}));
  StepTimes(*world, 2);
  EXPECT_EQ(EventsOf(*world, "stale_reference").size(), 1u);
  EXPECT_EQ(FormatFieldValue(
                *ValueOf(*world, "components", "marker", "fan", "friend"),
                NamesOf(*world)),
            "stale#0.1");
}

TEST(ObjectsTest, ForkedWorldGoesOnThroughComingAndGoing) {
  const auto world = Farm();
  StepTimes(*world, 7);
  const auto fork = world->Fork();
  StepTimes(*world, 20);
  StepTimes(*fork, 20);
  EXPECT_EQ(world->state().ComputeRootDigest(),
            fork->state().ComputeRootDigest());
}

TEST(ObjectsTest, WorldRestoredToTheTimeBeforeABirthForgetsIt) {
  const auto world = Farm();
  const State before = world->state();
  StepTimes(*world, 5);
  const Digest after = world->state().ComputeRootDigest();
  ASSERT_TRUE(world->Restore(before).ok());
  EXPECT_EQ(RowCount(*world, "world", "objects"), 1u);
  StepTimes(*world, 5);
  EXPECT_EQ(world->state().ComputeRootDigest(), after);
}

// A pack can't place an object out there, but what moves it while it sleeps
// may.
TEST(ObjectsTest, BodyThatWakesBeyondTheWorldComesToItsEdge) {
  const auto world = WorldOf(Manifest({R"(
types {
  name: "crate"
  body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } }
}
types { name: "bell" timers { name: "alarm" event: "rung" delay_s: 0.1 } }
objects { name: "far" type: "crate" dormant: true }
objects { name: "near" type: "bell" }
connections { name: "c" source: "near" event: "rung" target: "far" send: "wake" }
)"}));
  State moved = world->state();
  moved.mutable_table(*moved.Find("world", "places"))
      .Mutable<PlaceRow>(0)
      .position.x = 3e6;
  ASSERT_TRUE(world->Restore(moved).ok());
  StepTimes(*world, 10);
  EXPECT_EQ(EventsOf(*world, "body_refused").size(), 1u);
  const auto x = ValueOf(*world, "physics", "bodies", "far", "position.x");
  ASSERT_TRUE(x.has_value());
  EXPECT_EQ(x->AsDouble(), 1e6);
}

TEST(ObjectsTest, BodyThatIsMadeBeyondTheWorldIsToldOfAlsoAfterRestoring) {
  const std::string pack = Manifest({R"(
types { name: "crate" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } } }
types { name: "nest" components { component: "spawner" set { property: "archetype" value { text: "crate" } } } behaviours { behaviour: "spawn" } }
objects { name: "nest" type: "nest" }
)"});
  const auto world = WorldOf(pack);
  State moved = world->state();
  moved.mutable_table(*moved.Find("world", "places"))
      .Mutable<PlaceRow>(0)
      .position.y = -3e6;
  ASSERT_TRUE(world->Restore(moved).ok());
  StepTimes(*world, 1);
  EXPECT_EQ(RowCount(*world, "physics", "bodies"), 1u);

  // The event waits: the crate came after those of the tick were delivered.
  const auto restored = WorldOf(pack);
  ASSERT_TRUE(restored->Restore(world->state()).ok());
  for (Simulation* const each : {world.get(), restored.get()}) {
    StepTimes(*each, 1);
    EXPECT_EQ(EventsOf(*each, "body_refused").size(), 1u);
  }
}

TEST(ObjectsTest, SnapshotWhoseRowsContradictEachOtherIsRefused) {
  const auto world = Farm();
  StepTimes(*world, 3);
  const Digest before = world->state().ComputeRootDigest();
  for (const std::string_view name :
       {"objects", "slots", "places", "allocation"}) {
    State damaged = world->state();
    damaged.mutable_table(*damaged.Find("world", name)).Resize(0);
    EXPECT_EQ(world->Restore(damaged).code(), absl::StatusCode::kDataLoss)
        << name;
  }
  State damaged = world->state();
  damaged.mutable_table(*damaged.Find("components", "marker")).Resize(1);
  EXPECT_EQ(world->Restore(damaged).code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(world->state().ComputeRootDigest(), before);
}

}  // namespace
}  // namespace reprise::sim
