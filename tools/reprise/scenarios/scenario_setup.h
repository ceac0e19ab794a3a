// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a scenario plays: its pack, with its objects put where they are to be,
// and the inputs of its players, tick by tick.

#ifndef REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_SETUP_H_
#define REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_SETUP_H_

#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "sim/input/input_grammar.h"
#include "sim/pack_archive.h"
#include "tools/reprise/scenarios/scenario_file.h"

namespace reprise::tools {

// `pack` with the objects of the scenario: a pack of its own, so that a replay
// of it needs nothing else. Without objects it is `pack` to the byte.
// INVALID_ARGUMENT: a new object without a type, or a manifest that can't be
// read; what else is wrong with an object tells whoever compiles the pack.
absl::StatusOr<sim::PackArchive> WithObjectsOf(const Scenario& scenario,
                                               const sim::PackArchive& pack);

// The frames that the inputs of the scenario make, ascending by tick.
// INVALID_ARGUMENT: there is no such player or action, it is of another kind,
// its value is refused, or it begins while another input still holds it.
absl::StatusOr<std::vector<replays::TickInputs>> InputsOf(
    const Scenario& scenario, const sim::InputGrammar& grammar);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_SETUP_H_
