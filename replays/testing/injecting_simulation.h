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
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/check.h"
#include "sim/base/field_value.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"

namespace reprise::replays {

// What to change, and before the inputs of which tick.
struct Injection {
  sim::Tick tick = 0;
  sim::FieldAddress address;
  sim::FieldValue value;
};

class InjectingSimulation final : public sim::Simulation {
 public:
  InjectingSimulation(std::unique_ptr<sim::Simulation> simulation,
                      const Injection& injection)
      : simulation_(std::move(simulation)), injection_(injection) {}

  // Injects at the beginning of its tick, each time that the tick is made.
  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    ++step_count_;
    if (tick() == injection_.tick) {
      CHECK(simulation_->Inject(injection_.address, injection_.value).ok());
    }
    simulation_->Step(frames, observer);
  }

  // The ticks made so far, the same ones again included.
  uint64_t step_count() const { return step_count_; }

  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<InjectingSimulation>(simulation_->Fork(),
                                                 injection_);
  }

  // The rest is the other simulation's.
  const sim::SimulationInfo& info() const override {
    return simulation_->info();
  }
  const sim::GameDescription& description() const override {
    return simulation_->description();
  }
  sim::Tick tick() const override { return simulation_->tick(); }
  const sim::State& state() const override { return simulation_->state(); }
  absl::Status Validate(
      std::span<const sim::InputFrame> frames) const override {
    return simulation_->Validate(frames);
  }
  absl::Status Restore(const sim::State& snapshot) override {
    return simulation_->Restore(snapshot);
  }
  std::vector<sim::Event> DrainEvents() override {
    return simulation_->DrainEvents();
  }
  sim::Outcome outcome() const override { return simulation_->outcome(); }
  std::vector<sim::FrameMesh> FrameMeshes() const override {
    return simulation_->FrameMeshes();
  }
  sim::Frame ProduceFrame() const override {
    return simulation_->ProduceFrame();
  }
  std::string ObjectName(sim::ObjectId object) const override {
    return simulation_->ObjectName(object);
  }
  std::string IdName(sim::Id id) const override {
    return simulation_->IdName(id);
  }
  absl::Status Inject(const sim::FieldAddress& address,
                      sim::FieldValue value) override {
    return simulation_->Inject(address, value);
  }

 private:
  const std::unique_ptr<sim::Simulation> simulation_;
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
