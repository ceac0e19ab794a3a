// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/joints/joint_system.h"

#include <optional>

#include "sim/physics/bodies/joint_motors.h"
#include "sim/physics/physics_world.h"
#include "sim/systems/joints/joint_events.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/world_parts.h"

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

const SystemDeclaration& JointsDeclaration() {
  static const SystemDeclaration declaration = {
      .name = JointsDefinition::kSystem,
      .help = "joints that tell when they break, and motors that hear events",
      .steps = {{.name = "broken joints",
                 .point = StepPoint::kPhysics,
                 .after = {kSolverStep.name},
                 .writes = {"events"}}},
      .events = kJointEvents,
      .handles = {kJointMotor}};
  return declaration;
}

std::unique_ptr<System> JointsDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Joints>(place);
}

void Joints::Run([[maybe_unused]] uint32_t step) {
  for (const PhysicsWorld::BrokenJoint& joint :
       parts().physics.broken_joints()) {
    for (const ObjectId object : {joint.object_a, joint.object_b}) {
      if (object == kNoObject) continue;
      TellObject(parts(), kJointBroken, object,
                 {{kJoint, FieldValue::OfId(joint.name)}});
    }
  }
}

bool Joints::OnEvent(uint32_t row, const WorldEvent& event) {
  const auto& object =
      state().table(parts().tables.objects.objects).Get<ObjectRow>(row);
  if (object.status != ObjectStatus::kActive) return false;
  return ChangeMotors(state(), parts().tables.physics,
                      parts().definition.physics, object.object,
                      event.arguments.GetId(kJoint).value_or(kNoId),
                      {.target = NumberOf(event.arguments, kTarget),
                       .impulse_max = NumberOf(event.arguments, kImpulseMax)})
      .ok();
}

}  // namespace reprise::sim
