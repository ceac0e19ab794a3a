// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/body_lifecycle.h"

#include <array>
#include <cstdint>
#include <optional>

#include "fmt/format.h"
#include "sim/physics/body_forces.h"
#include "sim/physics/body_rows.h"

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

// Lets the object's body look around if it is dynamic and sleeps.
void WakeObject(State& state, const PhysicsTables& tables,
                const PhysicsDefinition& definition, ObjectId object) {
  const std::optional<uint32_t> body = FindBody(state, tables, object);
  if (!body.has_value()) return;
  const auto& row = state.table(tables.bodies).Get<BodyRow>(*body);
  if (definition.kinds[row.kind].motion != Motion::kDynamic) return;
  // Of its mass only that it isn't infinite matters here.
  Wake(state, tables, *body, MassProperties{.inverse_mass = 1.0});
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

void RemoveJointRow(State& state, const PhysicsTables& tables,
                    const PhysicsDefinition& definition,
                    const JointDefinition& joint, uint32_t row) {
  EraseRowsIf<JointRow>(
      row, [&](const JointRow& other) { return other.name == joint.name; },
      state.mutable_table(tables.joints));
  WakeObject(state, tables, definition, joint.object_a);
  WakeObject(state, tables, definition, joint.object_b);
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
  InsertRow(InitialRow(placement, definition.kinds[placement.kind]),
            PlaceOf(bodies, placement.object.serial), bodies);
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
  EraseRowsIf<BodyRow>(
      *body, [object](const BodyRow& row) { return row.object == object; },
      state.mutable_table(tables.bodies));
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

}  // namespace reprise::sim
