// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether rows of controls, of a snapshot, can be those of a pack.

#ifndef REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_ROW_CHECKS_H_
#define REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_ROW_CHECKS_H_

#include "absl/status/status.h"
#include "sim/base/tick.h"
#include "sim/input/input_grammar.h"
#include "sim/state/table.h"

namespace reprise::sim {

struct ControlsDefinition;

struct ControlTables {
  const Table& controls;
  const Table& contexts;
  const Table& bindings;
  const Table& patterns;
  const Table& fingers;
  const Table& strokes;
};

// OK, or DATA_LOSS that names the table. `now` is the step of the game that
// comes next: nothing has happened in it or later.
absl::Status CheckControlRows(const ControlsDefinition& definition,
                              const InputGrammar& grammar, Tick now,
                              const ControlTables& tables);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_ROW_CHECKS_H_
