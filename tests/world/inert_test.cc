// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what becomes of an object whose behaviour can't go on: nothing of it
// runs any more and nothing wakes it, those above it are told why, its body
// stays, and a snapshot holds all that.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/update_context.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

// Counts its updates in `hits` and fails in the one in which they are `speed`,
// twice over; or with an event, when it hears of one and `speed` is 100.
class Stumble final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& binder) override {
    absl::Status status =
        binder.Property("marker", "hits", PropertyType::kInt, hits_);
    if (!status.ok()) return status;
    return binder.Property("marker", "speed", PropertyType::kDouble, speed_);
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      context.SetInt(i, hits_, context.Int(i, hits_) + 1);
      if (static_cast<double>(context.Int(i, hits_)) !=
          context.Number(i, speed_)) {
        continue;
      }
      context.Fail(i, IdOf("stumbled"));
      context.Fail(i, IdOf("again"));
    }
  }
  bool OnEvent(UpdateContext& context, const WorldEvent&) const override {
    if (context.Number(0, speed_) == 100.0) context.Fail(0, IdOf("stumbled"));
    return false;
  }
  Hooks hooks() const override {
    return {.before_physics = true, .on_event = true};
  }

 private:
  PropertyRef hits_;
  PropertyRef speed_;
};
REPRISE_REGISTER_BEHAVIOUR(testing_stumble, "testing_stumble", Stumble);
REPRISE_REGISTER_WORD(testing_stumbled, "stumbled");

// A stone stumbles in its fifth update; a walker, which counts twice, in its
// third.
constexpr std::string_view kTypes = R"(
types {
  name: "walker"
  components { component: "marker" set { property: "speed" value { integer: 5 } } }
  behaviours { behaviour: "testing_stumble" }
  behaviours { behaviour: "testing_count" }
  timers { name: "beep" event: "beeped" delay_s: 0.05 period_s: 0.05 }
}
types {
  name: "fragile"
  components { component: "marker" set { property: "speed" value { integer: 100 } } }
  behaviours { behaviour: "testing_stumble" }
  behaviours { behaviour: "testing_hear" }
}
types {
  name: "ear" components { component: "marker" }
  behaviours { behaviour: "testing_hear" }
}
types { name: "watchman" extends: "ear" interests { event: "object_failed" } }
types {
  name: "stone"
  components { component: "marker" set { property: "speed" value { integer: 5 } } }
  behaviours { behaviour: "testing_stumble" }
  body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } }
}
)";

constexpr std::string_view kWalker =
    "objects { name: \"walker\" type: \"walker\" }\n";

// At that tick `event` comes to an object.
std::string At(int tick, std::string_view event, std::string_view object) {
  return fmt::format(
      "types {{ name: \"hand_{0}\" timers {{ name: \"t\" event: \"at_{0}\" "
      "delay_s: {1} }} }}\n"
      "objects {{ name: \"hand_{0}\" type: \"hand_{0}\" }}\n"
      "connections {{ name: \"c_{0}\" source: \"hand_{0}\" event: \"at_{0}\" "
      "target: \"{3}\" send: \"{2}\" }}\n",
      tick, tick / 60.0, std::string(event), std::string(object));
}

ObjectStatus StatusOf(const Simulation& world, std::string_view object) {
  return static_cast<ObjectStatus>(
      ValueOf(world, "world", "objects", object, "status")->bits);
}

TEST(InertTest, ItIsUpdatedNoMore) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, "objects { name: \"stone\" type: \"stone\" }\n"}));
  StepTimes(*world, 4);
  EXPECT_EQ(HitsOf(*world, "stone"), 4);
  EXPECT_EQ(StatusOf(*world, "stone"), ObjectStatus::kActive);
  StepTimes(*world, 10);
  EXPECT_EQ(HitsOf(*world, "stone"), 5);
  EXPECT_EQ(StatusOf(*world, "stone"), ObjectStatus::kInert);
}

TEST(InertTest, FirstReasonIsToldOnceWithTheObject) {
  const auto world = WorldOf(Manifest({kMarker, kTypes, kWalker}));
  StepTimes(*world, 60);
  const std::vector<Event> failed = EventsOf(*world, "object_failed");
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(world->ObjectName(failed[0].object), "walker");
  ASSERT_EQ(failed[0].arguments.size(), 1u);
  EXPECT_EQ(world->IdName(failed[0].arguments[0].name), "reason");
  EXPECT_EQ(world->IdName(Id{failed[0].arguments[0].value.bits}), "stumbled");
}

TEST(InertTest, ItsParentHearsOfIt) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, "objects { name: \"ear\" type: \"ear\" }\n",
       "objects { name: \"watchman\" type: \"watchman\" }\n",
       "objects { name: \"stone\" type: \"stone\" parent: \"ear\" }\n"}));
  StepTimes(*world, 60);
  EXPECT_EQ(EventsOf(*world, "object_failed").size(), 1u);
  EXPECT_EQ(HitsOf(*world, "ear"), 1);
  EXPECT_EQ(HitsOf(*world, "watchman"), 0);
}

TEST(InertTest, OfOneWithoutAParentAllWithInterestHear) {
  const auto world = WorldOf(
      Manifest({kMarker, kTypes, kWalker,
                "objects { name: \"watchman\" type: \"watchman\" }\n"}));
  StepTimes(*world, 60);
  EXPECT_EQ(HitsOf(*world, "watchman"), 1);
}

TEST(InertTest, ConnectionsOfItAreFollowed) {
  const auto world = WorldOf(
      Manifest({kMarker, kTypes, kWalker,
                "connections { name: \"end\" source: \"walker\" event: "
                "\"object_failed\" target: \"walker\" send: \"destroy\" }\n"}));
  StepTimes(*world, 5);
  EXPECT_EQ(RowCount(*world, "world", "objects"), 0u);
}

