// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that joints are part of a game: one that breaks is told to both its
// objects, and events and behaviours change motors.

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/input/input_frame.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kBodies = R"(
types { name: "post" body { motion: MOTION_FIXED shapes { sphere { radius: 0.1 } } } }
types { name: "block" body { motion: MOTION_DYNAMIC mass_kg: 2 shapes { box { half_extents { x: 0.3 y: 0.3 z: 0.3 } } } } }
objects { name: "post" type: "post" position { y: 10 } }
objects { name: "block" type: "block" position { y: 9 } }
)";

constexpr std::string_view kRail = R"(
joints { name: "rail" object_a: "block" object_b: "post" anchor { y: 9 }
  slider { axis { x: 1 } motor { velocity: 1 impulse_max_ns: 5 } } }
)";

double HeightOf(const Simulation& world, std::string_view object) {
  return ValueOf(world, "physics", "bodies", object, "position.y")->AsDouble();
}

double SpeedOf(const Simulation& world) {
  return ValueOf(world, "physics", "bodies", "block", "linear_velocity.x")
      ->AsDouble();
}

TEST(JointEventsTest, BrokenJointIsToldToBothOnce) {
  const auto world = WorldOf(
      Manifest({kBodies,
                "joints { name: \"bolt\" object_a: \"block\" object_b: "
                "\"post\" anchor { y: 10 } breaking_impulse_ns: 0.1 fixed {} "
                "}\n"}));
  StepTimes(*world, 60);
  const std::vector<Event> broken = EventsOf(*world, "joint_broken");
  ASSERT_EQ(broken.size(), 2u);
  EXPECT_EQ(world->ObjectName(broken[0].object), "block");
  EXPECT_EQ(world->ObjectName(broken[1].object), "post");
  for (const Event& event : broken) {
    ASSERT_EQ(event.arguments.size(), 1u);
    EXPECT_EQ(event.arguments[0].name, IdOf("joint"));
    EXPECT_EQ(event.arguments[0].value, FieldValue::OfId(IdOf("bolt")));
  }
  EXPECT_LT(HeightOf(*world, "block"), 8.0);
}

TEST(JointEventsTest, PlayerChangesAMotorByAnEvent) {
  const auto world = WorldOf(Manifest({kBodies, kRail, R"(
players { actions { name: "drive" command { arguments { name: "target" minimum: -9 maximum: 9 } } } commands_per_tick_max: 1 }
connections { name: "drive" event: "drive" target: "block" send: "joint_motor" pass { from: "target" } }
)"}));
  StepTimes(*world, 60);
  EXPECT_NEAR(SpeedOf(*world), 1.0, 0.01);
  InputFrame frame;
  frame.commands = {{.name = IdOf("drive"), .arguments = {-3}}};
  world->Step(std::vector{frame}, nullptr);
  StepTimes(*world, 60);
  EXPECT_NEAR(SpeedOf(*world), -3.0, 0.01);
}

}  // namespace
}  // namespace reprise::sim
