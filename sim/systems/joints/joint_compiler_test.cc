// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that joints of a manifest become what it says, and that
// every mistake in them is reported at its place: to nothing, to itself, where
// nothing moves, with limits the wrong way round, with numbers that are none.

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kDegree = 3.14159265358979323846 / 180.0;

constexpr std::string_view kScene = R"(
types { name: "wall" body { motion: MOTION_FIXED shapes { sphere { radius: 1 } } } }
types { name: "crate" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } } }
types { name: "mark" }
objects { name: "wall_a" type: "wall" }
objects { name: "wall_b" type: "wall" position { x: 5 } }
objects { name: "crate_a" type: "crate" position { y: 3 } }
objects { name: "crate_b" type: "crate" position { x: 5 y: 3 } }
objects { name: "mark" type: "mark" }
objects { name: "sleeper" type: "crate" position { x: 10 y: 3 } dormant: true }
objects { name: "ghost" type: "mark" dormant: true }
objects { name: "row" type: "crate" position { x: 20 } grid { count_x: 2 spacing { x: 3 } } }
)";

std::string WithJoint(std::string_view joint) {
  return Manifest({kScene, "joints { name: \"j\" ", joint, " }\n"});
}

JointDefinition CompileJointOf(std::string_view joint) {
  PackReport report;
  const auto world = CompilePack(PackOf(WithJoint(joint)), 1, report);
  EXPECT_NE(world, nullptr) << report.ToStatus();
  return world == nullptr ? JointDefinition{} : world->physics.joints.at(0);
}

TEST(JointCompilerTest, SliderHasOneAxisWithItsMotor) {
  const JointDefinition joint = CompileJointOf(
      "object_a: \"crate_a\" anchor { y: 3 } breaking_impulse_ns: 7 collide: "
      "true slider { axis { y: 2 } lower: -1 upper: 2 motor { velocity: 3 "
      "impulse_max_ns: 4 target: 0.5 } }");
  const auto& slider = std::get<SixAxisJoint>(joint.kind);
  EXPECT_EQ(slider.axes[0].lower, -1.0);
  EXPECT_EQ(slider.axes[0].upper, 2.0);
  EXPECT_EQ(slider.axes[1].lower, slider.axes[1].upper);
  EXPECT_EQ(slider.motor_axis, 0u);
  EXPECT_TRUE(slider.motor.is_servo);
  EXPECT_EQ(slider.motor.target, 0.5);
  EXPECT_EQ(slider.motor.speed_max, 3.0);
  EXPECT_EQ(slider.motor.impulse_max, 4.0);
  EXPECT_EQ(joint.breaking_impulse_n_s, 7.0);
  EXPECT_TRUE(joint.bodies_collide);
  // The joint's x axis is the world's y.
  EXPECT_NEAR(Rotate(joint.frame_a.rotation, {1.0, 0.0, 0.0}).y, 1.0, 1e-12);
}

TEST(JointCompilerTest, SpringIsAtRestAsItStandsUnlessItSays) {
  const auto rest = [](std::string_view more) {
    const std::string spring =
        "object_a: \"crate_a\" object_b: \"crate_b\" anchor { y: 3 } spring { "
        "anchor_b { x: 5 y: 3 } stiffness: 10 " +
        std::string(more) + " }";
    return std::get<SpringJoint>(CompileJointOf(spring).kind).rest_length_m;
  };
  EXPECT_EQ(rest(""), 5.0);
  EXPECT_EQ(rest("rest_length: 0"), 0.0);
}

TEST(JointCompilerTest, SixAxesAreFreeLimitedOrLocked) {
  const JointDefinition joint = CompileJointOf(
      "object_a: \"crate_a\" six_axis { x { free: true } y { lower: -1 upper: "
      "1 "
      "spring { rest: 0.5 stiffness: 6 damping: 2 } } turn_z { lower_degrees: "
      "-90 upper_degrees: 45 motor { velocity_degrees: 90 impulse_max_nms: 1 } "
      "} }");
  const auto& six = std::get<SixAxisJoint>(joint.kind);
  EXPECT_GT(six.axes[0].lower, six.axes[0].upper);
  EXPECT_EQ(six.axes[1].spring.rest, 0.5);
  EXPECT_EQ(six.axes[1].spring.stiffness, 6.0);
  EXPECT_EQ(six.axes[2].lower, six.axes[2].upper);
  EXPECT_NEAR(six.axes[5].lower, -90.0 * kDegree, 1e-12);
  EXPECT_EQ(six.motor_axis, 5u);
  EXPECT_NEAR(six.motor.target, 90.0 * kDegree, 1e-12);
  EXPECT_FALSE(six.motor.is_servo);
}

