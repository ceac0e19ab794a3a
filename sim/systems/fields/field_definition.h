// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What pushes bodies without touching them: fluids, gravity zones and
// explosives.

#ifndef REPRISE_SIM_SYSTEMS_FIELDS_FIELD_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_FIELDS_FIELD_DEFINITION_H_

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "sim/geometry/vector3.h"

namespace reprise::sim {

inline constexpr size_t kFieldsMax = 1024;  // fluids and zones, of each
inline constexpr uint32_t kFalloffMax = 4;

struct FluidDefinition {
  uint32_t region = 0;  // index into LevelDefinition::regions
  double density_kg_m3 = 0.0;
  double linear_drag_per_s = 0.0;
  double angular_drag_per_s = 0.0;
  Vector3 flow_m_s;
  double surface_height_m = 0.0;
};

struct PointGravity {
  Vector3 centre;
  double acceleration_m_s2 = 0.0;  // at the radius, towards the centre
  double radius_m = 1.0;           // closer, it falls off to nothing
  uint32_t falloff = 0;  // power of the distance, in radii, farther out
};

struct GravityZoneDefinition {
  uint32_t region = 0;  // index into LevelDefinition::regions
  std::variant<Vector3, PointGravity> pull;  // m/s^2 where it is the same
  bool is_added = false;                     // to what else there is
  uint32_t priority = 0;
};

struct FieldDefinitions {
  std::vector<FluidDefinition> fluids;  // by name of the region, then as given
  // Those that take the pack's place before those that are added; of the first
  // the highest priority comes first, then by name of the region, as given.
  std::vector<GravityZoneDefinition> gravity_zones;

  bool empty() const { return fluids.empty() && gravity_zones.empty(); }
};

struct ExplosiveDefinition {
  double radius_m = 1.0;
  double impulse_n_s = 0.0;  // of a body at the centre
  uint32_t falloff = 0;      // power of 1 - distance / radius
  bool needs_sight = false;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_FIELDS_FIELD_DEFINITION_H_
