// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/physics_definition.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

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

absl::Status CheckKind(const PhysicsDefinition& definition, size_t index) {
  const BodyKind& kind = definition.kinds[index];
  FieldChecker checker(fmt::format("kinds[{}]", index));
  checker.Require(kind.shape < definition.shapes.size(), "shape",
                  "is not one of the shapes");
  checker.Require(kind.motion <= Motion::kKinematic, "motion", "is unknown");
  if (!checker.status().ok()) return checker.status();

  if (kind.motion != Motion::kFixed) {
    checker.Require(
        std::holds_alternative<SolidShape>(definition.shapes[kind.shape]),
        "shape", "is a plane, which only a fixed body can have");
  }
  if (kind.motion == Motion::kDynamic) {
    checker.RequireInRange(kind.mass_kg, kMassMinKg, kMassMaxKg, "mass_kg");
  }
  // Bullet clamps the product of two frictions to 10; no factor needs more.
  checker.RequireInRange(kind.friction, 0.0, 10.0, "friction");
  checker.RequireInRange(kind.rolling_friction, 0.0, 10.0, "rolling_friction");
  checker.RequireInRange(kind.restitution, 0.0, 1.0, "restitution");
  checker.RequireInRange(kind.linear_damping, 0.0, 1.0, "linear_damping");
  checker.RequireInRange(kind.angular_damping, 0.0, 1.0, "angular_damping");
  checker.RequireInRange(kind.gravity_scale, -kGravityScaleMax,
                         kGravityScaleMax, "gravity_scale");
  return checker.status();
}

absl::Status CheckPlacement(const PhysicsDefinition& definition,
                            const BodyPlacement& body, std::string name) {
  FieldChecker checker(std::move(name));
  checker.Require(body.object != kNoObject, "object", "is no object");
  checker.Require(body.kind < definition.kinds.size(), "kind",
                  "is not one of the kinds");
  checker.RequireWithin(body.position, kPositionMaxM, "position");
  checker.RequireUnit(body.rotation, "rotation");
  checker.RequireWithin(body.linear_velocity_m_s, kSpeedMax,
                        "linear_velocity_m_s");
  checker.RequireWithin(body.angular_velocity_rad_s, kSpeedMax,
                        "angular_velocity_rad_s");
  return checker.status();
}

absl::Status CheckBody(const PhysicsDefinition& definition, size_t index) {
  const BodyPlacement& body = definition.bodies[index];
  const std::string name =
      fmt::format("bodies[{}] (object {})", index, body.object.serial);
  if (index > 0 && definition.bodies[index - 1].object >= body.object) {
    return absl::InvalidArgumentError(fmt::format(
        "{}.object does not come after that of the body before it", name));
  }
  return CheckPlacement(definition, body, name);
}

bool HasBody(const PhysicsDefinition& definition, ObjectId object) {
  const auto found = std::lower_bound(
      definition.bodies.begin(), definition.bodies.end(), object,
      [](const BodyPlacement& body, ObjectId id) { return body.object < id; });
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
  if (definition.kinds.size() > kKindsMax ||
      definition.bodies.size() > kBodiesMax ||
      definition.joints.size() > kJointsMax) {
    return absl::ResourceExhaustedError(fmt::format(
        "{} kinds, {} bodies and {} joints; at most {}, {} and {} are possible",
        definition.kinds.size(), definition.bodies.size(),
        definition.joints.size(), kKindsMax, kBodiesMax, kJointsMax));
  }
  absl::Status status = CheckStep(definition);
  for (size_t i = 0; status.ok() && i < definition.shapes.size(); ++i) {
    status = CheckShape(definition.shapes[i], i);
  }
  for (size_t i = 0; status.ok() && i < definition.kinds.size(); ++i) {
    status = CheckKind(definition, i);
  }
  for (size_t i = 0; status.ok() && i < definition.bodies.size(); ++i) {
    status = CheckBody(definition, i);
  }
  for (size_t i = 0; status.ok() && i < definition.joints.size(); ++i) {
    status = CheckJoint(definition, i);
  }
  return status;
}

absl::Status ValidateBodyPlacement(const PhysicsDefinition& definition,
                                   const BodyPlacement& body) {
  return CheckPlacement(definition, body,
                        fmt::format("body of object {}", body.object.serial));
}

uint32_t PrimitiveCount(const ShapeDefinition& shape) {
  const auto* const solid = std::get_if<SolidShape>(&shape);
  return solid == nullptr ? 1 : static_cast<uint32_t>(solid->primitives.size());
}

bool CanTouch(const BodyKind& a, const BodyKind& b) {
  if (a.motion == Motion::kDynamic || b.motion == Motion::kDynamic) return true;
  const bool one_moves =
      a.motion == Motion::kKinematic || b.motion == Motion::kKinematic;
  return one_moves && (a.is_trigger || b.is_trigger);
}

const JointDefinition* FindJoint(const PhysicsDefinition& definition, Id name) {
  const auto found = std::lower_bound(
      definition.joints.begin(), definition.joints.end(), name,
      [](const JointDefinition& joint, Id id) { return joint.name < id; });
  return found != definition.joints.end() && found->name == name ? &*found
                                                                 : nullptr;
}

}  // namespace reprise::sim
