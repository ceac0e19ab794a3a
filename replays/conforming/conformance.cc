// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/conforming/conformance.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "fmt/format.h"
#include "replays/conforming/onlooker.h"
#include "sim/base/float_control.h"
#include "sim/input/random_input_source.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "sim/state/state_codec.h"
#include "sim/state/state_comparison.h"

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
     "a static variable that goes on from where the run before left it, an "
     "address, the order of a hash table, a clock"},
    {"watched", "events, frames, outcome, names and phases asked for",
     "a call that only looks, and writes"},
    {"drawn", "frames and pictures asked for at every tick, and at none",
     "a call that only draws, and writes: the time of an animation, a random "
     "number for a spark"},
    {"ordered", "frames in another order, and such that repeat what is held",
     "inputs that count as they arrive"},
    {"restored", "going on from a snapshot of any tick, in another simulation",
     kOutsideOfState},
    {"encoded", "going on from the portable bytes of a snapshot",
     "a number in the state that stands for something in memory"},
    {"rolled back", "going back a few ticks, again and again", kOutsideOfState},
    {"forked", "forks that live side by side and are given other inputs",
     kShared},
    {"threads", "another thread", "variables of a thread"},
    {"rounding", "a caller that rounds up, and whose small numbers become zero",
     "results that depend on the caller's control of floating point"},
});

// So many fields that differ are looked at.
constexpr size_t kFieldsMax = 32;

class Checker {
 public:
  Checker(const SimulationMaker& create, const ConformanceInputs& inputs,
          const ConformanceRun::OnTick& on_tick, std::span<const State> states)
      : create_(create), inputs_(inputs), on_tick_(on_tick), states_(states) {}

  std::optional<ConformanceFailure> Make(std::string_view check) const {
    if (check == "threads") return OnAnotherThread();
    if (check == "rounding") return WithOtherRounding();
    if (check == "drawn") return DrawnOrNot();
    absl::StatusOr<std::unique_ptr<Simulation>> made = create_();
    if (!made.ok()) return Said(0, made.status());
    const std::unique_ptr<Simulation> simulation = *std::move(made);
    if (check == "watched") return Watched(*simulation);
    if (check == "ordered") return Ordered(*simulation);
    if (check == "restored") return Restored(*simulation);
    if (check == "encoded") return Encoded(*simulation);
    if (check == "rolled back") return RolledBack(*simulation);
    if (check == "forked") return Forked(*simulation);
    return Follow(*simulation);
  }

  // Whether `state` is the reference's at a tick.
  std::optional<ConformanceFailure> CompareAt(const Simulation& simulation,
                                              const State& state,
                                              Tick tick) const {
    const State& expected = states_[tick];
    const absl::Status shape = expected.CheckSameShape(state);
    if (!shape.ok()) return Said(tick, shape);
    if (expected.ComputeRootDigest() == state.ComputeRootDigest()) {
      return std::nullopt;
    }
    ConformanceFailure failure{
        .tick = tick, .difference = "the digests differ", .fields = {}};
    for (const sim::FieldDifference& difference :
         sim::CompareStates(expected, state, kFieldsMax)) {
      failure.fields.push_back(
          {.text = sim::FormatDifference(difference, expected,
                                         sim::NamesOf(simulation)),
           .expected = difference.expected,
           .actual = difference.actual});
    }
    if (!failure.fields.empty()) failure.difference = failure.fields[0].text;
    return failure;
  }

 private:
  using Failure = std::optional<ConformanceFailure>;

  static Failure Said(Tick tick, const absl::Status& status) {
    return ConformanceFailure{.tick = tick,
                              .difference = std::string(status.message())};
  }

  absl::Status StepWith(Simulation& simulation,
                        std::span<const sim::InputFrame> frames,
                        sim::PhaseObserver* observer = nullptr) const {
    const absl::Status status = simulation.Validate(frames);
    if (!status.ok()) return status;
    if (on_tick_) on_tick_(simulation.tick());
    simulation.Step(frames, observer);
    return simulation.status();
  }

  absl::Status Step(Simulation& simulation, Tick tick) const {
    return StepWith(simulation, inputs_[tick]);
  }

  Failure Compare(const Simulation& simulation) const {
    return CompareAt(simulation, simulation.state(), simulation.tick());
  }

