// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Tells how much of a run a game was played: random inputs may pause it, and a
// test of a game that stands still proves nothing.

#ifndef REPRISE_TESTS_PACKS_GAME_TICKS_H_
#define REPRISE_TESTS_PACKS_GAME_TICKS_H_

#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"

namespace reprise::sim {

// How many ticks the game has made, in which it wasn't paused.
inline Tick GameTicksOf(const Simulation& world) {
  const TableIndex clocks = *world.state().Find("time", "game_clocks");
  const Table& table = world.state().table(clocks);
  const ScalarPath game_tick = *table.schema().Find("game_tick");
  return ReadScalar(table.schema(), table.Row(0), game_tick).bits;
}

}  // namespace reprise::sim

#endif  // REPRISE_TESTS_PACKS_GAME_TICKS_H_
