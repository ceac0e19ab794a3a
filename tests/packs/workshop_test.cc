// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the machines of the workshop do what they are there to show: each
// kind of joint, motors and limits, one that breaks, and a dummy that is hit,
// falls down the stairs and stands up.

#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180.0;

class WorkshopTest : public testing::Test {
 protected:
  WorkshopTest() {
    std::ifstream file("sim/packs/workshop/pack.txtpb");
    std::stringstream text;
    text << file.rdbuf();
    world_ = WorldOf(text.str());
  }

  double ValueAt(std::string_view object, std::string_view scalar) const {
    const auto value = ValueOf(*world_, "physics", "bodies", object, scalar);
    EXPECT_TRUE(value.has_value()) << object;
    return value.value_or(FieldValue::OfDouble(0.0)).AsDouble();
  }
  bool HasBody(std::string_view object) const {
    return ValueOf(*world_, "physics", "bodies", object, "kind").has_value();
  }
  // The angle about z by which a body is turned.
  double TurnOf(std::string_view object) const {
    return std::atan2(ValueAt(object, "basis.yx"), ValueAt(object, "basis.xx"));
  }

  std::unique_ptr<Simulation> world_;
};

TEST_F(WorkshopTest, MotorsReachWhatTheyWorkTowards) {
  StepTimes(*world_, 400);
  EXPECT_NEAR(ValueAt("mill", "angular_velocity.z"), 60.0 * kDegree, 0.05);
  EXPECT_NEAR(ValueAt("lift", "position.y"), 0.5 + 1.5, 0.02);
  // It lay at a right angle to begin with.
  EXPECT_NEAR(TurnOf("crane"), 125.0 * kDegree, 0.03);
  EXPECT_NEAR(ValueAt("table", "angular_velocity.y"), 90.0 * kDegree, 0.2);
}

TEST_F(WorkshopTest, JointsHoldWhatTheyHold) {
  for (int tick = 0; tick < 400; ++tick) {
    StepTimes(*world_, 1);
    const double rope = std::hypot(ValueAt("bob", "position.x") + 8.0,
                                   ValueAt("bob", "position.y") - 2.9,
                                   ValueAt("bob", "position.z") - 6.0);
    ASSERT_NEAR(rope, 0.8, 0.05) << "tick " << tick;
    ASSERT_NEAR(ValueAt("lift", "position.x"), 4.0, 0.05) << "tick " << tick;
    ASSERT_NEAR(ValueAt("door", "position.y"), 1.0, 0.05) << "tick " << tick;
  }
}

TEST_F(WorkshopTest, SignIsTornOffAndBothAreTold) {
  StepTimes(*world_, 120);
  std::vector<std::string> told;
  for (const Event& event : EventsOf(*world_, "joint_broken")) {
    told.push_back(world_->ObjectName(event.object));
  }
  // The hatch, which is too heavy for its hinge, comes first.
  EXPECT_EQ(told,
            (std::vector<std::string>{"hatch", "frame", "sign", "post_6"}));
  EXPECT_LT(ValueAt("sign", "position.y"), 1.5);
}

TEST_F(WorkshopTest, DummyIsHitFallsDownTheStairsAndStandsUp) {
  int tick = 0;
  while (HasBody("dummy")) {
    StepTimes(*world_, 1);
    ASSERT_LT(++tick, 120);
  }
  EXPECT_GT(ValueAt("dummy.head", "position.y"), 3.0);
  while (!HasBody("dummy")) {
    // Where it has come to lie.
    if (tick == 470) {
      EXPECT_LT(ValueAt("dummy.head", "position.y"), 1.9);
      EXPECT_GT(ValueAt("dummy.pelvis", "position.x"), -0.5);
    }
    StepTimes(*world_, 1);
    ASSERT_LT(++tick, 500);
  }
  EXPECT_EQ(ValueAt("dummy", "basis.yy"), 1.0);
}

}  // namespace
}  // namespace reprise::sim
