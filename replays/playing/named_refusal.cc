// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/playing/named_refusal.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/playing/replay_player.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

// What a refusal calls the input of `action`, with what follows; empty where it
// is never refused by number.
std::string NumberOf(const sim::Action& action) {
  switch (action.kind) {
    case sim::Action::Kind::kButton:
      return fmt::format(": button {}", action.device_index);
    case sim::Action::Kind::kAxis:
      return fmt::format(": axis {}", action.device_index);
    case sim::Action::Kind::kKey:
      return fmt::format(": key {}", action.device_index);
    case sim::Action::Kind::kMouseButton:
      return fmt::format(": mouse button {}", action.device_index);
    default:
      return "";
  }
}

}  // namespace

std::string NameRefusal(std::string reason, const sim::InputGrammar& recorded) {
  for (const sim::Action& action : recorded.actions) {
    if (action.kind == sim::Action::Kind::kCommand) {
      const std::string id = fmt::format("#{:016x}", action.id.value);
      const size_t found = reason.find(id);
      if (found == std::string::npos) continue;
      return reason.replace(found, id.size(), fmt::format("'{}'", action.name));
    }
    const std::string number = NumberOf(action);
    if (number.empty()) continue;
    const size_t found = reason.find(number + " is ");
    if (found == std::string::npos) continue;
    return reason.insert(found + number.size(),
                         fmt::format(" ({})", action.name));
  }
  return reason;
}

std::string NameRecordedRefusal(std::string reason,
                                const ReplayReader& replay) {
  const absl::StatusOr<std::unique_ptr<sim::Simulation>> recorded =
      CreateRecordedSimulation(replay);
  if (!recorded.ok()) return reason;
  return NameRefusal(std::move(reason), (*recorded)->info().inputs);
}

}  // namespace reprise::replays
