// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/bodies/joint_motors.h"

#include <cstdint>

#include "fmt/format.h"
#include "sim/physics/bodies/body_lifecycle.h"

namespace reprise::sim {
namespace {

// Changes motors of rows, and counts those that were meant.
class MotorChanger {
 public:
  MotorChanger(State& state, const PhysicsTables& tables,
               const PhysicsDefinition& definition, const MotorChange& change)
      : state_(state),
        tables_(tables),
        definition_(definition),
        change_(change) {}

  uint32_t count() const { return count_; }

  // Of row `row` of `table`, which is a joint between two objects.
  template <typename Row>
  void Change(TableIndex table, uint32_t row, const JointDefinition& joint,
              ObjectId object_a, ObjectId object_b) {
    if (MotorOf(joint) == nullptr) return;
    ++count_;
    const auto& before = state_.table(table).Get<Row>(row);
    const double target = change_.target.value_or(before.motor_target);
    const double impulse_max =
        change_.impulse_max.value_or(before.motor_impulse_max);
    if (before.motor_target == target &&
        before.motor_impulse_max == impulse_max) {
      return;
    }
    Row& after = state_.mutable_table(table).Mutable<Row>(row);
    after.motor_target = target;
    after.motor_impulse_max = impulse_max;
    WakeObject(state_, tables_, definition_, object_a);
    WakeObject(state_, tables_, definition_, object_b);
  }

 private:
  State& state_;
  const PhysicsTables& tables_;
  const PhysicsDefinition& definition_;
  const MotorChange& change_;
  uint32_t count_ = 0;
};

// Places and velocities have the same bound here: the tighter one is the
// definition's business, and what is beyond it is never reached.
absl::Status Check(const MotorChange& change) {
  const double target = change.target.value_or(0.0);
  const double impulse_max = change.impulse_max.value_or(0.0);
  const bool is_sound = target >= -kPositionMaxM && target <= kPositionMaxM &&
                        impulse_max >= 0.0 && impulse_max <= kMassMaxKg;
  if (is_sound) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "a motor can't have the target {} and the greatest impulse {}", target,
      impulse_max));
}

}  // namespace

absl::Status ChangeMotors(State& state, const PhysicsTables& tables,
                          const PhysicsDefinition& definition, ObjectId object,
                          Id joint, const MotorChange& change) {
  if (absl::Status status = Check(change); !status.ok()) return status;
  MotorChanger changer(state, tables, definition, change);
  const auto is_meant = [joint](Id name) {
    return joint == kNoId || joint == name;
  };
  const Table& joints = state.table(tables.joints);
  for (uint32_t i = 0; i < joints.row_count(); ++i) {
    const Id name = joints.Get<JointRow>(i).name;
    const JointDefinition* const found = FindJoint(definition, name);
    if (found == nullptr || !is_meant(name)) continue;
    if (found->object_a != object && found->object_b != object) continue;
    changer.Change<JointRow>(tables.joints, i, *found, found->object_a,
                             found->object_b);
  }
  const Table& spawned = state.table(tables.spawned_joints);
  for (uint32_t i = 0; i < spawned.row_count(); ++i) {
    const auto row = spawned.Get<SpawnedJointRow>(i);
    const JointDefinition* const found =
        FindJointTemplate(definition, row.joint);
    if (found == nullptr || !is_meant(row.joint)) continue;
    if (row.owner != object && row.object_a != object &&
        row.object_b != object) {
      continue;
    }
    changer.Change<SpawnedJointRow>(tables.spawned_joints, i, *found,
                                    row.object_a, row.object_b);
  }
  if (changer.count() > 0) return absl::OkStatus();
  return absl::NotFoundError(
      fmt::format("object {} has no motor {:x}", object.serial, joint.value));
}

}  // namespace reprise::sim
