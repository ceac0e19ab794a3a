// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/vehicles/vehicle_system.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/frame.h"
#include "sim/game_description.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/vehicles/drivetrain.h"
#include "sim/physics/vehicles/vehicle.h"
#include "sim/state/row_schema.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/inputs/input_tables.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/systems/body_queries.h"

namespace reprise::sim {
namespace {

enum TableOf : uint32_t { kVehicles, kWheels, kDrivetrains };

enum Step : uint32_t { kSteer, kLook, kMove, kFollow };

// 1 while a player holds a button, else 0.
double Pressure(const WorldParts& parts, uint32_t player,
                const std::optional<DeviceButton>& button) {
  return button.has_value() &&
                 IsHeld(parts.state, parts.tables.input, player, *button)
             ? 1.0
             : 0.0;
}

absl::Status Contradiction(std::string_view text) {
  return absl::DataLossError(fmt::format("snapshot: {}", text));
}

// A wheel as a cylinder on its side, in the frame of its vehicle.
FrameShape Draw(const WheelDefinition& definition, const WheelRow& wheel,
                double steering_angle) {
  const double steered = definition.is_steered ? steering_angle : 0.0;
  const Quaternion on_side = FromAxisAngle({0.0, 0.0, 1.0}, 0.5 * kPi);
  // A wheel is a third of its radius wide: for the eye alone.
  return {.kind = FrameShape::Kind::kCylinder,
          .position = definition.position - Vector3{0.0, wheel.suspension, 0.0},
          .rotation = FromAxisAngle({0.0, 1.0, 0.0}, steered) *
                      FromAxisAngle({1.0, 0.0, 0.0}, wheel.angle) * on_side,
          .size = {definition.radius_m, definition.radius_m / 6.0, 0.0}};
}

}  // namespace

const SystemDeclaration& VehiclesDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "what drives on wheels, with springs, engine and gears",
      .tables = {RowSchema::Of<VehicleRow>(), RowSchema::Of<WheelRow>(),
                 RowSchema::Of<DrivetrainRow>()},
      .steps = {{.name = "steer vehicles",
                 .point = StepPoint::kPrePhysics,
                 .before = {kDecideStep.name}},
                {.name = "vehicles look",
                 .point = StepPoint::kPrePhysics,
                 .after = {kDecideStep.name},
                 .before = {"characters"}},
                {.name = "vehicles",
                 .point = StepPoint::kPrePhysics,
                 .after = {"vehicles look", "characters"},
                 .writes = {"physics.bodies"}},
                {.name = "vehicle rows", .point = StepPoint::kAfterObjects}},
      .legends = {
          MakeLegend(kSystem, DrivetrainRow::kTable, "gear", kGearNames)}};
  return declaration;
}

std::unique_ptr<System> VehiclesDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Vehicles>(place);
}

Vehicles::Vehicles(const SystemPlace& place)
    : System(place),
      uses_(PartsOfTypes<VehicleUse>(place.parts.definition)),
      queries_(QueriesOf(place.parts)) {}

void Vehicles::Connect(const Systems& systems) {
  fields_ = systems.Find<Fields>();
}

void Vehicles::Initialize() { Follow(); }

void Vehicles::Run(uint32_t step) {
  switch (step) {
    case kSteer:
      Follow();  // an event may have put one to sleep
      Steer();
      break;
    case kLook:
      queries_.Look(state());
      break;
    case kMove:
      Follow();  // and so may a behaviour
      Move();
      break;
    default:
      Follow();
  }
}

bool Vehicles::HasDrivetrain(uint32_t type) const {
  return HasVehicle(type) && uses_[type]->definition.drivetrain.has_value();
}

const VehicleUse& Vehicles::UseOf(ObjectId object) const {
  return *uses_[TypeOfOwner(parts(), object)];
}