TEST(JointCompilerTest, BodiesStayApartWhenBrokenOnlyWhereTheyDontCollide) {
  const std::string joint = "object_a: \"crate_a\" fixed {} ";
  EXPECT_FALSE(CompileJointOf(joint).stay_apart);
  EXPECT_TRUE(CompileJointOf(joint + "stay_apart: true").stay_apart);
  EXPECT_THAT(
      Problems(WithJoint(joint + "stay_apart: true collide: true")),
      ElementsAre(HasSubstr("joints[0].stay_apart: its bodies collide")));
}

TEST(JointCompilerTest, EitherBodyMayBeTheOneThatMoves) {
  const JointDefinition joint =
      CompileJointOf("object_a: \"wall_a\" object_b: \"crate_a\" fixed {}");
  EXPECT_TRUE(std::isinf(joint.breaking_impulse_n_s));
  EXPECT_FALSE(joint.bodies_collide);
}

struct BadJoint {
  std::string name;
  std::string joint;
  std::string problem;  // what the only line of the report holds
};

class BadJointTest : public testing::TestWithParam<BadJoint> {};

TEST_P(BadJointTest, IsReportedAtItsPlace) {
  EXPECT_THAT(Problems(WithJoint(GetParam().joint)),
              ElementsAre(HasSubstr(GetParam().problem)));
}

