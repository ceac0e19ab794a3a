// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves, on worlds made from data, that what physics can't simulate is told as
// events that a pack can use: bodies that are too fast, and more contacts than
// there is room for.

#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

// Faster by 150 m/s with each tick.
constexpr std::string_view kRocket = R"(
physics { gravity { x: 9000 } }
types { name: "rocket" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } } }
objects { name: "rocket" type: "rocket" linear_velocity { x: 9900 } }
)";

TEST(RefusalsTest, TooFastABodyIsStoppedAndTold) {
  const auto world = WorldOf(Manifest({kRocket}));
  StepTimes(*world, 1);
  const std::vector<Event> events = EventsOf(*world, "body_refused");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(world->ObjectName(events[0].object), "rocket");
  EXPECT_EQ(ValueOf(*world, "physics", "bodies", "rocket", "position.x"),
            FieldValue::OfDouble(0.0));
  EXPECT_EQ(ValueOf(*world, "physics", "bodies", "rocket", "linear_velocity.x"),
            FieldValue::OfDouble(0.0));
}

TEST(RefusalsTest, ConnectionsPassARefusedBodyOn) {
  const auto world = WorldOf(
      Manifest({kRocket,
                "connections { name: \"lost\" source: \"rocket\" event: "
                "\"body_refused\" target: \"rocket\" send: \"destroy\" }\n"}));
  StepTimes(*world, 2);
  EXPECT_EQ(RowCount(*world, "world", "objects"), 0u);
}

// A body that leaves the world is none of these: it goes on.
TEST(RefusalsTest, BodyThatFliesBeyondTheWorldFliesOn) {
  const auto world = WorldOf(Manifest({R"(
physics { gravity {} }
types { name: "rocket" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } } }
objects { name: "rocket" type: "rocket" position { x: 999950 } linear_velocity { x: 6000 } }
)"}));
  StepTimes(*world, 2);
  EXPECT_TRUE(EventsOf(*world, "body_refused").empty());
  EXPECT_NEAR(
      ValueOf(*world, "physics", "bodies", "rocket", "position.x")->AsDouble(),
      1000150.0, 1e-6);
}

// 600 balls, each of which meets all others.
constexpr std::string_view kCrowd = R"(
types { name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } } }
objects { name: "ball" type: "ball" grid { count_x: 600 jitter { x: 0.1 y: 0.1 z: 0.1 } } }
)";

TEST(RefusalsTest, MoreContactsThanThereIsRoomForAreTold) {
  const auto world = WorldOf(Manifest({kCrowd}));
  StepTimes(*world, 1);
  const std::vector<Event> events = EventsOf(*world, "contacts_refused");
  ASSERT_EQ(events.size(), 1u);
  ASSERT_EQ(events[0].arguments.size(), 1u);
  EXPECT_EQ(world->IdName(events[0].arguments[0].name), "count");
  EXPECT_EQ(events[0].arguments[0].value, FieldValue::OfInt64(1 << 17));
}

}  // namespace
}  // namespace reprise::sim