void Vehicles::Follow() {
  FindActiveOwners(
      parts(), [this](uint32_t type) { return HasVehicle(type); }, owners_);
  FollowOwners(owners_, state(), index(kVehicles),
               [](const RowOwner& owner, Table& table) {
                 const uint32_t row =
                     table.LowerBound(std::array{owner.object.serial});
                 table.Insert(row);
                 table.Mutable<VehicleRow>(row) = {.object = owner.object};
               });
  FollowOwners(owners_, state(), index(kWheels),
               [this](const RowOwner& owner, Table& table) {
                 const auto& wheels = uses_[owner.type]->definition.wheels;
                 uint32_t row = table.LowerBound(
                     std::array{owner.object.serial, uint64_t{0}});
                 for (uint64_t wheel = 0; wheel < wheels.size(); ++wheel) {
                   table.Insert(row);
                   table.Mutable<WheelRow>(row++) =
                       InitialWheel(wheels[wheel], owner.object, wheel);
                 }
               });
  FindActiveOwners(
      parts(), [this](uint32_t type) { return HasDrivetrain(type); }, owners_);
  FollowOwners(owners_, state(), index(kDrivetrains),
               [this](const RowOwner& owner, Table& table) {
                 const uint32_t row =
                     table.LowerBound(std::array{owner.object.serial});
                 table.Insert(row);
                 table.Mutable<DrivetrainRow>(row) = InitialDrivetrain(
                     *uses_[owner.type]->definition.drivetrain, owner.object);
               });
}

void Vehicles::Steer() {
  Table& table = mutable_table(kVehicles);
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    VehicleRow row = table.Get<VehicleRow>(i);
    const VehicleUse& use = UseOf(row.object);
    if (!use.control.has_value()) continue;
    const VehicleControl& control = *use.control;
    const auto& device = state()
                             .table(parts().tables.input.devices)
                             .Get<DeviceRow>(control.player);
    row.throttle = AxisOf(device, control.axis_throttle);
    row.steer = AxisOf(device, control.axis_steer);
    row.brake = Pressure(parts(), control.player, control.brake_button);
    row.handbrake = Pressure(parts(), control.player, control.handbrake_button);
    WriteRow(table, i, row);
  }
}

void Vehicles::Move() {
  const uint32_t count = table(kVehicles).row_count();
  for (uint32_t row = 0; row < count; ++row) MoveOne(row);
}

void Vehicles::MoveOne(uint32_t index) {
  Table& wheels = mutable_table(kWheels);
  VehicleRow row = table(kVehicles).Get<VehicleRow>(index);
  const VehicleDefinition& definition = UseOf(row.object).definition;
  const uint32_t first = *FindOwnedRow(wheels, row.object);
  std::vector<WheelRow> own;
  for (uint32_t wheel = 0; wheel < definition.wheels.size(); ++wheel) {
    own.push_back(wheels.Get<WheelRow>(first + wheel));
  }
  const std::optional<uint32_t> drivetrain_row =
      FindOwnedRow(table(kDrivetrains), row.object);
  std::optional<DrivetrainRow> drivetrain;
  if (drivetrain_row.has_value()) {
    drivetrain = table(kDrivetrains).Get<DrivetrainRow>(*drivetrain_row);
  }
  const uint32_t body = *FindBody(state(), parts().tables.physics, row.object);
  const Vector3 place =
      state().table(parts().tables.physics.bodies).Get<BodyRow>(body).position;
  MoveVehicle(definition,
              {.physics = parts().physics,
               .queries = queries_,
               .gravity_m_s2 = GravityAt(fields_, parts(), place)},
              state(), body, row, own,
              drivetrain.has_value() ? &*drivetrain : nullptr);
  WriteRow(mutable_table(kVehicles), index, row);
  for (uint32_t wheel = 0; wheel < own.size(); ++wheel) {
    WriteRow(wheels, first + wheel, own[wheel]);
  }
  if (drivetrain.has_value()) {
    WriteRow(mutable_table(kDrivetrains), *drivetrain_row, *drivetrain);
  }
}

absl::Status Vehicles::CheckRows(const State& snapshot) const {
  const Table& rows = snapshot.table(index(kVehicles));
  const std::vector<RowOwner> owners = ActiveOwnersIn(
      snapshot, parts(), [this](uint32_t type) { return HasVehicle(type); });
  if (!AreOwnedBy(owners, rows)) {
    return Contradiction(
        "a vehicle without its row, or a row without its vehicle");
  }
  if (!HasUsableNumbers(rows)) {
    return Contradiction("a vehicle has numbers out of range");
  }
  const absl::Status status = CheckWheels(owners, snapshot);
  return status.ok() ? CheckDrivetrains(snapshot) : status;
}

