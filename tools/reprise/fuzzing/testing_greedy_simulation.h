// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A simulation that eats all memory, for the tests of whoever plays it.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_TESTING_GREEDY_SIMULATION_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_TESTING_GREEDY_SIMULATION_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "sim/event.h"
#include "sim/frame.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"

namespace reprise::tools {

// As another simulation, but a tick in which a player gives a command wants
// more memory than any limit of a test.
class GreedySimulation final : public sim::Simulation {
 public:
  explicit GreedySimulation(std::unique_ptr<sim::Simulation> other)
      : other_(std::move(other)) {}

  const sim::SimulationInfo& info() const override { return other_->info(); }
  const sim::GameDescription& description() const override {
    return other_->description();
  }
  sim::Tick tick() const override { return other_->tick(); }
  const sim::State& state() const override { return other_->state(); }
  absl::Status Validate(
      std::span<const sim::InputFrame> frames) const override {
    return other_->Validate(frames);
  }
  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    if (std::ranges::any_of(frames, [](const sim::InputFrame& frame) {
          return !frame.commands.empty();
        })) {
      TakeAllMemory();
    }
    other_->Step(frames, observer);
  }
  absl::Status Restore(const sim::State& snapshot) override {
    return other_->Restore(snapshot);
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<GreedySimulation>(other_->Fork());
  }
  std::vector<sim::Event> DrainEvents() override {
    return other_->DrainEvents();
  }
  sim::Outcome outcome() const override { return other_->outcome(); }
  sim::Frame ProduceFrame() const override { return other_->ProduceFrame(); }
  std::string ObjectName(sim::ObjectId object) const override {
    return other_->ObjectName(object);
  }
  std::string IdName(sim::Id id) const override { return other_->IdName(id); }
  absl::Status Inject(const sim::FieldAddress& address,
                      sim::FieldValue value) override {
    return other_->Inject(address, value);
  }

 private:
  // Asks for 64 GiB. Nothing is written there, so it costs no time.
  static void TakeAllMemory() {
    constexpr size_t kBlockBytes = size_t{16} << 20;
    std::vector<std::unique_ptr<std::byte[]>> blocks;
    for (int i = 0; i < 4096; ++i) {
      blocks.push_back(
          std::make_unique_for_overwrite<std::byte[]>(kBlockBytes));
      last_block_ = blocks.back().get();
    }
  }

  // Whoever may see the blocks keeps compilers from leaving them out.
  static inline std::byte* volatile last_block_ = nullptr;

  const std::unique_ptr<sim::Simulation> other_;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_TESTING_GREEDY_SIMULATION_H_
