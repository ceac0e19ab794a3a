// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what a binding takes its value from.

#ifndef REPRISE_SIM_SYSTEMS_CONTROLS_BINDING_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_CONTROLS_BINDING_COMPILER_H_

#include <string>
#include <string_view>
#include <vector>

#include "reprise/v1/controls.pb.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/input/input_grammar.h"
#include "sim/systems/controls/control_definition.h"

namespace reprise::sim {

// What sources refer to.
struct BindingPlace {
  const InputGrammar& inputs;
  TickRate rate;
  const std::vector<std::string>& strokes;  // by their indices
};

// Fills the source, the actions and their number of `compiled`. `checker` is
// the binding's. Returns whether there is a source that can be read.
bool CompileSource(const v1::Binding& message, const MessageChecker& checker,
                   const BindingPlace& place, BindingDefinition& compiled);

// What a source gives, of which a binding's control has to be: "button".
bool GivesKind(const BindingSource& source, ControlKind kind);

// Times of patterns and swipes: `fallback_s` for 0, one step at least.
Tick CompileWindow(std::string_view field, double seconds, double fallback_s,
                   TickRate rate, const MessageChecker& checker);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTROLS_BINDING_COMPILER_H_
