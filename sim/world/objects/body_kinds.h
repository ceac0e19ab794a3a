// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What kind of body an object has: that of its type, or of the stage to which
// it has broken.

#ifndef REPRISE_SIM_WORLD_OBJECTS_BODY_KINDS_H_
#define REPRISE_SIM_WORLD_OBJECTS_BODY_KINDS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/object_id.h"
#include "sim/base/state.h"
#include "sim/base/value_name.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {

// All others are of the type: its stages, and destroyed.
inline constexpr auto kDestructionStageNames =
    std::to_array<ValueName>({{0, "intact"}});

// The component of destructible objects; only in packs that have such types.
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

// The kind of body that an object of `type` has while it is active.
// REQUIRES: the type has a body.
uint32_t BodyKindOf(const State& state, const ObjectTables& tables,
                    const TypeDefinition& type, ObjectId object);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_OBJECTS_BODY_KINDS_H_
