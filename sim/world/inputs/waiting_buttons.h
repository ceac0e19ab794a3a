// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Buttons between the steps of the game: what has been done with them waits
// until a step finds it, at most one change of a button in each step. So a tap
// between two steps is down in the next one and up in the one behind it.

#ifndef REPRISE_SIM_WORLD_INPUTS_WAITING_BUTTONS_H_
#define REPRISE_SIM_WORLD_INPUTS_WAITING_BUTTONS_H_

namespace reprise::sim {

// As the last step found them, and the step before it. A bit is a button.
template <typename Word>
struct FoundButtons {
  Word now = 0;
  Word before = 0;
};

// What waits.
template <typename Word>
struct WaitingButtons {
  // As their player holds them by now.
  Word held = 0;
  // Those that also went to the other side and back. Up to three changes of a
  // button wait; of more, a press and its release are one with those before.
  Word again = 0;

  friend bool operator==(const WaitingButtons&,
                         const WaitingButtons&) = default;
};

// The player holds them so from now on.
template <typename Word>
constexpr void GatherButtons(const FoundButtons<Word>& found, Word held,
                             WaitingButtons<Word>& waiting) {
  waiting.again |= (found.now ^ waiting.held) & (waiting.held ^ held);
  waiting.held = held;
}

// Goes on by a step, which finds one change of each button that has any.
template <typename Word>
constexpr void FindButtons(WaitingButtons<Word>& waiting,
                           FoundButtons<Word>& found) {
  found.before = found.now;
  const Word turned = waiting.again & ~(found.now ^ waiting.held);
  found.now = waiting.held ^ turned;
  waiting.again &= ~turned;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_INPUTS_WAITING_BUTTONS_H_
