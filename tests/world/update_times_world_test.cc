// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a reader is told the tick of the very update whose values it
// sees, whatever the divisors and hooks and whoever sleeps: subjects write down
// in which tick they were updated, and readers compare.

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/update_context.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

class MarkerBehaviour : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& binder) override {
    absl::Status status =
        binder.Property("marker", "hits", PropertyType::kInt, hits_);
    if (!status.ok()) return status;
    status = binder.Property("marker", "speed", PropertyType::kDouble, speed_);
    if (!status.ok()) return status;
    return binder.Property("marker", "friend", PropertyType::kReference,
                           friend_);
  }

 protected:
  PropertyRef hits_;
  PropertyRef speed_;
  PropertyRef friend_;
};

// Writes the tick of each update down in `hits`.
template <bool kBefore>
class Stamp final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    StampAll(context);
  }
  void UpdateAfterPhysics(UpdateContext& context) const override {
    StampAll(context);
  }
  Hooks hooks() const override {
    return {.before_physics = kBefore, .after_physics = !kBefore};
  }

 private:
  void StampAll(UpdateContext& context) const {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      context.SetInt(i, hits_, static_cast<int64_t>(context.tick()));
    }
  }
};
using StampBefore = Stamp<true>;
using StampAfter = Stamp<false>;
REPRISE_REGISTER_BEHAVIOUR(testing_stamp_before, "testing_stamp_before",
                           StampBefore);
REPRISE_REGISTER_BEHAVIOUR(testing_stamp_after, "testing_stamp_after",
                           StampAfter);

// Holds what it is told of its friend against what it reads, in both hooks:
// counts in `hits` how often they differ. `speed` 1: it reads as of this tick.
class Compare final : public MarkerBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    CompareAll(context);
  }
  void UpdateAfterPhysics(UpdateContext& context) const override {
    CompareAll(context);
  }
  bool OnEvent(UpdateContext& context, const WorldEvent&) const override {
    CompareAll(context);
    return true;
  }
  Hooks hooks() const override {
    return {.before_physics = true,
            .after_physics = true,
            .on_event = true,
            .reads_others = true};
  }

 private:
  void CompareAll(UpdateContext& context) const {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const Handle other = context.Reference(i, friend_);
      const ReadTime time = context.Number(i, speed_) == 1.0
                                ? ReadTime::kThisTick
                                : ReadTime::kLastTick;
      const auto written = context.ReadInt(i, other, hits_, time);
      const auto told = context.UpdatedAt(i, other);
      if (!written.has_value() || !told.has_value() ||
          *written != static_cast<int64_t>(*told)) {
        context.SetInt(i, hits_, context.Int(i, hits_) + 1);
      }
    }
  }
};
REPRISE_REGISTER_BEHAVIOUR(testing_compare, "testing_compare", Compare);

// A subject whose type has these behaviours, one that reads it beside it and
// one behind it, and hands that have it sleep and wake.
std::string Subject(std::string_view behaviours, std::string_view more) {
  std::string manifest = fmt::format(
      "types {{ name: \"subject\" components {{ component: \"marker\" }} {} "
      "}}\n"
      "objects {{ name: \"subject\" type: \"subject\" {} }}\n"
      "types {{ name: \"reader\" components {{ component: \"marker\" }} "
      "behaviours {{ behaviour: \"testing_compare\" }} "
      "timers {{ name: \"t\" event: \"look\" delay_s: 0.2 period_s: 0.05 }} "
      "}}\n",
      std::string(behaviours), std::string(more));
  const auto reader = [&](std::string_view name, std::string_view after,
                          int speed) {
    manifest += fmt::format(
        "objects {{ name: \"{0}\" type: \"reader\" {1} components {{ "
        "component: \"marker\" set {{ property: \"friend\" value {{ text: "
        "\"subject\" }} }} set {{ property: \"speed\" value {{ integer: {2} }} "
        "}} }} }}\n",
        std::string(name), std::string(after), speed);
  };
  reader("beside", "", 0);
  reader("behind", "after: \"subject\"", 1);
  return manifest;
}

