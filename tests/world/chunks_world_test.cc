// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves, on a corridor of three chunks that a walker goes along, that objects
// come and go at exactly the ticks that were fixed when they were asked for,
// each as its chunk's policy says; that doors wait for chunks; and that a world
// restored or forked in the middle of it all goes on to the bit.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/systems/chunks/chunks.h"
#include "sim/world/components/object_rows.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

// A tenth of a metre a tick, beginning between two tenths so that no boundary
// is met exactly. The walker passes 9 m before tick 40 and 12 m before tick 70.
constexpr std::string_view kWalker = R"(
types {
  name: "walker" viewer: true
  components { component: "marker" }
  behaviours { behaviour: "testing_drift" }
}
types {
  name: "lamp"
  components { component: "marker" }
  behaviours { behaviour: "testing_count" }
}
types {
  name: "crate"
  body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.1 } } }
}
types {
  name: "wall"
  body { motion: MOTION_FIXED shapes { box { half_extents { x: 1 y: 1 z: 1 } } } }
}
objects {
  name: "walker" type: "walker" position { x: 5.05 }
  components { component: "marker" set { property: "speed" value { integer: 6 } } }
}
)";
constexpr Tick kBScheduled = 40;
constexpr Tick kBActive = kBScheduled + 6;
constexpr Tick kALeaving = 70;
constexpr Tick kAGone = kALeaving + 3;

// The part of the corridor between two places wants a chunk.
std::string Between(double from, double to, std::string_view chunk) {
  return fmt::format(
      "load_regions {{ region {{ name: \"near_{}\" volume {{ box {{ centre {{ "
      "x: {} }} half_extents {{ x: {} y: 5 z: 5 }} }} }} }} chunks: \"{}\" "
      "}}\n",
      chunk, (from + to) / 2, (to - from) / 2, chunk);
}

// Chunk a goes as `policy` says.
std::string Plan(std::string_view policy) {
  return fmt::format(
      "chunk_plan {{ activation_delay_s: 0.1 deactivation_delay_s: 0.05\n"
      "chunks {{ name: \"a\" active_at_start: true when_unloaded: UNLOAD_{} "
      "}}\n"
      "chunks {{ name: \"b\" }} chunks {{ name: \"c\" }}\n{}{}{} }}\n",
      policy, Between(0, 12, "a"), Between(9, 20, "b"), Between(19, 30, "c"));
}

constexpr std::string_view kFurniture = R"(
objects { name: "crate_a" type: "crate" position { y: 3 } chunk: "a" }
objects { name: "lamp_a" type: "lamp" chunk: "a" }
objects { name: "lamp_b" type: "lamp" chunk: "b" position { x: 15 } }
objects { name: "lamp_c" type: "lamp" chunk: "c" position { x: 25 } }
objects { name: "wall_a" type: "wall" chunk: "a" position { z: 9 } }
)";

std::unique_ptr<Simulation> Corridor(std::string_view policy) {
  return WorldOf(Manifest({kMarker, kWalker, Plan(policy), kFurniture}));
}

bool IsThere(const Simulation& world, std::string_view object) {
  return ValueOf(world, "world", "objects", object, "name").has_value();
}

bool HasBody(const Simulation& world, std::string_view object) {
  return ValueOf(world, "physics", "bodies", object, "position.x").has_value();
}

ObjectStatus StatusOf(const Simulation& world, std::string_view object) {
  const auto status = ValueOf(world, "world", "objects", object, "status");
  return static_cast<ObjectStatus>(status.value_or(FieldValue{}).bits);
}

// Turns the walker round, or stops it.
void SetSpeed(Simulation& world, double speed) {
  const TableIndex index = *world.state().Find("components", "marker");
  const Table& table = world.state().table(index);
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const ObjectId owner{
        ReadScalar(table.schema(), table.Row(row), {.field = 0}).bits};
    if (world.ObjectName(owner) != "walker") continue;
    ASSERT_TRUE(world
                    .Inject({.table = index,
                             .row = row,
                             .scalar = *table.schema().Find("speed")},
                            FieldValue::OfDouble(speed))
                    .ok());
  }
}

// "40 chunk_scheduled b", a line for each event of a chunk or door.
std::string StoryOf(Simulation& world, int ticks) {
  std::string story;
  for (int i = 0; i < ticks; ++i) {
    world.Step({}, nullptr);
    for (const Event& event : world.DrainEvents()) {
      const std::string type = world.IdName(event.type);
      if (!type.starts_with("chunk_") && !type.starts_with("door_")) continue;
      story += fmt::format("{} {} {}\n", event.tick, type,
                           world.IdName(Id{event.arguments[0].value.bits}));
    }
  }
  return story;
}

