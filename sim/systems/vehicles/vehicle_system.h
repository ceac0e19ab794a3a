// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Vehicles in a world: who has rows, who steers them, and when they move: after
// the behaviours of a tick have moved platforms and given their wishes, and
// before physics. All of them see the world as it is then, before any character
// has moved. What one does in a tick is in sim/physics/vehicles.

#ifndef REPRISE_SIM_SYSTEMS_VEHICLES_VEHICLE_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_VEHICLES_VEHICLE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/object_id.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/physics/vehicles/vehicle_rows.h"
#include "sim/simulation.h"
#include "sim/state/state.h"
#include "sim/systems/fields/field_system.h"
#include "sim/systems/vehicles/vehicle_use.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/owned_rows.h"
#include "sim/world/systems/system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {

// Of a pack whose types have vehicles.
struct VehiclesDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "vehicles";

  static const SystemDeclaration& Declaration();
  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
};

class Vehicles final : public System {
 public:
  static constexpr std::string_view kSystem = VehiclesDefinition::kSystem;

  explicit Vehicles(const SystemPlace& place);

  void Connect(const Systems& systems) override;
  void Initialize() override;
  absl::Status CheckRows(const State& snapshot) const override;
  void Run(uint32_t step) override;
  void AddToFrame(Frame& frame) const override;

  // How a vehicle and its engine stand, and its row to be told in; nullopt and
  // null when the object is none or has none, or hasn't been for a tick.
  std::optional<VehicleRow> Find(ObjectId object) const;
  std::optional<DrivetrainRow> FindDrivetrain(ObjectId object) const;
  VehicleRow* FindMutable(ObjectId object);

 private:
  bool HasVehicle(uint32_t type) const { return uses_[type] != nullptr; }
  bool HasDrivetrain(uint32_t type) const;
  const VehicleUse& UseOf(ObjectId object) const;

  // Gives rows to those that have come or become active, and takes them from
  // those that went or sleep.
  void Follow();
  // Passes on what the players' devices say.
  void Steer();
  void Move();
  void MoveOne(uint32_t row);

  // `owners` are the vehicles of the snapshot.
  absl::Status CheckWheels(std::span<const RowOwner> owners,
                           const State& snapshot) const;
  absl::Status CheckDrivetrains(const State& snapshot) const;

  std::vector<const VehicleUse*> uses_;  // of each type
  PhysicsQueries queries_;
  const Fields* fields_ = nullptr;  // null where there are none
  std::vector<RowOwner> owners_;    // of Follow, kept for its memory
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_VEHICLES_VEHICLE_SYSTEM_H_
