// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Inputs as what players do with one action after the other, so that who makes
// or shortens inputs speaks the game's words: each change is of one player, one
// action and one value. Frames become changes and changes frames; frames with a
// grammar's own actions come back the same.

#ifndef REPRISE_REPLAYS_FUZZING_INPUTS_ACTION_CHANGES_H_
#define REPRISE_REPLAYS_FUZZING_INPUTS_ACTION_CHANGES_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "replays/format/input_source.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"
#include "sim/input/input_value.h"

namespace reprise::replays {

// What an action comes to; what it doesn't take stays empty.
struct ActionValue {
  // A button or key that is held (1) or not, an axis; x and y of a pointer, a
  // mouse's motion and a wheel; all six numbers of a motion sensor.
  std::array<int32_t, 6> numbers = {};
  std::vector<sim::Touch> touches = {};
  std::string text = {};
  std::vector<sim::InputValue> arguments = {};  // of a command

  friend bool operator==(const ActionValue&, const ActionValue&) = default;
};

struct ActionChange {
  sim::Tick tick = 0;
  uint32_t player = 0;
  uint32_t action = 0;  // its index in the grammar
  ActionValue value;

  friend bool operator==(const ActionChange&, const ActionChange&) = default;
};

// Whether the value is held until it changes, rather than of its tick alone.
bool IsHeld(const sim::Action& action);

// The value of a device at rest.
bool IsAtRest(const ActionValue& value);

// What all players hold, by player.
using HeldDevices = std::vector<sim::DeviceState>;

// The changes of `ticks`, ascending, for players who hold `held` before.
// `held` is then what they hold behind them. Several actions of one part of a
// device each have their change. REQUIRES: the frames pass ValidateInputs;
// `held` has a device a player.
std::vector<ActionChange> ToChanges(const sim::InputGrammar& grammar,
                                    std::span<const TickInputs> ticks,
                                    HeldDevices& held);

// The frames that make `changes`, without those that repeat what is held. Of
// several changes of one device at one tick the last counts; commands beyond
// what the pack allows at a tick, and more than one text, are left out.
// `held` as above. REQUIRES: ticks of changes ascend.
std::vector<TickInputs> ToTickInputs(const sim::InputGrammar& grammar,
                                     std::span<const ActionChange> changes,
                                     HeldDevices& held);

// "tick 12, player 0: jump = 1".
std::string FormatChange(const sim::InputGrammar& grammar,
                         const ActionChange& change);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_INPUTS_ACTION_CHANGES_H_
