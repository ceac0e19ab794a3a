// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A run that is made once more in a way that must not matter: somebody looks at
// all of it, what is derived from its state is thrown away again and again, or
// another run lives beside it. What comes of it is the same, or the game isn't
// a function of its state and its inputs.

#ifndef REPRISE_REPLAYS_FUZZING_CHECKS_PERTURBED_RUN_H_
#define REPRISE_REPLAYS_FUZZING_CHECKS_PERTURBED_RUN_H_

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "replays/conforming/onlooker.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

// Signatures of these failures begin with this, and go on with the way and the
// field: "perturbation watched board.pieces.y".
inline constexpr std::string_view kPerturbationSignature = "perturbation ";

enum class Perturbation : uint8_t {
  kWatched,      // frames, names, events, phases: all is asked for at each tick
  kMoved,        // into another simulation, in memory that is full of others'
                 // bytes, and restored from its own state
  kAccompanied,  // by the same run, which falls behind and is at other ticks
};

inline constexpr std::array kPerturbations = {
    Perturbation::kWatched, Perturbation::kMoved, Perturbation::kAccompanied};

// "watched".
std::string_view NameOf(Perturbation perturbation);

// Used by one thread at a time. What it does at a tick follows from the tick.
class PerturbedRun {
 public:
  // Goes on from where `start` is, which is forked.
  PerturbedRun(const sim::Simulation& start, Perturbation perturbation);
  PerturbedRun(const PerturbedRun&) = delete;
  PerturbedRun& operator=(const PerturbedRun&) = delete;

  // Goes on from `snapshot`. Errors are the simulation's.
  absl::Status Restore(const sim::State& snapshot);

  // Makes a tick. Does nothing once the simulation can't go on, which Compare
  // tells. REQUIRES: a simulation in this state takes `frames`.
  void Step(std::span<const sim::InputFrame> frames);

  // The failure of a run that isn't as one that wasn't perturbed, and is at the
  // same tick in state `expected`; nullopt where both are the same.
  std::optional<RunFailure> Compare(const sim::State& expected) const;

  const sim::Simulation& simulation() const { return *simulation_; }
  // Stepped so far, those of the run beside it included.
  uint64_t ticks() const { return ticks_; }

 private:
  void Move();
  void ThrowAwayWhatIsDerived();
  void StepCompanion();

  const Perturbation perturbation_;
  std::unique_ptr<sim::Simulation> simulation_;
  absl::Status status_;
  Onlooker onlooker_;
  // The run beside it, and what it is still to be given.
  std::unique_ptr<sim::Simulation> companion_;
  std::deque<std::vector<sim::InputFrame>> behind_;
  uint64_t ticks_ = 0;
};

// What CheckPerturbedRun found, and the ticks that it took.
struct PerturbationCheck {
  std::optional<RunFailure> failure;
  uint64_t ticks = 0;
};

// Plays `inputs` from `snapshot`, of a simulation of the pack of `simulation`,
// up to the tick `end`, and compares with `expected`, the state there of the
// run that wasn't perturbed. `simulation` is then in state `snapshot`.
// `before_tick` is called before each tick; may be empty.
PerturbationCheck CheckPerturbedRun(
    Perturbation perturbation, const sim::State& snapshot,
    std::span<const TickInputs> inputs, const sim::State& expected,
    sim::Tick end, sim::Simulation& simulation,
    const std::function<void()>& before_tick = {});

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_CHECKS_PERTURBED_RUN_H_