absl::Status Vehicles::CheckWheels(std::span<const RowOwner> owners,
                                   const State& snapshot) const {
  const Table& rows = snapshot.table(index(kWheels));
  uint32_t next = 0;
  for (const RowOwner& owner : owners) {
    const size_t count = uses_[owner.type]->definition.wheels.size();
    for (uint64_t wheel = 0; wheel < count; ++wheel) {
      if (next == rows.row_count() || OwnerOf(rows, next) != owner.object ||
          rows.Get<WheelRow>(next).wheel != wheel) {
        return Contradiction("a vehicle without one of its wheels");
      }
      ++next;
    }
  }
  if (next != rows.row_count()) {
    return Contradiction("a wheel of a vehicle that isn't there");
  }
  if (!HasUsableNumbers(rows)) {
    return Contradiction("a wheel has numbers out of range");
  }
  return absl::OkStatus();
}

absl::Status Vehicles::CheckDrivetrains(const State& snapshot) const {
  const Table& rows = snapshot.table(index(kDrivetrains));
  const std::vector<RowOwner> owners = ActiveOwnersIn(
      snapshot, parts(), [this](uint32_t type) { return HasDrivetrain(type); });
  if (!AreOwnedBy(owners, rows)) {
    return Contradiction(
        "a vehicle without its drivetrain, or a drivetrain without its "
        "vehicle");
  }
  for (uint32_t i = 0; i < rows.row_count(); ++i) {
    const auto& row = rows.Get<DrivetrainRow>(i);
    const DrivetrainDefinition& drivetrain =
        *uses_[owners[i].type]->definition.drivetrain;
    if (!IsGear(drivetrain, row.gear) ||
        row.shift_ticks > drivetrain.shift_ticks) {
      return Contradiction("a vehicle is in a gear that it doesn't have");
    }
  }
  if (!HasUsableNumbers(rows)) {
    return Contradiction("an engine turns at a speed out of range");
  }
  return absl::OkStatus();
}

void Vehicles::AddToFrame(Frame& frame) const {
  const Table& vehicles = table(kVehicles);
  const Table& wheels = table(kWheels);
  for (uint32_t i = 0; i < vehicles.row_count(); ++i) {
    const auto& row = vehicles.Get<VehicleRow>(i);
    const auto drawn = std::ranges::lower_bound(frame.objects, row.object, {},
                                                &FrameObject::object);
    if (drawn == frame.objects.end() || drawn->object != row.object) continue;
    const auto& definitions = UseOf(row.object).definition.wheels;
    const uint32_t first = *FindOwnedRow(wheels, row.object);
    for (uint32_t wheel = 0; wheel < definitions.size(); ++wheel) {
      drawn->shapes.push_back(Draw(definitions[wheel],
                                   wheels.Get<WheelRow>(first + wheel),
                                   row.steering_angle));
    }
  }
}

std::optional<VehicleRow> Vehicles::Find(ObjectId object) const {
  const std::optional<uint32_t> row = FindOwnedRow(table(kVehicles), object);
  if (!row.has_value()) return std::nullopt;
  return table(kVehicles).Get<VehicleRow>(*row);
}

std::optional<DrivetrainRow> Vehicles::FindDrivetrain(ObjectId object) const {
  const std::optional<uint32_t> row = FindOwnedRow(table(kDrivetrains), object);
  if (!row.has_value()) return std::nullopt;
  return table(kDrivetrains).Get<DrivetrainRow>(*row);
}

VehicleRow* Vehicles::FindMutable(ObjectId object) {
  Table& table = mutable_table(kVehicles);
  const std::optional<uint32_t> row = FindOwnedRow(table, object);
  return row.has_value() ? &table.Mutable<VehicleRow>(*row) : nullptr;
}

}  // namespace reprise::sim
