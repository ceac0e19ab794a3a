// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/movers/world_movers.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/field_value.h"
#include "sim/base/math.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/characters/character.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/vehicles/drivetrain.h"
#include "sim/physics/vehicles/vehicle.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/inputs/input_tables.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {
namespace {

ObjectId KeyOf(const Table& table, uint32_t row) {
  return {ReadScalar(table.schema(), table.Row(row), {.field = 0}).bits};
}

// Writes a row only where it differs, so that its page keeps its digest.
template <typename Row>
void Put(const Row& row, Table& table, uint32_t index) {
  if (std::memcmp(&table.Get<Row>(index), &row, sizeof(Row)) == 0) return;
  table.Mutable<Row>(index) = row;
}

// The active objects of the types that `is_wanted` takes, in object order.
template <typename IsWanted>
std::vector<ObjectId> ActiveObjects(const WorldParts& parts,
                                    const IsWanted& is_wanted) {
  std::vector<ObjectId> found;
  const Table& objects = parts.state.table(parts.tables.objects.objects);
  for (uint32_t type = 0; type < parts.definition.types.size(); ++type) {
    if (!is_wanted(parts.definition.types[type])) continue;
    for (const uint32_t row : parts.objects.RowsOfType(type)) {
      const auto& object = objects.Get<ObjectRow>(row);
      if (object.status == ObjectStatus::kActive)
        found.push_back(object.object);
    }
  }
  // A total order: each object is of one type.
  std::ranges::sort(found);
  return found;
}

const TypeDefinition& TypeOf(const WorldParts& parts, ObjectId object) {
  const uint32_t row = parts.objects.RowOf(parts.state, object);
  CHECK(row != kNoRow, "object {} moves, but doesn't exist", object.serial);
  return parts.definition.types[parts.objects.TypeOf(row)];
}

// Makes the rows of a table those of `owners`, with add(object, row) for each
// owner that has none yet, `row` being where it belongs.
template <typename Add>
void FollowOwners(const std::vector<ObjectId>& owners, State& state,
                  TableIndex index, const Add& add) {
  const Table& table = state.table(index);
  std::vector<uint32_t> gone;
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    if (!std::ranges::binary_search(owners, KeyOf(table, row))) {
      gone.push_back(row);
    }
  }
  if (!gone.empty()) state.mutable_table(index).Erase(gone);
  for (const ObjectId owner : owners) {
    if (FindMoverRow(table, owner).has_value()) continue;
    add(owner, state.mutable_table(index));
  }
}

double AxisOf(const DeviceRow& device, uint32_t axis) {
  return static_cast<double>(device.axes[axis]) / kAxisMax;
}

bool IsDown(const WorldParts& parts, uint32_t player,
            const std::optional<DeviceButton>& button) {
  return button.has_value() &&
         IsHeld(parts.state, parts.tables.input, player, *button);
}

bool GoesDown(const WorldParts& parts, uint32_t player,
              const std::optional<DeviceButton>& button) {
  return button.has_value() &&
         IsPressed(parts.state, parts.tables.input, player, *button);
}

const DeviceRow& DeviceOf(const WorldParts& parts, uint32_t player) {
  return parts.state.table(parts.tables.input.devices).Get<DeviceRow>(player);
}

void SteerCharacters(const WorldParts& parts) {
  Table& table = parts.state.mutable_table(parts.tables.movers.characters);
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    CharacterRow row = table.Get<CharacterRow>(i);
    const CharacterUse& use = *TypeOf(parts, row.object).character;
    if (!use.control.has_value()) continue;
    const DeviceRow& device = DeviceOf(parts, use.control->player);
    Vector3 stick = {AxisOf(device, use.control->axis_x), 0.0,
                     AxisOf(device, use.control->axis_z)};
    // Both axes at once are no faster than one.
    if (const double length = Length(stick); length > 1.0) {
      stick = stick / length;
    }
    row.wanted_velocity = use.speed_m_s * stick;
    if (GoesDown(parts, use.control->player, use.control->jump_button))
      row.wants_jump = 1;
    Put(row, table, i);
  }
}

