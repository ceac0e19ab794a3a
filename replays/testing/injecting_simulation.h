// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs another simulation and changes one scalar of its state at one tick: the
// disturbance that checkers have to find.

#ifndef REPRISE_REPLAYS_TESTING_INJECTING_SIMULATION_H_
#define REPRISE_REPLAYS_TESTING_INJECTING_SIMULATION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "replays/testing/forwarding_simulation.h"
#include "sim/base/check.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"

namespace reprise::replays {

// What to change, and before the inputs of which tick.
struct Injection {
  sim::Tick tick = 0;
  sim::FieldAddress address;
  sim::FieldValue value;
};

class InjectingSimulation final : public ForwardingSimulation {
 public:
  InjectingSimulation(std::unique_ptr<sim::Simulation> simulation,
                      const Injection& injection)
      : ForwardingSimulation(std::move(simulation)), injection_(injection) {}

  // Injects at the beginning of its tick, each time that the tick is made.
  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    ++step_count_;
    if (tick() == injection_.tick) {
      CHECK(simulation().Inject(injection_.address, injection_.value).ok());
    }
    ForwardingSimulation::Step(frames, observer);
  }

  // The ticks made so far, the same ones again included.
  uint64_t step_count() const { return step_count_; }

  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<InjectingSimulation>(simulation().Fork(),
                                                 injection_);
  }

 private:
  const Injection injection_;
  uint64_t step_count_ = 0;
};

// The double called `field` of row `row` of a table, one unit in the last place
// further from zero than `simulation` has it now, to be injected at `tick`.
// REQUIRES: there is such a field.
Injection OneUlpMore(const sim::Simulation& simulation, std::string_view room,
                     std::string_view table, uint32_t row,
                     std::string_view field, sim::Tick tick);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TESTING_INJECTING_SIMULATION_H_
