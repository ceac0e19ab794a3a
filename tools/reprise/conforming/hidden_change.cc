// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/conforming/hidden_change.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/tick.h"
#include "sim/plugins/plugin_simulation.h"
#include "sim/simulation.h"

namespace reprise::tools {
namespace {

using replays::ConformanceFailure;

// One step, and whether it changed what the plug-in says that it didn't.
std::optional<ConformanceFailure> StepAndLook(
    const replays::ConformanceInputs& inputs,
    const replays::ConformanceRun::OnTick& on_tick,
    sim::PluginSimulation& simulation) {
  const sim::Tick tick = simulation.tick();
  if (on_tick) on_tick(tick);
  simulation.Step(inputs[tick], nullptr);
  if (!simulation.status().ok()) return std::nullopt;
  simulation.DrainEvents();
  const absl::StatusOr<std::string> found = simulation.FindHiddenChange();
  if (!found.ok()) {
    return ConformanceFailure{
        .tick = tick + 1, .difference = std::string(found.status().message())};
  }
  if (found->empty()) return std::nullopt;
  return ConformanceFailure{
      .tick = tick + 1,
      .difference = fmt::format("{}; it was said not to change", *found)};
}

}  // namespace

absl::StatusOr<std::optional<ConformanceFailure>> FindHiddenChange(
    const replays::SimulationMaker& create,
    const replays::ConformanceInputs& inputs,
    std::span<const sim::State> states,
    const replays::ConformanceRun::OnTick& on_tick) {
  const absl::StatusOr<std::unique_ptr<sim::Simulation>> made = create();
  if (!made.ok()) return made.status();
  auto* const simulation = dynamic_cast<sim::PluginSimulation*>(made->get());
  if (simulation == nullptr) {
    return absl::FailedPreconditionError(
        "only a plug-in says what a step didn't change");
  }
  while (simulation->status().ok() && simulation->tick() < inputs.size()) {
    auto failure = StepAndLook(inputs, on_tick, *simulation);
    if (failure.has_value()) return failure;
  }
  // Backwards, so that a range that is left over from before is another's.
  for (sim::Tick tick = inputs.size(); tick-- > 0;) {
    if (!simulation->Restore(states[tick]).ok()) return std::nullopt;
    auto failure = StepAndLook(inputs, on_tick, *simulation);
    if (failure.has_value()) return failure;
  }
  return std::nullopt;
}

}  // namespace reprise::tools
