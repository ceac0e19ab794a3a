// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/scalar_legend.h"

namespace reprise::sim {

const Legend* FindScalarLegend(const GameDescription& game,
                               std::string_view room, std::string_view table,
                               const Field& field, uint32_t index) {
  if (field.count > 1) {
    const Legend* const own =
        game.FindLegend(room, table, field.ScalarName(index));
    if (own != nullptr) return own;
  }
  return game.FindLegend(room, table, field.name);
}

}  // namespace reprise::sim