void SteerVehicles(const WorldParts& parts) {
  Table& table = parts.state.mutable_table(parts.tables.movers.vehicles);
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    VehicleRow row = table.Get<VehicleRow>(i);
    const VehicleUse& use = *TypeOf(parts, row.object).vehicle;
    if (!use.control.has_value()) continue;
    const DeviceRow& device = DeviceOf(parts, use.control->player);
    row.throttle = AxisOf(device, use.control->axis_throttle);
    row.steer = AxisOf(device, use.control->axis_steer);
    row.brake = IsDown(parts, use.control->player, use.control->brake_button)
                    ? 1.0
                    : 0.0;
    row.handbrake =
        IsDown(parts, use.control->player, use.control->handbrake_button) ? 1.0
                                                                          : 0.0;
    Put(row, table, i);
  }
}

void TellCharacter(const WorldParts& parts, ObjectId object,
                   const CharacterTick& tick) {
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

// The world as all movers of a tick see it.
class Surroundings {
 public:
  Surroundings(const WorldParts& parts, const PhysicsQueries& queries,
               const Fields* fields)
      : parts_(parts), queries_(queries), fields_(fields) {}

  // Those of the mover whose body is row `body`.
  template <typename MoverSurroundings>
  MoverSurroundings Of(uint32_t body) const {
    const Vector3 place = parts_.state.table(parts_.tables.physics.bodies)
                              .Get<BodyRow>(body)
                              .position;
    return {.physics = parts_.physics,
            .queries = queries_,
            .gravity_m_s2 = fields_ == nullptr
                                ? parts_.definition.physics.gravity_m_s2
                                : fields_->GravityAt(parts_, place)};
  }

 private:
  const WorldParts& parts_;
  const PhysicsQueries& queries_;
  const Fields* fields_;
};

void MoveCharacters(const WorldParts& parts, const Surroundings& surroundings) {
  Table& table = parts.state.mutable_table(parts.tables.movers.characters);
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    CharacterRow row = table.Get<CharacterRow>(i);
    const uint32_t body =
        *FindBody(parts.state, parts.tables.physics, row.object);
    const CharacterTick tick = MoveCharacter(
        TypeOf(parts, row.object).character->definition,
        surroundings.Of<CharacterSurroundings>(body), parts.state, body, row);
    Put(row, table, i);
    TellCharacter(parts, row.object, tick);
  }
}

void MoveVehicles(const WorldParts& parts, const Surroundings& surroundings) {
  const MoverTables& tables = parts.tables.movers;
  Table& vehicles = parts.state.mutable_table(tables.vehicles);
  Table& wheels = parts.state.mutable_table(tables.wheels);
  for (uint32_t i = 0; i < vehicles.row_count(); ++i) {
    VehicleRow row = vehicles.Get<VehicleRow>(i);
    const VehicleDefinition& definition =
        TypeOf(parts, row.object).vehicle->definition;
    const uint32_t first = *FindMoverRow(wheels, row.object);
    std::vector<WheelRow> own;
    for (uint32_t wheel = 0; wheel < definition.wheels.size(); ++wheel) {
      own.push_back(wheels.Get<WheelRow>(first + wheel));
    }
    std::optional<uint32_t> drivetrain_row;
    std::optional<DrivetrainRow> drivetrain;
    if (definition.drivetrain.has_value()) {
      const Table& drivetrains = parts.state.table(tables.drivetrains);
      drivetrain_row = FindMoverRow(drivetrains, row.object);
      drivetrain = drivetrains.Get<DrivetrainRow>(*drivetrain_row);
    }
    const uint32_t body =
        *FindBody(parts.state, parts.tables.physics, row.object);
    MoveVehicle(definition, surroundings.Of<VehicleSurroundings>(body),
                parts.state, body, row, own,
                drivetrain.has_value() ? &*drivetrain : nullptr);
    Put(row, vehicles, i);
    for (uint32_t wheel = 0; wheel < own.size(); ++wheel) {
      Put(own[wheel], wheels, first + wheel);
    }
    if (drivetrain.has_value()) {
      Put(*drivetrain, parts.state.mutable_table(tables.drivetrains),
          *drivetrain_row);
    }
  }
}

