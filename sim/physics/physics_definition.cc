// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/physics_definition.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// Rotations are given by people and programs in decimal: near enough to length
// 1 is meant as 1, and what is built from them is normalised.
constexpr double kLengthTolerance = 1e-6;

// Collects the first complaint about the fields of one thing.
class FieldChecker {
 public:
  explicit FieldChecker(std::string thing) : thing_(std::move(thing)) {}

  void Require(bool holds, std::string_view field, std::string_view rule) {
    if (holds || !status_.ok()) return;
    status_ = absl::InvalidArgumentError(
        fmt::format("{}.{} {}", thing_, field, rule));
  }

  void RequireInRange(double value, double low, double high,
                      std::string_view field) {
    Require(value >= low && value <= high, field,
            fmt::format("is {}, not from {} to {}", value, low, high));
  }

  void RequireWithin(Vector3 value, double limit, std::string_view field) {
    RequireInRange(value.x, -limit, limit, fmt::format("{}.x", field));
    RequireInRange(value.y, -limit, limit, fmt::format("{}.y", field));
    RequireInRange(value.z, -limit, limit, fmt::format("{}.z", field));
  }

  void RequireUnit(Quaternion value, std::string_view field) {
    RequireInRange(Dot(value, value), 1.0 - kLengthTolerance,
                   1.0 + kLengthTolerance,
                   fmt::format("squared length of {}", field));
  }

  void RequireSize(double value, std::string_view field) {
    RequireInRange(value, kSizeMinM, kSizeMaxM, field);
  }

  absl::Status status() const { return status_; }

 private:
  std::string thing_;
  absl::Status status_;
};

struct SolidChecker {
  FieldChecker& checker;

  void operator()(const SpherePrimitive& sphere) const {
    checker.RequireSize(sphere.radius_m, "radius_m");
  }
  void operator()(const BoxPrimitive& box) const {
    checker.RequireSize(box.half_extents_m.x, "half_extents_m.x");
    checker.RequireSize(box.half_extents_m.y, "half_extents_m.y");
    checker.RequireSize(box.half_extents_m.z, "half_extents_m.z");
  }
  void operator()(const CapsulePrimitive& capsule) const {
    checker.RequireSize(capsule.radius_m, "radius_m");
    checker.RequireSize(capsule.height_m, "height_m");
  }
  void operator()(const CylinderPrimitive& cylinder) const {
    checker.RequireSize(cylinder.radius_m, "radius_m");
    checker.RequireSize(cylinder.height_m, "height_m");
  }
};

absl::Status CheckShape(const ShapeDefinition& shape, size_t index) {
  const std::string name = fmt::format("shapes[{}]", index);
  if (const auto* plane = std::get_if<PlaneShape>(&shape)) {
    FieldChecker checker(name);
    checker.RequireInRange(Dot(plane->normal, plane->normal),
                           1.0 - kLengthTolerance, 1.0 + kLengthTolerance,
                           "squared length of normal");
    checker.RequireInRange(plane->offset_m, -kPositionMaxM, kPositionMaxM,
                           "offset_m");
    return checker.status();
  }

  const auto& primitives = std::get<SolidShape>(shape).primitives;
  if (primitives.empty() || primitives.size() > kPrimitivesMax) {
    return absl::InvalidArgumentError(
        fmt::format("{} has {} primitives, not 1 to {}", name,
                    primitives.size(), kPrimitivesMax));
  }
  for (size_t i = 0; i < primitives.size(); ++i) {
    FieldChecker checker(fmt::format("{}.primitives[{}]", name, i));
    std::visit(SolidChecker{checker}, primitives[i].solid);
    checker.RequireWithin(primitives[i].position, kSizeMaxM, "position");
    checker.RequireUnit(primitives[i].rotation, "rotation");
    if (!checker.status().ok()) return checker.status();
  }
  return absl::OkStatus();
}

absl::Status CheckBody(const PhysicsDefinition& definition, size_t index) {
  const BodyDefinition& body = definition.bodies[index];
  FieldChecker checker(
      fmt::format("bodies[{}] (object {})", index, body.object.serial));
  checker.Require(body.object != kNoObject, "object", "is no object");
  checker.Require(
      index == 0 || definition.bodies[index - 1].object < body.object, "object",
      "does not come after that of the body before it");
  checker.Require(body.shape < definition.shapes.size(), "shape",
                  "is not one of the shapes");
  if (!checker.status().ok()) return checker.status();

  if (body.motion == Motion::kDynamic) {
    checker.RequireInRange(body.mass_kg, kMassMinKg, kMassMaxKg, "mass_kg");
    checker.Require(
        std::holds_alternative<SolidShape>(definition.shapes[body.shape]),
        "shape", "is a plane, which only a fixed body can have");
  }
  // Bullet clamps the product of two frictions to 10; no factor needs more.
  checker.RequireInRange(body.friction, 0.0, 10.0, "friction");
  checker.RequireInRange(body.rolling_friction, 0.0, 10.0, "rolling_friction");
  checker.RequireInRange(body.restitution, 0.0, 1.0, "restitution");
  checker.RequireInRange(body.linear_damping, 0.0, 1.0, "linear_damping");
  checker.RequireInRange(body.angular_damping, 0.0, 1.0, "angular_damping");
  checker.RequireWithin(body.position, kPositionMaxM, "position");
  checker.RequireUnit(body.rotation, "rotation");
  checker.RequireWithin(body.linear_velocity_m_s, kSpeedMax,
                        "linear_velocity_m_s");
  checker.RequireWithin(body.angular_velocity_rad_s, kSpeedMax,
                        "angular_velocity_rad_s");
  return checker.status();
}

