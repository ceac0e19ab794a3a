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
#include "sim/input/action_argument.h"
#include "sim/input/input_frame.h"

namespace reprise::sim {

// Bounds on what a pack may declare; far above any game that is known, and
// small enough that a tick's inputs stay in the kilobytes.
inline constexpr uint32_t kPlayersMax = 64;
inline constexpr uint32_t kCommandsPerTickMax = 64;
// With the player they are what an event carries, in scalars.
inline constexpr uint32_t kCommandArgumentsMax = 7;

struct Action {
  enum class Kind : uint8_t {
    kButton,
    kAxis,
    kCommand,
    kKey,
    kMouseButton,
    kPointer,
    kMouseMotion,
    kWheel,
    kTouch,
    kMotionSensor,
    kText,
  };

  std::string name;
  Id id;
  Kind kind = Kind::kButton;
  // Which button (0..63), axis (0..7), key or button of the mouse (0..31).
  uint32_t device_index = 0;
  // Touches at a time, or bytes of text at a tick.
  uint32_t maximum = 0;
  // Of commands only.
  std::vector<ActionArgument> arguments = {};
  // No part of play but of making the game: nobody draws it at random, and it
  // is no event.
  bool is_for_authors = false;

  // Whether it is down or up: a button of the device or the mouse, or a key.
  bool is_button() const;
};

struct InputGrammar {
  uint32_t player_count = 1;
  uint32_t commands_per_tick_max = 0;  // a player's, at one tick
  std::vector<Action> actions;

  // The action of that name and kind; nullptr where there is none.
  const Action* Find(Id id) const;
  bool Has(Action::Kind kind) const;
};

// Checks the frames of one tick. INVALID_ARGUMENT says which player, action and
// bound: an unknown player or two frames of one; anything of a device that no
// action declares and that isn't at rest; numbers of devices out of bounds; too
// many touches, or not in ascending order of their ids; text that is too long
// or no UTF-8; an unknown command, its arguments miscounted, of another type or
// out of bounds. RESOURCE_EXHAUSTED: more commands than the pack allows.
absl::Status ValidateInputs(const InputGrammar& grammar,
                            std::span<const InputFrame> frames);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_INPUT_GRAMMAR_H_
