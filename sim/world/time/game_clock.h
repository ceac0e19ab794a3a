// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Game time: how many steps the game makes in a tick of the world. It can be
// paused, stepped, slowed down and sped up, each from tick to tick, and after N
// ticks at rate r it has made floor(N r) steps exactly.

#ifndef REPRISE_SIM_WORLD_TIME_GAME_CLOCK_H_
#define REPRISE_SIM_WORLD_TIME_GAME_CLOCK_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/state/table.h"
#include "sim/world/time/time_rate.h"

namespace reprise::sim {

// Above this a tick of the world could cost more than anybody waits for.
inline constexpr int64_t kGameStepsPerTickMax = 8;

// As many as a person could ask for before they are made.
inline constexpr uint64_t kSingleStepsMax = 1000;

// One of several clocks that know nothing of each other.
struct GameClockRow {
  Id name;
  Tick game_tick = 0;          // steps made so far
  int64_t rate_numerator = 1;  // in lowest terms; 0..kGameStepsPerTickMax
  int64_t rate_denominator = 1;
  int64_t parts = 0;  // of the next step, in 0..kTickParts - 1
  uint64_t is_paused = 0;
  uint64_t single_steps = 0;  // asked for; only while paused

  friend bool operator==(const GameClockRow&, const GameClockRow&) = default;

  static constexpr std::string_view kTable = "game_clocks";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(GameClockRow, name, ""),
                      REPRISE_FIELD(GameClockRow, game_tick, "tick"),
                      REPRISE_FIELD(GameClockRow, rate_numerator, ""),
                      REPRISE_FIELD(GameClockRow, rate_denominator, ""),
                      REPRISE_FIELD(GameClockRow, parts, "1/90090000"),
                      REPRISE_FIELD(GameClockRow, is_paused, ""),
                      REPRISE_FIELD(GameClockRow, single_steps, "")};
  }
};

// Returns how many steps the game makes in this tick of the world, in
// 0..kGameStepsPerTickMax, and counts them. A paused clock stands still but for
// one tick of the world for each single step, at its rate.
uint32_t Advance(GameClockRow& clock);

// Pausing twice is pausing once. Resuming forgets the single steps not made.
void Pause(GameClockRow& clock);
void Resume(GameClockRow& clock);

// Lets a paused clock go on for one more tick. FAILED_PRECONDITION while it
// runs and RESOURCE_EXHAUSTED beyond kSingleStepsMax: nothing changes.
absl::Status SingleStep(GameClockRow& clock);

// From the next tick on; the part of a step that was made is kept. Errors as
// ReducedTimeRate's, with 0..kGameStepsPerTickMax: nothing changes.
absl::Status SetRate(GameClockRow& clock, TimeRate rate);

// Steps from `begin` to `end`: negative where `end` is behind.
int64_t GameTicksBetween(const GameClockRow& begin, const GameClockRow& end);

// DATA_LOSS when a table of clocks is out of order or a row out of range.
absl::Status CheckGameClocks(const Table& clocks);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_TIME_GAME_CLOCK_H_
