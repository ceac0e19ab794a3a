// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds what parts of a device the actions that a pack names are bound to.

#ifndef REPRISE_SIM_COMPILER_CHECKING_DEVICE_ACTIONS_H_
#define REPRISE_SIM_COMPILER_CHECKING_DEVICE_ACTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/compiler/checking/message_checker.h"
#include "sim/input/device_button.h"
#include "sim/input/input_grammar.h"

namespace reprise::sim {

// The axis of the device, or the button of any, that the action `name` of the
// field is bound to; 0 after reporting that there is no such action.
uint32_t FindAxis(std::string_view field, const std::string& name,
                  const MessageChecker& checker, const InputGrammar& inputs);
DeviceButton FindButton(std::string_view field, const std::string& name,
                        const MessageChecker& checker,
                        const InputGrammar& inputs);

// The same of a button that may be left out; nullopt for an empty name.
std::optional<DeviceButton> OptionalButton(std::string_view field,
                                           const std::string& name,
                                           const MessageChecker& checker,
                                           const InputGrammar& inputs);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_DEVICE_ACTIONS_H_