  // One tick, and whether it ends where the reference does.
  Failure StepAndCompare(Simulation& simulation) const {
    const Tick tick = simulation.tick();
    const absl::Status status = Step(simulation, tick);
    if (!status.ok()) return Said(tick, status);
    simulation.DrainEvents();
    if (simulation.tick() != tick + 1) {
      return ConformanceFailure{
          .tick = tick,
          .difference = fmt::format("after a step of tick {} it is at tick {}",
                                    tick, simulation.tick())};
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

  Failure Watched(Simulation& simulation) const {
    Onlooker onlooker;
    while (simulation.tick() < inputs_.size()) {
      Onlooker::LookAt(simulation);
      const Tick tick = simulation.tick();
      const absl::Status status =
          StepWith(simulation, inputs_[tick], &onlooker);
      if (!status.ok()) return Said(tick, status);
      if (Failure failure = Compare(simulation)) return failure;
      Onlooker::LookAt(simulation);
      if (Failure failure = Compare(simulation)) return failure;
    }
    return std::nullopt;
  }

  // One after the other, so that what drawing leaves behind for all meets a
  // run that isn't drawn.
  Failure DrawnOrNot() const {
    for (const bool is_drawn : {true, false}) {
      const absl::StatusOr<std::unique_ptr<Simulation>> made = create_();
      if (!made.ok()) return Said(0, made.status());
      Failure failure = is_drawn ? Drawn(**made) : Follow(**made);
      if (failure.has_value()) return failure;
    }
    return std::nullopt;
  }

  Failure Drawn(Simulation& simulation) const {
    while (simulation.tick() < inputs_.size()) {
      for (int times = 0; times < 2; ++times) {
        simulation.ProduceFrame();
        const absl::Status shown = simulation.ProducePicture().status();
        if (!shown.ok()) return Said(simulation.tick(), shown);
      }
      if (!simulation.status().ok()) {
        return Said(simulation.tick(), simulation.status());
      }
      if (Failure failure = Compare(simulation)) return failure;
      if (Failure failure = StepAndCompare(simulation)) return failure;
    }
    simulation.ProduceFrame();
    simulation.ProducePicture().IgnoreError();
    return Compare(simulation);
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
      const absl::Status status = simulation.Restore(states_[tick]);
      if (!status.ok()) return Said(tick, status);
      if (Failure failure = CompareAt(simulation, simulation.state(), tick))
        return failure;
      if (Failure failure = StepAndCompare(simulation)) return failure;
    }
    return std::nullopt;
  }

  Failure Encoded(Simulation& simulation) const {
    for (Tick tick = 0; tick < inputs_.size(); tick += kRollbackTicks) {
      const std::string bytes = sim::EncodeState(states_[tick]);
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
      const absl::Status status = simulation.Restore(states_[back]);
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
          if (Failure failure = CompareAt(**fork, (*fork)->state(), tick))
            return failure;
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
      absl::StatusOr<std::unique_ptr<Simulation>> made = create_();
      failure = made.ok() ? Follow(**made) : Said(0, made.status());
    });
    thread.join();
    return failure;
  }

  Failure WithOtherRounding() const {
    // Where it must not matter; the simulation sets its own.
    const uint64_t control = sim::ReadFloatControl();
    sim::WriteFloatControl(control | kOtherControlBits);
    absl::StatusOr<std::unique_ptr<Simulation>> made = create_();
    Failure failure = made.ok() ? Follow(**made) : Said(0, made.status());
    sim::WriteFloatControl(control);
    return failure;
  }

#if defined(__x86_64__)
  // MXCSR: rounds up (bits 13 and 14), flushes results (15) and takes operands
  // (6) that are subnormal for zero.
  static constexpr uint64_t kOtherControlBits = 0xc040;
#else
  static constexpr uint64_t kOtherControlBits = 0x1400000;  // FPCR: the same
#endif

  const SimulationMaker& create_;
  const ConformanceInputs& inputs_;
  const ConformanceRun::OnTick& on_tick_;
  const std::span<const State> states_;
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

ConformanceRun::ConformanceRun(SimulationMaker create, ConformanceInputs inputs,
                               OnTick on_tick)
    : create_(std::move(create)),
      inputs_(std::move(inputs)),
      on_tick_(std::move(on_tick)) {}

absl::StatusOr<std::optional<ConformanceFailure>>
ConformanceRun::MakeReference() {
  absl::StatusOr<std::unique_ptr<Simulation>> made = create_();
  if (!made.ok()) return made.status();
  Simulation& simulation = **made;
  states_ = {simulation.state()};
  for (Tick tick = 0; tick < inputs_.size(); ++tick) {
    if (on_tick_) on_tick_(tick);
    absl::Status status = simulation.Validate(inputs_[tick]);
    if (status.ok()) {
      simulation.Step(inputs_[tick], nullptr);
      status = simulation.status();
    }
    if (!status.ok()) {
      return ConformanceFailure{.tick = tick,
                                .difference = std::string(status.message())};
    }
    simulation.DrainEvents();
    states_.push_back(simulation.state());
  }
  return std::nullopt;
}

std::optional<ConformanceFailure> ConformanceRun::Make(
    const ConformanceCheck& check) const {
  return Checker(create_, inputs_, on_tick_, states_).Make(check.name);
}

std::optional<ConformanceFailure> ConformanceRun::Compare(
    Tick tick, std::string_view state) const {
  const auto failed = [tick](const absl::Status& status) {
    return ConformanceFailure{.tick = tick,
                              .difference = std::string(status.message())};
  };
  // For its names.
  const absl::StatusOr<std::unique_ptr<Simulation>> simulation = create_();
  if (!simulation.ok()) return failed(simulation.status());
  const absl::StatusOr<State> decoded =
      sim::DecodeState(std::as_bytes(std::span(state)), (*simulation)->state());
  if (!decoded.ok()) return failed(decoded.status());
  return Checker(create_, inputs_, on_tick_, states_)
      .CompareAt(**simulation, *decoded, tick);
}

absl::StatusOr<std::vector<ConformanceResult>> CheckConformance(
    const SimulationMaker& create, const ConformanceInputs& inputs,
    const std::function<void(size_t)>& progress) {
  ConformanceRun run(create, inputs, nullptr);
  const absl::StatusOr<std::optional<ConformanceFailure>> reference =
      run.MakeReference();
  if (!reference.ok()) return reference.status();
  if (reference->has_value()) {
    return absl::InternalError(fmt::format("tick {}: {}", (*reference)->tick,
                                           (*reference)->difference));
  }
  std::vector<ConformanceResult> results;
  for (const ConformanceCheck& check : kChecks) {
    results.push_back({&check, run.Make(check)});
    if (progress) progress(results.size());
  }
  return results;
}

}  // namespace reprise::replays
