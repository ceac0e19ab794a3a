// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fluids and gravity zones at work: a force and torque for each dynamic body in
// them, computed from rows alone.

#ifndef REPRISE_SIM_SYSTEMS_FIELDS_FIELD_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_FIELDS_FIELD_SYSTEM_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/object_id.h"
#include "sim/geometry/vector3.h"
#include "sim/geometry/volume.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/shapes/displacement.h"
#include "sim/state/state.h"
#include "sim/systems/fields/field_definition.h"
#include "sim/systems/layers/layer_system.h"
#include "sim/systems/regions/regions.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/systems/system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {

// A dynamic body that sleeps, and what fields do to it there. When that changes
// it wakes. Only in packs with fields.
struct FieldSleeperRow {
  ObjectId object;
  Vector3 force;
  Vector3 torque;

  static constexpr std::string_view kTable = "field_sleepers";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(FieldSleeperRow, object, ""),
                      REPRISE_FIELD(FieldSleeperRow, force, "N"),
                      REPRISE_FIELD(FieldSleeperRow, torque, "N m")};
  }
};

// Of a pack that has any.
struct FieldDefinitions final : public SystemDefinition {
  static constexpr std::string_view kSystem = "fields";

  static const SystemDeclaration& Declaration();
  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;

  std::vector<FluidDefinition> fluids;  // by name of the region, then as given
  // Those that take the pack's place before those that are added; of the first
  // the highest priority comes first, then by name of the region, as given.
  std::vector<GravityZoneDefinition> gravity_zones;
};

// The fields of a world.
class Fields final : public System {
 public:
  static constexpr std::string_view kSystem = FieldDefinitions::kSystem;

  // `definition` outlives this. REQUIRES: its regions are valid.
  Fields(const FieldDefinitions& definition, const SystemPlace& place);

  void Connect(const Systems& systems) override;
  absl::Status CheckRows(const State& snapshot) const override;
  void Run(uint32_t step) override;

  // m/s^2, with the zones that `point` lies in.
  Vector3 GravityAt(Vector3 point) const;

 private:
  struct Load {
    Vector3 force;
    Vector3 torque;
  };

  // Before physics: pushes the bodies that are awake, and wakes those that
  // sleep where something else acts on them than when they fell asleep.
  void Push();

  // After physics: notes what acts on the bodies that sleep.
  void NoteSleepers();

  // Whether the row is one that fields act on.
  bool IsPushed(const BodyRow& row) const;
  // What acts on a dynamic body where it is, at the velocities of its row.
  Load LoadOn(const BodyRow& row) const;
  void AddFluid(uint32_t fluid, const BodyRow& row, Vector3 gravity,
                Load& load) const;
  bool IsOn(const RegionDefinition& region) const;
  const PhysicsDefinition& physics() const {
    return parts().definition.physics;
  }

  const FieldDefinitions& definition_;
  const Layers* layers_ = nullptr;    // null where there are none
  std::vector<VolumeBounds> bounds_;  // of the fluids' regions
  Displacement displacement_;
};

// m/s^2; that of the pack where `fields` is null, as in one without them.
Vector3 GravityAt(const Fields* fields, const WorldParts& parts, Vector3 point);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_FIELDS_FIELD_SYSTEM_H_
