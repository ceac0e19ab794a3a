// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/rollers/rollers.h"

#include <cstdint>
#include <optional>

#include "sim/geometry/vector3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/inputs/input_tables.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kUp = {0.0, 1.0, 0.0};

// What is steeper is a wall, from which nobody jumps: the cosine of 84 degrees.
constexpr double kGroundCosineMin = 0.1;

bool StandsOnSomething(const WorldParts& parts, ObjectId object) {
  const Table& points = parts.state.table(parts.tables.physics.contact_points);
  for (uint32_t row = 0; row < points.row_count(); ++row) {
    const auto& point = points.Get<ContactPointRow>(row);
    if (point.distance > 0.0) continue;
    // The normal points out of the second body.
    const double up = point.object_a == object   ? point.normal.y
                      : point.object_b == object ? -point.normal.y
                                                 : 0.0;
    if (up > kGroundCosineMin) return true;
  }
  return false;
}

void Roll(const WorldParts& parts, ObjectId object,
          const RollerDefinition& roller) {
  const PhysicsTables& tables = parts.tables.physics;
  const auto& device = parts.state.table(parts.tables.input.devices)
                           .Get<DeviceRow>(roller.player);
  const uint32_t body = *FindBody(parts.state, tables, object);
  const auto& row = parts.state.table(tables.bodies).Get<BodyRow>(body);
  const MassProperties& mass = parts.physics.mass_properties(row.kind);
  const Vector3 stick = {
      static_cast<double>(device.axes[roller.axis_x]) / kAxisMax, 0.0,
      static_cast<double>(device.axes[roller.axis_z]) / kAxisMax};
  if (stick != Vector3{}) {
    ApplyForce(parts.state, tables, body, mass, roller.force_n * stick);
  }
  if (!roller.jump_button.has_value()) return;
  if (!IsPressed(parts.state, parts.tables.input, roller.player,
                 *roller.jump_button)) {
    return;
  }
  if (!StandsOnSomething(parts, object)) return;
  ApplyImpulse(parts.state, tables, body, mass, roller.jump_impulse_ns * kUp);
  TellObject(parts, kJumped, object, {});
}

}  // namespace

void RunRollers(const WorldParts& parts) {
  for (uint32_t type = 0; type < parts.definition.types.size(); ++type) {
    const std::optional<RollerDefinition>& roller =
        parts.definition.types[type].roller;
    if (!roller.has_value()) continue;
    for (const uint32_t row : parts.objects.RowsOfType(type)) {
      const auto& object =
          parts.state.table(parts.tables.objects.objects).Get<ObjectRow>(row);
      if (object.status == ObjectStatus::kActive) {
        Roll(parts, object.object, *roller);
      }
    }
  }
}

}  // namespace reprise::sim
