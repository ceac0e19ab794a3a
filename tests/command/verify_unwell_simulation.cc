// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The tiny simulation, but a run of seed 13 has the mishap that the variable
// UNWELL names: what one replay of many does to those who verify them all.
// Where that is "meet", each run waits in the folder MEETING_PLACE for another
// one. What concerns the process, every run of it has: it leaves its number in
// that folder ("census", "keep"), keeps memory ("keep"), can't bear a second
// run ("second") or gets it wrong ("leftover"), or crashes when all is done
// ("late").

#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/check.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/simulation_registry.h"

namespace reprise::tests {
namespace {

constexpr uint64_t kUnluckySeed = 13;

// Behind the first ticks that a verification tells of.
constexpr sim::Tick kMishapTick = 300;

std::string_view Mishap() {
  const char* const name = std::getenv("UNWELL");
  return name == nullptr ? "" : name;
}

// Larger than any limit of the tests.
void TakeAllMemory() {
  std::vector<std::unique_ptr<std::vector<char>>> blocks;
  for (int i = 0; i < 4096; ++i) {
    blocks.push_back(std::make_unique<std::vector<char>>(1 << 20, 'x'));
  }
}

void HaveMishap() {
  CHECK(Mishap() != "check", "this simulation is unwell");
  if (Mishap() == "signal") raise(SIGKILL);
  if (Mishap() == "exit") _exit(0);
  if (Mishap() == "memory") TakeAllMemory();
  while (Mishap() == "hang") pause();
  while (Mishap() == "chatter") std::puts("this simulation is unwell");
}

void Register() {
  const std::filesystem::path place = std::getenv("MEETING_PLACE");
  std::ofstream(place / std::to_string(getpid())).flush();
}

// Until there are two, and for ever where nobody else comes.
void Meet() {
  const std::filesystem::path place = std::getenv("MEETING_PLACE");
  Register();
  while (std::distance(std::filesystem::directory_iterator(place), {}) < 2) {
    usleep(1000);
  }
}

// By every run, once. Returns whether what another run left reaches this one.
bool HaveMishapOfProcess() {
  static int runs = 0;
  static std::vector<std::unique_ptr<std::vector<char>>> kept;
  ++runs;
  CHECK(Mishap() != "second" || runs == 1, "it is the second run");
  if (Mishap() == "census" || Mishap() == "keep") Register();
  if (Mishap() == "keep") {
    kept.push_back(std::make_unique<std::vector<char>>(200 << 20, 'x'));
  }
  if (Mishap() == "late" && runs == 1) std::atexit([] { _exit(9); });
  return Mishap() == "leftover" && runs > 1;
}

class UnwellSimulation final : public sim::Simulation {
 public:
  static absl::StatusOr<std::unique_ptr<sim::Simulation>> Create(
      const sim::PackArchive& pack, uint64_t seed) {
    absl::StatusOr<std::unique_ptr<sim::Simulation>> tiny =
        replays::TinySimulation::Create(pack, seed);
    if (!tiny.ok()) return tiny.status();
    return std::make_unique<UnwellSimulation>(*std::move(tiny));
  }

  explicit UnwellSimulation(std::unique_ptr<sim::Simulation> tiny)
      : tiny_(std::move(tiny)), info_(tiny_->info()) {
    info_.simulation = "unwell";
    if (Mishap() == "rules") ++info_.rules_revision;
  }

  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    if (info_.seed == kUnluckySeed && tick() == kMishapTick) HaveMishap();
    if (tick() == kMishapTick) has_leftover_ = HaveMishapOfProcess();
    if (Mishap() == "slow") usleep(1000);
    if (Mishap() == "meet" && tick() == kMishapTick) Meet();
    tiny_->Step(frames, observer);
  }

  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<UnwellSimulation>(tiny_->Fork());
  }

  const sim::SimulationInfo& info() const override { return info_; }

  // The rest is the tiny simulation's.
  const sim::GameDescription& description() const override {
    return tiny_->description();
  }
  sim::Tick tick() const override { return tiny_->tick(); }
  const sim::State& state() const override { return tiny_->state(); }
  absl::Status Validate(
      std::span<const sim::InputFrame> frames) const override {
    return tiny_->Validate(frames);
  }
  absl::Status Restore(const sim::State& snapshot) override {
    return tiny_->Restore(snapshot);
  }
  std::vector<sim::Event> DrainEvents() override {
    return tiny_->DrainEvents();
  }
  sim::Outcome outcome() const override {
    sim::Outcome outcome = tiny_->outcome();
    if (has_leftover_) outcome.reason += " and something was left";
    return outcome;
  }
  sim::Frame ProduceFrame() const override { return tiny_->ProduceFrame(); }
  std::string ObjectName(sim::ObjectId object) const override {
    return tiny_->ObjectName(object);
  }
  std::string IdName(sim::Id id) const override { return tiny_->IdName(id); }
  absl::Status Inject(const sim::FieldAddress& address,
                      sim::FieldValue value) override {
    return tiny_->Inject(address, value);
  }

 private:
  const std::unique_ptr<sim::Simulation> tiny_;
  sim::SimulationInfo info_;
  bool has_leftover_ = false;
};

REPRISE_REGISTER_SIMULATION(unwell, "unwell", &UnwellSimulation::Create);

}  // namespace
}  // namespace reprise::tests
