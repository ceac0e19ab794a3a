// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/playing/held_inputs.h"

#include "sim/input/input_grammar.h"

namespace reprise::replays {

HeldInputs::HeldInputs() : players_(sim::kPlayersMax) {}

void HeldInputs::Take(std::span<const sim::InputFrame> frames) {
  for (Player& player : players_) {
    player.activity = {};
    player.commands.clear();
  }
  for (const sim::InputFrame& frame : frames) {
    if (frame.player >= players_.size()) continue;
    players_[frame.player] = {frame.device, frame.activity, frame.commands};
  }
}

absl::StatusOr<std::optional<sim::Tick>> FindInputDifference(
    InputSource& expected, InputSource& actual, sim::Tick tick_count) {
  HeldInputs left;
  HeldInputs right;
  for (sim::Tick tick = 0; tick < tick_count; ++tick) {
    const auto left_frames = expected.FramesAt(tick);
    if (!left_frames.ok()) return left_frames.status();
    const auto right_frames = actual.FramesAt(tick);
    if (!right_frames.ok()) return right_frames.status();
    left.Take(*left_frames);
    right.Take(*right_frames);
    if (left != right) return tick;
  }
  return std::nullopt;
}

}  // namespace reprise::replays
