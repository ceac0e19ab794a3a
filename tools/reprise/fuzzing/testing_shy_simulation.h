// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A simulation that ends its process where it is drawn.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_TESTING_SHY_SIMULATION_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_TESTING_SHY_SIMULATION_H_

#include <csignal>
#include <memory>

#include "replays/testing/forwarding_simulation.h"
#include "sim/base/tick.h"
#include "sim/frame.h"
#include "sim/simulation.h"

namespace reprise::tools {

// As another simulation, but to ask for a frame of tick 5 or a later one kills
// the process.
class ShySimulation final : public replays::ForwardingSimulation {
 public:
  using ForwardingSimulation::ForwardingSimulation;

  sim::Frame ProduceFrame() const override {
    if (tick() >= kTick) raise(SIGKILL);
    return ForwardingSimulation::ProduceFrame();
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<ShySimulation>(simulation().Fork());
  }

 private:
  static constexpr sim::Tick kTick = 5;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_TESTING_SHY_SIMULATION_H_
