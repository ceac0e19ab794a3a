// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what regions tell and of whom: of all that can come and go, with a
// body or without, and of no scenery, which stands where it stands.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The walker goes a tenth of a metre a tick, beginning between two tenths so
// that no boundary is met exactly.
constexpr std::string_view kHall = R"(
types {
  name: "walker"
  components { component: "marker" }
  behaviours { behaviour: "testing_drift" }
}
types {
  name: "ear"
  components { component: "marker" }
  behaviours { behaviour: "testing_hear" }
  interests { event: "region_entered" }
}
objects {
  name: "walker" type: "walker" position { x: 5.05 }
  components { component: "marker" set { property: "speed" value { integer: 6 } } }
}
objects { name: "guard" type: "ear" position { y: 50 } }
regions { name: "hall" volume { sphere { centre { x: 8 } radius: 2 } } }
)";

TEST(WorldRegionsTest, VisitIsToldByTheVisitorToAllWithInterest) {
  const auto world = WorldOf(Manifest({kMarker, kHall}));
  std::string story;
  for (int tick = 0; tick < 60; ++tick) {
    StepTimes(*world, 1);
    for (const Event& event : world->DrainEvents()) {
      const std::string type = world->IdName(event.type);
      if (!type.starts_with("region_")) continue;
      story += fmt::format("{} {} {} {}\n", event.tick, type,
                           world->ObjectName(event.object),
                           RowCount(*world, "regions", "region_visits"));
    }
  }
  EXPECT_EQ(story, "9 region_entered walker 1\n49 region_left walker 0\n");
  EXPECT_EQ(HitsOf(*world, "guard"), 1);
}

// One of each kind of body in a yard, and one that has none.
constexpr std::string_view kYard = R"(
types { name: "marker" }
types { name: "wall" body { motion: MOTION_FIXED shapes { sphere { radius: 0.1 } } } }
types { name: "door" body { motion: MOTION_TRIGGER shapes { sphere { radius: 0.1 } } } }
types { name: "lift" body { motion: MOTION_KINEMATIC shapes { sphere { radius: 0.1 } } } }
types { name: "crate" body { motion: MOTION_DYNAMIC mass_kg: 1 gravity_scale: 0 shapes { sphere { radius: 0.1 } } } }
objects { name: "crate" type: "crate" position { x: 1 } }
objects { name: "door" type: "door" position { x: 2 } }
objects { name: "lift" type: "lift" position { x: 3 } }
objects { name: "marker" type: "marker" position { x: 4 } }
objects { name: "wall" type: "wall" position { x: 5 } }
regions { name: "yard" volume { sphere { radius: 10 } } stay_period_s: 0.1 }
)";

// Who is told of by the events of a type.
std::vector<std::string> VisitorsIn(const Simulation& world,
                                    const std::vector<Event>& events,
                                    std::string_view type) {
  std::vector<std::string> visitors;
  for (const Event& event : events) {
    if (event.type != IdOf(type)) continue;
    const auto visitor = std::ranges::find(event.arguments, IdOf("visitor"),
                                           &EventArgument::name);
    EXPECT_NE(visitor, event.arguments.end());
    visitors.push_back(world.ObjectName(ObjectId{visitor->value.bits}));
  }
  return visitors;
}

TEST(WorldRegionsTest, SceneryVisitsNothing) {
  const auto world = WorldOf(Manifest({kYard}));
  StepTimes(*world, 13);
  const std::vector<Event> events = world->DrainEvents();
  EXPECT_THAT(VisitorsIn(*world, events, "region_entered"),
              ElementsAre("crate", "lift", "marker"));
  // After a tenth of a second and after two.
  EXPECT_THAT(
      VisitorsIn(*world, events, "region_stayed"),
      ElementsAre("crate", "lift", "marker", "crate", "lift", "marker"));
  EXPECT_THAT(VisitorsIn(*world, events, "region_left"), IsEmpty());
  EXPECT_EQ(RowCount(*world, "regions", "region_visits"), 3u);
}

}  // namespace
}  // namespace reprise::sim
