// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a pack says of senses.

#ifndef REPRISE_SIM_SYSTEMS_SENSES_SENSES_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_SENSES_SENSES_DEFINITION_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

inline constexpr uint64_t kSightLinesPerTickDefault = 10'000;
inline constexpr uint32_t kSightLinesPerTickMax = 1'000'000;
// Pairs of a noise and somebody who might hear it.
inline constexpr uint64_t kListenersPerTickMax = 1u << 20;

struct Vision {
  std::vector<Id> of;  // types, with those that extend them
  double range_m = 0.0;
  double near_m = 0.0;
  // Of half the cone; -1: all around.
  double cosine = -1.0;
  Vector3 forward = {1.0, 0.0, 0.0};  // of length 1
  Vector3 eyes;
  bool is_ahead = false;  // forward is where it goes
};

struct Hearing {
  double acuity = 1.0;
  double through_bodies = 1.0;
};

// The part of a type whose objects notice others.
struct SensesUse {
  static constexpr std::string_view kPart = "senses";

  uint32_t component = 0;  // index of the component senses
  std::optional<Vision> vision;
  std::optional<Hearing> hearing;
  Tick memory = 0;
  uint32_t memories_max = 8;
  Tick every = 1;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SENSES_SENSES_DEFINITION_H_
