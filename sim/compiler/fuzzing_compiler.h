// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what a pack tells those who search it for mistakes.

#ifndef REPRISE_SIM_COMPILER_FUZZING_COMPILER_H_
#define REPRISE_SIM_COMPILER_FUZZING_COMPILER_H_

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/fuzzing_description.h"
#include "sim/input/input_grammar.h"

namespace reprise::sim {

// `checker` is the pack's own. Names, numbers, actions and events are checked
// here; expressions need the world, and whoever evaluates them checks them.
FuzzingDescription CompileFuzzing(const v1::Pack& pack,
                                  const MessageChecker& checker,
                                  const InputGrammar& inputs,
                                  EventCatalogue& events);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_FUZZING_COMPILER_H_
