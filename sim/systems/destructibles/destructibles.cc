// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/destructibles/destructibles.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/objects/body_kinds.h"

namespace reprise::sim {
namespace {

constexpr Id kDestroyedStage = IdOf("destroyed");

constexpr auto kNotes = std::to_array<PropertyNote>({
    {"health", "what damage lowers; at 0 it is destroyed", 0.0},
});

const TypeDefinition& TypeOf(const WorldParts& parts, uint32_t row) {
  return parts.definition.types[parts.objects.TypeOf(row)];
}

// The component's row of an object of a destructible type.
const DestructibleRow& RowOf(const WorldParts& parts, uint32_t row,
                             const DestructibleDefinition& definition) {
  return parts.state
      .table(parts.tables.objects.components[definition.component])
      .Get<DestructibleRow>(
          parts.objects.ComponentRow(row, definition.component));
}

DestructibleRow& MutableRowOf(const WorldParts& parts, uint32_t row,
                              const DestructibleDefinition& definition) {
  return parts.state
      .mutable_table(parts.tables.objects.components[definition.component])
      .Mutable<DestructibleRow>(
          parts.objects.ComponentRow(row, definition.component));
}

void LowerHealth(const WorldParts& parts, uint32_t row,
                 const DestructibleDefinition& definition, double amount) {
  // Neither NaN nor anything that heals.
  if (!(amount > 0.0)) return;
  const double before = RowOf(parts, row, definition).health;
  const double after = std::max(before - amount, 0.0);
  if (after != before) MutableRowOf(parts, row, definition).health = after;
}

double DamageOf(double impulse_n_s, const DestructibleDefinition& definition) {
  return definition.damage_per_n_s *
         std::max(impulse_n_s - definition.impulse_min_n_s, 0.0);
}

// What an event `damage` does; a command of a player says it in whole numbers.
double AmountOf(const WorldEvent& event) {
  const EventArgument* const amount = event.arguments.Find(kAmount);
  if (amount == nullptr) return std::numeric_limits<double>::infinity();
  if (amount->value.type == ScalarType::kDouble) {
    return amount->value.AsDouble();
  }
  if (amount->value.type == ScalarType::kInt64) {
    return static_cast<double>(static_cast<int64_t>(amount->value.bits));
  }
  return 0.0;
}

void TakeContacts(const WorldParts& parts) {
  for (const BodyContact& contact : parts.physics.contacts()) {
    for (const ObjectId object : {contact.object_a, contact.object_b}) {
      const uint32_t row = parts.objects.RowOf(parts.state, object);
      if (row == kNoRow) continue;
      const auto& definition = TypeOf(parts, row).destructible;
      if (!definition.has_value()) continue;
      LowerHealth(parts, row, *definition,
                  DamageOf(contact.impulse_n_s, *definition));
    }
  }
}

int64_t StageAt(double health, const DestructibleDefinition& definition) {
  if (!(health > 0.0)) {
    return static_cast<int64_t>(definition.stages.size()) + 1;
  }
  int64_t stage = 0;
  for (const DestructionStage& each : definition.stages) {
    if (health <= each.health_max) ++stage;
  }
  return stage;
}

// How the object moves, by its body; at rest where it has none.
struct Movement {
  Transform place;
  Vector3 linear_velocity;
  Vector3 angular_velocity;
};

Movement MovementOf(const WorldParts& parts, uint32_t row, ObjectId object) {
  Movement movement{.place = PlaceOf(parts, parts.state, row)};
  const std::optional<uint32_t> body =
      FindBody(parts.state, parts.tables.physics, object);
  if (!body.has_value()) return movement;
  const auto& body_row =
      parts.state.table(parts.tables.physics.bodies).Get<BodyRow>(*body);
  movement.linear_velocity = body_row.linear_velocity;
  movement.angular_velocity = body_row.angular_velocity;
  return movement;
}

// `v` with each component cut to the bound that physics has for it.
Vector3 Within(Vector3 v, double bound) {
  return {std::clamp(v.x, -bound, bound), std::clamp(v.y, -bound, bound),
          std::clamp(v.z, -bound, bound)};
}

void LeaveDebris(const WorldParts& parts, uint32_t row, ObjectId object,
                 const DestructibleDefinition& definition) {
  const Movement movement = MovementOf(parts, row, object);
  for (const DebrisDefinition& debris : definition.debris) {
    const std::optional<uint32_t> archetype =
        parts.definition.FindArchetype(debris.archetype);
    CHECK(archetype.has_value());
    const Transform place = movement.place * debris.place;
    const Vector3 offset = place.position - movement.place.position;
    const Vector3 velocity =
        movement.linear_velocity + Cross(movement.angular_velocity, offset) +
        ToMatrix3(movement.place.rotation) * debris.linear_velocity_m_s;
    const auto result = parts.objects.RequestSpawn(
        parts.state,
        {.archetype = *archetype,
         .place = {.position = Within(place.position, kPositionMaxM),
                   .rotation = place.rotation},
         .linear_velocity_m_s = Within(velocity, kSpeedMax),
         .angular_velocity_rad_s =
             Within(movement.angular_velocity, kSpeedMax)});
    if (result.refusal != SpawnRefusal::kNone) {
      TellObject(parts, kSpawnRefused, object,
                 {{kType, FieldValue::OfId(debris.archetype)}});
    }
  }
}

void EnterStage(const WorldParts& parts, uint32_t row,
                const DestructibleDefinition& definition, int64_t stage) {
  const auto& object_row =
      parts.state.table(parts.tables.objects.objects).Get<ObjectRow>(row);
  const ObjectId object = object_row.object;
  const Handle handle = object_row.handle;
  DestructibleRow& own = MutableRowOf(parts, row, definition);
  own.stage = stage;
  const bool is_destroyed =
      stage > static_cast<int64_t>(definition.stages.size());
  const Id name =
      is_destroyed ? kDestroyedStage : definition.stages[stage - 1].name;
  TellObject(parts, kStageChanged, object,
             {{kStage, FieldValue::OfId(name)},
              {kHealth, FieldValue::OfDouble(own.health)}});
  if (is_destroyed) {
    LeaveDebris(parts, row, object, definition);
    parts.objects.RequestDestroy(parts.state, handle);
    return;
  }
  const absl::Status status = ChangeBodyKind(
      parts.state, parts.tables.physics, parts.definition.physics, object,
      definition.stages[stage - 1].body_kind);
  CHECK(status.ok(), "{}", status.ToString());
}

}  // namespace

ComponentDefinition DestructibleComponent() {
  return NativeComponent<DestructibleRow>("breaks in stages", kNotes);
}

bool TakeDamage(const WorldParts& parts, uint32_t row,
                const WorldEvent& event) {
  if (event.type != kDamage && event.type != kBlast) return false;
  const auto& definition = TypeOf(parts, row).destructible;
  if (!definition.has_value()) return false;
  if (event.type == kBlast) {
    const absl::StatusOr<double> impulse = event.arguments.GetDouble(kImpulse);
    if (!impulse.ok()) return false;
    LowerHealth(parts, row, *definition, DamageOf(*impulse, *definition));
    return true;
  }
  LowerHealth(parts, row, *definition, AmountOf(event));
  return true;
}

void BreakObjects(const WorldParts& parts) {
  TakeContacts(parts);
  for (uint32_t type = 0; type < parts.definition.types.size(); ++type) {
    const auto& definition = parts.definition.types[type].destructible;
    if (!definition.has_value()) continue;
    for (const uint32_t row : parts.objects.RowsOfType(type)) {
      const auto& object =
          parts.state.table(parts.tables.objects.objects).Get<ObjectRow>(row);
      if (object.status != ObjectStatus::kActive) continue;
      const DestructibleRow& own = RowOf(parts, row, *definition);
      const int64_t stage = StageAt(own.health, *definition);
      // What is broken stays broken, whoever heals it.
      if (stage > std::max<int64_t>(own.stage, 0))
        EnterStage(parts, row, *definition, stage);
    }
  }
}

}  // namespace reprise::sim
