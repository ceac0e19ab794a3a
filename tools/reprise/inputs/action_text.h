// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a player does with a device, as a person reads and writes it: one action
// of the pack at a time.
//
//   a button, a key, a mouse button   0 or 1
//   an axis                           -32767 to 32767
//   a pointer                         X,Y
//   mouse motion, a wheel             X,Y
//   touches                           ID,X,Y,PRESSURE;ID,X,Y,PRESSURE
//   a motion sensor                   acceleration X,Y,Z, angular velocity
//   X,Y,Z text                              the text

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_ACTION_TEXT_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_ACTION_TEXT_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"

namespace reprise::tools {

// What of `frame` the action is bound to: as above, but "held" and "released"
// of buttons, "none" of no touches, and text in quotation marks.
// REQUIRES: it is no command.
std::string FormatAction(const sim::Action& action,
                         const sim::InputFrame& frame);

// Puts `text` in its place. INVALID_ARGUMENT says what is allowed, for a
// command too; whether the pack allows so many touches, and the like, is for
// sim::ValidateInputs to say.
absl::Status SetAction(const sim::Action& action, std::string_view text,
                       sim::InputFrame& frame);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_ACTION_TEXT_H_
