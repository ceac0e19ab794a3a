// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// All that one tick changes, in the order in which it happens, and who changes
// it. As costly as a few comparisons of whole states: for one tick, not a run.

#ifndef REPRISE_REPLAYS_COMPARING_TICK_CHANGES_H_
#define REPRISE_REPLAYS_COMPARING_TICK_CHANGES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/digest.h"
#include "sim/simulation.h"
#include "sim/state/state.h"
#include "sim/state/state_comparison.h"

namespace reprise::replays {

struct FieldChange {
  // From `expected` to `actual`. A row that comes is a change of each of its
  // scalars, without an old value; one that goes is one change.
  sim::FieldDifference difference;
  std::string writer;  // "behaviour spawn", "solver", or the phase
};

struct PhaseChanges {
  uint32_t phase = 0;
  sim::Digest root;  // of the state behind it
  std::vector<FieldChange> changes;
};

// Watches one tick, from `before` on.
class TickChanges final : public sim::PhaseObserver {
 public:
  // `phase_names` are the simulation's and must remain live.
  TickChanges(const std::vector<std::string>* phase_names, sim::State before);

  // In the order in which they ran.
  const std::vector<PhaseChanges>& phases() const { return phases_; }

  bool wants_writers() const override { return true; }
  void OnWriter(std::string_view writer, const sim::State& state) override;
  void OnPhase(uint32_t phase, const sim::State& state) override;

 private:
  const std::vector<std::string>& phase_names_;
  sim::State last_;
  std::vector<FieldChange> gathered_;  // of the phase that runs
  std::vector<PhaseChanges> phases_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_COMPARING_TICK_CHANGES_H_
