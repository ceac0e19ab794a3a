// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/run_comparison.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/state.h"
#include "sim/input/input_frame.h"

namespace reprise::replays {
namespace {

// Often enough for a progress bar, too seldom to cost anything.
constexpr sim::Tick kProgressStride = 256;

// Keeps the state after each phase of one tick.
class PhaseStates final : public sim::PhaseObserver {
 public:
  void OnPhase(uint32_t phase, const sim::State& state) override {
    CHECK(phase == states_.size(), "phase {} after {}", phase, states_.size());
    states_.push_back(state);
  }

  const std::vector<sim::State>& states() const { return states_; }

 private:
  std::vector<sim::State> states_;
};

// What one player holds and orders: what a frame means, however it was written.
struct PlayerInputs {
  sim::DeviceState device;
  std::vector<sim::Command> commands;

  friend bool operator==(const PlayerInputs&, const PlayerInputs&) = default;
};

// One of the two runs.
class Run {
 public:
  explicit Run(const RunSide& side)
      : simulation_(*side.simulation),
        inputs_(*side.inputs),
        players_(sim::kPlayersMax) {}

  sim::Simulation& simulation() { return simulation_; }
  const std::vector<PlayerInputs>& players() const { return players_; }

  // Takes the inputs of the tick that is due.
  absl::Status ReadInputs() {
    const absl::StatusOr<std::span<const sim::InputFrame>> frames =
        inputs_.FramesAt(simulation_.tick());
    if (!frames.ok()) return frames.status();
    frames_ = *frames;
    for (PlayerInputs& player : players_) player.commands.clear();
    for (const sim::InputFrame& frame : frames_) {
      // A player that cannot be is refused by Validate.
      if (frame.player >= players_.size()) continue;
      players_[frame.player] = {frame.device, frame.commands};
    }
    return absl::OkStatus();
  }

  absl::Status Validate() const { return simulation_.Validate(frames_); }

  void Step() {
    before_ = simulation_.state();
    simulation_.Step(frames_, /*observer=*/nullptr);
    // Events are an account of the state, which is compared.
    simulation_.DrainEvents();
  }

  // Makes the last tick once more and keeps the state after every phase.
  absl::StatusOr<std::vector<sim::State>> StepAgain() {
    absl::Status status = simulation_.Restore(before_);
    if (!status.ok()) return status;
    PhaseStates states;
    simulation_.Step(frames_, &states);
    simulation_.DrainEvents();
    return states.states();
  }

 private:
  sim::Simulation& simulation_;
  InputSource& inputs_;
  std::span<const sim::InputFrame> frames_;  // of the tick that is due
  std::vector<PlayerInputs> players_;
  sim::State before_;  // the last step
};

// Both runs, side by side.
class Comparison {
 public:
  Comparison(const RunSide& expected, const RunSide& actual,
             const CompareOptions& options, sim::Tick tick_count)
      : expected_(expected),
        actual_(actual),
        options_(options),
        tick_count_(tick_count) {
    result_.expected_tick_count = expected.inputs->tick_count();
    result_.actual_tick_count = actual.inputs->tick_count();
  }

  absl::StatusOr<RunComparison> Compare() {
    if (!AreEqual()) {
      DescribeLoadedStates();
    } else {
      while (result_.ticks_compared < tick_count_ &&
             !result_.divergence.has_value()) {
        absl::Status status = StepBoth();
        if (!status.ok()) return status;
      }
    }
    result_.expected_outcome = expected_.simulation().outcome();
    result_.actual_outcome = actual_.simulation().outcome();
    return std::move(result_);
  }

 private:
  const sim::State& expected_state() { return expected_.simulation().state(); }
  const sim::State& actual_state() { return actual_.simulation().state(); }

  bool AreEqual() {
    return expected_state().ComputeRootDigest() ==
           actual_state().ComputeRootDigest();
  }

  absl::Status StepBoth() {
    const sim::Tick tick = result_.ticks_compared;
    if (options_.progress && tick % kProgressStride == 0) {
      absl::Status status = options_.progress(tick, tick_count_);
      if (!status.ok()) return status;
    }
    absl::Status status = expected_.ReadInputs();
    if (status.ok()) status = actual_.ReadInputs();
    if (!status.ok()) return status;
    if (!result_.first_input_difference.has_value() &&
        expected_.players() != actual_.players()) {
      result_.first_input_difference = tick;
    }
    if (!BothAccept(tick)) return absl::OkStatus();
    expected_.Step();
    actual_.Step();
    ++result_.ticks_compared;
    return AreEqual() ? absl::OkStatus() : LocateDifference(tick);
  }

