// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Random inputs that every pack accepts, drawn from the actions it declares.
// The same grammar and seed give the same inputs.

#ifndef REPRISE_SIM_INPUT_RANDOM_INPUT_SOURCE_H_
#define REPRISE_SIM_INPUT_RANDOM_INPUT_SOURCE_H_

#include <cstdint>
#include <vector>

#include "sim/base/random.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"

namespace reprise::sim {

// Plays like a restless person: every player holds each button, axis and the
// like for 1 to 60 ticks, then chooses again, and moves a mouse, enters text or
// gives a command now and then.
class RandomInputSource {
 public:
  // `grammar` must remain live while this source is in use.
  RandomInputSource(const InputGrammar& grammar, uint64_t seed);

  // The frames of the next tick: of each player whose device changed, or who
  // does or commands something. They pass ValidateInputs.
  std::vector<InputFrame> Next();

 private:
  struct Player {
    RandomStream stream;
    DeviceState device;
    // For each action of the grammar: ticks until it is chosen again.
    std::vector<uint64_t> ticks_left;
  };

  // Chooses anew what the player does with one action.
  void Choose(const Action& action, Player& player, InputFrame& frame);

  const InputGrammar& grammar_;
  std::vector<Player> players_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_RANDOM_INPUT_SOURCE_H_
