// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/destructibles/destructible_system.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "sim/game_description.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/systems/destructibles/destructible_events.h"
#include "sim/world/components/component.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

constexpr Id kDestroyedStage = IdOf(kDestroyedStageName);

constexpr auto kNotes = std::to_array<PropertyNote>({
    {"health", "what damage lowers; at 0 it is destroyed", 0.0},
});

const ObjectRow& ObjectAt(const WorldParts& parts, uint32_t row) {
  return parts.state.table(parts.tables.objects.objects).Get<ObjectRow>(row);
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

}  // namespace

const SystemDeclaration& DestructiblesDeclaration() {
  static const SystemDeclaration declaration = {
      .name = DestructiblesDefinition::kSystem,
      .help = "objects that break in stages, and what they leave",
      .steps = {{.name = "destructibles",
                 .point = StepPoint::kContacts,
                 .after = {"contacts"},
                 .writes = {"components.destructible", "events", "physics",
                            "world.allocation", "world.slots"}}},
      .events = kDestructibleEvents,
      .handles = {kBlast, kDamage},
      .components = {NativeComponent<DestructibleRow>("breaks in stages",
                                                      kNotes)},
      .legends = {MakeLegend("components", DestructibleRow::kTable, "stage",
                             kDestructionStageNames)},
      .words = {kDestroyedStageName}};
  return declaration;
}

std::unique_ptr<System> DestructiblesDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Destructibles>(place);
}

Destructibles::Destructibles(const SystemPlace& place)
    : System(place),
      types_(PartsOfTypes<DestructibleDefinition>(place.parts.definition)) {}

void Destructibles::Run([[maybe_unused]] uint32_t step) {
  TakeContacts();
  for (uint32_t type = 0; type < types_.size(); ++type) {
    if (types_[type] == nullptr) continue;
    for (const uint32_t row : parts().objects.RowsOfType(type)) {
      if (ObjectAt(parts(), row).status != ObjectStatus::kActive) continue;
      const DestructibleRow& own = RowOf(row);
      const int64_t stage = StageAt(own.health, *types_[type]);
      // What is broken stays broken, whoever heals it.
      if (stage > std::max<int64_t>(own.stage, 0)) EnterStage(row, stage);
    }
  }
}

bool Destructibles::OnEvent(uint32_t row, const WorldEvent& event) {
  const DestructibleDefinition* const definition = PartOf(row);
  if (definition == nullptr ||
      ObjectAt(parts(), row).status != ObjectStatus::kActive) {
    return false;
  }
  if (event.type == kBlast) {
    const absl::StatusOr<double> impulse = event.arguments.GetDouble(kImpulse);
    if (!impulse.ok()) return false;
    LowerHealth(row, DamageOf(*impulse, *definition));
    return true;
  }
  LowerHealth(row, AmountOf(event));
  return true;
}

const DestructibleDefinition* Destructibles::PartOf(uint32_t row) const {
  return types_[parts().objects.TypeOf(row)];
}

const DestructibleRow& Destructibles::RowOf(uint32_t row) const {
  const uint32_t component = PartOf(row)->component;
  return state()
      .table(parts().tables.objects.components[component])
      .Get<DestructibleRow>(parts().objects.ComponentRow(row, component));
}

DestructibleRow& Destructibles::MutableRowOf(uint32_t row) const {
  const uint32_t component = PartOf(row)->component;
  return state()
      .mutable_table(parts().tables.objects.components[component])
      .Mutable<DestructibleRow>(parts().objects.ComponentRow(row, component));
}

void Destructibles::LowerHealth(uint32_t row, double amount) const {
  // Neither NaN nor anything that heals.
  if (!(amount > 0.0)) return;
  const double before = RowOf(row).health;
  const double after = std::max(before - amount, 0.0);
  if (after != before) MutableRowOf(row).health = after;
}

void Destructibles::TakeContacts() const {
  for (const BodyContact& contact : parts().physics.contacts()) {
    for (const ObjectId object : {contact.object_a, contact.object_b}) {
      const uint32_t row = parts().objects.RowOf(state(), object);
      if (row == kNoRow) continue;
      const DestructibleDefinition* const definition = PartOf(row);
      if (definition == nullptr) continue;
      LowerHealth(row, DamageOf(contact.impulse_n_s, *definition));
    }
  }
}

void Destructibles::EnterStage(uint32_t row, int64_t stage) const {
  const DestructibleDefinition& definition = *PartOf(row);
  const ObjectId object = ObjectAt(parts(), row).object;
  const Handle handle = ObjectAt(parts(), row).handle;
  DestructibleRow& own = MutableRowOf(row);
  own.stage = stage;
  const auto index = static_cast<size_t>(stage - 1);
  const bool is_destroyed = index >= definition.stages.size();
  const Id name =
      is_destroyed ? kDestroyedStage : definition.stages[index].name;
  TellObject(parts(), kStageChanged, object,
             {{kStage, FieldValue::OfId(name)},
              {kHealth, FieldValue::OfDouble(own.health)}});
  if (is_destroyed) {
    LeaveDebris(row, object);
    parts().objects.RequestDestroy(state(), handle);
    return;
  }
  const TypeDefinition& type =
      parts().definition.types[parts().objects.TypeOf(row)];
  CHECK(type.body_choice.has_value());
  const absl::Status status = ChangeBodyKind(state(), parts().tables.physics,
                                             parts().definition.physics, object,
                                             type.body_choice->kinds[index]);
  CHECK(status.ok(), "{}", status.ToString());
}

void Destructibles::LeaveDebris(uint32_t row, ObjectId object) const {
  const Movement movement = MovementOf(parts(), row, object);
  for (const DebrisDefinition& debris : PartOf(row)->debris) {
    const std::optional<uint32_t> archetype =
        parts().definition.FindArchetype(debris.archetype);
    CHECK(archetype.has_value());
    const Transform place = movement.place * debris.place;
    const Vector3 offset = place.position - movement.place.position;
    const Vector3 velocity =
        movement.linear_velocity + Cross(movement.angular_velocity, offset) +
        ToMatrix3(movement.place.rotation) * debris.linear_velocity_m_s;
    const auto result = parts().objects.RequestSpawn(
        state(), {.archetype = *archetype,
                  .place = {.position = Within(place.position, kPositionMaxM),
                            .rotation = place.rotation},
                  .linear_velocity_m_s = Within(velocity, kSpeedMax),
                  .angular_velocity_rad_s =
                      Within(movement.angular_velocity, kSpeedMax)});
    if (result.refusal != SpawnRefusal::kNone) {
      TellObject(parts(), kSpawnRefused, object,
                 {{kType, FieldValue::OfId(debris.archetype)}});
    }
  }
}

}  // namespace reprise::sim
