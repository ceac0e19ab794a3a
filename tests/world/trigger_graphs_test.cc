// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a level's logic needs no script: a thing that falls through a
// region switches a layer on and off, opens and shuts a door, has a timer slam
// it, and is hurt, each by a connection; and that it is the same from a
// snapshot of any tick.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

// The crate falls from 6 m through the beam from 4 m to 2 m: by g/2 t^2 it is
// there from 0.639 s to 0.903 s, at 60 Hz from tick 38 to tick 54.
constexpr std::string_view kPack = R"(
events { name: "slam" }
chunk_plan { chunks { name: "yard" active_at_start: true always_wanted: true } }
layers { name: "night" disabled: true }
components { name: "door" properties { name: "is_open" type: TYPE_BOOLEAN } properties { name: "slams" type: TYPE_INTEGER } }
types { name: "gate" components { component: "door" } }
types { name: "lamp" body { motion: MOTION_KINEMATIC shapes { sphere { radius: 0.1 } } } }
types { name: "crate" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.2 } } } destructible { health: 100 impulse_min_ns: 1000 damage_per_ns: 1 } }
types { name: "bird" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.2 } } } }
regions { name: "beam" volume { box { centre { y: 3 } half_extents { x: 1 y: 1 z: 1 } } } }
objects { name: "gate" type: "gate" position { x: 9 } }
objects { name: "lamp" type: "lamp" position { x: 5 } chunk: "yard" layer: "night" }
objects { name: "crate" type: "crate" position { y: 6 } }
objects { name: "bird" type: "bird" position { x: 20 y: 6 } }
connections { name: "night" event: "region_entered" if: "region == 'beam'" target: "gate" send: "layer_on" with { argument: "layer" to: "night" } }
connections { name: "day" event: "region_left" if: "region == 'beam'" target: "gate" send: "layer_off" with { argument: "layer" to: "night" } }
connections { name: "open" event: "region_entered" if: "region == 'beam' and visitor.type == 'crate'" then { set { object: "gate" property: "door.is_open" to: "true" } } }
connections { name: "shut" event: "region_left" if: "region == 'beam'" then { set { object: "gate" property: "door.is_open" to: "false" } } then { start_timer { object: "gate" timer { name: "slam" event: "slam" delay_s: 0.1 } } } }
connections { name: "slammed" event: "slam" then { add { object: "gate" property: "door.slams" amount: "1" } } }
connections { name: "hurt" event: "region_entered" target_participant: "visitor" send: "damage" with { argument: "amount" to: "30" } }
)";
constexpr int kEntered = 38;
constexpr int kLeft = 54;
constexpr int kTicks = 70;

std::string ValueIn(const Simulation& world, std::string_view room,
                    std::string_view table, std::string_view object,
                    std::string_view scalar) {
  const auto value = ValueOf(world, room, table, object, scalar);
  return value.has_value() ? FormatFieldValue(*value, NamesOf(world)) : "gone";
}

TEST(TriggerGraphsTest, AConnectionSwitchesALayer) {
  const auto world = WorldOf(Manifest({kPack}));
  // What a layer brings and takes comes with the tick behind the event.
  for (int tick = 0; tick < kTicks; ++tick) {
    StepTimes(*world, 1);
    const bool is_there = tick > kEntered && tick <= kLeft;
    EXPECT_EQ(ValueIn(*world, "world", "objects", "lamp", "status"),
              is_there ? "1" : "4")
        << tick;
  }
}

TEST(TriggerGraphsTest, ADoorStandsOpenWhileSomebodyIsInARegion) {
  const auto world = WorldOf(Manifest({kPack}));
  for (int tick = 0; tick < kTicks; ++tick) {
    StepTimes(*world, 1);
    EXPECT_EQ(ValueIn(*world, "components", "door", "gate", "is_open"),
              tick >= kEntered && tick < kLeft ? "true" : "false")
        << tick;
    EXPECT_EQ(ValueIn(*world, "components", "door", "gate", "slams"),
              tick >= kLeft + 6 ? "1" : "0")
        << tick;
  }
}

TEST(TriggerGraphsTest, WhoeverEntersIsHurtAndNobodyElse) {
  const auto world = WorldOf(Manifest({kPack}));
  std::vector<Event> hurt;
  for (int tick = 0; tick < kTicks; ++tick) {
    StepTimes(*world, 1);
    for (const Event& event : EventsOf(*world, "damage")) hurt.push_back(event);
    EXPECT_EQ(ValueIn(*world, "components", "destructible", "crate", "health"),
              tick >= kEntered ? "70" : "100")
        << tick;
  }
  ASSERT_EQ(hurt.size(), 1u);
  EXPECT_EQ(world->ObjectName(hurt[0].object), "crate");
}

TEST(TriggerGraphsTest, ASnapshotOfAnyTickGoesOnTheSame) {
  const auto world = WorldOf(Manifest({kPack}));
  const auto other = WorldOf(Manifest({kPack}));
  for (int tick = 0; tick < kTicks; ++tick) {
    ASSERT_TRUE(other->Restore(world->state()).ok()) << tick;
    StepTimes(*world, 1);
    StepTimes(*other, 1);
    ASSERT_EQ(world->state().ComputeRootDigest(),
              other->state().ComputeRootDigest())
        << tick;
  }
}

}  // namespace
}  // namespace reprise::sim
