// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/conforming/conformance.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "fmt/format.h"
#include "sim/base/field_value.h"
#include "sim/base/float_control.h"
#include "sim/base/state.h"
#include "sim/base/state_codec.h"
#include "sim/base/state_comparison.h"
#include "sim/input/random_input_source.h"

namespace reprise::replays {
namespace {

using sim::Simulation;
using sim::State;
using sim::Tick;

// How far a rollback goes back, and how long a fork lives.
constexpr Tick kRollbackTicks = 8;
constexpr Tick kForkTicks = 30;

constexpr std::string_view kOutsideOfState =
    "state that isn't shown: a cache, a static variable, a generator of random "
    "numbers, a solver's memory of its last step";
constexpr std::string_view kShared =
    "something that two simulations share: a global or static variable";

constexpr auto kChecks = std::to_array<ConformanceCheck>({
    {"twice", "a run made again in the same process",
     "memory that is never set, a clock, an address or the order of a hash "
     "table"},
    {"watched", "events, frames, outcome, names and phases asked for",
     "a call that only looks, and writes"},
    {"ordered", "frames in another order, and such that repeat what is held",
     "inputs that count as they arrive"},
    {"restored", "going on from a snapshot of any tick, in another simulation",
     kOutsideOfState},
    {"encoded", "going on from the portable bytes of a snapshot",
     "a number in the state that stands for something in memory"},
    {"rolled back", "going back a few ticks, again and again", kOutsideOfState},
    {"forked", "forks that live side by side and are given other inputs",
     kShared},
    {"threads", "another thread, with another rounding of floating point",
     "variables of a thread, or results that depend on the caller's control "
     "of floating point"},
});

// The run that the others are held against.
struct Reference {
  std::vector<State> states;  // before each tick, and after the last
};

class Checker {
 public:
  Checker(const SimulationMaker& create, const ConformanceInputs& inputs)
      : create_(create), inputs_(inputs) {}

  absl::Status MakeReference() {
    absl::StatusOr<std::unique_ptr<Simulation>> made = create_();
    if (!made.ok()) return made.status();
    Simulation& simulation = **made;
    reference_.states = {simulation.state()};
    for (Tick tick = 0; tick < inputs_.size(); ++tick) {
      const absl::Status status = Step(simulation, tick);
      if (!status.ok()) {
        return absl::Status(
            status.code(),
            fmt::format("tick {}: {}", tick, std::string(status.message())));
      }
      simulation.DrainEvents();
      reference_.states.push_back(simulation.state());
    }
    return absl::OkStatus();
  }

  std::optional<ConformanceFailure> Make(std::string_view check) {
    absl::StatusOr<std::unique_ptr<Simulation>> made = create_();
    if (!made.ok()) return Said(0, made.status());
    const std::unique_ptr<Simulation> simulation = *std::move(made);
    if (check == "twice") return Follow(*simulation);
    if (check == "watched") return Watched(*simulation);
    if (check == "ordered") return Ordered(*simulation);
    if (check == "restored") return Restored(*simulation);
    if (check == "encoded") return Encoded(*simulation);
    if (check == "rolled back") return RolledBack(*simulation);
    if (check == "forked") return Forked(*simulation);
    return OnAnotherThread();
  }

 private:
  using Failure = std::optional<ConformanceFailure>;

  static Failure Said(Tick tick, const absl::Status& status) {
    return ConformanceFailure{tick, std::string(status.message())};
  }

  static absl::Status StepWith(Simulation& simulation,
                               std::span<const sim::InputFrame> frames,
                               sim::PhaseObserver* observer = nullptr) {
    const absl::Status status = simulation.Validate(frames);
    if (!status.ok()) return status;
    simulation.Step(frames, observer);
    return simulation.status();
  }

  absl::Status Step(Simulation& simulation, Tick tick) const {
    return StepWith(simulation, inputs_[tick]);
  }

  // Whether the state is the reference's at its tick.
  Failure Compare(const Simulation& simulation) const {
    return CompareAt(simulation, simulation.tick());
  }

