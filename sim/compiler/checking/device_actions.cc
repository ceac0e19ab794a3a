// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/device_actions.h"

#include "sim/base/id.h"

namespace reprise::sim {

uint32_t FindAxis(std::string_view field, const std::string& name,
                  const MessageChecker& checker, const InputGrammar& inputs) {
  const Action* const action = inputs.Find(IdOf(name));
  if (action == nullptr || action->kind != Action::Kind::kAxis) {
    checker.NoSuch(field, "axis action", name);
    return 0;
  }
  return action->device_index;
}

DeviceButton FindButton(std::string_view field, const std::string& name,
                        const MessageChecker& checker,
                        const InputGrammar& inputs) {
  const Action* const action = inputs.Find(IdOf(name));
  if (action == nullptr || !action->is_button()) {
    checker.NoSuch(field, "button action", name);
    return {};
  }
  return {.kind = action->kind, .index = action->device_index};
}

std::optional<DeviceButton> OptionalButton(std::string_view field,
                                           const std::string& name,
                                           const MessageChecker& checker,
                                           const InputGrammar& inputs) {
  if (name.empty()) return std::nullopt;
  return FindButton(field, name, checker, inputs);
}

}  // namespace reprise::sim
