// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/joints/joint_events.h"

#include <optional>

#include "sim/physics/bodies/joint_motors.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"

namespace reprise::sim {
namespace {

// A number, whole or not: commands of players only have whole ones.
std::optional<double> NumberOf(const EventArguments& arguments, Id name) {
  if (const auto number = arguments.GetDouble(name); number.ok()) {
    return *number;
  }
  if (const auto number = arguments.GetInt64(name); number.ok()) {
    return static_cast<double>(*number);
  }
  return std::nullopt;
}

}  // namespace

void TellBrokenJoints(const WorldParts& parts) {
  for (const PhysicsWorld::BrokenJoint& joint : parts.physics.broken_joints()) {
    for (const ObjectId object : {joint.object_a, joint.object_b}) {
      if (object == kNoObject) continue;
      TellObject(parts, kJointBroken, object,
                 {{kJoint, FieldValue::OfId(joint.name)}});
    }
  }
}

bool HearJointMotor(const WorldParts& parts, uint32_t row,
                    const WorldEvent& event) {
  const ObjectId object = parts.state.table(parts.tables.objects.objects)
                              .Get<ObjectRow>(row)
                              .object;
  return ChangeMotors(parts.state, parts.tables.physics,
                      parts.definition.physics, object,
                      event.arguments.GetId(kJoint).value_or(kNoId),
                      {.target = NumberOf(event.arguments, kTarget),
                       .impulse_max = NumberOf(event.arguments, kImpulseMax)})
      .ok();
}

}  // namespace reprise::sim
