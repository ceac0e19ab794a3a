// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What players do in a scenario, as the frames of each tick.

#ifndef REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_INPUTS_H_
#define REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_INPUTS_H_

#include <optional>
#include <vector>

#include "google/protobuf/repeated_ptr_field.h"
#include "replays/format/input_source.h"
#include "reprise/v1/scenario.pb.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/input/input_grammar.h"

namespace reprise::tools {

// nullopt after problems with `inputs`, a field of what `checker` is for.
std::optional<std::vector<replays::TickInputs>> MakeScenarioInputs(
    const sim::InputGrammar& grammar,
    const google::protobuf::RepeatedPtrField<v1::ScenarioInput>& inputs,
    sim::Tick tick_count, const sim::MessageChecker& checker);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_INPUTS_H_