bool HasDrivetrain(const TypeDefinition& type) {
  return type.vehicle.has_value() &&
         type.vehicle->definition.drivetrain.has_value();
}

absl::Status Contradiction(std::string_view text) {
  return absl::DataLossError(fmt::format("snapshot: {}", text));
}

// Above all that a tick leaves in a row, and far below what overflows.
constexpr double kNumberMax = 1e9;

// Whether every number of a table is one that a tick can leave there.
bool HasUsableNumbers(const Table& table) {
  const RowSchema& schema = table.schema();
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    for (uint32_t field = 0; field < schema.fields().size(); ++field) {
      if (schema.fields()[field].scalar != ScalarType::kDouble) continue;
      for (uint32_t i = 0; i < schema.fields()[field].count; ++i) {
        const FieldValue value =
            ReadScalar(schema, table.Row(row), {.field = field, .index = i});
        if (!(Abs(value.AsNumber()) <= kNumberMax)) return false;  // NaN, too
      }
    }
  }
  return true;
}

// Every active vehicle with a drivetrain has its row, in a gear that it has.
absl::Status CheckDrivetrains(const WorldDefinition& definition,
                              const WorldTables& tables,
                              const State& snapshot) {
  if (!HasDrivetrains(definition)) return absl::OkStatus();
  const Table& objects = snapshot.table(tables.objects.objects);
  const Table& drivetrains = snapshot.table(tables.movers.drivetrains);
  uint32_t next = 0;
  for (uint32_t i = 0; i < objects.row_count(); ++i) {
    const auto& object = objects.Get<ObjectRow>(i);
    if (object.status != ObjectStatus::kActive) continue;
    const TypeDefinition& type =
        definition.types[*definition.FindType(object.type)];
    if (!HasDrivetrain(type)) continue;
    if (next == drivetrains.row_count() ||
        KeyOf(drivetrains, next) != object.object) {
      return Contradiction("a vehicle without its drivetrain");
    }
    const auto& row = drivetrains.Get<DrivetrainRow>(next++);
    const DrivetrainDefinition& drivetrain =
        *type.vehicle->definition.drivetrain;
    if (!IsGear(drivetrain, row.gear) ||
        row.shift_ticks > drivetrain.shift_ticks) {
      return Contradiction("a vehicle is in a gear that it doesn't have");
    }
  }
  if (next != drivetrains.row_count()) {
    return Contradiction("a drivetrain of a vehicle that isn't there");
  }
  if (!HasUsableNumbers(drivetrains)) {
    return Contradiction("an engine turns at a speed out of range");
  }
  return absl::OkStatus();
}

}  // namespace

bool HasMovers(const WorldDefinition& definition) {
  return std::ranges::any_of(definition.types, [](const TypeDefinition& type) {
    return type.character.has_value() || type.vehicle.has_value();
  });
}

bool HasDrivetrains(const WorldDefinition& definition) {
  return std::ranges::any_of(definition.types, HasDrivetrain);
}

bool IsSteered(const TypeDefinition& type) {
  return type.roller.has_value() ||
         (type.character.has_value() && type.character->control.has_value()) ||
         (type.vehicle.has_value() && type.vehicle->control.has_value());
}

