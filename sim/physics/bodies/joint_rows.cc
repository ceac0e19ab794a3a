// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/bodies/joint_rows.h"

#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/physics/bodies/body_rows.h"

namespace reprise::sim {
namespace {

template <typename Row>
absl::Status Complaint(uint32_t row, std::string_view text) {
  return absl::DataLossError(
      fmt::format("physics.{}[{}] {}", Row::kTable, row, text));
}

// Checks what rows of both kinds have in common; `joint` is null for one that
// isn't of the definition.
template <typename Row>
absl::Status CheckRow(const Table& joints, uint32_t i, const Table& bodies,
                      const JointDefinition* joint, ObjectId object_a,
                      ObjectId object_b) {
  const auto& row = joints.Get<Row>(i);
  if (i > 0 && !ComesBefore(KeyOf(joints.Get<Row>(i - 1)), KeyOf(row))) {
    return Complaint<Row>(i, "does not come after the one before it");
  }
  if (joint == nullptr) {
    return Complaint<Row>(i, "is no joint of the definition");
  }
  if (!HasBody(bodies, object_a) ||
      (object_b != kNoObject && !HasBody(bodies, object_b)) ||
      object_a == object_b) {
    return Complaint<Row>(i, "holds a body that isn't there");
  }
  if (!IsUsableJoint(row))
    return Complaint<Row>(i, "is not a state of a joint");
  return absl::OkStatus();
}

}  // namespace

bool ComesBefore(const JointKey& a, const JointKey& b) {
  return std::pair(a.owner, a.name) < std::pair(b.owner, b.name);
}

JointRow InitialRow(const JointDefinition& definition) {
  JointRow row = {};
  row.name = definition.name;
  InitializeJoint(definition, row);
  return row;
}

absl::Status CheckJointRows(const Table& joints, const Table& bodies,
                            const PhysicsDefinition& definition) {
  for (uint32_t i = 0; i < joints.row_count(); ++i) {
    const JointDefinition* const joint =
        FindJoint(definition, joints.Get<JointRow>(i).name);
    const absl::Status status =
        CheckRow<JointRow>(joints, i, bodies, joint,
                           joint == nullptr ? kNoObject : joint->object_a,
                           joint == nullptr ? kNoObject : joint->object_b);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CheckSpawnedJointRows(const Table& joints, const Table& bodies,
                                   const PhysicsDefinition& definition) {
  if (joints.row_count() > kJointsMax) {
    return Complaint<SpawnedJointRow>(kJointsMax, "is one too many");
  }
  for (uint32_t i = 0; i < joints.row_count(); ++i) {
    const auto& row = joints.Get<SpawnedJointRow>(i);
    if (row.owner == kNoObject) {
      return Complaint<SpawnedJointRow>(i, "came for no object");
    }
    const absl::Status status = CheckRow<SpawnedJointRow>(
        joints, i, bodies, FindJointTemplate(definition, row.joint),
        row.object_a, row.object_b);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