TEST(InertTest, NothingWakesItAndItsTimersStandStill) {
  const auto world =
      WorldOf(Manifest({kMarker, kTypes, kWalker, At(20, "wake", "walker"),
                        At(30, "sleep", "walker"), At(40, "wake", "walker")}));
  StepTimes(*world, 10);
  const int64_t hits = HitsOf(*world, "walker");
  EventsOf(*world, "beeped");
  StepTimes(*world, 60);
  EXPECT_EQ(StatusOf(*world, "walker"), ObjectStatus::kInert);
  EXPECT_EQ(HitsOf(*world, "walker"), hits);
  EXPECT_EQ(EventsOf(*world, "beeped").size(), 0u);
}

TEST(InertTest, OtherBehavioursOfItsTypeDontRunAfterItInThatTick) {
  const auto world = WorldOf(Manifest({kMarker, kTypes, kWalker}));
  StepTimes(*world, 3);
  // Both count, so the fifth hit is the first behaviour's of tick 2.
  EXPECT_EQ(HitsOf(*world, "walker"), 5);
  EXPECT_EQ(StatusOf(*world, "walker"), ObjectStatus::kInert);
}

TEST(InertTest, DestroyEndsIt) {
  const auto world = WorldOf(
      Manifest({kMarker, kTypes, kWalker, At(20, "destroy", "walker")}));
  StepTimes(*world, 30);
  EXPECT_FALSE(
      ValueOf(*world, "world", "objects", "walker", "status").has_value());
}

TEST(InertTest, FailingWithAnEventEndsItsHandling) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, "objects { name: \"fragile\" type: \"fragile\" }\n",
       At(20, "knock", "fragile"), At(30, "knock", "fragile")}));
  StepTimes(*world, 60);
  EXPECT_EQ(StatusOf(*world, "fragile"), ObjectStatus::kInert);
  // It ran in ticks 0 to 19; its second behaviour didn't hear of the event.
  EXPECT_EQ(HitsOf(*world, "fragile"), 20);
  EXPECT_EQ(EventsOf(*world, "object_failed").size(), 1u);
}

// `sleep` itself may be what it fails with: it is inert then, not asleep.
TEST(InertTest, FailingWithSleepItIsInert) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, "objects { name: \"fragile\" type: \"fragile\" }\n",
       At(20, "sleep", "fragile")}));
  StepTimes(*world, 60);
  EXPECT_EQ(StatusOf(*world, "fragile"), ObjectStatus::kInert);
}

TEST(InertTest, ItsBodyStaysAndFallsOn) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, "objects { name: \"stone\" type: \"stone\" }\n"}));
  StepTimes(*world, 10);
  EXPECT_EQ(StatusOf(*world, "stone"), ObjectStatus::kInert);
  ASSERT_EQ(RowCount(*world, "physics", "bodies"), 1u);
  const auto height = [&] {
    return ValueOf(*world, "physics", "bodies", "stone", "position.y")
        ->AsDouble();
  };
  const double before = height();
  StepTimes(*world, 30);
  EXPECT_LT(height(), before - 1.0);
}

// Its chunk goes with one walker and comes back with another.
constexpr std::string_view kPassage = R"(
physics { gravity {} }
types {
  name: "passer" viewer: true
  components { component: "marker" set { property: "speed" value { integer: 6 } } }
  behaviours { behaviour: "testing_drift" }
}
objects { name: "first" type: "passer" position { x: 4 } }
objects { name: "second" type: "passer" position { x: -15 } }
chunk_plan {
  chunks { name: "yard" active_at_start: true when_unloaded: UNLOAD_DORMANT }
  load_regions {
    region { name: "near" volume { box { half_extents { x: 5 y: 5 z: 5 } } } }
    chunks: "yard"
  }
}
objects { name: "stone" type: "stone" chunk: "yard" }
)";

TEST(InertTest, ItGoesAwayWithItsChunkAndComesBackInert) {
  const std::string manifest = Manifest({kMarker, kTypes, kPassage});
  const auto world = WorldOf(manifest);
  StepTimes(*world, 8);
  EXPECT_EQ(StatusOf(*world, "stone"), ObjectStatus::kInert);
  StepTimes(*world, 42);
  EXPECT_EQ(StatusOf(*world, "stone"), ObjectStatus::kAwayInert);
  EXPECT_EQ(RowCount(*world, "physics", "bodies"), 0u);
  const auto restored = WorldOf(manifest);
  ASSERT_EQ(restored->Restore(world->state()), absl::OkStatus());
  StepTimes(*restored, 100);
  EXPECT_EQ(StatusOf(*restored, "stone"), ObjectStatus::kInert);
  EXPECT_EQ(RowCount(*restored, "physics", "bodies"), 1u);
  EXPECT_EQ(HitsOf(*restored, "stone"), 5);
}

TEST(InertTest, SnapshotHoldsIt) {
  const std::string manifest =
      Manifest({kMarker, kTypes, kWalker,
                "objects { name: \"stone\" type: \"stone\" }\n"});
  const auto world = WorldOf(manifest);
  StepTimes(*world, 20);
  const auto restored = WorldOf(manifest);
  ASSERT_EQ(restored->Restore(world->state()), absl::OkStatus());
  for (int tick = 0; tick < 30; ++tick) {
    StepTimes(*world, 1);
    StepTimes(*restored, 1);
    ASSERT_EQ(restored->state().ComputeRootDigest(),
              world->state().ComputeRootDigest());
  }
  EXPECT_EQ(StatusOf(*restored, "stone"), ObjectStatus::kInert);
}

}  // namespace
}  // namespace reprise::sim
