// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Simulations that each break the contract in one way, which a run that is
// perturbed so shows.

#ifndef REPRISE_REPLAYS_FUZZING_CHECKS_TESTING_FLAWS_H_
#define REPRISE_REPLAYS_FUZZING_CHECKS_TESTING_FLAWS_H_

#include <memory>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "replays/testing/forwarding_simulation.h"
#include "replays/testing/injecting_simulation.h"
#include "sim/base/check.h"
#include "sim/base/tick.h"
#include "sim/frame.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

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

// Goes by the one that was made or restored last, as where an engine keeps its
// game in a variable.
class KnowsOneGame final : public ForwardingSimulation {
 public:
  explicit KnowsOneGame(std::unique_ptr<sim::Simulation> tiny,
                        std::shared_ptr<const KnowsOneGame*> current = nullptr)
      : ForwardingSimulation(std::move(tiny)),
        current_(current != nullptr
                     ? std::move(current)
                     : std::make_shared<const KnowsOneGame*>(nullptr)) {
    *current_ = this;
  }

  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    if (*current_ != this) Nudge(simulation());
    ForwardingSimulation::Step(frames, observer);
  }
  absl::Status Restore(const sim::State& snapshot) override {
    *current_ = this;
    return ForwardingSimulation::Restore(snapshot);
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<KnowsOneGame>(simulation().Fork(), current_);
  }

 private:
  const std::shared_ptr<const KnowsOneGame*> current_;
};

// Counts what it made since it was restored, in no row.
class ForgetsByRestoring final : public ForwardingSimulation {
 public:
  explicit ForgetsByRestoring(std::unique_ptr<sim::Simulation> tiny,
                              int steps = 0)
      : ForwardingSimulation(std::move(tiny)), steps_(steps) {}

  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    if (++steps_ % 20 == 0) Nudge(simulation());
    ForwardingSimulation::Step(frames, observer);
  }
  absl::Status Restore(const sim::State& snapshot) override {
    steps_ = 0;
    return ForwardingSimulation::Restore(snapshot);
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<ForgetsByRestoring>(simulation().Fork(), steps_);
  }

 private:
  int steps_;
};

// All of them count in one variable, which begins anew with each game.
class CountsForAll final : public ForwardingSimulation {
 public:
  explicit CountsForAll(std::unique_ptr<sim::Simulation> tiny,
                        std::shared_ptr<int> steps = nullptr)
      : ForwardingSimulation(std::move(tiny)),
        steps_(steps != nullptr ? std::move(steps) : std::make_shared<int>(0)) {
  }

  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    if (tick() == 0) *steps_ = 0;
    if (++*steps_ % 2 == 0) Nudge(simulation());
    ForwardingSimulation::Step(frames, observer);
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<CountsForAll>(simulation().Fork(), steps_);
  }

 private:
  const std::shared_ptr<int> steps_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_CHECKS_TESTING_FLAWS_H_
