// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/characters/character_system.h"

#include <array>

#include "sim/geometry/vector3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/characters/character.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/row_schema.h"
#include "sim/systems/characters/character_events.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/inputs/input_tables.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/systems/body_queries.h"
#include "sim/world/systems/owned_rows.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kRows = 0;  // the only table

enum Step : uint32_t { kSteer, kMove, kFollow };

void Tell(const WorldParts& parts, ObjectId object, const CharacterTick& tick) {
  if (tick.has_jumped) TellObject(parts, kJumped, object, {});
  if (tick.has_left_ground) {
    TellObject(parts, kLeftGround, object,
               {{kObject, FieldValue::OfObject(tick.ground_left)}});
  }
  if (tick.has_landed) {
    TellObject(parts, kLanded, object,
               {{kObject, FieldValue::OfObject(tick.ground_landed)}});
  }
}

}  // namespace

const SystemDeclaration& CharactersDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "what walks, jumps and falls by itself",
      .tables = {RowSchema::Of<CharacterRow>()},
      .steps = {{.name = "steer characters",
                 .point = StepPoint::kPrePhysics,
                 .before = {kDecideStep.name}},
                {.name = "characters",
                 .point = StepPoint::kPrePhysics,
                 .after = {kDecideStep.name},
                 .writes = {"events", "physics.bodies"}},
                {.name = "character rows", .point = StepPoint::kAfterObjects}},
      .events = kCharacterEvents};
  return declaration;
}

std::unique_ptr<System> CharactersDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Characters>(place);
}

Characters::Characters(const SystemPlace& place)
    : System(place),
      uses_(PartsOfTypes<CharacterUse>(place.parts.definition)),
      queries_(QueriesOf(place.parts)) {}

void Characters::Connect(const Systems& systems) {
  fields_ = systems.Find<Fields>();
}

void Characters::Initialize() { Follow(); }

void Characters::Run(uint32_t step) {
  // An event or a behaviour may have put one to sleep.
  Follow();
  if (step == kSteer) Steer();
  if (step == kMove) Move();
}

void Characters::Follow() {
  FindActiveOwners(
      parts(), [this](uint32_t type) { return uses_[type] != nullptr; },
      owners_);
  FollowOwners(
      owners_, state(), index(kRows), [](const RowOwner& owner, Table& table) {
        const uint32_t row = table.LowerBound(std::array{owner.object.serial});
        table.Insert(row);
        table.Mutable<CharacterRow>(row) = InitialCharacter(owner.object);
      });
}

void Characters::Steer() {
  Table& table = mutable_table(kRows);
  const InputTables& inputs = parts().tables.input;
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    CharacterRow row = table.Get<CharacterRow>(i);
    const CharacterUse& use = *uses_[TypeOfOwner(parts(), row.object)];
    if (!use.control.has_value()) continue;
    const CharacterControl& control = *use.control;
    const auto& device =
        state().table(inputs.devices).Get<DeviceRow>(control.player);
    Vector3 stick = {AxisOf(device, control.axis_x), 0.0,
                     AxisOf(device, control.axis_z)};
    // Both axes at once are no faster than one.
    if (const double length = Length(stick); length > 1.0) {
      stick = stick / length;
    }
    row.wanted_velocity = use.speed_m_s * stick;
    if (control.jump_button.has_value() &&
        IsPressed(state(), inputs, control.player, *control.jump_button)) {
      row.wants_jump = 1;
    }
    WriteRow(table, i, row);
  }
}

void Characters::Move() {
  queries_.Look(state());
  Table& table = mutable_table(kRows);
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    CharacterRow row = table.Get<CharacterRow>(i);
    const uint32_t body =
        *FindBody(state(), parts().tables.physics, row.object);
    const Vector3 place = state()
                              .table(parts().tables.physics.bodies)
                              .Get<BodyRow>(body)
                              .position;
    const CharacterTick tick =
        MoveCharacter(uses_[TypeOfOwner(parts(), row.object)]->definition,
                      {.physics = parts().physics,
                       .queries = queries_,
                       .gravity_m_s2 = GravityAt(fields_, parts(), place)},
                      state(), body, row);
    WriteRow(table, i, row);
    Tell(parts(), row.object, tick);
  }
}

absl::Status Characters::CheckRows(const State& snapshot) const {
  const Table& rows = snapshot.table(index(kRows));
  const std::vector<RowOwner> owners =
      ActiveOwnersIn(snapshot, parts(),
                     [this](uint32_t type) { return uses_[type] != nullptr; });
  if (!AreOwnedBy(owners, rows)) {
    return absl::DataLossError(
        "snapshot: a character without its row, or a row without its "
        "character");
  }
  if (!HasUsableNumbers(rows)) {
    return absl::DataLossError(
        "snapshot: a character has numbers out of range");
  }
  return absl::OkStatus();
}

std::optional<CharacterRow> Characters::Find(ObjectId object) const {
  const std::optional<uint32_t> row = FindOwnedRow(table(kRows), object);
  if (!row.has_value()) return std::nullopt;
  return table(kRows).Get<CharacterRow>(*row);
}

CharacterRow* Characters::FindMutable(ObjectId object) {
  Table& table = mutable_table(kRows);
  const std::optional<uint32_t> row = FindOwnedRow(table, object);
  return row.has_value() ? &table.Mutable<CharacterRow>(*row) : nullptr;
}

}  // namespace reprise::sim
