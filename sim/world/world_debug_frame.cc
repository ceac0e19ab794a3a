// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/world_debug_frame.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "fmt/format.h"
#include "sim/geometry/directions.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/outlines.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/joint_definition.h"
#include "sim/physics/definition/shape_definition.h"
#include "sim/state/table.h"
#include "sim/world/joint_outline.h"

namespace reprise::sim {
namespace {

// Of a plane that is a trigger, the part that is shown.
constexpr double kPlaneHalfM = 5.0;

std::vector<Segment> HullOutline(const HullPrimitive& hull) {
  std::set<std::pair<uint32_t, uint32_t>> edges;
  for (const TriangleCorners& face : hull.faces) {
    for (size_t i = 0; i < 3; ++i) {
      edges.insert(std::minmax(face[i], face[(i + 1) % 3]));
    }
  }
  std::vector<Segment> outline;
  for (const auto& [a, b] : edges) {
    outline.push_back({hull.vertices[a], hull.vertices[b]});
  }
  return outline;
}

struct SolidOutline {
  std::vector<Segment> operator()(const SpherePrimitive& ball) const {
    return BallOutline(ball.radius_m);
  }
  std::vector<Segment> operator()(const BoxPrimitive& box) const {
    return BoxOutline(box.half_extents_m);
  }
  std::vector<Segment> operator()(const CapsulePrimitive& capsule) const {
    return CapsuleOutline(capsule.radius_m, capsule.height_m);
  }
  std::vector<Segment> operator()(const CylinderPrimitive& cylinder) const {
    return CylinderOutline(cylinder.radius_m, cylinder.height_m);
  }
  std::vector<Segment> operator()(const ConePrimitive& cone) const {
    return ConeOutline(cone.radius_m, cone.height_m);
  }
  std::vector<Segment> operator()(const HullPrimitive& hull) const {
    return HullOutline(hull);
  }
};

// In the body's frame; nothing of surfaces, which are no triggers.
std::vector<Segment> ShapeOutline(const ShapeDefinition& shape) {
  std::vector<Segment> outline;
  if (const auto* const plane = std::get_if<PlaneShape>(&shape)) {
    outline = BoxOutline({kPlaneHalfM, 0, kPlaneHalfM});
    const Quaternion turn = RotationBetween({0, 1, 0}, plane->normal);
    for (Segment& segment : outline) {
      for (Vector3& end : segment) {
        end = plane->normal * plane->offset_m + Rotate(turn, end);
      }
    }
  }
  const auto* const solid = std::get_if<SolidShape>(&shape);
  if (solid == nullptr) return outline;
  for (const Primitive& primitive : solid->primitives) {
    for (const auto& [start, end] :
         std::visit(SolidOutline{}, primitive.solid)) {
      outline.push_back({primitive.position + Rotate(primitive.rotation, start),
                         primitive.position + Rotate(primitive.rotation, end)});
    }
  }
  return outline;
}

void AddContacts(const Table& points, const Table& bodies, DebugFrame& frame) {
  for (uint32_t row = 0; row < points.row_count(); ++row) {
    const auto& point = points.Get<ContactPointRow>(row);
    const uint32_t at = bodies.LowerBound(std::array{point.object_b.serial});
    // Points of a body that is gone stay until the next step of physics.
    if (at == bodies.row_count()) continue;
    const auto& body = bodies.Get<BodyRow>(at);
    if (body.object != point.object_b) continue;
    frame.contacts.push_back(
        {.object_a = point.object_a,
         .object_b = point.object_b,
         .point = body.position + body.basis * point.local_b,
         .normal = point.normal,
         .impulse_n_s = point.impulse});
  }
}

void AddTriggers(const PhysicsDefinition& physics, const Table& bodies,
                 const DebugNames& names, DebugFrame& frame) {
  for (uint32_t row = 0; row < bodies.row_count(); ++row) {
    const auto& body = bodies.Get<BodyRow>(row);
    const BodyKind& kind = physics.kinds[body.kind];
    if (!kind.is_trigger) continue;
    DebugGuide guide = {.kind = DebugGuide::Kind::kTrigger,
                        .name = names.object_name(body.object),
                        .owner = body.object,
                        .lines = {}};
    for (const auto& [start, end] : ShapeOutline(physics.shapes[kind.shape])) {
      guide.lines.push_back({body.object, start, body.object, end});
    }
    frame.guides.push_back(std::move(guide));
  }
}

}  // namespace

DebugFrame MakePhysicsDebugFrame(const PhysicsDefinition& physics,
                                 const PhysicsTables& tables,
                                 const State& state, const DebugNames& names) {
  DebugFrame frame;
  const Table& bodies = state.table(tables.bodies);
  AddContacts(state.table(tables.contact_points), bodies, frame);
  const Table& joints = state.table(tables.joints);
  for (uint32_t row = 0; row < joints.row_count(); ++row) {
    const auto& joint = joints.Get<JointRow>(row);
    const JointDefinition& definition = *FindJoint(physics, joint.name);
    frame.guides.push_back(
        {.kind = DebugGuide::Kind::kJoint,
         .name = names.id_name(joint.name),
         .is_active = joint.is_enabled != 0,
         .lines = JointOutline(definition, definition.object_a,
                               definition.object_b)});
  }
  const Table& spawned = state.table(tables.spawned_joints);
  for (uint32_t row = 0; row < spawned.row_count(); ++row) {
    const auto& joint = spawned.Get<SpawnedJointRow>(row);
    const JointDefinition& definition =
        *FindJointTemplate(physics, joint.joint);
    frame.guides.push_back(
        {.kind = DebugGuide::Kind::kJoint,
         .name = fmt::format("{} of {}", names.id_name(joint.joint),
                             names.object_name(joint.object_a)),
         .is_active = joint.is_enabled != 0,
         .lines = JointOutline(definition, joint.object_a, joint.object_b)});
  }
  AddTriggers(physics, bodies, names, frame);
  return frame;
}

}  // namespace reprise::sim
