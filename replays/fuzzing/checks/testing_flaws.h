// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Simulations that each break the contract in one way, which a run that is
// perturbed so shows.

#ifndef REPRISE_REPLAYS_FUZZING_CHECKS_TESTING_FLAWS_H_
#define REPRISE_REPLAYS_FUZZING_CHECKS_TESTING_FLAWS_H_

#include <memory>
#include <span>
#include <utility>

#include "replays/testing/forwarding_simulation.h"
#include "replays/testing/injecting_simulation.h"
#include "sim/base/check.h"
#include "sim/base/tick.h"
#include "sim/frame.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"

namespace reprise::replays {

// The least change of a state that there is.
inline void Nudge(sim::Simulation& simulation) {
  const Injection nudge =
      OneUlpMore(simulation, "board", "pieces", 1, "y", simulation.tick());
  CHECK(simulation.Inject(nudge.address, nudge.value).ok());
}

// To be drawn moves a piece.
class WritesWhenWatched final : public ForwardingSimulation {
 public:
  using ForwardingSimulation::ForwardingSimulation;

  sim::Frame ProduceFrame() const override {
    Nudge(simulation());
    return simulation().ProduceFrame();
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<WritesWhenWatched>(simulation().Fork());
  }
};

// What was forked three times isn't what it was.
class LosesByMoving final : public ForwardingSimulation {
 public:
  explicit LosesByMoving(std::unique_ptr<sim::Simulation> tiny, int moves = 0)
      : ForwardingSimulation(std::move(tiny)), moves_(moves) {}

  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    if (moves_ >= 3) Nudge(simulation());
    ForwardingSimulation::Step(frames, observer);
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<LosesByMoving>(simulation().Fork(), moves_ + 1);
  }

 private:
  const int moves_;
};

// All of them go by the tick that was made last, by whomever.
class SharesAVariable final : public ForwardingSimulation {
 public:
  explicit SharesAVariable(std::unique_ptr<sim::Simulation> tiny,
                           std::shared_ptr<sim::Tick> last_tick = nullptr)
      : ForwardingSimulation(std::move(tiny)),
        last_tick_(last_tick != nullptr ? std::move(last_tick)
                                        : std::make_shared<sim::Tick>(0)) {}

  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    if (*last_tick_ + 1 < tick()) Nudge(simulation());
    *last_tick_ = tick();
    ForwardingSimulation::Step(frames, observer);
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<SharesAVariable>(simulation().Fork(), last_tick_);
  }

 private:
  const std::shared_ptr<sim::Tick> last_tick_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_CHECKS_TESTING_FLAWS_H_
