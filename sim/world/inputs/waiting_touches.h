// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fingers between the steps of the game: as buttons (waiting_buttons.h), a
// finger that comes down or is lifted waits until a step finds it.

#ifndef REPRISE_SIM_WORLD_INPUTS_WAITING_TOUCHES_H_
#define REPRISE_SIM_WORLD_INPUTS_WAITING_TOUCHES_H_

#include <span>
#include <vector>

#include "sim/input/input_frame.h"
#include "sim/world/inputs/input_rows.h"

namespace reprise::sim {

// Fingers that came and went between two steps and wait; what comes when there
// are as many is forgotten.
inline constexpr size_t kWaitingTapsMax = kTouchesMax;

// Of one player, ascending by touch; `found` as the last step found them.
// Their phases in `waiting`, where all that is down has a row:
//   held         is down;
//   began        is down, and went to the other side and back before;
//   ended        is up: was lifted if it was down, else came and was lifted;
//   ended_twice  is up, was lifted, came and was lifted again.

// What waits when nothing has happened since.
std::vector<TouchRow> WaitingTouchesOf(std::span<const TouchRow> found);

// The player's fingers are those of `given` from now on.
void GatherTouches(std::span<const TouchRow> found,
                   std::span<const Touch> given,
                   std::vector<TouchRow>& waiting);

// Goes on by a step, which finds one change of each finger that has any. A
// finger ends where it was last, unless it has come down again since.
void FindTouches(std::vector<TouchRow>& waiting, std::vector<TouchRow>& found);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_INPUTS_WAITING_TOUCHES_H_
