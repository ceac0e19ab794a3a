// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A simulation that has another do everything: what stands before one derives
// from it.

#ifndef REPRISE_REPLAYS_TESTING_FORWARDING_SIMULATION_H_
#define REPRISE_REPLAYS_TESTING_FORWARDING_SIMULATION_H_

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/tick.h"
#include "sim/debug_frame.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"

namespace reprise::replays {

class ForwardingSimulation : public sim::Simulation {
 public:
  explicit ForwardingSimulation(std::unique_ptr<sim::Simulation> simulation)
      : simulation_(std::move(simulation)) {}

  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    simulation_->Step(frames, observer);
  }
  absl::Status status() const override { return simulation_->status(); }
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
  absl::StatusOr<std::optional<sim::FramePicture>> ProducePicture()
      const override {
    return simulation_->ProducePicture();
  }
  sim::DebugFrame ProduceDebugFrame() const override {
    return simulation_->ProduceDebugFrame();
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

 protected:
  sim::Simulation& simulation() const { return *simulation_; }

 private:
  const std::unique_ptr<sim::Simulation> simulation_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TESTING_FORWARDING_SIMULATION_H_
