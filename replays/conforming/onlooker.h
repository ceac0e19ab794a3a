// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Somebody who looks at a run in every way that there is. Nothing that it asks
// may change what comes next.

#ifndef REPRISE_REPLAYS_CONFORMING_ONLOOKER_H_
#define REPRISE_REPLAYS_CONFORMING_ONLOOKER_H_

#include <cstdint>
#include <string_view>

#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

// Keeps a copy of what it was shown last, as who watches a state does.
class Onlooker final : public sim::PhaseObserver {
 public:
  // Asks for outcome, meshes, description, picture, frame, events and names,
  // each twice: the second time what the first one left behind is met. The
  // events are taken.
  static void LookAt(sim::Simulation& simulation);

  void OnPhase(uint32_t phase, const sim::State& state) override;
  bool wants_writers() const override { return true; }
  void OnWriter(std::string_view writer, const sim::State& state) override;

 private:
  sim::State copy_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONFORMING_ONLOOKER_H_
