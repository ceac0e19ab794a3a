// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/goals/soft_locks.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/goals/goal_search.h"
#include "replays/fuzzing/inputs/action_changes.h"
#include "replays/query/query.h"
#include "replays/query/query_evaluation.h"
#include "sim/base/tick.h"
#include "sim/expression/value.h"

namespace reprise::replays {
namespace {

// A state from which no way was found is tried once more for so many times as
// long before it counts as locked.
constexpr uint64_t kSecondTryFactor = 4;

class Search {
 public:
  // Both must remain live. INVALID_ARGUMENT: the goal.
  static absl::StatusOr<Search> Create(const sim::Simulation* start,
                                       const SoftLockOptions* options) {
    const absl::Status status = CheckGoal(options->goal, *start);
    if (!status.ok()) return status;
    absl::StatusOr<Query> goal = Query::Parse(options->goal, *start);
    if (!goal.ok()) return goal.status();
    return Search(start, options, *std::move(goal));
  }

  // NOT_FOUND as FindSoftLocks.
  absl::Status TryStart() {
    return FindWay(start_, {}, options_.goal_ticks, options_.seed);
  }

  absl::Status TryEnd(const PlayedInputs& run) {
    Position end = PlayTo(run, run.tick_count);
    if (end.was_at_goal || end.is_over) return absl::OkStatus();
    ++found_.states_tried;
    absl::StatusOr<bool> is_locked = IsLocked(end, /*is_sure=*/true);
    if (!is_locked.ok()) return is_locked.status();
    if (!*is_locked) return absl::OkStatus();
    ++found_.states_locked;
    // Finding out since when takes long; of a longer run it is no news.
    if (found_.failure && run.tick_count >= found_.failure->inputs.tick_count) {
      return absl::OkStatus();
    }
    const absl::StatusOr<sim::Tick> first = FirstLockedTick(run);
    if (!first.ok()) return first.status();
    FoundFailure failure{.failure = FailureAt(*first),
                         .inputs = {.ticks = {}, .tick_count = *first}};
    for (const TickInputs& inputs : run.ticks) {
      if (inputs.tick < *first) failure.inputs.ticks.push_back(inputs);
    }
    found_.failure = std::move(failure);
    return absl::OkStatus();
  }

  // How the run fails, if it is locked at its end. A game that refuses one of
  // its inputs, or is over, isn't.
  absl::StatusOr<std::optional<RunFailure>> Look(const PlayedInputs& run) {
    const Position end = PlayTo(run, run.tick_count);
    if (end.was_at_goal || end.is_over || end.is_refused) return std::nullopt;
    const absl::StatusOr<bool> is_locked = IsLocked(end, /*is_sure=*/true);
    if (!is_locked.ok()) return is_locked.status();
    if (!*is_locked) return std::nullopt;
    const absl::StatusOr<sim::Tick> first = FirstLockedTick(run);
    if (!first.ok()) return first.status();
    return FailureAt(*first);
  }

  uint64_t ticks() const { return found_.ticks; }

  SoftLocks Take() {
    if (found_.failure) found_.failure->count = found_.states_locked;
    return std::move(found_);
  }

 private:
  struct Position {
    std::unique_ptr<sim::Simulation> simulation;
    HeldDevices held;
    bool was_at_goal = false;
    bool is_over = false;
    bool is_refused = false;
  };

  Search(const sim::Simulation* start, const SoftLockOptions* options,
         Query goal)
      : start_(*start), options_(*options), goal_(std::move(goal)) {}

  Position PlayTo(const PlayedInputs& run, sim::Tick tick) {
    Position position{.simulation = start_.Fork(),
                      .held = HeldDevices(start_.info().inputs.player_count)};
    sim::Simulation& simulation = *position.simulation;
    QueryEvaluation evaluation(&goal_);
    size_t next = 0;
    while (simulation.tick() < tick) {
      std::span<const sim::InputFrame> frames;
      if (next < run.ticks.size() &&
          run.ticks[next].tick == simulation.tick()) {
        frames = run.ticks[next++].frames;
      }
      if (!simulation.Validate(frames).ok()) {
        position.is_refused = true;
        break;
      }
      if (options_.journal != nullptr) options_.journal->OnBeat();
      simulation.Step(frames, /*observer=*/nullptr);
      ++found_.ticks;
      for (const sim::InputFrame& frame : frames) {
        position.held[frame.player] = frame.device;
      }
      evaluation.Visit(simulation, simulation.DrainEvents(),
                       [&position](const sim::StateSubject&,
                                   const sim::ExpressionAnswer& answer) {
                         if (answer.ok() && sim::IsBool(*answer, true)) {
                           position.was_at_goal = true;
                         }
                       });
    }
    position.is_over =
        simulation.outcome().status != sim::Outcome::Status::kRunning;
    return position;
  }

