// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/comparing/run_comparison.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/comparing/last_writers.h"
#include "replays/format/common_shape.h"
#include "replays/playing/held_inputs.h"
#include "replays/playing/named_refusal.h"
#include "replays/verifying/progress_teller.h"
#include "sim/base/check.h"
#include "sim/input/input_frame.h"
#include "sim/state/state_comparison.h"

namespace reprise::replays {
namespace {

// Keeps the state after each phase of one tick.
class PhaseStates final : public sim::PhaseObserver {
 public:
  struct Entry {
    uint32_t phase = 0;
    sim::State state;
  };

  void OnPhase(uint32_t phase, const sim::State& state) override {
    entries_.push_back({phase, state});
  }

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

// Shows another observer only what both runs have.
class CommonObserver final : public sim::PhaseObserver {
 public:
  CommonObserver(const CommonShape* shape, CommonShape::Side side,
                 sim::PhaseObserver* observer)
      : shape_(*shape),
        side_(side),
        observer_(*observer),
        common_(shape->empty_state()) {}

  void OnPhase(uint32_t phase, const sim::State& state) override {
    shape_.Update(side_, state, common_);
    observer_.OnPhase(phase, common_);
  }
  bool wants_writers() const override { return observer_.wants_writers(); }
  void OnWriter(std::string_view writer, const sim::State& state) override {
    shape_.Update(side_, state, common_);
    observer_.OnWriter(writer, common_);
  }

 private:
  const CommonShape& shape_;
  const CommonShape::Side side_;
  sim::PhaseObserver& observer_;
  sim::State common_;
};

// One of the two runs. Its states are told as far as both have them.
class Run {
 public:
  Run(const RunSide& run, CommonShape::Side side, const CommonShape* shape)
      : simulation_(*run.simulation),
        inputs_(*run.inputs),
        side_(side),
        shape_(*shape),
        common_(shape->empty_state()) {
    UpdateCommon();
  }

  sim::Simulation& simulation() { return simulation_; }
  const HeldInputs& held() const { return held_; }
  const sim::State& state() const {
    return shape_.is_whole() ? simulation_.state() : common_;
  }
  sim::State before() const {
    return shape_.is_whole() ? before_ : shape_.Take(side_, before_);
  }

  // Takes the inputs of the tick that is due.
  absl::Status ReadInputs() {
    const absl::StatusOr<std::span<const sim::InputFrame>> frames =
        inputs_.FramesAt(simulation_.tick());
    if (!frames.ok()) return frames.status();
    frames_ = *frames;
    held_.Take(frames_);
    return absl::OkStatus();
  }

  absl::Status Validate() const { return simulation_.Validate(frames_); }

  absl::Status Step() {
    before_ = simulation_.state();
    simulation_.Step(frames_, /*observer=*/nullptr);
    // Events are an account of the state, which is compared.
    simulation_.DrainEvents();
    UpdateCommon();
    return simulation_.status();
  }

  // Makes the last tick once more, from the state before it.
  absl::Status StepAgain(sim::PhaseObserver& observer) {
    absl::Status status = simulation_.Restore(before_);
    if (!status.ok()) return status;
    CommonObserver common(&shape_, side_, &observer);
    simulation_.Step(frames_, shape_.is_whole() ? &observer : &common);
    simulation_.DrainEvents();
    UpdateCommon();
    return simulation_.status();
  }

 private:
  void UpdateCommon() {
    if (!shape_.is_whole()) shape_.Update(side_, simulation_.state(), common_);
  }

  sim::Simulation& simulation_;
  InputSource& inputs_;
  const CommonShape::Side side_;
  const CommonShape& shape_;
  std::span<const sim::InputFrame> frames_;  // of the tick that is due
  HeldInputs held_;
  sim::State before_;  // the last step
  sim::State common_;  // with the other run, where that isn't all
};

// What was recorded of a run's states, beside the run as it is made anew.
class RecordedDigests {
 public:
  RecordedDigests(const ReplayReader* recording, sim::Tick first_tick) {
    if (recording == nullptr) return;
    digests_ = recording->ReadDigests(first_tick);
    end_ = recording->end();
  }

