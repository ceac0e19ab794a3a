// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/device_actions.h"

#include "fmt/format.h"
#include "sim/base/id.h"

namespace reprise::sim {

uint32_t DeviceIndex(std::string_view field, const std::string& name,
                     Action::Kind kind, const MessageChecker& checker,
                     const InputGrammar& inputs) {
  const Action* const action = inputs.Find(IdOf(name));
  if (action == nullptr || action->kind != kind) {
    checker.Problem(
        field,
        fmt::format("the pack has no {} action '{}'",
                    kind == Action::Kind::kAxis ? "axis" : "button", name));
    return 0;
  }
  return action->device_index;
}

std::optional<uint32_t> OptionalButton(std::string_view field,
                                       const std::string& name,
                                       const MessageChecker& checker,
                                       const InputGrammar& inputs) {
  if (name.empty()) return std::nullopt;
  return DeviceIndex(field, name, Action::Kind::kButton, checker, inputs);
}

}  // namespace reprise::sim
