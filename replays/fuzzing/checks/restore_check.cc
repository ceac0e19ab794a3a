// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/checks/restore_check.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/state/state_codec.h"
#include "sim/state/state_comparison.h"

namespace reprise::replays {
namespace {

RunFailure Refused(const absl::Status& status, sim::Tick tick) {
  return {.signature = fmt::format("{}refused", kRestoreSignature),
          .message = fmt::format("the state saved at tick {} is refused: {}",
                                 tick, std::string(status.message())),
          .tick = tick};
}

// "physics.bodies.position.y", whatever row it is in.
std::string FieldOf(const sim::FieldDifference& difference,
                    const sim::State& state) {
  const sim::RowSchema& schema = state.table(difference.table).schema();
  std::string name =
      fmt::format("{}.{}", state.room_of(difference.table).name, schema.name());
  if (!difference.scalar) return name;
  return fmt::format("{}.{}", name,
                     schema.fields()[difference.scalar->field].ScalarName(
                         difference.scalar->index));
}

}  // namespace

std::optional<RunFailure> CheckRestoredRun(const std::string& saved,
                                           sim::Tick tick,
                                           std::span<const TickInputs> inputs,
                                           const sim::State& expected,
                                           sim::Tick end,
                                           sim::Simulation& simulation) {
  const absl::StatusOr<sim::State> state =
      sim::DecodeState(std::as_bytes(std::span(saved)), expected);
  if (!state.ok()) return Refused(state.status(), tick);
  const absl::Status status = simulation.Restore(*state);
  if (!status.ok()) return Refused(status, tick);
  simulation.DrainEvents();
  size_t next = 0;
  while (simulation.tick() < end && simulation.status().ok()) {
    while (next < inputs.size() && inputs[next].tick < simulation.tick()) {
      ++next;
    }
    std::span<const sim::InputFrame> frames;
    if (next < inputs.size() && inputs[next].tick == simulation.tick()) {
      frames = inputs[next].frames;
    }
    if (!simulation.Validate(frames).ok()) frames = {};
    simulation.Step(frames, /*observer=*/nullptr);
    simulation.DrainEvents();
  }
  return DescribeRestoredRun(tick, expected, simulation);
}

std::optional<RunFailure> DescribeOtherRun(std::string_view prefix,
                                           std::string_view what,
                                           const sim::State& expected,
                                           const sim::Simulation& other) {
  const std::vector<sim::FieldDifference> differences =
      sim::CompareStates(expected, other.state(), 1);
  if (differences.empty()) return std::nullopt;
  return RunFailure{.signature = fmt::format(
                        "{}{}", prefix, FieldOf(differences.front(), expected)),
                    .message = fmt::format(
                        "{}: {}", what,
                        sim::FormatDifference(differences.front(), expected,
                                              sim::NamesOf(other))),
                    .tick = other.tick()};
}

std::optional<RunFailure> DescribeRestoredRun(sim::Tick tick,
                                              const sim::State& expected,
                                              const sim::Simulation& restored) {
  return DescribeOtherRun(
      kRestoreSignature,
      fmt::format("a run that went on from the state saved at tick {}", tick),
      expected, restored);
}

}  // namespace reprise::replays