  // Holds the state of `tick` against what was recorded of it, if that was.
  // REQUIRES: ticks ascend.
  absl::Status Compare(sim::Tick tick, const sim::State& state) {
    while (digests_ != nullptr && (!next_ || next_->tick < tick)) {
      absl::StatusOr<std::optional<DigestEntry>> next = digests_->Next();
      if (!next.ok()) return next.status();
      if (!next->has_value()) digests_ = nullptr;
      next_ = *std::move(next);
    }
    if (next_ && next_->tick == tick) CompareWith(next_->root, tick, state);
    if (end_ && end_->tick_count == tick) CompareWith(end_->root, tick, state);
    return absl::OkStatus();
  }

  const std::optional<RecordedState>& first_unlike() const {
    return first_unlike_;
  }

 private:
  void CompareWith(sim::Digest root, sim::Tick tick, const sim::State& state) {
    if (first_unlike_ || root == state.ComputeRootDigest()) return;
    first_unlike_ = {tick, root};
  }

  std::unique_ptr<ReplayCursor<DigestEntry>> digests_;
  std::optional<DigestEntry> next_;
  std::optional<ReplayEnd> end_;
  std::optional<RecordedState> first_unlike_;
};

// Both runs, side by side.
class Comparison {
 public:
  Comparison(const RunSide& expected, const RunSide& actual,
             const CommonShape& shape, const CompareOptions& options,
             sim::Tick tick_count)
      : shape_(shape),
        expected_(expected, CommonShape::Side::kExpected, &shape),
        actual_(actual, CommonShape::Side::kActual, &shape),
        options_(options),
        progress_(options.progress),
        tick_count_(tick_count),
        recorded_(options.recording, expected.simulation->tick()) {
    result_.ticks_compared = expected.simulation->tick();
    result_.expected_tick_count = expected.inputs->tick_count();
    result_.actual_tick_count = actual.inputs->tick_count();
    result_.schema_differences = CompareSchemas(expected.simulation->state(),
                                                actual.simulation->state());
  }

  absl::StatusOr<RunComparison> Compare() {
    absl::Status status = CompareWithRecording();
    if (!status.ok()) return status;
    if (AreEqual()) {
      chain_ = options_.chain.value_or(sim::ExtendChain({}, expected_root_));
      status = FindDifference();
    } else {
      DescribeFirstStates();
    }
    if (!status.ok()) return status;
    result_.expected_outcome = expected_.simulation().outcome();
    result_.actual_outcome = actual_.simulation().outcome();
    if (states_.has_value() && options_.growth_ticks > 0) {
      status = FollowDifference();
      if (!status.ok()) return status;
    }
    if (shape_.is_whole()) result_.states = std::move(states_);
    result_.first_unlike_recording = recorded_.first_unlike();
    return std::move(result_);
  }

 private:
  const sim::State& expected_state() const { return expected_.state(); }
  const sim::State& actual_state() const { return actual_.state(); }

  // Both digests are known for pages that didn't change.
  bool AreEqual() {
    expected_root_ = expected_state().ComputeRootDigest();
    actual_root_ = actual_state().ComputeRootDigest();
    return expected_root_ == actual_root_;
  }