  // OK, or NOT_FOUND.
  absl::Status FindWay(const sim::Simulation& from, const HeldDevices& held,
                       uint64_t ticks_max, uint64_t seed) {
    const auto way =
        FindWayTo(from, {.goal = options_.goal,
                         .ticks_max = ticks_max,
                         .seed = seed,
                         .memory_bytes_max = options_.memory_bytes_max,
                         .shortens = false,
                         .held = held,
                         .journal = options_.journal,
                         .code = options_.code,
                         .on_progress = nullptr});
    found_.ticks += way.ok() ? way->ticks_until_found : ticks_max;
    return way.status();
  }

  absl::StatusOr<bool> IsLocked(const Position& position, bool is_sure) {
    absl::Status status = FindWay(*position.simulation, position.held,
                                  options_.goal_ticks, options_.seed);
    if (absl::IsNotFound(status) && is_sure) {
      status =
          FindWay(*position.simulation, position.held,
                  kSecondTryFactor * options_.goal_ticks, options_.seed + 1);
    }
    if (status.ok()) return false;
    if (absl::IsNotFound(status)) return true;
    return status;
  }

  // The first tick of a run, which is locked at its end, from which on it is.
  absl::StatusOr<sim::Tick> FirstLockedTick(const PlayedInputs& run) {
    sim::Tick open = 0;
    for (;;) {
      sim::Tick locked = run.tick_count;
      while (locked - open > 1) {
        const sim::Tick middle = open + (locked - open) / 2;
        const auto is_locked = IsLocked(PlayTo(run, middle), /*is_sure=*/false);
        if (!is_locked.ok()) return is_locked.status();
        (*is_locked ? locked : open) = middle;
      }
      if (locked == run.tick_count) return locked;
      const auto is_locked = IsLocked(PlayTo(run, locked), /*is_sure=*/true);
      if (!is_locked.ok()) return is_locked.status();
      if (*is_locked) return locked;
      open = locked;
    }
  }

  RunFailure FailureAt(sim::Tick tick) const {
    return {.signature = "soft lock",
            .message = fmt::format(
                "no way to '{}' was found from here within {} ticks; a tick "
                "before there was one",
                options_.goal, kSecondTryFactor * options_.goal_ticks),
            .tick = tick};
  }

  const sim::Simulation& start_;
  const SoftLockOptions& options_;
  const Query goal_;
  SoftLocks found_;
};

}  // namespace

absl::StatusOr<SoftLocks> FindSoftLocks(const sim::Simulation& start,
                                        std::span<const PlayedInputs> runs,
                                        const SoftLockOptions& options) {
  absl::StatusOr<Search> search = Search::Create(&start, &options);
  if (!search.ok()) return search.status();
  absl::Status status = search->TryStart();
  for (size_t i = 0; i < runs.size() && status.ok(); ++i) {
    status = search->TryEnd(runs[i]);
  }
  if (!status.ok()) return status;
  return search->Take();
}

class SoftLockOracle::Goal {
 public:
  explicit Goal(SoftLockOptions options) : options_(std::move(options)) {}

  absl::Status Open(const sim::Simulation* start) {
    absl::StatusOr<Search> search = Search::Create(start, &options_);
    if (!search.ok()) return search.status();
    search_.emplace(*std::move(search));
    return search_->TryStart();
  }

  Search& search() { return *search_; }

 private:
  const SoftLockOptions options_;
  std::optional<Search> search_;
};

absl::StatusOr<std::unique_ptr<SoftLockOracle>> SoftLockOracle::Create(
    const sim::Simulation* start, SoftLockOptions options) {
  auto goal = std::make_unique<Goal>(std::move(options));
  const absl::Status status = goal->Open(start);
  if (!status.ok()) return status;
  return std::unique_ptr<SoftLockOracle>(new SoftLockOracle(std::move(goal)));
}

SoftLockOracle::SoftLockOracle(std::unique_ptr<Goal> goal)
    : goal_(std::move(goal)) {}

SoftLockOracle::~SoftLockOracle() = default;

std::optional<RunFailure> SoftLockOracle::Run(
    std::span<const TickInputs> inputs, sim::Tick tick_count) {
  PlayedInputs run{.ticks = {inputs.begin(), inputs.end()},
                   .tick_count = tick_count};
  // The goal was checked: a search fails by finding nothing only.
  return goal_->search().Look(run).value_or(std::nullopt);
}

uint64_t SoftLockOracle::ticks() const { return goal_->search().ticks(); }

}  // namespace reprise::replays
