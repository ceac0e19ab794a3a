// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/bodies/body_lifecycle.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "fmt/format.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/bodies/body_rows.h"
#include "sim/physics/bodies/joint_rows.h"
#include "sim/physics/shapes/body_bounds.h"

namespace reprise::sim {
namespace {

// Puts `row` before row `place`.
template <typename Row>
void InsertRow(const Row& row, uint32_t place, Table& table) {
  table.Insert(place);
  table.Mutable<Row>(place) = row;
}

// Drops the rows from `first` on of which is_dropped(row) holds.
template <typename Row, typename Choice>
void EraseRowsIf(uint32_t first, const Choice& is_dropped, Table& table) {
  uint32_t kept = first;
  for (uint32_t i = first; i < table.row_count(); ++i) {
    const Row row = table.Get<Row>(i);
    if (is_dropped(row)) continue;
    if (kept != i) table.Mutable<Row>(kept) = row;
    ++kept;
  }
  table.Resize(kept);
}

// Where the row with this key is or belongs.
uint32_t PlaceOf(const Table& table, uint64_t key) {
  return table.LowerBound(std::array{key});
}

std::optional<uint32_t> FindJointRow(const Table& joints, Id name) {
  const uint32_t row = PlaceOf(joints, name.value);
  if (row == joints.row_count() || joints.Get<JointRow>(row).name != name) {
    return std::nullopt;
  }
  return row;
}

absl::Status NoBody(ObjectId object) {
  return absl::NotFoundError(
      fmt::format("object {} has no body", object.serial));
}

void RemoveContactPoints(State& state, const PhysicsTables& tables,
                         const PhysicsDefinition& definition, ObjectId object) {
  const auto is_its_own = [object](const ContactPointRow& row) {
    return row.object_a == object || row.object_b == object;
  };
  std::optional<uint32_t> first;
  const Table& points = state.table(tables.contact_points);
  for (uint32_t i = 0; i < points.row_count(); ++i) {
    const auto& row = points.Get<ContactPointRow>(i);
    if (!is_its_own(row)) continue;
    if (!first.has_value()) first = i;
    WakeObject(state, tables, definition,
               row.object_a == object ? row.object_b : row.object_a);
  }
  if (!first.has_value()) return;
  EraseRowsIf<ContactPointRow>(*first, is_its_own,
                               state.mutable_table(tables.contact_points));
}

// Takes away the contact points of two bodies that no longer touch because a
// joint holds them: nobody would look at them again.
void RemoveContactsOfJoined(State& state, const PhysicsTables& tables,
                            const JointDefinition& joint, ObjectId object_a,
                            ObjectId object_b) {
  if (joint.bodies_collide) return;
  const auto [first, second] = std::minmax(object_a, object_b);
  const auto is_theirs = [first = first,
                          second = second](const ContactPointRow& row) {
    return row.object_a == first && row.object_b == second;
  };
  const Table& points = state.table(tables.contact_points);
  const uint32_t row =
      points.LowerBound(std::array{first.serial, second.serial});
  if (row == points.row_count() ||
      !is_theirs(points.Get<ContactPointRow>(row))) {
    return;
  }
  EraseRowsIf<ContactPointRow>(row, is_theirs,
                               state.mutable_table(tables.contact_points));
}

// Lets those sleepers look around that a new body may touch.
void WakeAround(State& state, const PhysicsTables& tables,
                const PhysicsDefinition& definition, const BodyRow& added) {
  // As far as Bullet keeps contact points.
  constexpr Vector3 kReach = {0.02, 0.02, 0.02};
  const auto bounds = [&](const BodyRow& row) {
    const BodyKind& kind = definition.kinds[row.kind];
    return BoundsOf(definition.shapes[kind.shape], row.position, row.basis);
  };
  AxisAlignedBox around = bounds(added);
  around.low = around.low - kReach;
  around.high = around.high + kReach;
  const Table& bodies = state.table(tables.bodies);
  for (uint32_t i = 0; i < bodies.row_count(); ++i) {
    const auto& row = bodies.Get<BodyRow>(i);
    if (row.activation != Activation::kAsleep || row.object == added.object ||
        definition.kinds[row.kind].motion != Motion::kDynamic ||
        !Meet(bounds(row), around)) {
      continue;
    }
    Wake(state, tables, i, MassProperties{.inverse_mass = 1.0});
  }
}

void RemoveJointRow(State& state, const PhysicsTables& tables,
                    const PhysicsDefinition& definition,
                    const JointDefinition& joint, uint32_t row) {
  EraseRowsIf<JointRow>(
      row, [&](const JointRow& other) { return other.name == joint.name; },
      state.mutable_table(tables.joints));
  WakeObject(state, tables, definition, joint.object_a);
  WakeObject(state, tables, definition, joint.object_b);
}

// Takes away the joints made from templates that hold the object.
void RemoveSpawnedJoints(State& state, const PhysicsTables& tables,
                         const PhysicsDefinition& definition, ObjectId object) {
  const auto holds_it = [object](const SpawnedJointRow& row) {
    return row.object_a == object || row.object_b == object;
  };
  std::optional<uint32_t> first;
  const Table& joints = state.table(tables.spawned_joints);
  for (uint32_t i = 0; i < joints.row_count(); ++i) {
    const auto& row = joints.Get<SpawnedJointRow>(i);
    if (!holds_it(row)) continue;
    if (!first.has_value()) first = i;
    WakeObject(state, tables, definition,
               row.object_a == object ? row.object_b : row.object_a);
  }
  if (!first.has_value()) return;
  EraseRowsIf<SpawnedJointRow>(*first, holds_it,
                               state.mutable_table(tables.spawned_joints));
}

}  // namespace

absl::Status AddBody(State& state, const PhysicsTables& tables,
                     const PhysicsDefinition& definition,
                     const BodyPlacement& placement) {
  absl::Status status = ValidateBodyPlacement(definition, placement);
  if (!status.ok()) return status;
  Table& bodies = state.mutable_table(tables.bodies);
  if (HasBody(bodies, placement.object)) {
    return absl::AlreadyExistsError(
        fmt::format("object {} has a body", placement.object.serial));
  }
  if (bodies.row_count() >= kBodiesMax) {
    return absl::ResourceExhaustedError(
        fmt::format("there are {} bodies", bodies.row_count()));
  }
  const BodyKind& kind = definition.kinds[placement.kind];
  const BodyRow row = InitialRow(placement, kind);
  InsertRow(row, PlaceOf(bodies, placement.object.serial), bodies);
  if (kind.motion != Motion::kDynamic) {
    WakeAround(state, tables, definition, row);
  }
  return absl::OkStatus();
}

absl::Status RemoveBody(State& state, const PhysicsTables& tables,
                        const PhysicsDefinition& definition, ObjectId object) {
  const std::optional<uint32_t> body = FindBody(state, tables, object);
  if (!body.has_value()) return NoBody(object);
  RemoveContactPoints(state, tables, definition, object);
  for (const JointDefinition& joint : definition.joints) {
    if (joint.object_a != object && joint.object_b != object) continue;
    const std::optional<uint32_t> row =
        FindJointRow(state.table(tables.joints), joint.name);
    if (!row.has_value()) continue;
    RemoveJointRow(state, tables, definition, joint, *row);
  }
  RemoveSpawnedJoints(state, tables, definition, object);
  EraseRowsIf<BodyRow>(
      *body, [object](const BodyRow& row) { return row.object == object; },
      state.mutable_table(tables.bodies));
  return absl::OkStatus();
}

absl::Status ChangeBodyKind(State& state, const PhysicsTables& tables,
                            const PhysicsDefinition& definition,
                            ObjectId object, uint32_t kind) {
  const std::optional<uint32_t> body = FindBody(state, tables, object);
  if (!body.has_value()) return NoBody(object);
  const uint64_t before = state.table(tables.bodies).Get<BodyRow>(*body).kind;
  if (kind >= definition.kinds.size() ||
      definition.kinds[kind].motion != definition.kinds[before].motion) {
    return absl::InvalidArgumentError(
        fmt::format("object {} can't become of kind {}", object.serial, kind));
  }
  if (kind == before) return absl::OkStatus();
  RemoveContactPoints(state, tables, definition, object);
  BodyRow& row = state.mutable_table(tables.bodies).Mutable<BodyRow>(*body);
  row.kind = kind;
  row.linear_velocity =
      Unlocked(definition.kinds[kind].locked_position, row.linear_velocity);
  row.angular_velocity =
      Unlocked(definition.kinds[kind].locked_rotation, row.angular_velocity);
  const BodyRow changed = row;
  WakeObject(state, tables, definition, object);
  WakeAround(state, tables, definition, changed);
  return absl::OkStatus();
}

absl::Status AddJoint(State& state, const PhysicsTables& tables,
                      const PhysicsDefinition& definition, Id name) {
  const JointDefinition* const joint = FindJoint(definition, name);
  if (joint == nullptr) {
    return absl::NotFoundError(fmt::format("no joint {:x}", name.value));
  }
  Table& joints = state.mutable_table(tables.joints);
  if (FindJointRow(joints, name).has_value()) {
    return absl::AlreadyExistsError(
        fmt::format("joint {:x} is there", name.value));
  }
  for (const ObjectId object : {joint->object_a, joint->object_b}) {
    if (object == kNoObject || HasBody(state.table(tables.bodies), object)) {
      continue;
    }
    return absl::FailedPreconditionError(fmt::format(
        "joint {:x}: object {} has no body", name.value, object.serial));
  }
  InsertRow(InitialRow(*joint), PlaceOf(joints, name.value), joints);
  RemoveContactsOfJoined(state, tables, *joint, joint->object_a,
                         joint->object_b);
  WakeObject(state, tables, definition, joint->object_a);
  WakeObject(state, tables, definition, joint->object_b);
  return absl::OkStatus();
}

absl::Status RemoveJoint(State& state, const PhysicsTables& tables,
                         const PhysicsDefinition& definition, Id name) {
  const std::optional<uint32_t> row =
      FindJointRow(state.table(tables.joints), name);
  const JointDefinition* const joint = FindJoint(definition, name);
  if (!row.has_value() || joint == nullptr) {
    return absl::NotFoundError(fmt::format("no joint {:x}", name.value));
  }
  RemoveJointRow(state, tables, definition, *joint, *row);
  return absl::OkStatus();
}

absl::Status AddSpawnedJoint(State& state, const PhysicsTables& tables,
                             const PhysicsDefinition& definition,
                             const JointPlacement& placement) {
  const JointDefinition* const joint =
      FindJointTemplate(definition, placement.joint);
  if (joint == nullptr) {
    return absl::NotFoundError(
        fmt::format("no template {:x}", placement.joint.value));
  }
  if (placement.owner == kNoObject ||
      placement.object_a == placement.object_b) {
    return absl::InvalidArgumentError(
        fmt::format("joint {:x}: an owner and two objects are needed",
                    placement.joint.value));
  }
  Table& joints = state.mutable_table(tables.spawned_joints);
  const uint32_t place = joints.LowerBound(
      std::array{placement.owner.serial, placement.joint.value});
  SpawnedJointRow row = {};
  row.owner = placement.owner;
  row.joint = placement.joint;
  row.object_a = placement.object_a;
  row.object_b = placement.object_b;
  if (place < joints.row_count() &&
      !ComesBefore(KeyOf(row), KeyOf(joints.Get<SpawnedJointRow>(place)))) {
    return absl::AlreadyExistsError(fmt::format("object {} has a joint {:x}",
                                                placement.owner.serial,
                                                placement.joint.value));
  }
  const Table& bodies = state.table(tables.bodies);
  if (!HasBody(bodies, placement.object_a) ||
      (placement.object_b != kNoObject &&
       !HasBody(bodies, placement.object_b))) {
    return absl::FailedPreconditionError(fmt::format(
        "joint {:x}: an object has no body", placement.joint.value));
  }
  if (joints.row_count() >= kJointsMax) {
    return absl::ResourceExhaustedError(
        fmt::format("there are {} joints", joints.row_count()));
  }
  InitializeJoint(*joint, row);
  InsertRow(row, place, joints);
  RemoveContactsOfJoined(state, tables, *joint, placement.object_a,
                         placement.object_b);
  WakeObject(state, tables, definition, placement.object_a);
  WakeObject(state, tables, definition, placement.object_b);
  return absl::OkStatus();
}

void WakeObject(State& state, const PhysicsTables& tables,
                const PhysicsDefinition& definition, ObjectId object) {
  const std::optional<uint32_t> body = FindBody(state, tables, object);
  if (!body.has_value()) return;
  const auto& row = state.table(tables.bodies).Get<BodyRow>(*body);
  if (definition.kinds[row.kind].motion != Motion::kDynamic) return;
  // Of its mass only that it isn't infinite matters here.
  Wake(state, tables, *body, MassProperties{.inverse_mass = 1.0});
}

}  // namespace reprise::sim
