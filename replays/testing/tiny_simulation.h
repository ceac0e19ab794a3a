// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A second, deliberately small implementation of sim::Simulation: two pieces on
// a board, a die, one player. It shares nothing with the built-in World but the
// waist, and keeps the waist honest: whatever works on simulations has to work
// on this one.

#ifndef REPRISE_REPLAYS_TESTING_TINY_SIMULATION_H_
#define REPRISE_REPLAYS_TESTING_TINY_SIMULATION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

inline constexpr std::string_view kTinySimulationName = "tiny";

// A pack of the tiny simulation. Its pack.txtpb has these three lines, in this
// order; `step` is how far the runner gets in a tick at full deflection, and
// `goal` where it wins.
//   name: "tiny"
//   step: 0.1
//   goal: 100
// With a fourth line, `inputs: every`, it also takes all that
// sim::EveryInputGrammar has, and keeps a digest of it in its state.
sim::PackArchive MakeTinyPack(double step = 0.1, double goal = 100.0,
                              bool has_every_input = false);

// The two objects.
inline constexpr sim::ObjectId kRunner = {1};
inline constexpr sim::ObjectId kDrifter = {2};

// Phases: "input" takes the device and the command `teleport` (to a place in
// hundredths); "move" moves the runner by axis 0, and by a draw of the die the
// drifter while button 0 is held; "score" counts the ticks that button is held
// and decides the outcome. Every hundredth tick is an event, and so is the
// goal.
class TinySimulation final : public sim::Simulation {
 public:
  // INVALID_ARGUMENT for anything but the three lines.
  static absl::StatusOr<std::unique_ptr<sim::Simulation>> Create(
      const sim::PackArchive& pack, uint64_t seed);

  const sim::SimulationInfo& info() const override { return info_; }
  const sim::GameDescription& description() const override;
  sim::Tick tick() const override;
  const sim::State& state() const override { return state_; }
  absl::Status Validate(std::span<const sim::InputFrame> frames) const override;
  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override;
  absl::Status Restore(const sim::State& snapshot) override;
  std::unique_ptr<sim::Simulation> Fork() const override;
  std::vector<sim::Event> DrainEvents() override;
  sim::Outcome outcome() const override;
  sim::Frame ProduceFrame() const override;
  std::string ObjectName(sim::ObjectId object) const override;
  std::string IdName(sim::Id id) const override;
  absl::Status Inject(const sim::FieldAddress& address,
                      sim::FieldValue value) override;

 private:
  TinySimulation(sim::SimulationInfo info, double step, double goal);

  void TakeInputs(std::span<const sim::InputFrame> frames);
  void TakeEveryInput(std::span<const sim::InputFrame> frames);
  void Move();
  void Score();

  sim::SimulationInfo info_;
  double step_;
  double goal_;
  sim::NameTable names_;
  sim::State state_;
  sim::TableIndex game_;
  sim::TableIndex device_;
  sim::TableIndex pieces_;
  std::optional<sim::TableIndex> every_input_;  // where the pack wants it
  sim::TableIndex die_;
  std::vector<sim::Event> events_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TESTING_TINY_SIMULATION_H_
