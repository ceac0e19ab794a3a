// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Joints as the game drives them: changes of their rows that the next step
// takes over, and that wake what the joints hold.

#ifndef REPRISE_SIM_PHYSICS_BODIES_JOINT_MOTORS_H_
#define REPRISE_SIM_PHYSICS_BODIES_JOINT_MOTORS_H_

#include <optional>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/state.h"

namespace reprise::sim {

// What becomes of a motor; what isn't given stays.
struct MotorChange {
  std::optional<double> target;       // as JointMotor::target
  std::optional<double> impulse_max;  // as JointMotor::impulse_max
};

// Changes the motors of the joints that hold `object`, or that came for it:
// those named `joint`, or all of them with kNoId. INVALID_ARGUMENT for numbers
// that no motor could have, NOT_FOUND when there is no such motor.
absl::Status ChangeMotors(State& state, const PhysicsTables& tables,
                          const PhysicsDefinition& definition, ObjectId object,
                          Id joint, const MotorChange& change);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BODIES_JOINT_MOTORS_H_
