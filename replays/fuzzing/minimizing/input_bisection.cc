// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/minimizing/input_bisection.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/run_check.h"
#include "sim/input/input_grammar.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "sim/state/state_comparison.h"

namespace reprise::replays {
namespace {

using Indices = std::vector<size_t>;

// What the players do, by tick and player.
using Place = std::pair<sim::Tick, uint32_t>;
using ChangesByPlace = std::map<Place, std::vector<ActionChange>>;

ChangesByPlace ByPlace(const sim::InputGrammar& grammar,
                       const PlayedInputs& run) {
  HeldDevices held(grammar.player_count);
  ChangesByPlace changes;
  for (ActionChange& change : ToChanges(grammar, run.ticks, held)) {
    changes[{change.tick, change.player}].push_back(std::move(change));
  }
  return changes;
}

PlayedInputs UpTo(const PlayedInputs& run, sim::Tick end) {
  PlayedInputs shorter = run;
  shorter.tick_count = end;
  std::erase_if(shorter.ticks,
                [end](const TickInputs& inputs) { return inputs.tick >= end; });
  return shorter;
}

// Where simulations keep what players hold.
constexpr std::string_view kInputRoom = "input";

// How many differences are asked for where one of what holds inputs may come
// first: more than a player's device has.
constexpr size_t kDifferencesMax = 64;

class InputBisection {
 public:
  InputBisection(const sim::Simulation& start, const FuzzRules& rules,
                 const PlayedInputs& good, const PlayedInputs& bad,
                 const RunFailure& failure, const RunShadow& shadow)
      : start_(start),
        grammar_(start.info().inputs),
        end_(failure.tick),
        good_(ByPlace(grammar_, UpTo(good, end_))),
        check_(&rules, start, shadow) {
    culprits_.failure = failure;
    const ChangesByPlace others = ByPlace(grammar_, UpTo(bad, end_));
    std::set<Place> places;
    for (const auto& [place, changes] : good_) places.insert(place);
    for (const auto& [place, changes] : others) places.insert(place);
    for (const Place& place : places) {
      InputDifference difference{
          .tick = place.first, .player = place.second, .good = {}, .bad = {}};
      if (good_.contains(place)) difference.good = good_.at(place);
      if (others.contains(place)) difference.bad = others.at(place);
      if (difference.good == difference.bad) continue;
      differences_.push_back(std::move(difference));
    }
  }

  absl::StatusOr<InputCulprits> Find() {
    if (FailsWith({})) {
      return absl::FailedPreconditionError(
          fmt::format("the good run fails in the same way, at tick {}: {}",
                      last_->tick, last_->signature));
    }
    Indices left(differences_.size());
    for (size_t i = 0; i < left.size(); ++i) left[i] = i;
    if (!FailsWith(left)) {
      return absl::FailedPreconditionError(
          "the run doesn't fail once its inputs are what players do with the "
          "pack's actions");
    }
    culprits_.failure = *last_;
    Reduce(left);
    culprits_.difference_count = differences_.size();
    for (const size_t index : left) {
      culprits_.differences.push_back(differences_[index]);
    }
    culprits_.ticks_run = check_.ticks();
    FindFirstField(left);
    return std::move(culprits_);
  }

 private:
  // Leaves out halves, then ever fewer, until none can be spared.
  void Reduce(Indices& left) {
    bool has_helped = true;
    while (has_helped) {
      has_helped = false;
      for (size_t size = std::max<size_t>(left.size() / 2, 1);; size /= 2) {
        // From the end: what comes before isn't played again.
        for (size_t end = left.size(); end > 0 && left.size() > 1;) {
          const size_t begin = end - std::min(end, size);
          Indices fewer = left;
          fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(begin),
                      fewer.begin() + static_cast<std::ptrdiff_t>(end));
          if (FailsWith(fewer)) {
            left = std::move(fewer);
            culprits_.failure = *last_;
            check_.Adopt();
            has_helped = true;
          }
          end = std::min(begin, left.size());
        }
        if (size <= 1) break;
      }
    }
  }

  // The good run with some of the other one's inputs in their places.
  std::vector<TickInputs> InputsWith(const Indices& indices) const {
    ChangesByPlace changes = good_;
    for (const size_t index : indices) {
      const InputDifference& difference = differences_[index];
      changes[{difference.tick, difference.player}] = difference.bad;
    }
    std::vector<ActionChange> all;
    for (const auto& [place, of_place] : changes) {
      all.insert(all.end(), of_place.begin(), of_place.end());
    }
    HeldDevices held(grammar_.player_count);
    return ToTickInputs(grammar_, all, held);
  }

  bool FailsWith(const Indices& indices) {
    ++culprits_.runs_tried;
    last_ = check_.Run(InputsWith(indices), end_);
    return last_.has_value() && last_->signature == culprits_.failure.signature;
  }

  // Plays both side by side.
  void FindFirstField(const Indices& indices) {
    const std::vector<TickInputs> good = InputsWith({});
    const std::vector<TickInputs> bad = InputsWith(indices);
    const std::unique_ptr<sim::Simulation> expected = start_.Fork();
    const std::unique_ptr<sim::Simulation> actual = start_.Fork();
    while (expected->tick() < end_ && expected->status().ok() &&
           actual->status().ok()) {
      Step(good, *expected);
      Step(bad, *actual);
      culprits_.ticks_run += 2;
      const std::vector<sim::FieldDifference> differences = sim::CompareStates(
          expected->state(), actual->state(), kDifferencesMax);
      const auto first =
          std::ranges::find_if(differences, [&](const auto& one) {
            return expected->state().room_of(one.table).name != kInputRoom;
          });
      if (first == differences.end()) continue;
      culprits_.first_tick = expected->tick();
      culprits_.first_field = sim::FormatDifference(*first, expected->state(),
                                                    sim::NamesOf(*expected));
      return;
    }
  }

  static void Step(const std::vector<TickInputs>& inputs,
                   sim::Simulation& simulation) {
    const auto found = std::ranges::lower_bound(inputs, simulation.tick(), {},
                                                &TickInputs::tick);
    std::span<const sim::InputFrame> frames;
    if (found != inputs.end() && found->tick == simulation.tick()) {
      frames = found->frames;
    }
    if (!simulation.Validate(frames).ok()) frames = {};
    simulation.Step(frames, /*observer=*/nullptr);
    simulation.DrainEvents();
  }

  const sim::Simulation& start_;
  const sim::InputGrammar& grammar_;
  const sim::Tick end_;
  const ChangesByPlace good_;
  std::vector<InputDifference> differences_;  // ascending
  RunCheck check_;
  std::optional<RunFailure> last_;
  InputCulprits culprits_;
};

}  // namespace

absl::StatusOr<InputCulprits> BisectInputs(const sim::Simulation& start,
                                           const FuzzRules& rules,
                                           const PlayedInputs& good,
                                           const PlayedInputs& bad) {
  RunShadow shadow;
  const absl::StatusOr<RunFailure> failure =
      FindFailure(start, rules, bad, &shadow);
  if (!failure.ok()) {
    return absl::FailedPreconditionError("the run doesn't fail");
  }
  return InputBisection(start, rules, good, bad, *failure, shadow).Find();
}

}  // namespace reprise::replays
