// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How the objects of a type break.

#ifndef REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_DEFINITION_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/id.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

inline constexpr size_t kDestructionStagesMax = 16;
inline constexpr size_t kDebrisMax = 64;
// The last stage of all.
inline constexpr std::string_view kDestroyedStageName = "destroyed";

struct DestructionStage {
  Id name;
  double health_max = 0.0;  // it begins when the health falls to this
};

struct DebrisDefinition {
  Id archetype;
  Transform place;              // in the frame of the destroyed object
  Vector3 linear_velocity_m_s;  // of its own, in that frame
};

// The part of a type whose objects break. Its body in each stage is among the
// choices of the type's body (TypeDefinition::body_choice).
struct DestructibleDefinition {
  static constexpr std::string_view kPart = "destructible";

  uint32_t component = 0;  // index of the component that holds health and stage
  double impulse_min_n_s = 0.0;
  double damage_per_n_s = 1.0;
  // Between intact and destroyed, by falling health.
  std::vector<DestructionStage> stages;
  std::vector<DebrisDefinition> debris;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_DEFINITION_H_
