// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/joints/joint_parts_compiler.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {
namespace {

// A rotation that takes `from` to `to`, both of length 1.
Quaternion RotationBetween(Vector3 from, Vector3 to) {
  const double cosine = Dot(from, to);
  // Opposite directions: half a turn about any axis across.
  constexpr double kNearlyOpposite = -1.0 + 1e-12;
  if (cosine < kNearlyOpposite) {
    const Vector3 across =
        Abs(from.x) < 0.5 ? Vector3{1.0, 0.0, 0.0} : Vector3{0.0, 1.0, 0.0};
    return FromAxisAngle(Cross(from, across), kPi);
  }
  const Vector3 axis = Cross(from, to);
  return Normalized(Quaternion{axis.x, axis.y, axis.z, 1.0 + cosine});
}

// `frame` in the space of a body that stands at `place` in the same space as
// it; null: it is the world's.
JointFrame InBody(const JointFrame& frame, const Transform* place) {
  if (place == nullptr) return frame;
  const Quaternion back = Conjugate(place->rotation);
  return {.position = Rotate(back, frame.position - place->position),
          .rotation = Normalized(back * frame.rotation)};
}

// 10,000 rad/s in degrees.
constexpr double kVelocityMaxDegrees = 572957.0;

// A servo that stands still is none.
constexpr double kServoSpeedMin = 1e-6;

JointMotor CompileMotor(const v1::Motor& message,
                        const MessageChecker& checker) {
  JointMotor motor{.is_servo = message.has_target_degrees()};
  const double velocity = Radians(
      checker.Number("velocity_degrees", message.velocity_degrees(),
                     motor.is_servo ? kServoSpeedMin : -kVelocityMaxDegrees,
                     kVelocityMaxDegrees));
  motor.target = velocity;
  if (motor.is_servo) {
    motor.speed_max = velocity;
    motor.target = Radians(checker.Number(
        "target_degrees", message.target_degrees(), -180.0, 180.0));
  }
  motor.impulse_max =
      checker.Positive("impulse_max_nms", message.impulse_max_nms());
  return motor;
}

JointMotor CompileMotor(const v1::LinearMotor& message,
                        const MessageChecker& checker) {
  JointMotor motor{.is_servo = message.has_target()};
  const double velocity =
      checker.Number("velocity", message.velocity(),
                     motor.is_servo ? kServoSpeedMin : -kSpeedMax, kSpeedMax);
  motor.target = velocity;
  if (motor.is_servo) {
    motor.speed_max = velocity;
    motor.target = checker.Number("target", message.target(), -kPositionMaxM,
                                  kPositionMaxM);
  }
  motor.impulse_max =
      checker.Positive("impulse_max_ns", message.impulse_max_ns());
  return motor;
}

// A range of a joint's angle or way, in the unit of the pack.
struct Range {
  double lower = 0.0;
  double upper = 0.0;
};

Range CompileRange(std::string_view lower_name, double lower,
                   std::string_view upper_name, double upper, double limit,
                   const MessageChecker& checker) {
  checker.Number(lower_name, lower, -limit, limit);
  checker.Number(upper_name, upper, -limit, limit);
  if (upper < lower) {
    checker.Problem(upper_name, fmt::format("below {}", lower_name));
  }
  return {lower, upper};
}

HingeJoint CompileHinge(const v1::HingeJoint& hinge,
                        const MessageChecker& checker) {
  HingeJoint compiled;
  const Range range =
      CompileRange("lower_degrees", hinge.lower_degrees(), "upper_degrees",
                   hinge.upper_degrees(), 180.0, checker);
  if (range.lower != 0.0 || range.upper != 0.0) {
    compiled.lower_rad = Radians(range.lower);
    compiled.upper_rad = Radians(range.upper);
  }
  if (hinge.has_motor()) {
    compiled.motor =
        CompileMotor(hinge.motor(), checker.In(hinge.motor(), "motor"));
  }
  return compiled;
}

ConeTwistJoint CompileConeTwist(const v1::ConeTwistJoint& cone,
                                const MessageChecker& checker) {
  const double swing =
      checker.Number("swing_degrees", cone.swing_degrees(), 0.0, 180.0);
  if (swing == 0.0) {
    checker.Problem("swing_degrees", "0 is no cone: a hinge only twists");
  }
  const double twist =
      checker.Number("twist_degrees", cone.twist_degrees(), 0.0, 180.0);
  // The pack gives the angle to either side; the joint wants the whole span.
  return {.swing_span_z_rad = Radians(swing),
          .swing_span_y_rad = Radians(swing),
          .twist_span_rad = Radians(twist)};
}

// No end at either side.
constexpr JointAxis kFreeAxis = {.lower = 1.0, .upper = -1.0, .spring = {}};

SixAxisJoint CompileSlider(const v1::SliderJoint& slider,
                           const MessageChecker& checker) {
  SixAxisJoint compiled;
  const Range range = CompileRange("lower", slider.lower(), "upper",
                                   slider.upper(), kPositionMaxM, checker);
  compiled.axes[0] = kFreeAxis;
  if (range.lower != 0.0 || range.upper != 0.0) {
    compiled.axes[0].lower = range.lower;
    compiled.axes[0].upper = range.upper;
  }
  if (slider.has_motor()) {
    compiled.motor_axis = 0;
    compiled.motor =
        CompileMotor(slider.motor(), checker.In(slider.motor(), "motor"));
  }
  return compiled;
}

// Stiffness and damping of a spring: one of them does something.
template <typename Message>
void CheckSpring(const Message& spring, const MessageChecker& checker) {
  checker.Number("stiffness", spring.stiffness(), 0.0, kStiffnessMax);
  checker.Number("damping", spring.damping(), 0.0, kStiffnessMax);
  if (spring.stiffness() == 0.0 && spring.damping() == 0.0) {
    checker.Problem("stiffness", "0, and no damping: it does nothing");
  }
}

SpringJoint CompileSpring(const v1::SpringJoint& spring, double length_m,
                          const MessageChecker& checker) {
  CheckSpring(spring, checker);
  if (spring.has_rest_length()) {
    length_m =
        checker.Number("rest_length", spring.rest_length(), 0.0, kPositionMaxM);
  }
  return {.rest_length_m = length_m,
          .stiffness_n_m = spring.stiffness(),
          .damping_n_s_m = spring.damping()};
}

// Compiles the axes of one joint.
class SixAxisCompiler {
 public:
  SixAxisCompiler(const v1::SixAxisJoint& message,
                  const MessageChecker& checker)
      : message_(message), checker_(checker) {}

