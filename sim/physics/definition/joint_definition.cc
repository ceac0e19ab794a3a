// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/definition/joint_definition.h"

#include <string>
#include <string_view>
#include <variant>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/physics/definition/field_checker.h"
#include "sim/physics/definition/physics_bounds.h"

namespace reprise::sim {
namespace {

void CheckMotor(const JointMotor& motor, double target_max,
                FieldChecker& checker) {
  checker.RequireInRange(motor.target, -target_max, target_max, "motor.target");
  checker.RequireInRange(motor.impulse_max, 0.0, kMassMaxKg,
                         "motor.impulse_max");
  checker.RequireInRange(motor.speed_max, 0.0, kSpeedMax, "motor.speed_max");
  checker.Require(!motor.is_servo || motor.speed_max > 0.0, "motor.speed_max",
                  "is 0, but the motor is a servo");
}

void CheckSpring(double stiffness, double damping, std::string_view name,
                 FieldChecker& checker) {
  checker.RequireInRange(stiffness, 0.0, kStiffnessMax,
                         fmt::format("{}stiffness", name));
  checker.RequireInRange(damping, 0.0, kStiffnessMax,
                         fmt::format("{}damping", name));
}

// How far an axis of a six-axis joint can go either way.
double RangeOf(uint32_t axis) {
  if (axis < kFirstTurningAxis) return kPositionMaxM;
  return axis == kFirstTurningAxis + 1 ? kMiddleTurnMaxRad : kPi;
}

struct JointKindChecker {
  FieldChecker& checker;

  void operator()(const BallJoint&) const {}
  void operator()(const HingeJoint& hinge) const {
    checker.RequireInRange(hinge.lower_rad, -kPi, kPi, "lower_rad");
    checker.RequireInRange(hinge.upper_rad, -kPi, kPi, "upper_rad");
    CheckMotor(hinge.motor, hinge.motor.is_servo ? kPi : kSpeedMax, checker);
  }
  void operator()(const ConeTwistJoint& cone) const {
    checker.RequireInRange(cone.swing_span_z_rad, 0.0, 2.0 * kPi,
                           "swing_span_z_rad");
    checker.RequireInRange(cone.swing_span_y_rad, 0.0, 2.0 * kPi,
                           "swing_span_y_rad");
    checker.RequireInRange(cone.twist_span_rad, 0.0, 2.0 * kPi,
                           "twist_span_rad");
  }
  void operator()(const SpringJoint& spring) const {
    checker.RequireInRange(spring.rest_length_m, 0.0, kPositionMaxM,
                           "rest_length_m");
    CheckSpring(spring.stiffness_n_m, spring.damping_n_s_m, "", checker);
  }
  void operator()(const SixAxisJoint& joint) const {
    for (uint32_t i = 0; i < kJointAxes; ++i) {
      const JointAxis& axis = joint.axes[i];
      const std::string name = fmt::format("axes[{}].", i);
      const double range = RangeOf(i);
      checker.RequireInRange(axis.lower, -range, range, name + "lower");
      checker.RequireInRange(axis.upper, -range, range, name + "upper");
      checker.RequireInRange(axis.spring.rest, -range, range,
                             name + "spring.rest");
      CheckSpring(axis.spring.stiffness, axis.spring.damping, name + "spring.",
                  checker);
    }
    checker.Require(joint.motor_axis <= kNoJointAxis, "motor_axis",
                    "is not an axis");
    if (joint.motor_axis >= kJointAxes) return;
    checker.Require(joint.axes[joint.motor_axis].lower !=
                        joint.axes[joint.motor_axis].upper,
                    "motor_axis", "is locked");
    CheckMotor(joint.motor,
               joint.motor.is_servo ? RangeOf(joint.motor_axis) : kSpeedMax,
               checker);
  }
};

}  // namespace

absl::Status ValidateJoint(const JointDefinition& joint,
                           const std::string& name) {
  FieldChecker checker(name);
  for (const JointFrame& frame : {joint.frame_a, joint.frame_b}) {
    checker.RequireWithin(frame.position, kPositionMaxM, "frame position");
    checker.RequireUnit(frame.rotation, "frame rotation");
  }
  checker.Require(joint.breaking_impulse_n_s > 0.0, "breaking_impulse_n_s",
                  "is not above 0");
  std::visit(JointKindChecker{checker}, joint.kind);
  return checker.status();
}

const JointMotor* MotorOf(const JointDefinition& joint) {
  if (const auto* const hinge = std::get_if<HingeJoint>(&joint.kind)) {
    return &hinge->motor;
  }
  const auto* const six_axis = std::get_if<SixAxisJoint>(&joint.kind);
  const bool has_motor =
      six_axis != nullptr && six_axis->motor_axis < kJointAxes;
  return has_motor ? &six_axis->motor : nullptr;
}

}  // namespace reprise::sim
