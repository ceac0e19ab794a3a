// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fluids and gravity zones at work: a force and torque for each dynamic body in
// them, computed from rows alone.

#ifndef REPRISE_SIM_SYSTEMS_FIELDS_FIELDS_H_
#define REPRISE_SIM_SYSTEMS_FIELDS_FIELDS_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/object_id.h"
#include "sim/base/table.h"
#include "sim/geometry/vector3.h"
#include "sim/geometry/volume.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/shapes/displacement.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/world_parts.h"

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

// OK, or DATA_LOSS where the rows of a snapshot can't be.
absl::Status CheckFieldSleepers(const Table& rows);

// The fields of a pack. Immutable.
class Fields {
 public:
  // `definition` outlives this. REQUIRES: its regions are valid.
  explicit Fields(const WorldDefinition& definition);

  // m/s^2, with the zones that `point` lies in.
  Vector3 GravityAt(const WorldParts& parts, Vector3 point) const;

  // Before physics: pushes the bodies that are awake, and wakes those that
  // sleep where something else acts on them than when they fell asleep.
  void Push(const WorldParts& parts) const;

  // After physics: notes what acts on the bodies that sleep.
  void NoteSleepers(const WorldParts& parts) const;

 private:
  struct Load {
    Vector3 force;
    Vector3 torque;
  };

  // What acts on a dynamic body where it is, at the velocities of its row.
  Load LoadOn(const WorldParts& parts, const BodyRow& row) const;
  void AddFluid(const WorldParts& parts, uint32_t fluid, const BodyRow& row,
                Vector3 gravity, Load& load) const;
  bool IsOn(const WorldParts& parts, uint32_t region) const;

  const WorldDefinition& definition_;
  std::vector<VolumeBounds> bounds_;  // of the fluids' regions
  Displacement displacement_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_FIELDS_FIELDS_H_