  Failure CompareAt(const Simulation& simulation, Tick tick) const {
    const State& expected = reference_.states[tick];
    const absl::Status shape = expected.CheckSameShape(simulation.state());
    if (!shape.ok()) return Said(tick, shape);
    if (expected.ComputeRootDigest() ==
        simulation.state().ComputeRootDigest()) {
      return std::nullopt;
    }
    const std::vector<sim::FieldDifference> differences =
        sim::CompareStates(expected, simulation.state(), /*limit=*/1);
    return ConformanceFailure{
        tick, differences.empty()
                  ? "the digests differ"
                  : sim::FormatDifference(differences.front(), expected,
                                          sim::NamesOf(simulation))};
  }

  // One tick, and whether it ends where the reference does.
  Failure StepAndCompare(Simulation& simulation) const {
    const Tick tick = simulation.tick();
    const absl::Status status = Step(simulation, tick);
    if (!status.ok()) return Said(tick, status);
    simulation.DrainEvents();
    if (simulation.tick() != tick + 1) {
      return ConformanceFailure{
          tick, fmt::format("after a step of tick {} it is at tick {}", tick,
                            simulation.tick())};
    }
    return Compare(simulation);
  }

  Failure Follow(Simulation& simulation) const {
    if (Failure failure = Compare(simulation)) return failure;
    while (simulation.tick() < inputs_.size()) {
      if (Failure failure = StepAndCompare(simulation)) return failure;
    }
    return std::nullopt;
  }

  // Asks whatever can be asked.
  static void LookAt(Simulation& simulation) {
    for (int times = 0; times < 2; ++times) {
      simulation.outcome();
      simulation.FrameMeshes();
      simulation.description();
      for (const sim::FrameObject& object : simulation.ProduceFrame().objects) {
        simulation.ObjectName(object.object);
      }
      for (const sim::Event& event : simulation.DrainEvents()) {
        simulation.ObjectName(event.object);
        simulation.IdName(event.type);
      }
    }
  }

  Failure Watched(Simulation& simulation) const {
    class Watcher final : public sim::PhaseObserver {
     public:
      void OnPhase(uint32_t /*phase*/, const State& state) override {
        copy_ = state;
      }
      bool wants_writers() const override { return true; }
      void OnWriter(std::string_view /*writer*/, const State& state) override {
        copy_ = state;
      }

     private:
      State copy_;
    };
    Watcher watcher;
    while (simulation.tick() < inputs_.size()) {
      LookAt(simulation);
      const Tick tick = simulation.tick();
      const absl::Status status = StepWith(simulation, inputs_[tick], &watcher);
      if (!status.ok()) return Said(tick, status);
      if (Failure failure = Compare(simulation)) return failure;
      LookAt(simulation);
      if (Failure failure = Compare(simulation)) return failure;
    }
    return std::nullopt;
  }

  // What each player holds is said at every tick, and the last comes first.
  Failure Ordered(Simulation& simulation) const {
    const uint32_t player_count = simulation.info().inputs.player_count;
    std::vector<sim::DeviceState> held(player_count);
    while (simulation.tick() < inputs_.size()) {
      const Tick tick = simulation.tick();
      std::vector<sim::InputFrame> frames;
      for (uint32_t player = player_count; player-- > 0;) {
        sim::InputFrame frame = {.player = player, .device = held[player]};
        for (const sim::InputFrame& given : inputs_[tick]) {
          if (given.player == player) frame = given;
        }
        held[player] = frame.device;
        frames.push_back(std::move(frame));
      }
      const absl::Status status = StepWith(simulation, frames);
      if (!status.ok()) return Said(tick, status);
      if (Failure failure = Compare(simulation)) return failure;
    }
    return std::nullopt;
  }

  // Backwards, so that what a simulation did last isn't what comes before.
  Failure Restored(Simulation& simulation) const {
    for (Tick tick = inputs_.size(); tick-- > 0;) {
      const absl::Status status = simulation.Restore(reference_.states[tick]);
      if (!status.ok()) return Said(tick, status);
      if (Failure failure = CompareAt(simulation, tick)) return failure;
      if (Failure failure = StepAndCompare(simulation)) return failure;
    }
    return std::nullopt;
  }

