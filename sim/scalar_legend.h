// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The legend of one scalar of a field: of an array, each element may have one
// of its own.

#ifndef REPRISE_SIM_SCALAR_LEGEND_H_
#define REPRISE_SIM_SCALAR_LEGEND_H_

#include <cstdint>
#include <string_view>

#include "sim/game_description.h"
#include "sim/state/row_schema.h"

namespace reprise::sim {

// That of "keys[1]" where there is one, otherwise that of "keys"; null where
// its numbers are just numbers. REQUIRES: index < field.count.
const Legend* FindScalarLegend(const GameDescription& game,
                               std::string_view room, std::string_view table,
                               const Field& field, uint32_t index);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCALAR_LEGEND_H_