INSTANTIATE_TEST_SUITE_P(
    Joints, BadJointTest,
    testing::Values(
        BadJoint{"ToNothing", "object_a: \"crate_a\" object_b: \"x\" fixed {}",
                 "joints[0].object_b: there is no object"},
        BadJoint{"OfNothing", "object_b: \"crate_b\" fixed {}",
                 "joints[0].object_a: required: the object that the joint "
                 "holds"},
        BadJoint{"ToAGrid", "object_a: \"row\" fixed {}",
                 "joints[0].object_a: 'row' is a grid of objects, which are "
                 "called row_0 and so on"},
        BadJoint{"ToWhatHasNoBody",
                 "object_a: \"crate_a\" object_b: \"mark\" fixed {}",
                 "joints[0].object_b: 'mark' has no body"},
        BadJoint{"ToWhatIsDormant",
                 "object_a: \"crate_a\" object_b: \"sleeper\" fixed {}",
                 "joints[0].object_b: 'sleeper' is dormant: its body comes "
                 "when it wakes"},
        BadJoint{"ToWhatIsDormantAndHasNoBody",
                 "object_a: \"ghost\" object_b: \"crate_b\" fixed {}",
                 "joints[0].object_a: 'ghost' has no body"},
        BadJoint{"ToItself",
                 "object_a: \"crate_a\" object_b: \"crate_a\" fixed {}",
                 "joints[0].object_b: is object_a"},
        BadJoint{"WhereNothingMoves",
                 "object_a: \"wall_a\" object_b: \"wall_b\" fixed {}",
                 "joints[0].object_a: this or object_b needs a dynamic body"},
        BadJoint{"OfAWallToTheWorld", "object_a: \"wall_a\" fixed {}",
                 "joints[0].object_a: needs a dynamic body"},
        BadJoint{"OfNoKind", "object_a: \"crate_a\"",
                 "joints[0].ball: one of ball"},
        BadJoint{"WithANanAnchor",
                 "object_a: \"crate_a\" anchor { x: nan } ball {}",
                 "joints[0].anchor.x: nan"},
        BadJoint{"WithAFarAnchor",
                 "object_a: \"crate_a\" anchor { x: 1e8 } ball {}",
                 "joints[0].anchor: is 100000000 m from what it holds"},
        BadJoint{"SpringWithAFarAnchor",
                 "object_a: \"crate_a\" spring { stiffness: 1 "
                 "anchor_b { x: 1e8 } }",
                 "joints[0].spring.anchor_b: is 100000000 m from what"},
        BadJoint{"ConeWithoutAnAngle",
                 "object_a: \"crate_a\" cone_twist { axis { y: 1 } "
                 "twist_degrees: 10 }",
                 "joints[0].cone_twist.swing_degrees: 0 is no cone"},
        BadJoint{"ServoBeyondTheRightAngle",
                 "object_a: \"crate_a\" six_axis { turn_y { free: true motor { "
                 "velocity_degrees: 1 target_degrees: 120 impulse_max_nms: 1 } "
                 "} }",
                 "six_axis.turn_y.motor.target_degrees: is not within"},
        BadJoint{"WithANegativeBreakingImpulse",
                 "object_a: \"crate_a\" breaking_impulse_ns: -1 ball {}",
                 "joints[0].breaking_impulse_ns: -1"},
        BadJoint{"HingeWithoutAxis", "object_a: \"crate_a\" hinge {}",
                 "joints[0].hinge.axis: a direction can't be zero"},
        BadJoint{"SliderWithoutAxis", "object_a: \"crate_a\" slider {}",
                 "joints[0].slider.axis: a direction can't be zero"},
        BadJoint{"SliderWrongWayRound",
                 "object_a: \"crate_a\" slider { axis { x: 1 } lower: 2 upper: "
                 "1 }",
                 "joints[0].slider.upper: below lower"},
        BadJoint{"SliderWithANanLimit",
                 "object_a: \"crate_a\" slider { axis { x: 1 } upper: nan }",
                 "joints[0].slider.upper: nan"},
        BadJoint{"MotorWithoutStrength",
                 "object_a: \"crate_a\" slider { axis { x: 1 } motor { "
                 "velocity: 1 } }",
                 "joints[0].slider.motor.impulse_max_ns: 0"},
        BadJoint{"ServoWithoutSpeed",
                 "object_a: \"crate_a\" hinge { axis { x: 1 } motor { "
                 "target_degrees: 1 impulse_max_nms: 1 } }",
                 "joints[0].hinge.motor.velocity_degrees: 0"},
        BadJoint{"SpringWithNegativeStiffness",
                 "object_a: \"crate_a\" spring { stiffness: -1 }",
                 "joints[0].spring.stiffness: -1"},
        BadJoint{"SpringWithNanDamping",
                 "object_a: \"crate_a\" spring { stiffness: 1 damping: nan }",
                 "joints[0].spring.damping: nan"},
        BadJoint{"SpringThatDoesNothing", "object_a: \"crate_a\" spring {}",
                 "joints[0].spring.stiffness: 0, and no damping"},
        BadJoint{"SpringOfNegativeLength",
                 "object_a: \"crate_a\" spring { stiffness: 1 rest_length: -1 "
                 "}",
                 "joints[0].spring.rest_length: -1"},
        BadJoint{"AxisWrongWayRound",
                 "object_a: \"crate_a\" six_axis { turn_x { lower_degrees: 10 "
                 "upper_degrees: -10 } }",
                 "joints[0].six_axis.turn_x.upper_degrees: below"},
        BadJoint{"MiddleAxisBeyondTheRightAngle",
                 "object_a: \"crate_a\" six_axis { turn_y { upper_degrees: 100 "
                 "} }",
                 "joints[0].six_axis.turn_y.upper_degrees: 100"},
        BadJoint{"FreeAxisWithEnds",
                 "object_a: \"crate_a\" six_axis { x { free: true upper: 1 } }",
                 "joints[0].six_axis.x.free: an axis with ends"},
        BadJoint{"SpringOnALockedAxis",
                 "object_a: \"crate_a\" six_axis { x { spring { stiffness: 1 } "
                 "} }",
                 "joints[0].six_axis.x.spring: the axis is locked"},
        BadJoint{"TwoMotors",
                 "object_a: \"crate_a\" six_axis { x { free: true motor { "
                 "velocity: 1 impulse_max_ns: 1 } } z { free: true motor { "
                 "velocity: 1 impulse_max_ns: 1 } } }",
                 "joints[0].six_axis.z.motor: another axis"}),
    [](const auto& info) { return info.param.name; });

TEST(JointCompilerTest, TwoJointsOfOneNameAreReported) {
  const std::string joint =
      "joints { name: \"j\" object_a: \"crate_a\" ball {} }";
  EXPECT_THAT(Problems(Manifest({kScene, joint, joint})),
              ElementsAre(HasSubstr("joints[1].name: there are two")));
}

TEST(JointCompilerTest, TooManyJointsAreReported) {
  std::string manifest = Manifest({kScene});
  for (uint32_t i = 0; i <= kJointsMax; ++i) {
    manifest +=
        fmt::format("joints{{name:\"j{}\" object_a:\"crate_a\" ball{{}}}}", i);
  }
  EXPECT_THAT(Problems(manifest), ElementsAre(HasSubstr("more than 65536")));
}

}  // namespace
}  // namespace reprise::sim