  // Where a run refuses its inputs, the two can't be compared any further.
  bool BothAccept(sim::Tick tick) {
    const absl::Status expected = expected_.Validate();
    const absl::Status actual = actual_.Validate();
    if (expected.ok() && actual.ok()) return true;
    Divergence& divergence = AddDivergence(tick, tick);
    divergence.kind = Divergence::Kind::kRefusedInputs;
    divergence.remark =
        expected.ok()
            ? fmt::format("the second run: {}", std::string(actual.message()))
            : fmt::format("the first run: {}", std::string(expected.message()));
    return false;
  }

  Divergence& AddDivergence(std::optional<sim::Tick> last_equal,
                            sim::Tick first_different) {
    Divergence& divergence = result_.divergence.emplace();
    divergence.last_equal_tick = last_equal;
    divergence.first_different_tick = first_different;
    divergence.expected_root = expected_state().ComputeRootDigest();
    divergence.actual_root = actual_state().ComputeRootDigest();
    for (const sim::State::Room& room : expected_state().rooms()) {
      // Same shape: both have the room, with the same tables.
      if (expected_state().ComputeRoomDigest(room) !=
          actual_state().ComputeRoomDigest(room)) {
        divergence.rooms.push_back(room.name);
      }
    }
    return divergence;
  }

  void DescribeLoadedStates() {
    Divergence& divergence = AddDivergence(std::nullopt, 0);
    Describe(expected_state(), actual_state(), divergence);
    divergence.fields_tick = 0;
    divergence.remark = "the packs or seeds load as different states";
  }

  // The last step made the difference: makes it again and looks between the
  // phases.
  absl::Status LocateDifference(sim::Tick tick) {
    Divergence& divergence = AddDivergence(tick, tick + 1);
    const sim::State expected_after = expected_state();
    const sim::State actual_after = actual_state();
    const absl::StatusOr<std::vector<sim::State>> expected =
        expected_.StepAgain();
    if (!expected.ok()) return expected.status();
    const absl::StatusOr<std::vector<sim::State>> actual = actual_.StepAgain();
    if (!actual.ok()) return actual.status();

    const std::vector<std::string>& phases =
        expected_.simulation().info().phases;
    const size_t phase_count =
        std::min({expected->size(), actual->size(), phases.size()});
    for (size_t phase = 0; phase < phase_count; ++phase) {
      const sim::State& left = (*expected)[phase];
      const sim::State& right = (*actual)[phase];
      if (left.ComputeRootDigest() == right.ComputeRootDigest()) continue;
      divergence.phase = phases[phase];
      Describe(left, right, divergence);
      return absl::OkStatus();
    }
    // The states before were equal, so were the inputs or their phases; yet the
    // tick went differently the first time.
    Describe(expected_after, actual_after, divergence);
    divergence.fields_tick = tick + 1;
    divergence.remark =
        "made again from the same state, the tick gives the same result on "
        "both sides: something outside the state decides";
    return absl::OkStatus();
  }

  void Describe(const sim::State& expected, const sim::State& actual,
                Divergence& divergence) {
    DescribeFields(expected, actual, options_.fields_max,
                   expected_.simulation(), divergence);
  }

  Run expected_;
  Run actual_;
  const CompareOptions& options_;
  const sim::Tick tick_count_;
  RunComparison result_;
};

}  // namespace

absl::StatusOr<RunComparison> CompareRuns(const RunSide& expected,
                                          const RunSide& actual,
                                          const CompareOptions& options) {
  CHECK(expected.simulation->tick() == 0);
  CHECK(actual.simulation->tick() == 0);
  const absl::Status status =
      expected.simulation->state().CheckSameShape(actual.simulation->state());
  if (!status.ok()) {
    return absl::FailedPreconditionError(
        fmt::format("the two runs have no common state to compare: {}",
                    std::string(status.message())));
  }
  std::optional<sim::Tick> tick_count = options.tick_count;
  for (const RunSide& side : {expected, actual}) {
    const std::optional<sim::Tick> ticks = side.inputs->tick_count();
    if (!ticks.has_value()) continue;
    tick_count = std::min(*ticks, tick_count.value_or(*ticks));
  }
  if (!tick_count.has_value()) {
    return absl::InvalidArgumentError(
        "neither the inputs nor the options say when to stop");
  }
  return Comparison(expected, actual, options, *tick_count).Compare();
}

}  // namespace reprise::replays
