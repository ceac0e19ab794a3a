// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A simulation for any number of players, in which what each of them did at
// each tick stays in the state. Tests that replay it link its registration,
// which comes with it.

#ifndef REPRISE_SERVICES_TESTING_CROWD_SIMULATION_H_
#define REPRISE_SERVICES_TESTING_CROWD_SIMULATION_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/testing/test_folders.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::services {

inline constexpr std::string_view kCrowdSimulationName = "crowd";

// How much of a walker's trail is left a tick later.
inline constexpr double kTrailDecay = 0.9375;

// Adds the pack "crowd".
void WriteCrowdPack(const TestFolders& folders, uint32_t player_count);

// Each player has axis 0, "push", and one walker, called "walker_0" and so on.
// At each tick `walkers.trail` is multiplied by kTrailDecay, and the axis (an
// integer) is added. Button 0 is "stop".
class CrowdSimulation final : public sim::Simulation {
 public:
  // INVALID_ARGUMENT: it isn't of WriteCrowdPack.
  static absl::StatusOr<std::unique_ptr<sim::Simulation>> Create(
      const sim::PackArchive& pack, uint64_t seed);

  const sim::SimulationInfo& info() const override { return info_; }
  sim::Tick tick() const override;
  const sim::State& state() const override { return state_; }
  absl::Status Validate(std::span<const sim::InputFrame> frames) const override;
  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override;
  absl::Status Restore(const sim::State& snapshot) override;
  std::unique_ptr<sim::Simulation> Fork() const override;
  std::vector<sim::Event> DrainEvents() override { return {}; }
  sim::Outcome outcome() const override { return {}; }
  sim::Frame ProduceFrame() const override;
  std::string ObjectName(sim::ObjectId object) const override;
  std::string IdName(sim::Id id) const override;
  absl::Status Inject(const sim::FieldAddress& address,
                      sim::FieldValue value) override;

 private:
  explicit CrowdSimulation(sim::SimulationInfo info);

  sim::SimulationInfo info_;
  sim::State state_;
  sim::TableIndex game_;
  sim::TableIndex walkers_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_CROWD_SIMULATION_H_