  absl::Status FindDifference() {
    while (result_.ticks_compared < tick_count_ &&
           !result_.divergence.has_value()) {
      absl::Status status = StepBoth();
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status StepBoth() {
    const sim::Tick tick = result_.ticks_compared;
    absl::Status status = progress_.Tell(tick, tick_count_);
    if (!status.ok()) return status;
    status = ReadInputs();
    if (!status.ok()) return status;
    if (!result_.first_input_difference.has_value() &&
        expected_.held() != actual_.held()) {
      result_.first_input_difference = tick;
    }
    if (!BothAccept(tick)) return absl::OkStatus();
    status = Step();
    if (!status.ok()) return status;
    ++result_.ticks_compared;
    status = CompareWithRecording();
    if (!status.ok()) return status;
    if (!AreEqual()) return LocateDifference(tick);
    chain_ = sim::ExtendChain(chain_, expected_root_);
    return absl::OkStatus();
  }

  absl::Status CompareWithRecording() {
    const sim::Simulation& simulation = expected_.simulation();
    return recorded_.Compare(simulation.tick(), simulation.state());
  }

  absl::Status ReadInputs() {
    absl::Status status = expected_.ReadInputs();
    return status.ok() ? actual_.ReadInputs() : status;
  }

  absl::Status Step() {
    absl::Status status = expected_.Step();
    if (status.ok()) status = actual_.Step();
    if (status.ok()) result_.ticks_stepped += 2;
    return status;
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
            ? fmt::format("the second run: {}",
                          NameRefusal(std::string(actual.message()),
                                      expected_.simulation().info().inputs))
            : fmt::format("the first run: {}",
                          NameRefusal(std::string(expected.message()),
                                      actual_.simulation().info().inputs));
    return false;
  }

  Divergence& AddDivergence(std::optional<sim::Tick> last_equal,
                            sim::Tick first_different) {
    Divergence& divergence = result_.divergence.emplace();
    divergence.last_equal_tick = last_equal;
    divergence.first_different_tick = first_different;
    divergence.expected_root =
        expected_.simulation().state().ComputeRootDigest();
    divergence.actual_root = actual_.simulation().state().ComputeRootDigest();
    for (const sim::State::Room& room : expected_state().rooms()) {
      // Same shape: both have the room, with the same tables.
      if (expected_state().ComputeRoomDigest(room) !=
          actual_state().ComputeRoomDigest(room)) {
        divergence.rooms.push_back(room.name);
      }
    }
    return divergence;
  }

  void DescribeFirstStates() {
    const sim::Tick tick = expected_.simulation().tick();
    Divergence& divergence = AddDivergence(std::nullopt, tick);
    Describe(expected_state(), actual_state(), divergence);
    divergence.fields_tick = tick;
    if (tick == 0) {
      divergence.remark = "the packs or seeds load as different states";
    }
  }

  // The last step made the difference: makes it again and looks between the
  // phases, and once more at who writes what differs.
  absl::Status LocateDifference(sim::Tick tick) {
    Divergence& divergence = AddDivergence(tick, tick + 1);
    states_ = {.tick = tick,
               .before = expected_.before(),
               .chain = chain_,
               .expected = expected_state(),
               .actual = actual_state()};
    PhaseStates expected;
    PhaseStates actual;
    absl::Status status = StepAgain(expected, actual);
    if (!status.ok()) return status;

    const size_t count =
        std::min(expected.entries().size(), actual.entries().size());
    for (size_t i = 0; i < count; ++i) {
      const PhaseStates::Entry& left = expected.entries()[i];
      const PhaseStates::Entry& right = actual.entries()[i];
      if (left.state.ComputeRootDigest() == right.state.ComputeRootDigest()) {
        continue;
      }
      divergence.phase = expected_.simulation().info().phases[left.phase];
      if (i + 1 < count) DescribeConsequence();
      return NameWriters(Describe(left.state, right.state, divergence), i + 1,
                         divergence);
    }
    // The states before were equal, so were the inputs or their phases; yet the
    // tick went differently the first time.
    Describe(states_->expected, states_->actual, divergence);
    divergence.fields_tick = tick + 1;
    divergence.remark =
        "made again from the same state, the tick gives the same result on "
        "both sides: something outside the state decides";
    return absl::OkStatus();
  }

  absl::Status StepAgain(sim::PhaseObserver& expected,
                         sim::PhaseObserver& actual) {
    result_.ticks_stepped += 2;
    absl::Status status = expected_.StepAgain(expected);
    return status.ok() ? actual_.StepAgain(actual) : status;
  }

  absl::Status NameWriters(const std::vector<sim::FieldDifference>& differences,
                           size_t phases_max, Divergence& divergence) {
    LastWriters expected(&differences, &expected_.simulation().info().phases,
                         phases_max, expected_.before());
    LastWriters actual(&differences, &actual_.simulation().info().phases,
                       phases_max, actual_.before());
    absl::Status status = StepAgain(expected, actual);
    if (!status.ok()) return status;
    for (size_t i = 0; i < divergence.fields.size(); ++i) {
      divergence.fields[i].expected_writer = expected.writers()[i];
      divergence.fields[i].actual_writer = actual.writers()[i];
    }
    return absl::OkStatus();
  }

  void DescribeConsequence() {
    const DivergedStates& states = *states_;
    Divergence& consequence = result_.consequence.emplace();
    consequence.fields_tick = states.tick + 1;
    Describe(states.expected, states.actual, consequence);
  }

  // Goes on behind the tick that made the difference. Where a run refuses its
  // inputs or the next tick is missing on one side, nothing more can be said.
  absl::Status FollowDifference() {
    DivergenceGrowth& growth = result_.growth.emplace();
    const sim::Tick begin = states_->tick;
    const sim::Tick end = begin + options_.growth_ticks;
    sim::Tick next_sample = 1;
    for (sim::Tick tick = begin + 1;; ++tick) {
      if (AreEqual()) {
        if (!growth.equal_from) growth.equal_from = tick;
      } else {
        growth.equal_from.reset();
      }
      const absl::StatusOr<bool> goes_on =
          tick < end ? CanStep(tick) : absl::StatusOr<bool>(false);
      if (!goes_on.ok()) return goes_on.status();
      if (tick - begin == next_sample || !*goes_on) {
        growth.samples.push_back({tick, Measure()});
        next_sample *= 2;
      }
      if (!*goes_on) return absl::OkStatus();
      absl::Status status = expected_.Step();
      if (status.ok()) status = actual_.Step();
      if (!status.ok()) return status;
    }
  }

  StateDistance Measure() {
    return MeasureDistance(expected_state(), actual_state(),
                           sim::NamesOf(expected_.simulation()));
  }

  absl::StatusOr<bool> CanStep(sim::Tick tick) {
    if (tick >= result_.expected_tick_count.value_or(sim::kTickMax) ||
        tick >= result_.actual_tick_count.value_or(sim::kTickMax)) {
      return false;
    }
    const absl::Status status = ReadInputs();
    if (!status.ok()) return status;
    return expected_.Validate().ok() && actual_.Validate().ok();
  }

  std::vector<sim::FieldDifference> Describe(const sim::State& expected,
                                             const sim::State& actual,
                                             Divergence& divergence) {
    return DescribeFields(expected, actual, options_.fields_max,
                          expected_.simulation(), divergence);
  }

  const CommonShape& shape_;
  Run expected_;
  Run actual_;
  const CompareOptions& options_;
  ProgressTeller progress_;
  const sim::Tick tick_count_;
  RecordedDigests recorded_;
  sim::Digest chain_;          // up to and with the last equal state
  sim::Digest expected_root_;  // of the common states as they are
  sim::Digest actual_root_;
  std::optional<DivergedStates> states_;  // as far as they are common
  RunComparison result_;
};

}  // namespace

absl::StatusOr<RunComparison> CompareRuns(const RunSide& expected,
                                          const RunSide& actual,
                                          const CompareOptions& options) {
  CHECK(expected.simulation->tick() == actual.simulation->tick());
  const CommonShape shape(expected.simulation->state(),
                          actual.simulation->state());
  if (shape.empty_state().table_count() == 0) {
    return absl::FailedPreconditionError(
        fmt::format("the two runs have no common state to compare: {} | {}",
                    expected.simulation->info().simulation,
                    actual.simulation->info().simulation));
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
  return Comparison(expected, actual, shape, options, *tick_count).Compare();
}

}  // namespace reprise::replays
