// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The inputs that a pack understands, as it declares them. One declaration
// validates what clients send, maps devices to actions, and is the grammar from
// which random inputs are drawn.

#ifndef REPRISE_SIM_INPUT_INPUT_GRAMMAR_H_
#define REPRISE_SIM_INPUT_INPUT_GRAMMAR_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/input/input_frame.h"

namespace reprise::sim {

// Bounds on what a pack may declare; far above any game that is known, and
// small enough that a tick's inputs stay in the kilobytes.
inline constexpr uint32_t kPlayersMax = 64;
inline constexpr uint32_t kCommandsPerTickMax = 64;
// With the player they are what an event carries.
inline constexpr uint32_t kCommandArgumentsMax = 7;

struct ActionArgument {
  std::string name;
  int64_t minimum = 0;
  int64_t maximum = 0;  // inclusive
};

struct Action {
  enum class Kind : uint8_t { kButton, kAxis, kCommand };

  std::string name;
  Id id;
  Kind kind = Kind::kButton;
  // The device's button (0..63) or axis (0..7). Unused by commands.
  uint32_t device_index = 0;
  // Of commands only.
  std::vector<ActionArgument> arguments;
};

struct InputGrammar {
  uint32_t player_count = 1;
  uint32_t commands_per_tick_max = 0;  // a player's, at one tick
  std::vector<Action> actions;

  // The action of that name and kind; nullptr where there is none.
  const Action* Find(Id id) const;
};

// Checks the frames of one tick. INVALID_ARGUMENT says which player, action and
// bound: an unknown player or two frames of one, a button or axis that no
// action declares, an axis of -32768, an unknown command, its arguments out of
// bounds or miscounted. RESOURCE_EXHAUSTED: more commands than the pack allows.
absl::Status ValidateInputs(const InputGrammar& grammar,
                            std::span<const InputFrame> frames);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_INPUT_GRAMMAR_H_
