// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The tables of the room "input". Of devices that no action of the pack is
// bound to there is none.

#ifndef REPRISE_SIM_WORLD_INPUTS_INPUT_TABLES_H_
#define REPRISE_SIM_WORLD_INPUTS_INPUT_TABLES_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "sim/input/device_button.h"
#include "sim/input/input_grammar.h"
#include "sim/state/state.h"

namespace reprise::sim {

struct InputTables {
  TableIndex devices;
  // Where the pack has such actions.
  std::optional<TableIndex> keyboards;
  std::optional<TableIndex> mice;
  std::optional<TableIndex> touches;
  std::optional<TableIndex> motion_sensors;
  // Where players can give text that the pack doesn't have.
  std::optional<TableIndex> texts;
};

// `makes_texts`: the game makes texts of its own, whatever players can give.
InputTables AddInputTables(const InputGrammar& grammar, bool makes_texts,
                           State& state);

// Everybody holds nothing.
void InitializeInputs(const InputGrammar& grammar, const InputTables& tables,
                      State& state);

// Whether players of `grammar` can have given these rows; DATA_LOSS says what
// contradicts.
absl::Status CheckInputRows(const InputGrammar& grammar,
                            const InputTables& tables, const State& snapshot);

// Whether a player holds a button, and whether it was pressed, as the last step
// of the game found it.
// REQUIRES of both: an action of the pack is bound to it.
bool IsHeld(const State& state, const InputTables& tables, uint32_t player,
            DeviceButton button);
bool IsPressed(const State& state, const InputTables& tables, uint32_t player,
               DeviceButton button);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_INPUTS_INPUT_TABLES_H_
