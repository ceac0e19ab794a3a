// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A command as a person types it: the values of its arguments with commas
// between them.
//
//   an integer, a number    -3, 0.5
//   a boolean               true or false
//   a name, a choice, the name of an object, a text: as it is
//   @PATH                   of a text: what the file there holds

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_COMMAND_TEXT_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_COMMAND_TEXT_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"

namespace reprise::tools {

// INVALID_ARGUMENT: not as many as the action has, something else than the
// argument is, or an argument for which there is no text (vectors, rotations,
// lists); whether the pack allows the value is for sim::ValidateInputs to say.
// Other errors are the file's. REQUIRES: the action is a command.
absl::StatusOr<sim::Command> ParseCommand(const sim::Action& action,
                                          std::string_view text);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_COMMAND_TEXT_H_
