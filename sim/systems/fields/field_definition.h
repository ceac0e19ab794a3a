// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What pushes bodies without touching them: fluids and gravity zones.

#ifndef REPRISE_SIM_SYSTEMS_FIELDS_FIELD_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_FIELDS_FIELD_DEFINITION_H_

#include <cstddef>
#include <cstdint>
#include <variant>

#include "sim/geometry/vector3.h"
#include "sim/systems/regions/regions.h"

namespace reprise::sim {

inline constexpr size_t kFieldsMax = 1024;  // fluids and zones, of each
inline constexpr uint32_t kFalloffMax = 4;

struct FluidDefinition {
  RegionDefinition region;
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
  RegionDefinition region;
  std::variant<Vector3, PointGravity> pull;  // m/s^2 where it is the same
  bool is_added = false;                     // to what else there is
  uint32_t priority = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_FIELDS_FIELD_DEFINITION_H_
