// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs another simulation and shows its state with other tables, as a build
// from before or after a change of its rows would have it: what is common has
// the same values, the rest is zeros.

#ifndef REPRISE_REPLAYS_TESTING_RESHAPED_SIMULATION_H_
#define REPRISE_REPLAYS_TESTING_RESHAPED_SIMULATION_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "replays/container/byte_stream.h"
#include "replays/format/common_shape.h"
#include "replays/testing/injecting_simulation.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"

namespace reprise::replays {

// The fields of a table, to be changed; offsets are made anew afterwards. None:
// the table goes.
using ChangeFields = std::function<void(
    std::string_view room, std::string_view table, std::vector<sim::Field>&)>;

// The tables of `state` without rows, each with its fields changed.
sim::State ChangeShape(const sim::State& state, const ChangeFields& change);

// A field of one scalar, for a ChangeFields.
sim::Field NewField(const std::string& name, sim::ScalarType scalar,
                    const std::string& unit);

// Steps, and isn't restored.
class ReshapedSimulation final : public sim::Simulation {
 public:
  ReshapedSimulation(std::unique_ptr<sim::Simulation> simulation,
                     const sim::State& shape);

  const sim::State& state() const override { return state_; }
  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override;
  absl::Status Restore(const sim::State& snapshot) override;
  std::unique_ptr<sim::Simulation> Fork() const override;
  absl::Status Inject(const sim::FieldAddress& address,
                      sim::FieldValue value) override;

  // The rest is the other simulation's.
  const sim::SimulationInfo& info() const override {
    return simulation_->info();
  }
  sim::Tick tick() const override { return simulation_->tick(); }
  absl::Status Validate(
      std::span<const sim::InputFrame> frames) const override {
    return simulation_->Validate(frames);
  }
  std::vector<sim::Event> DrainEvents() override {
    return simulation_->DrainEvents();
  }
  sim::Outcome outcome() const override { return simulation_->outcome(); }
  sim::Frame ProduceFrame() const override {
    return simulation_->ProduceFrame();
  }
  absl::StatusOr<std::optional<sim::FramePicture>> ProducePicture()
      const override {
    return simulation_->ProducePicture();
  }
  std::string ObjectName(sim::ObjectId object) const override {
    return simulation_->ObjectName(object);
  }
  std::string IdName(sim::Id id) const override {
    return simulation_->IdName(id);
  }

 private:
  void UpdateState();

  const std::unique_ptr<sim::Simulation> simulation_;
  const sim::State shape_;
  const CommonShape common_;
  sim::State state_;
};

// The file of 100 ticks of the tiny simulation, played by RestlessInputs and
// recorded by a build with the tables of `shape`, with keyframes at 0, 40 and
// 80.
Bytes RecordReshaped(const sim::State& shape,
                     const std::optional<Injection>& injection = std::nullopt);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TESTING_RESHAPED_SIMULATION_H_
