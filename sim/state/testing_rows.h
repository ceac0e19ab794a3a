// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Rows and states for the tests of tables, snapshots and comparison.

#ifndef REPRISE_SIM_STATE_TESTING_ROWS_H_
#define REPRISE_SIM_STATE_TESTING_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/object_id.h"
#include "sim/state/state.h"

namespace reprise::sim {

// 40 bytes: 102 rows a page.
struct Mover {
  ObjectId object;
  double speed = 0.0;
  std::array<int16_t, 4> axes = {};
  int64_t score = 0;
  uint32_t lives = 0;
  uint32_t flags = 0;

  static constexpr std::string_view kTable = "movers";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{
        REPRISE_FIELD(Mover, object, ""), REPRISE_FIELD(Mover, speed, "m/s"),
        REPRISE_FIELD(Mover, axes, ""),   REPRISE_FIELD(Mover, score, ""),
        REPRISE_FIELD(Mover, lives, ""),  REPRISE_FIELD(Mover, flags, "")};
  }
};

struct Clock {
  uint64_t tick = 0;

  static constexpr std::string_view kTable = "clock";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(Clock, tick, "tick")};
  }
};

// Where the tables of a MakeMovers state lie.
inline constexpr TableIndex kClockTable{0};
inline constexpr TableIndex kMoverTable{1};

// The rooms "time" (one clock) and "game" (`count` movers, serials 1, 3, 5
// ...).
inline State MakeMovers(uint32_t count) {
  State state;
  state.AddTable("time", RowSchema::Of<Clock>());
  state.AddTable("game", RowSchema::Of<Mover>());
  state.mutable_table(kClockTable).Resize(1);
  Table& movers = state.mutable_table(kMoverTable);
  movers.Resize(count);
  for (uint32_t row = 0; row < count; ++row) {
    movers.Mutable<Mover>(row) = Mover{
        .object = {2 * uint64_t{row} + 1}, .speed = 0.5 * row, .score = row};
  }
  return state;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_STATE_TESTING_ROWS_H_