TEST(WorldChunksTest, ChunksComeAndGoAtTheTicksFixedWhenTheyWereAskedFor) {
  const auto world = Corridor("DESTROY");
  EXPECT_EQ(StoryOf(*world, 80),
            fmt::format("{} chunk_scheduled b\n{} chunk_activated b\n"
                        "{} chunk_leaving a\n{} chunk_deactivated a\n",
                        kBScheduled, kBActive, kALeaving, kAGone));
}

TEST(WorldChunksTest, ObjectsComeAndGoWithTheirChunkInTheSameTick) {
  const auto world = Corridor("DESTROY");
  EXPECT_TRUE(IsThere(*world, "lamp_a"));
  StepTimes(*world, kBActive);
  EXPECT_FALSE(IsThere(*world, "lamp_b"));
  StepTimes(*world, 1);
  EXPECT_TRUE(IsThere(*world, "lamp_b"));
  EXPECT_EQ(HitsOf(*world, "lamp_b"), 1);
  StepTimes(*world, kAGone - kBActive - 1);
  EXPECT_TRUE(IsThere(*world, "lamp_a"));
  EXPECT_TRUE(HasBody(*world, "crate_a"));
  StepTimes(*world, 1);
  EXPECT_FALSE(IsThere(*world, "lamp_a"));
  EXPECT_FALSE(HasBody(*world, "crate_a"));
  EXPECT_FALSE(IsThere(*world, "lamp_c"));
}

// The walker turns round when chunk a has gone, and brings it back.
TEST(WorldChunksTest, DestroyedObjectsAreMadeAnew) {
  const auto world = Corridor("DESTROY");
  StepTimes(*world, 80);
  SetSpeed(*world, -6);
  StepTimes(*world, 20);
  EXPECT_TRUE(IsThere(*world, "lamp_a"));
  EXPECT_LT(HitsOf(*world, "lamp_a"), 20);
  const auto height =
      ValueOf(*world, "physics", "bodies", "crate_a", "position.y");
  ASSERT_TRUE(height.has_value());
  EXPECT_GT(height->AsDouble(), 2.0);
}

TEST(WorldChunksTest, DormantObjectsGoOnWhereTheyWere) {
  const auto world = Corridor("DORMANT");
  StepTimes(*world, 80);
  EXPECT_EQ(StatusOf(*world, "lamp_a"), ObjectStatus::kAway);
  EXPECT_EQ(HitsOf(*world, "lamp_a"), static_cast<int64_t>(kAGone));
  EXPECT_FALSE(HasBody(*world, "crate_a"));
  const auto place =
      ValueOf(*world, "world", "places", "crate_a", "position.y");
  ASSERT_TRUE(place.has_value());
  SetSpeed(*world, -6);
  std::optional<FieldValue> body;
  while (!body.has_value() && world->tick() < 200) {
    StepTimes(*world, 1);
    body = ValueOf(*world, "physics", "bodies", "crate_a", "position.y");
  }
  ASSERT_TRUE(body.has_value());
  EXPECT_NEAR(body->AsDouble(), place->AsDouble(), 0.01);
  EXPECT_EQ(HitsOf(*world, "lamp_a"), static_cast<int64_t>(kAGone) + 1);
  EXPECT_EQ(StatusOf(*world, "lamp_a"), ObjectStatus::kActive);
}

TEST(WorldChunksTest, FrameShowsWhatIsThere) {
  const auto world = Corridor("DORMANT");
  EXPECT_EQ(world->ProduceFrame().objects.size(), 4u);
  StepTimes(*world, 80);
  const Frame frame = world->ProduceFrame();
  ASSERT_EQ(frame.objects.size(), 2u);
  EXPECT_EQ(frame.objects[0].name, "walker");
  EXPECT_EQ(frame.objects[1].name, "lamp_b");
  EXPECT_EQ(frame.objects[1].position, (Vector3{15.0, 0.0, 0.0}));
}

TEST(WorldChunksTest, KeptObjectsStayAndWhatIsFixedGoes) {
  const auto world = Corridor("KEEP");
  StepTimes(*world, 80);
  EXPECT_EQ(HitsOf(*world, "lamp_a"), 80);
  EXPECT_TRUE(HasBody(*world, "crate_a"));
  EXPECT_TRUE(IsThere(*world, "wall_a"));
  EXPECT_FALSE(HasBody(*world, "wall_a"));
}

