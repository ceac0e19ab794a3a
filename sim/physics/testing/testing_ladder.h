// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The ladder of a run's tables: each scalar is left out of snapshots once, by
// its description alone, so that no new one goes by unnoticed.

#ifndef REPRISE_SIM_PHYSICS_TESTING_TESTING_LADDER_H_
#define REPRISE_SIM_PHYSICS_TESTING_TESTING_LADDER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/state/state.h"

namespace reprise::sim {

// What becomes of a run from which something was left out, by what it was: a
// scalar of all rows ("bodies.position.x"); a matrix as a whole, since a part
// of one is no rotation; or the rows that a fresh world doesn't have
// ("bodies"). Left out is what is made as it is in a fresh world, or 0 in rows
// that that hasn't. What becomes of it is the first other scalar that differs
// from the whole run, in the first tick in which one does, in the order of
// tables, rows and fields; or one of these.
using Fates = std::map<std::string, std::string>;
// Nothing else ever differs: it is told, not needed.
inline constexpr const char* kOnlyTold = "only told";
// No snapshot has anything there that a fresh world hasn't.
inline constexpr const char* kNeverSet = "never set";
inline constexpr const char* kRefused = "refused";

// Whether a row takes part.
using RowFilter = std::function<bool(const Table&, uint32_t row)>;
bool AllRows(const Table& table, uint32_t row);

// A run whose snapshots are tried.
struct LadderRun {
  std::vector<State> states;    // as each tick begins; the first is a fresh one
  std::vector<uint32_t> saves;  // the ticks of the snapshots that are tried
  uint32_t ticks_after = 0;     // how far a run is followed from each
  // Goes on from `state`, a snapshot of tick `tick`, and calls `at_tick` with
  // the state as each later tick begins until it returns false.
  // DATA_LOSS when the snapshot is refused.
  using AtTick = std::function<bool(uint32_t tick, const State& state)>;
  std::function<absl::Status(const State& state, uint32_t tick,
                             const AtTick& at_tick)>
      go_on;
};

// The fates of all that `tables` can lack, in rows that `filter` lets through.
Fates FatesOf(const LadderRun& run, const std::vector<TableIndex>& tables,
              const RowFilter& filter = AllRows);

// Shows those that aren't as expected, in the form in which they are.
testing::AssertionResult AreFates(const Fates& actual, const Fates& expected);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_TESTING_TESTING_LADDER_H_