  Failure Encoded(Simulation& simulation) const {
    for (Tick tick = 0; tick < inputs_.size(); tick += kRollbackTicks) {
      const std::string bytes = sim::EncodeState(reference_.states[tick]);
      const absl::StatusOr<State> decoded =
          sim::DecodeState(std::as_bytes(std::span(bytes)), simulation.state());
      if (!decoded.ok()) return Said(tick, decoded.status());
      const absl::Status status = simulation.Restore(*decoded);
      if (!status.ok()) return Said(tick, status);
      if (Failure failure = StepAndCompare(simulation)) return failure;
    }
    return std::nullopt;
  }

  Failure RolledBack(Simulation& simulation) const {
    for (Tick end = kRollbackTicks; end <= inputs_.size();
         end += kRollbackTicks / 2) {
      while (simulation.tick() < end) {
        if (Failure failure = StepAndCompare(simulation)) return failure;
      }
      const Tick back = end - kRollbackTicks;
      const absl::Status status = simulation.Restore(reference_.states[back]);
      if (!status.ok()) return Said(back, status);
      while (simulation.tick() < end) {
        if (Failure failure = StepAndCompare(simulation)) return failure;
      }
    }
    return std::nullopt;
  }

  Failure Forked(Simulation& simulation) const {
    std::unique_ptr<Simulation> twin;
    std::unique_ptr<Simulation> stranger;
    while (simulation.tick() < inputs_.size()) {
      const Tick tick = simulation.tick();
      if (tick % kForkTicks == 0) {
        twin = simulation.Fork();
        stranger = simulation.Fork();
        for (const auto* fork : {&twin, &stranger}) {
          if (!(*fork)->status().ok()) return Said(tick, (*fork)->status());
          if (Failure failure = CompareAt(**fork, tick)) return failure;
        }
      }
      // Inputs of another tick, as far as it takes them.
      if (stranger->status().ok()) {
        StepWith(*stranger, inputs_[(tick + kForkTicks) % inputs_.size()])
            .IgnoreError();
      }
      if (Failure failure = StepAndCompare(*twin)) return failure;
      if (Failure failure = StepAndCompare(simulation)) return failure;
    }
    return std::nullopt;
  }

  Failure OnAnotherThread() const {
    Failure failure;
    std::thread thread([&] {
      // Rounds up where it must not matter; the simulation sets its own.
      const uint64_t control = sim::ReadFloatControl();
      constexpr uint64_t kRoundUp = kRoundUpBits;
      sim::WriteFloatControl(control | kRoundUp);
      absl::StatusOr<std::unique_ptr<Simulation>> made = create_();
      failure = made.ok() ? Follow(**made) : Said(0, made.status());
      sim::WriteFloatControl(control);
    });
    thread.join();
    return failure;
  }

#if defined(__x86_64__)
  static constexpr uint64_t kRoundUpBits = 0x4000;  // MXCSR, bits 13 and 14
#else
  static constexpr uint64_t kRoundUpBits = 0x400000;  // FPCR, bits 22 and 23
#endif

  const SimulationMaker& create_;
  const ConformanceInputs& inputs_;
  Reference reference_;
};

}  // namespace

ConformanceInputs MakeConformanceInputs(const sim::InputGrammar& grammar,
                                        Tick tick_count, uint64_t seed) {
  sim::RandomInputSource source(grammar, seed);
  ConformanceInputs inputs;
  for (Tick tick = 0; tick < tick_count; ++tick) {
    inputs.push_back(source.Next());
  }
  return inputs;
}

std::span<const ConformanceCheck> ConformanceChecks() { return kChecks; }

absl::StatusOr<std::vector<ConformanceResult>> CheckConformance(
    const SimulationMaker& create, const ConformanceInputs& inputs,
    const std::function<void(size_t)>& progress) {
  Checker checker(create, inputs);
  const absl::Status status = checker.MakeReference();
  if (!status.ok()) return status;
  std::vector<ConformanceResult> results;
  for (const ConformanceCheck& check : kChecks) {
    results.push_back({&check, checker.Make(check.name)});
    if (progress) progress(results.size());
  }
  return results;
}

}  // namespace reprise::replays