constexpr std::string_view kHands = R"(
types { name: "lulling" timers { name: "t" event: "lull" delay_s: 0.35 period_s: 1.1 } }
types { name: "waking" timers { name: "t" event: "rouse" delay_s: 0.8 period_s: 1.1 } }
objects { name: "lulling" type: "lulling" }
objects { name: "waking" type: "waking" }
connections { name: "lull" source: "lulling" event: "lull" target: "subject" send: "sleep" }
connections { name: "rouse" source: "waking" event: "rouse" target: "subject" send: "wake" }
)";

constexpr std::string_view kBehaviours[] = {
    "",
    "behaviours { behaviour: \"testing_stamp_before\" }",
    "behaviours { behaviour: \"testing_stamp_after\" }",
    "behaviours { behaviour: \"testing_stamp_before\" every_ticks: 7 "
    "offset_ticks: 3 }",
    "behaviours { behaviour: \"testing_stamp_after\" every_ticks: 150 }",
    "behaviours { behaviour: \"testing_stamp_before\" every_ticks: 5 spread: "
    "true }",
    "behaviours { behaviour: \"testing_stamp_before\" every_ticks: 2 } "
    "behaviours { behaviour: \"testing_stamp_after\" every_ticks: 3 }",
    "behaviours { behaviour: \"testing_stamp_before\" } "
    "behaviours { behaviour: \"testing_stamp_after\" every_ticks: 4 }",
};

TEST(UpdateTimesWorldTest, WhatIsToldIsWhatIsRead) {
  for (const std::string_view behaviours : kBehaviours) {
    for (const std::string_view hands : {std::string_view(), kHands}) {
      const auto world =
          WorldOf(Manifest({kMarker, Subject(behaviours, ""), hands}));
      StepTimes(*world, 500);
      EXPECT_EQ(HitsOf(*world, "beside"), 0) << behaviours << hands;
      EXPECT_EQ(HitsOf(*world, "behind"), 0) << behaviours << hands;
    }
  }
}

TEST(UpdateTimesWorldTest, AlsoOfOneThatCameAsleep) {
  for (const std::string_view behaviours : kBehaviours) {
    const auto world = WorldOf(
        Manifest({kMarker, Subject(behaviours, "dormant: true"), kHands}));
    StepTimes(*world, 500);
    EXPECT_EQ(HitsOf(*world, "beside"), 0) << behaviours;
    EXPECT_EQ(HitsOf(*world, "behind"), 0) << behaviours;
  }
}

TEST(UpdateTimesWorldTest, AlsoInAWorldThatIsRestored) {
  for (const std::string_view behaviours : kBehaviours) {
    const std::string manifest =
        Manifest({kMarker, Subject(behaviours, ""), kHands});
    const auto world = WorldOf(manifest);
    for (int i = 0; i < 40; ++i) {
      StepTimes(*world, 7);
      const auto restored = WorldOf(manifest);
      ASSERT_TRUE(restored->Restore(world->state()).ok());
      StepTimes(*restored, 7);
      EXPECT_EQ(HitsOf(*restored, "beside"), 0) << behaviours;
      EXPECT_EQ(HitsOf(*restored, "behind"), 0) << behaviours;
    }
  }
}

// Nothing is written for the time of an update: rows that nobody changed keep
// their page, and with it its digest.
TEST(UpdateTimesWorldTest, NothingIsWrittenForIt) {
  const auto world = WorldOf(Manifest({kMarker, Subject(kBehaviours[1], "")}));
  StepTimes(*world, 5);
  const TableIndex objects = *world->state().Find("world", "objects");
  const State before = world->state();
  StepTimes(*world, 50);
  EXPECT_EQ(world->state().table(objects).PageBytes(0).data(),
            before.table(objects).PageBytes(0).data());
}

}  // namespace
}  // namespace reprise::sim
