// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How the objects of a type explode.

#ifndef REPRISE_SIM_SYSTEMS_EXPLOSIONS_EXPLOSIVE_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_EXPLOSIONS_EXPLOSIVE_DEFINITION_H_

#include <cstdint>
#include <string_view>

namespace reprise::sim {

inline constexpr uint32_t kBlastFalloffMax = 4;

// The part of a type whose objects explode.
struct ExplosiveDefinition {
  static constexpr std::string_view kPart = "explosive";

  double radius_m = 1.0;
  double impulse_n_s = 0.0;  // of a body at the centre
  uint32_t falloff = 0;      // power of 1 - distance / radius
  bool needs_sight = false;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_EXPLOSIONS_EXPLOSIVE_DEFINITION_H_