  SixAxisJoint Compile() {
    CompileLinear(message_.has_x(), message_.x(), "x", 0);
    CompileLinear(message_.has_y(), message_.y(), "y", 1);
    CompileLinear(message_.has_z(), message_.z(), "z", 2);
    CompileTurning(message_.has_turn_x(), message_.turn_x(), "turn_x", 3);
    CompileTurning(message_.has_turn_y(), message_.turn_y(), "turn_y", 4);
    CompileTurning(message_.has_turn_z(), message_.turn_z(), "turn_z", 5);
    return joint_;
  }

 private:
  void CompileLinear(bool is_there, const v1::LinearJointAxis& axis,
                     std::string_view name, uint32_t index) {
    if (!is_there) return;
    const MessageChecker place = checker_.In(axis, name);
    const Range range = CompileRange("lower", axis.lower(), "upper",
                                     axis.upper(), kPositionMaxM, place);
    CompileAxis(axis, range, 1.0, kPositionMaxM, place, index);
  }

  void CompileTurning(bool is_there, const v1::AngularJointAxis& axis,
                      std::string_view name, uint32_t index) {
    if (!is_there) return;
    const MessageChecker place = checker_.In(axis, name);
    // Short of the right angle at which turns about x and z are the same.
    constexpr double kMiddleTurnMaxDegrees = 88.0;
    const double limit = index == 4 ? kMiddleTurnMaxDegrees : 180.0;
    const Range range =
        CompileRange("lower_degrees", axis.lower_degrees(), "upper_degrees",
                     axis.upper_degrees(), limit, place);
    CompileAxis(axis, range, Radians(1.0), limit, place, index);
    const double target = axis.motor().target_degrees();
    // One beyond the half turn was reported.
    if (index == 4 && Abs(target) > limit && Abs(target) <= 180.0) {
      place.In(axis.motor(), "motor")
          .Problem("target_degrees", fmt::format("is not within +-{}", limit));
    }
  }

  // `unit` is that of the range; `limit` bounds it.
  template <typename Message>
  void CompileAxis(const Message& axis, Range range, double unit, double limit,
                   const MessageChecker& place, uint32_t index) {
    JointAxis& compiled = joint_.axes[index];
    compiled.lower = unit * range.lower;
    compiled.upper = unit * range.upper;
    if (axis.free()) {
      if (range.lower != 0.0 || range.upper != 0.0) {
        place.Problem("free", "an axis with ends isn't");
      }
      compiled = kFreeAxis;
    }
    const bool is_locked = compiled.lower == compiled.upper;
    if (axis.has_spring()) {
      const MessageChecker spring = place.In(axis.spring(), "spring");
      CheckSpring(axis.spring(), spring);
      compiled.spring = {
          .rest =
              unit * spring.Number("rest", axis.spring().rest(), -limit, limit),
          .stiffness = axis.spring().stiffness(),
          .damping = axis.spring().damping()};
      if (is_locked) place.Problem("spring", "the axis is locked");
    }
    if (!axis.has_motor()) return;
    if (is_locked) place.Problem("motor", "the axis is locked");
    if (joint_.motor_axis != kNoJointAxis) {
      place.Problem("motor", "another axis of the joint has one");
    }
    joint_.motor_axis = index;
    joint_.motor = CompileMotor(axis.motor(), place.In(axis.motor(), "motor"));
  }