void FollowMovers(const WorldParts& parts) {
  if (!HasMovers(parts.definition)) return;
  const std::vector<ObjectId> characters = ActiveObjects(
      parts,
      [](const TypeDefinition& type) { return type.character.has_value(); });
  const std::vector<ObjectId> vehicles = ActiveObjects(
      parts,
      [](const TypeDefinition& type) { return type.vehicle.has_value(); });
  const MoverTables& tables = parts.tables.movers;
  FollowOwners(characters, parts.state, tables.characters,
               [](ObjectId object, Table& table) {
                 const uint32_t row =
                     table.LowerBound(std::array{object.serial});
                 table.Insert(row);
                 table.Mutable<CharacterRow>(row) = InitialCharacter(object);
               });
  FollowOwners(vehicles, parts.state, tables.vehicles,
               [](ObjectId object, Table& table) {
                 const uint32_t row =
                     table.LowerBound(std::array{object.serial});
                 table.Insert(row);
                 table.Mutable<VehicleRow>(row) = {.object = object};
               });
  FollowOwners(
      vehicles, parts.state, tables.wheels, [&](ObjectId object, Table& table) {
        const auto& wheels = TypeOf(parts, object).vehicle->definition.wheels;
        uint32_t row = table.LowerBound(std::array{object.serial, uint64_t{0}});
        for (uint64_t wheel = 0; wheel < wheels.size(); ++wheel) {
          table.Insert(row);
          table.Mutable<WheelRow>(row++) =
              InitialWheel(wheels[wheel], object, wheel);
        }
      });
  if (!HasDrivetrains(parts.definition)) return;
  FollowOwners(
      ActiveObjects(parts, HasDrivetrain), parts.state, tables.drivetrains,
      [&](ObjectId object, Table& table) {
        const uint32_t row = table.LowerBound(std::array{object.serial});
        table.Insert(row);
        table.Mutable<DrivetrainRow>(row) = InitialDrivetrain(
            *TypeOf(parts, object).vehicle->definition.drivetrain, object);
      });
}

void SteerMovers(const WorldParts& parts) {
  if (!HasMovers(parts.definition)) return;
  SteerCharacters(parts);
  SteerVehicles(parts);
}

void MoveMovers(const WorldParts& parts, PhysicsQueries& queries,
                const Fields* fields) {
  queries.Look(parts.state);
  const Surroundings surroundings(parts, queries, fields);
  MoveCharacters(parts, surroundings);
  MoveVehicles(parts, surroundings);
}

absl::Status CheckMoverRows(const WorldDefinition& definition,
                            const WorldTables& tables, const State& snapshot) {
  if (!HasMovers(definition)) return absl::OkStatus();
  const Table& objects = snapshot.table(tables.objects.objects);
  const Table& characters = snapshot.table(tables.movers.characters);
  const Table& vehicles = snapshot.table(tables.movers.vehicles);
  const Table& wheels = snapshot.table(tables.movers.wheels);
  uint32_t character = 0;
  uint32_t vehicle = 0;
  uint32_t wheel = 0;
  for (uint32_t i = 0; i < objects.row_count(); ++i) {
    const auto& object = objects.Get<ObjectRow>(i);
    if (object.status != ObjectStatus::kActive) continue;
    const TypeDefinition& type =
        definition.types[*definition.FindType(object.type)];
    if (type.character.has_value()) {
      if (character == characters.row_count() ||
          KeyOf(characters, character++) != object.object) {
        return Contradiction("a character without its row");
      }
    }
    if (!type.vehicle.has_value()) continue;
    if (vehicle == vehicles.row_count() ||
        KeyOf(vehicles, vehicle++) != object.object) {
      return Contradiction("a vehicle without its row");
    }
    for (uint64_t k = 0; k < type.vehicle->definition.wheels.size(); ++k) {
      if (wheel == wheels.row_count() ||
          KeyOf(wheels, wheel) != object.object ||
          wheels.Get<WheelRow>(wheel++).wheel != k) {
        return Contradiction("a vehicle without one of its wheels");
      }
    }
  }
  if (character != characters.row_count() || vehicle != vehicles.row_count() ||
      wheel != wheels.row_count()) {
    return Contradiction("a row of a character or vehicle that isn't there");
  }
  if (!HasUsableNumbers(characters) || !HasUsableNumbers(vehicles) ||
      !HasUsableNumbers(wheels)) {
    return Contradiction("a character or vehicle has numbers out of range");
  }
  return CheckDrivetrains(definition, tables, snapshot);
}

}  // namespace reprise::sim