TEST(WorldChunksTest, SleeperIsStillAsleepWhenItsChunkComesBack) {
  const auto world =
      WorldOf(Manifest({kMarker, kWalker, Plan("DORMANT"),
                        "objects { name: \"sleeper\" type: \"lamp\" chunk: "
                        "\"a\" dormant: true }\n"}));
  EXPECT_EQ(StatusOf(*world, "sleeper"), ObjectStatus::kDormant);
  StepTimes(*world, 80);
  EXPECT_EQ(StatusOf(*world, "sleeper"), ObjectStatus::kAwayDormant);
  SetSpeed(*world, -6);
  StepTimes(*world, 30);
  EXPECT_EQ(StatusOf(*world, "sleeper"), ObjectStatus::kDormant);
  EXPECT_EQ(HitsOf(*world, "sleeper"), 0);
}

TEST(WorldChunksTest, WhatTheGameDestroyedDoesNotComeBackFromSleep) {
  const auto world = WorldOf(Manifest({kMarker, kWalker, Plan("DORMANT"), R"(
types { name: "bomb" timers { name: "fuse" event: "destroy" delay_s: 0.5 } }
objects { name: "bomb" type: "bomb" chunk: "a" }
)"}));
  StepTimes(*world, 80);
  SetSpeed(*world, -6);
  StepTimes(*world, 40);
  EXPECT_FALSE(IsThere(*world, "bomb"));
}

TEST(WorldChunksTest, ChildComesAfterItsParentAndIsCarriedByIt) {
  const auto world = WorldOf(Manifest({kMarker, kWalker, Plan("KEEP"), R"(
objects { name: "arm_b" type: "lamp" chunk: "b" parent: "trunk_b" attached: true
          position { x: 15 y: 2 } }
objects { name: "hand" type: "lamp" chunk: "b" parent: "walker" attached: true
          position { x: 5.05 y: 1 } }
objects { name: "trunk_b" type: "walker" chunk: "b" position { x: 15 }
  components { component: "marker" set { property: "speed" value { integer: 6 } } } }
)"}));
  StepTimes(*world, kBActive + 11);
  const auto x_of = [&](std::string_view object) {
    const auto x = ValueOf(*world, "world", "places", object, "position.x");
    return x.value_or(FieldValue::OfDouble(-1)).AsDouble();
  };
  EXPECT_NEAR(x_of("trunk_b"), 16.1, 1e-9);
  EXPECT_NEAR(x_of("arm_b"), 16.1, 1e-9);
  // It stands to the walker as the pack says, wherever he is by now.
  EXPECT_NEAR(x_of("hand"), x_of("walker"), 1e-9);
  EXPECT_EQ(ValueOf(*world, "world", "objects", "arm_b", "bucket")->bits, 1u);
}

TEST(WorldChunksTest, PlaceThatOneObjectLeavesIsFreeForTheNextInTheSameTick) {
  const std::string plan = fmt::format(
      "chunk_plan {{ activation_delay_s: 0.1 deactivation_delay_s: 0.1\n"
      "chunks {{ name: \"a\" active_at_start: true }} chunks {{ name: \"b\" "
      "}}\n{}{} }}\n",
      Between(0, 9, "a"), Between(9, 20, "b"));
  const auto world = WorldOf(
      Manifest({"limits { objects_max: 2 }\n", kMarker, kWalker, plan,
                "objects { name: \"lamp_a\" type: \"lamp\" chunk: \"a\" }\n",
                "objects { name: \"lamp_b\" type: \"lamp\" chunk: \"b\" }\n"}));
  StepTimes(*world, kBActive + 1);
  EXPECT_FALSE(IsThere(*world, "lamp_a"));
  EXPECT_TRUE(IsThere(*world, "lamp_b"));
}

TEST(WorldChunksTest, ObjectWithoutAPlaceIsRefusedAndToldOf) {
  const auto world = WorldOf(Manifest({"limits { objects_max: 4 }\n", kMarker,
                                       kWalker, Plan("KEEP"), kFurniture}));
  StepTimes(*world, kBActive + 1);
  const std::vector<Event> refused = EventsOf(*world, "spawn_refused");
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].tick, kBActive);
  EXPECT_FALSE(IsThere(*world, "lamp_b"));
}

TEST(WorldChunksTest, ReferenceToAnObjectThatIsNotThereIsNone) {
  const auto world = WorldOf(Manifest({kMarker, kWalker, Plan("KEEP"), R"(
objects { name: "a_early" type: "lamp" chunk: "b" }
objects { name: "looker" type: "lamp"
  components { component: "marker" set { property: "friend" value { text: "a_early" } } } }
objects { name: "seer" type: "lamp"
  components { component: "marker" set { property: "friend" value { text: "looker" } } } }
)"}));
  const auto friend_of = [&](std::string_view object) {
    return ValueOf(*world, "components", "marker", object, "friend");
  };
  EXPECT_TRUE(friend_of("looker")->AsHandle().is_null());
  EXPECT_EQ(world->ObjectName(world->ObjectOf(friend_of("seer")->AsHandle())),
            "looker");
}

TEST(WorldChunksTest, ReferencesOfAChunkLeadToWhoeverHasTheNameWhenItComes) {
  const auto world = WorldOf(Manifest({kMarker, kWalker, Plan("DESTROY"), R"(
objects { name: "one_a" type: "lamp" chunk: "a"
  components { component: "marker" set { property: "friend" value { text: "two_a" } } } }
objects { name: "two_a" type: "lamp" chunk: "a"
  components { component: "marker" set { property: "friend" value { text: "walker" } } } }
objects { name: "lost_a" type: "lamp" chunk: "a"
  components { component: "marker" set { property: "friend" value { text: "far_c" } } } }
objects { name: "far_c" type: "lamp" chunk: "c" }
)"}));
  const auto friend_of = [&](std::string_view object) {
    const auto handle =
        ValueOf(*world, "components", "marker", object, "friend")->AsHandle();
    return handle.is_null() ? "" : world->ObjectName(world->ObjectOf(handle));
  };
  const auto expect_friends = [&] {
    EXPECT_EQ(friend_of("one_a"), "two_a");
    EXPECT_EQ(friend_of("two_a"), "walker");
    EXPECT_EQ(friend_of("lost_a"), "");
  };
  expect_friends();
  StepTimes(*world, 80);
  ASSERT_FALSE(IsThere(*world, "one_a"));
  SetSpeed(*world, -6);
  StepTimes(*world, 40);
  ASSERT_TRUE(IsThere(*world, "one_a"));
  expect_friends();
}

// Chunk b is wanted from 9 m on and takes a second; the air lock's inside
// begins at 10 m, before tick 50.
constexpr std::string_view kAirLock = R"(
regions { name: "inside" volume { box { centre { x: 11 } half_extents { x: 1 y: 5 z: 5 } } } }
air_locks {
  name: "lock" interior: "inside" closing_s: 0.05 open_side_at_start: 1
  first { chunk: "a" door: "door_a" } second { chunk: "b" door: "door_b" }
}
)";

std::unique_ptr<Simulation> CorridorWithAirLock() {
  const std::string plan = fmt::format(
      "chunk_plan {{ activation_delay_s: 1 chunks {{ name: \"a\" "
      "active_at_start: true }} chunks {{ name: \"b\" }}\n{}{} }}\n",
      Between(0, 9.5, "a"), Between(9, 20, "b"));
  return WorldOf(Manifest({kMarker, kWalker, plan,
                           "objects { name: \"lamp_a\" type: \"lamp\" chunk: "
                           "\"a\" }\n",
                           "objects { name: \"lamp_b\" type: \"lamp\" chunk: "
                           "\"b\" }\n",
                           kAirLock}));
}

TEST(WorldAirLockTest, DoorOpensInTheTickInWhichItsChunkIsThere) {
  const auto world = CorridorWithAirLock();
  EXPECT_EQ(StoryOf(*world, 102),
            "40 chunk_scheduled b\n"
            "50 door_closing door_a\n"
            "53 door_closed door_a\n"
            "54 chunk_leaving a\n"
            "54 chunk_deactivated a\n"
            "100 chunk_activated b\n"
            "100 door_opened door_b\n");
}

TEST(WorldAirLockTest, OpenDoorHoldsTheChunkBehindIt) {
  const auto world = CorridorWithAirLock();
  StepTimes(*world, 50);  // a isn't wanted any more since tick 45
  EXPECT_TRUE(IsThere(*world, "lamp_a"));
  StepTimes(*world, 5);
  EXPECT_FALSE(IsThere(*world, "lamp_a"));
}

TEST(WorldAirLockTest, DoorOpensForAnEventThatNamesIt) {
  const auto world = WorldOf(Manifest({kMarker, kWalker, Plan("KEEP"), R"(
regions { name: "door_a" volume { box { centre { x: 8 } half_extents { x: 1 y: 5 z: 5 } } } }
connections { name: "knock" event: "region_entered" send: "door_asked"
              pass { from: "region" to: "door" } }
air_locks { name: "lock" first { chunk: "a" door: "door_a" }
            second { chunk: "b" door: "door_b" } }
)"}));
  EXPECT_EQ(StoryOf(*world, 30),
            "19 door_asked door_a\n20 door_opened door_a\n");
}

TEST(WorldAirLockTest, RestoredWorldGoesOnToTheBitFromEveryTick) {
  const auto world = CorridorWithAirLock();
  const auto other = CorridorWithAirLock();
  StepTimes(*world, 38);
  for (int tick = 38; tick < 104; ++tick) {
    ASSERT_TRUE(other->Restore(world->state()).ok()) << tick;
    StepTimes(*other, 2);
    StepTimes(*world, 1);
    const auto fork = world->Fork();
    StepTimes(*fork, 1);
    EXPECT_EQ(other->state().ComputeRootDigest(),
              fork->state().ComputeRootDigest())
        << tick;
  }
}

TEST(WorldChunksTest, RestoredAndForkedWorldsGoOnToTheBit) {
  for (const std::string_view policy : {"DESTROY", "DORMANT", "KEEP"}) {
    const auto world = Corridor(policy);
    const auto other = Corridor(policy);
    StepTimes(*world, 30);
    // Scheduled, just active, leaving, just gone.
    for (const Tick tick :
         {kBScheduled + 2, kBActive + 1, kALeaving + 1, kAGone + 1}) {
      StepTimes(*world, static_cast<int>(tick - world->tick()));
      ASSERT_TRUE(other->Restore(world->state()).ok());
      const auto fork = world->Fork();
      const auto straight = world->Fork();
      for (Simulation* each : {straight.get(), fork.get(), other.get()}) {
        StepTimes(*each, 60);
      }
      EXPECT_EQ(fork->state().ComputeRootDigest(),
                straight->state().ComputeRootDigest());
      EXPECT_EQ(other->state().ComputeRootDigest(),
                straight->state().ComputeRootDigest());
    }
    // And the one that was copied all the time is the one that never was.
    const auto undisturbed = Corridor(policy);
    StepTimes(*undisturbed, static_cast<int>(world->tick()));
    EXPECT_EQ(undisturbed->state().ComputeRootDigest(),
              world->state().ComputeRootDigest());
  }
}

TEST(WorldChunksTest, RowsThatCanNotBeAreRefusedAndChangeNothing) {
  const auto world = CorridorWithAirLock();
  StepTimes(*world, 20);
  State odd = world->state();
  const TableIndex chunks = *odd.Find("chunks", "chunks");
  odd.mutable_table(chunks).Mutable<ChunkRow>(0).status = 9;
  const Digest digest = world->state().ComputeRootDigest();
  EXPECT_EQ(world->Restore(odd).code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(world->state().ComputeRootDigest(), digest);
}

TEST(WorldChunksTest, OrderOfTheManifestDecidesNothing) {
  const auto world = Corridor("DORMANT");
  const auto other =
      WorldOf(Manifest({kFurniture, Plan("DORMANT"), kWalker, kMarker}));
  StepTimes(*world, 100);
  StepTimes(*other, 100);
  EXPECT_EQ(world->state().ComputeRootDigest(),
            other->state().ComputeRootDigest());
}

// Behaviours and timers have their say before chunks look where viewers are.
TEST(WorldChunksTest, ChunksFollowTheEventsOfTheirTick) {
  const auto world = WorldOf(Manifest({R"(
types { name: "guard" viewer: true timers { name: "nap" event: "sleep" delay_s: 0.5 } }
objects { name: "guard" type: "guard" position { x: 5 } }
)",
                                       Plan("DESTROY")}));
  EXPECT_EQ(StoryOf(*world, 40),
            "30 chunk_leaving a\n33 chunk_deactivated a\n");
}

TEST(WorldChunksTest, HeirOfAViewerIsOne) {
  const auto world = WorldOf(Manifest({kMarker, kWalker, Plan("KEEP"), R"(
types { name: "scout" extends: "walker" }
objects { name: "scout" type: "scout" position { x: 25 } }
)"}));
  EXPECT_EQ(StoryOf(*world, 10), "0 chunk_scheduled c\n6 chunk_activated c\n");
}

TEST(WorldChunksTest, WorldWithoutChunksHasNoTablesOfThem) {
  const auto world = WorldOf(Manifest({kMarker, kWalker}));
  StepTimes(*world, 10);
  for (const std::string_view table :
       {"chunks", "region_visits", "air_locks"}) {
    EXPECT_FALSE(world->state().Find("chunks", table).has_value()) << table;
  }
}

}  // namespace
}  // namespace reprise::sim