  const v1::SixAxisJoint& message_;
  const MessageChecker& checker_;
  SixAxisJoint joint_;
};

// How far a joint's anchor is from a body's origin, or from the world's.
double ReachOf(const JointFrame& in_body) {
  const Vector3 p = in_body.position;
  return std::max({Abs(p.x), Abs(p.y), Abs(p.z)});
}

void CheckAnchor(std::string_view name, double reach_m,
                 const MessageChecker& checker) {
  // NaN is reported already.
  if (!(reach_m > kPositionMaxM)) return;
  checker.Problem(name, fmt::format("is {} m from what it holds, not within {}",
                                    reach_m, kPositionMaxM));
}

// Reports what is too far away, each mistake once.
void CheckAnchors(const v1::Joint& joint, const JointDefinition& compiled,
                  const MessageChecker& checker) {
  const double reach_a = ReachOf(compiled.frame_a);
  const double reach_b = ReachOf(compiled.frame_b);
  if (!joint.has_spring()) {
    CheckAnchor("anchor", std::max(reach_a, reach_b), checker);
    return;
  }
  const MessageChecker place = checker.In(joint.spring(), "spring");
  CheckAnchor("anchor", reach_a, checker);
  CheckAnchor("anchor_b", reach_b, place);
  const double length_m = std::get<SpringJoint>(compiled.kind).rest_length_m;
  if (!joint.spring().has_rest_length() && reach_a <= kPositionMaxM &&
      reach_b <= kPositionMaxM && length_m > kPositionMaxM) {
    place.Problem("anchor_b", fmt::format("is {} m from the anchor, not "
                                          "within {}",
                                          length_m, kPositionMaxM));
  }
}

}  // namespace

JointDefinition CompileJointParts(const v1::Joint& joint,
                                  const MessageChecker& checker,
                                  const Transform& place_a,
                                  const Transform* place_b) {
  JointDefinition compiled;
  JointFrame frame{.position = checker.Vector("anchor", joint.anchor()),
                   .rotation = {}};
  Vector3 anchor_b = frame.position;
  switch (joint.kind_case()) {
    case v1::Joint::kBall:
      compiled.kind = BallJoint{};
      break;
    case v1::Joint::kHinge: {
      const MessageChecker place = checker.In(joint.hinge(), "hinge");
      compiled.kind = CompileHinge(joint.hinge(), place);
      frame.rotation = RotationBetween(
          {0.0, 0.0, 1.0}, place.Direction("axis", joint.hinge().axis()));
      break;
    }
    case v1::Joint::kConeTwist: {
      const MessageChecker place = checker.In(joint.cone_twist(), "cone_twist");
      compiled.kind = CompileConeTwist(joint.cone_twist(), place);
      frame.rotation = RotationBetween(
          {1.0, 0.0, 0.0}, place.Direction("axis", joint.cone_twist().axis()));
      break;
    }
    case v1::Joint::kSlider: {
      const MessageChecker place = checker.In(joint.slider(), "slider");
      compiled.kind = CompileSlider(joint.slider(), place);
      frame.rotation = RotationBetween(
          {1.0, 0.0, 0.0}, place.Direction("axis", joint.slider().axis()));
      break;
    }
    case v1::Joint::kSpring: {
      const MessageChecker place = checker.In(joint.spring(), "spring");
      anchor_b = place.Vector("anchor_b", joint.spring().anchor_b());
      compiled.kind = CompileSpring(joint.spring(),
                                    Length(frame.position - anchor_b), place);
      break;
    }
    case v1::Joint::kFixed:
      compiled.kind = SixAxisJoint{};
      break;
    case v1::Joint::kSixAxis: {
      const MessageChecker place = checker.In(joint.six_axis(), "six_axis");
      compiled.kind = SixAxisCompiler(joint.six_axis(), place).Compile();
      frame.rotation = place.Rotation("rotation_degrees",
                                      joint.six_axis().rotation_degrees());
      break;
    }
    case v1::Joint::KIND_NOT_SET:
      checker.Problem("ball",
                      "one of ball, hinge, cone_twist, slider, spring, fixed, "
                      "six_axis is needed");
      break;
  }
  compiled.frame_a = InBody(frame, &place_a);
  frame.position = anchor_b;
  compiled.frame_b = InBody(frame, place_b);
  CheckAnchors(joint, compiled, checker);
  if (joint.breaking_impulse_ns() != 0.0) {
    compiled.breaking_impulse_n_s =
        checker.Positive("breaking_impulse_ns", joint.breaking_impulse_ns());
  }
  compiled.bodies_collide = joint.collide();
  compiled.stay_apart = joint.stay_apart();
  if (joint.collide() && joint.stay_apart()) {
    checker.Problem("stay_apart", "its bodies collide");
  }
  return compiled;
}

}  // namespace reprise::sim