bool HasBody(const PhysicsDefinition& definition, ObjectId object) {
  const auto found = std::lower_bound(
      definition.bodies.begin(), definition.bodies.end(), object,
      [](const BodyDefinition& body, ObjectId id) { return body.object < id; });
  return found != definition.bodies.end() && found->object == object;
}

struct JointKindChecker {
  FieldChecker& checker;

  void operator()(const BallJoint&) const {}
  void operator()(const HingeJoint& hinge) const {
    checker.RequireInRange(hinge.lower_rad, -kPi, kPi, "lower_rad");
    checker.RequireInRange(hinge.upper_rad, -kPi, kPi, "upper_rad");
    checker.RequireInRange(hinge.motor_target_rad_s, -kSpeedMax, kSpeedMax,
                           "motor_target_rad_s");
    checker.RequireInRange(hinge.motor_impulse_max_n_m_s, 0.0, kMassMaxKg,
                           "motor_impulse_max_n_m_s");
  }
  void operator()(const ConeTwistJoint& cone) const {
    checker.RequireInRange(cone.swing_span_z_rad, 0.0, 2.0 * kPi,
                           "swing_span_z_rad");
    checker.RequireInRange(cone.swing_span_y_rad, 0.0, 2.0 * kPi,
                           "swing_span_y_rad");
    checker.RequireInRange(cone.twist_span_rad, 0.0, 2.0 * kPi,
                           "twist_span_rad");
  }
};

absl::Status CheckJoint(const PhysicsDefinition& definition, size_t index) {
  const JointDefinition& joint = definition.joints[index];
  FieldChecker checker(fmt::format("joints[{}]", index));
  checker.Require(joint.name != kNoId, "name", "is empty");
  checker.Require(index == 0 || definition.joints[index - 1].name < joint.name,
                  "name", "does not come after that of the joint before it");
  checker.Require(HasBody(definition, joint.object_a), "object_a",
                  "has no body");
  checker.Require(
      joint.object_b == kNoObject || HasBody(definition, joint.object_b),
      "object_b", "has no body");
  checker.Require(joint.object_a != joint.object_b, "object_b",
                  "is object_a: a joint needs two");
  for (const JointFrame& frame : {joint.frame_a, joint.frame_b}) {
    checker.RequireWithin(frame.position, kPositionMaxM, "frame position");
    checker.RequireUnit(frame.rotation, "frame rotation");
  }
  checker.Require(joint.breaking_impulse_n_s > 0.0, "breaking_impulse_n_s",
                  "is not above 0");
  std::visit(JointKindChecker{checker}, joint.kind);
  return checker.status();
}

absl::Status CheckStep(const PhysicsDefinition& definition) {
  FieldChecker checker("physics");
  checker.RequireWithin(definition.gravity_m_s2, kSpeedMax, "gravity_m_s2");
  checker.RequireInRange(definition.tick_s, 1e-6, 1.0, "tick_s");
  checker.RequireInRange(definition.substeps, 1, kSubstepsMax, "substeps");
  checker.RequireInRange(definition.solver_iterations, 1, kSolverIterationsMax,
                         "solver_iterations");
  return checker.status();
}

}  // namespace

absl::Status ValidatePhysicsDefinition(const PhysicsDefinition& definition) {
  if (definition.bodies.size() > kBodiesMax ||
      definition.joints.size() > kJointsMax) {
    return absl::ResourceExhaustedError(
        fmt::format("{} bodies and {} joints; at most {} and {} are possible",
                    definition.bodies.size(), definition.joints.size(),
                    kBodiesMax, kJointsMax));
  }
  absl::Status status = CheckStep(definition);
  for (size_t i = 0; status.ok() && i < definition.shapes.size(); ++i) {
    status = CheckShape(definition.shapes[i], i);
  }
  for (size_t i = 0; status.ok() && i < definition.bodies.size(); ++i) {
    status = CheckBody(definition, i);
  }
  for (size_t i = 0; status.ok() && i < definition.joints.size(); ++i) {
    status = CheckJoint(definition, i);
  }
  return status;
}

}  // namespace reprise::sim
