// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The component of destructible objects: how whole they are.

#ifndef REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_ROWS_H_
#define REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/object_id.h"
#include "sim/base/value_name.h"

namespace reprise::sim {

// All others are of the type: its stages, and destroyed.
inline constexpr auto kDestructionStageNames =
    std::to_array<ValueName>({{0, "intact"}});

// Only in packs that have such types.
struct DestructibleRow {
  ObjectId object;
  uint64_t overridden = 0;
  double health = 1.0;
  // 0: intact; then DestructibleDefinition::stages, counted from 1; then
  // destroyed.
  int64_t stage = 0;

  static constexpr std::string_view kTable = "destructible";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(DestructibleRow, object, ""),
                      REPRISE_FIELD(DestructibleRow, overridden, ""),
                      REPRISE_FIELD(DestructibleRow, health, ""),
                      REPRISE_FIELD(DestructibleRow, stage, "")};
  }
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_ROWS_H_
