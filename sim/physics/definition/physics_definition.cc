// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/definition/physics_definition.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"
#include "sim/physics/definition/closed_mesh.h"
#include "sim/physics/definition/convex_hull.h"
#include "sim/physics/definition/field_checker.h"

namespace reprise::sim {
namespace {

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
  void operator()(const ConePrimitive& cone) const {
    checker.RequireSize(cone.radius_m, "radius_m");
    checker.RequireSize(cone.height_m, "height_m");
  }
  void operator()(const HullPrimitive& hull) const {
    const std::string problem = HullProblem(hull);
    checker.Require(problem.empty(), "hull", problem);
  }
};

absl::Status CheckPlane(const PlaneShape& plane, const std::string& name) {
  FieldChecker checker(name);
  checker.RequireInRange(Dot(plane.normal, plane.normal),
                         1.0 - kLengthTolerance, 1.0 + kLengthTolerance,
                         "squared length of normal");
  checker.RequireInRange(plane.offset_m, -kPositionMaxM, kPositionMaxM,
                         "offset_m");
  return checker.status();
}

absl::Status CheckSolid(const SolidShape& solid, const std::string& name) {
  const auto& primitives = solid.primitives;
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

absl::Status CheckMesh(const MeshShape& mesh, const std::string& name) {
  std::string problem = MeshProblem(mesh);
  if (problem.empty() && mesh.is_closed) problem = FindOpening(mesh).problem;
  if (problem.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("{}: {}", name, problem));
}

absl::Status CheckHeightField(const HeightFieldShape& field,
                              const std::string& name) {
  FieldChecker checker(name);
  checker.RequireInRange(field.columns, 2, kHeightFieldSideMax, "columns");
  checker.RequireInRange(field.rows, 2, kHeightFieldSideMax, "rows");
  checker.RequireSize(field.cell_size_m, "cell_size_m");
  checker.RequireWithin(field.position, kSizeMaxM, "position");
  if (!checker.status().ok()) return checker.status();
  const uint64_t count = uint64_t{field.columns} * field.rows;
  if (field.heights_m.size() != count) {
    checker.Require(false, "heights_m",
                    fmt::format("are {}, not columns x rows = {}",
                                field.heights_m.size(), count));
  }
  for (size_t i = 0; i < field.heights_m.size(); ++i) {
    const double height_m = field.heights_m[i];
    if (Abs(height_m) <= kSizeMaxM) continue;
    checker.RequireInRange(height_m, -kSizeMaxM, kSizeMaxM,
                           fmt::format("heights_m[{}]", i));
  }
  return checker.status();
}

struct ShapeChecker {
  const std::string& name;

  absl::Status operator()(const SolidShape& solid) const {
    return CheckSolid(solid, name);
  }
  absl::Status operator()(const PlaneShape& plane) const {
    return CheckPlane(plane, name);
  }
  absl::Status operator()(const MeshShape& mesh) const {
    return CheckMesh(mesh, name);
  }
  absl::Status operator()(const HeightFieldShape& field) const {
    return CheckHeightField(field, name);
  }
};

absl::Status CheckShape(const ShapeDefinition& shape, size_t index) {
  return std::visit(ShapeChecker{fmt::format("shapes[{}]", index)}, shape);
}

// What kinds of motion a shape allows.
void CheckMotion(const BodyKind& kind, const ShapeDefinition& shape,
                 FieldChecker& checker) {
  if (kind.motion != Motion::kFixed) {
    checker.Require(!std::holds_alternative<PlaneShape>(shape), "shape",
                    "is a plane, which only a fixed body can have");
    checker.Require(!std::holds_alternative<HeightFieldShape>(shape), "shape",
                    "is a height field, which only a fixed body can have");
  }
  checker.Require(kind.motion != Motion::kDynamic || !IsSurface(shape), "shape",
                  "is a mesh, which a dynamic body can't have");
  checker.Require(!kind.is_trigger || !IsSurface(shape), "is_trigger",
                  "needs a shape with an inside");
  checker.Require(!kind.is_continuous || kind.motion == Motion::kDynamic,
                  "is_continuous", "is for dynamic bodies");
}

absl::Status CheckKind(const PhysicsDefinition& definition, size_t index) {
  const BodyKind& kind = definition.kinds[index];
  FieldChecker checker(fmt::format("kinds[{}]", index));
  checker.Require(kind.shape < definition.shapes.size(), "shape",
                  "is not one of the shapes");
  checker.Require(kind.motion <= Motion::kKinematic, "motion", "is unknown");
  if (!checker.status().ok()) return checker.status();

  CheckMotion(kind, definition.shapes[kind.shape], checker);
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
  checker.RequireInRange(kind.sleep.linear_speed_m_s, 0.0, kSleepSpeedMax,
                         "sleep.linear_speed_m_s");
  checker.RequireInRange(kind.sleep.angular_speed_rad_s, 0.0, kSleepSpeedMax,
                         "sleep.angular_speed_rad_s");
  checker.RequireInRange(kind.sleep.seconds, 0.0, kSleepSecondsMax,
                         "sleep.seconds");
  for (const CombinationRule rule :
       {kind.friction_rule, kind.rolling_friction_rule,
        kind.restitution_rule}) {
    checker.Require(rule <= CombinationRule::kMaximum, "rule", "is unknown");
  }
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

bool IsDynamic(const PhysicsDefinition& definition, ObjectId object) {
  const auto body = std::lower_bound(
      definition.bodies.begin(), definition.bodies.end(), object,
      [](const BodyPlacement& each, ObjectId id) { return each.object < id; });
  return body != definition.bodies.end() && body->object == object &&
         definition.kinds[body->kind].motion == Motion::kDynamic;
}

absl::Status CheckJoint(const PhysicsDefinition& definition, size_t index) {
  const JointDefinition& joint = definition.joints[index];
  const std::string name = fmt::format("joints[{}]", index);
  FieldChecker checker(name);
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
  checker.Require(IsDynamic(definition, joint.object_a) ||
                      IsDynamic(definition, joint.object_b),
                  "object_a", "can't move, and no more can object_b");
  if (!checker.status().ok()) return checker.status();
  return ValidateJoint(joint, name);
}

absl::Status CheckJointTemplate(const PhysicsDefinition& definition,
                                size_t index) {
  const JointDefinition& joint = definition.joint_templates[index];
  const std::string name = fmt::format("joint_templates[{}]", index);
  FieldChecker checker(name);
  checker.Require(joint.name != kNoId, "name", "is empty");
  checker.Require(
      index == 0 || definition.joint_templates[index - 1].name < joint.name,
      "name", "does not come after that of the template before it");
  checker.Require(joint.object_a == kNoObject && joint.object_b == kNoObject,
                  "object_a", "is given, but bodies come with the joint");
  if (!checker.status().ok()) return checker.status();
  return ValidateJoint(joint, name);
}

const JointDefinition* FindIn(const std::vector<JointDefinition>& joints,
                              Id name) {
  const auto found = std::lower_bound(
      joints.begin(), joints.end(), name,
      [](const JointDefinition& joint, Id id) { return joint.name < id; });
  return found != joints.end() && found->name == name ? &*found : nullptr;
}

absl::Status CheckStep(const PhysicsDefinition& definition) {
  FieldChecker checker("physics");
  checker.RequireWithin(definition.gravity_m_s2, kSpeedMax, "gravity_m_s2");
  checker.RequireInRange(definition.tick_s, 1e-6, 1.0, "tick_s");
  checker.RequireInRange(definition.substeps, 1, kSubstepsMax, "substeps");
  return checker.status();
}

}  // namespace

absl::Status ValidatePhysicsDefinition(const PhysicsDefinition& definition) {
  if (definition.kinds.size() > kKindsMax ||
      definition.bodies.size() > kBodiesMax ||
      definition.joints.size() > kJointsMax ||
      definition.joint_templates.size() > kJointsMax) {
    return absl::ResourceExhaustedError(fmt::format(
        "{} kinds, {} bodies, {} joints and {} templates of joints; at most "
        "{}, {}, {} and {} are possible",
        definition.kinds.size(), definition.bodies.size(),
        definition.joints.size(), definition.joint_templates.size(), kKindsMax,
        kBodiesMax, kJointsMax, kJointsMax));
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
  for (size_t i = 0; status.ok() && i < definition.joint_templates.size();
       ++i) {
    status = CheckJointTemplate(definition, i);
  }
  return status;
}

absl::Status ValidateBodyPlacement(const PhysicsDefinition& definition,
                                   const BodyPlacement& body) {
  return CheckPlacement(definition, body,
                        fmt::format("body of object {}", body.object.serial));
}

BodyPlacement WithinBounds(BodyPlacement body) {
  const auto cut = [](Vector3& v, double bound) {
    for (double* const value : {&v.x, &v.y, &v.z}) {
      *value = IsFinite(*value) ? std::clamp(*value, -bound, bound) : 0.0;
    }
  };
  cut(body.position, kPositionMaxM);
  cut(body.linear_velocity_m_s, kSpeedMax);
  cut(body.angular_velocity_rad_s, kSpeedMax);
  const Quaternion& q = body.rotation;
  const double length_squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  body.rotation = length_squared > 0.5 && length_squared < 2.0
                      ? Normalized(body.rotation)
                      : Quaternion();
  return body;
}

std::string MeshProblem(const MeshShape& mesh) {
  if (mesh.vertices.size() > kMeshVerticesMax || mesh.triangles.empty() ||
      mesh.triangles.size() > kMeshTrianglesMax) {
    return fmt::format(
        "{} vertices and {} triangles; up to {} and 1 to {} are possible",
        mesh.vertices.size(), mesh.triangles.size(), kMeshVerticesMax,
        kMeshTrianglesMax);
  }
  for (size_t i = 0; i < mesh.vertices.size(); ++i) {
    for (const auto axis : {&Vector3::x, &Vector3::y, &Vector3::z}) {
      const double value = mesh.vertices[i].*axis;
      if (Abs(value) <= kSizeMaxM) continue;
      return fmt::format("vertex {}: {} is not within +-{}", i, value,
                         kSizeMaxM);
    }
  }
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    const TriangleCorners& corners = mesh.triangles[i];
    for (const uint32_t corner : corners) {
      if (corner < mesh.vertices.size()) continue;
      return fmt::format("triangle {}: there is no vertex {}, only {}", i,
                         corner, mesh.vertices.size());
    }
    const Vector3 a = mesh.vertices[corners[0]];
    const Vector3 across =
        Cross(mesh.vertices[corners[1]] - a, mesh.vertices[corners[2]] - a);
    if (Length(across) < kTriangleSizeMinM * kTriangleSizeMinM) {
      return fmt::format("triangle {} is degenerate: its corners lie on a line",
                         i);
    }
  }
  return "";
}

CollisionFilter FilterOf(const BodyKind& kind, const ShapeDefinition& shape,
                         uint32_t primitive) {
  const CollisionFilter of_kind = {.layers = kind.layers,
                                   .collides_with = kind.collides_with};
  const auto* const solid = std::get_if<SolidShape>(&shape);
  if (solid == nullptr) return of_kind;
  return solid->primitives[primitive].filter.value_or(of_kind);
}

CollisionFilter UnionFilter(const BodyKind& kind,
                            const ShapeDefinition& shape) {
  if (!std::holds_alternative<SolidShape>(shape)) {
    return FilterOf(kind, shape, 0);
  }
  CollisionFilter all = {.layers = 0, .collides_with = 0};
  for (uint32_t i = 0; i < PrimitiveCount(shape); ++i) {
    const CollisionFilter filter = FilterOf(kind, shape, i);
    all.layers |= filter.layers;
    all.collides_with |= filter.collides_with;
  }
  return all;
}

bool CanTouch(const BodyKind& a, const BodyKind& b) {
  if (a.motion == Motion::kDynamic || b.motion == Motion::kDynamic) return true;
  const bool one_moves =
      a.motion == Motion::kKinematic || b.motion == Motion::kKinematic;
  return one_moves && (a.is_trigger || b.is_trigger);
}

const JointDefinition* FindJoint(const PhysicsDefinition& definition, Id name) {
  return FindIn(definition.joints, name);
}

const JointDefinition* FindJointTemplate(const PhysicsDefinition& definition,
                                         Id name) {
  return FindIn(definition.joint_templates, name);
}

}  // namespace reprise::sim
