// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/state_archive.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

#include "sim/input/input_frame.h"
#include "sim/input/input_value.h"

namespace reprise::replays {
namespace {

// Choosing among more takes longer than it helps.
constexpr size_t kStatesMax = 8192;

constexpr double kWorthOfBest = 32.0;

// What is known of a state, beside its pages and the inputs to it.
uint64_t BytesOf(const ArchivedState& state) {
  uint64_t bytes = sizeof(state) - sizeof(state.snapshot) +
                   BytesBesidePages(state.snapshot) +
                   state.held.size() * sizeof(sim::DeviceState) +
                   state.features.size() * sizeof(uint64_t);
  for (const sim::DeviceState& device : state.held) {
    bytes += device.touches.size() * sizeof(sim::Touch);
  }
  return bytes;
}

uint64_t BytesOf(const sim::InputFrame& frame) {
  uint64_t bytes = sizeof(frame) + frame.activity.text.size() +
                   frame.device.touches.size() * sizeof(sim::Touch);
  for (const sim::Command& command : frame.commands) {
    bytes += sizeof(command);
    for (const sim::InputValue& argument : command.arguments) {
      bytes += sizeof(argument);
      for (const sim::SingleValue& value : argument.values) {
        bytes += sizeof(value) + value.text.size();
      }
    }
  }
  return bytes;
}

}  // namespace

uint64_t BytesOf(std::span<const TickInputs> inputs) {
  uint64_t bytes = 0;
  for (const TickInputs& one : inputs) {
    bytes += sizeof(one);
    for (const sim::InputFrame& frame : one.frames) bytes += BytesOf(frame);
  }
  return bytes;
}

double WorthOf(Feature::Kind kind) {
  switch (kind) {
    case Feature::Kind::kState:
      return 1.0;
    case Feature::Kind::kCode:
    case Feature::Kind::kEvent:
      return 4.0;
    default:
      return 16.0;
  }
}

void PlayedStep::CountIn(std::shared_ptr<uint64_t> total) {
  // Beside itself what counts its users.
  bytes_ = sizeof(*this) + 2 * sizeof(uint64_t) + BytesOf(ticks);
  total_ = std::move(total);
  *total_ += bytes_;
}

PlayedStep::~PlayedStep() {
  if (total_ != nullptr) *total_ -= bytes_;
  while (before != nullptr && before.use_count() == 1) {
    // Held twice until the one between is gone, which then ends nothing else.
    std::shared_ptr<const PlayedStep> next = before->before;
    before = std::move(next);
  }
}

PlayedInputs InputsOf(const PlayedStep& last) {
  std::vector<const PlayedStep*> steps;
  for (const PlayedStep* step = &last; step != nullptr;
       step = step->before.get()) {
    steps.push_back(step);
  }
  PlayedInputs inputs{.ticks = {}, .tick_count = last.end};
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    inputs.ticks.insert(inputs.ticks.end(), (*step)->ticks.begin(),
                        (*step)->ticks.end());
  }
  return inputs;
}

StateArchive::StateArchive(size_t score_count, uint64_t bytes_max)
    : bytes_max_(bytes_max),
      best_scores_(score_count),
      best_states_(score_count, nullptr) {}

void StateArchive::CountFeature(uint64_t feature) {
  const auto found = features_.find(feature);
  if (found != features_.end()) ++found->second;
}

bool StateArchive::AddScores(const std::vector<std::optional<double>>& scores,
                             const ArchivedState* state) {
  bool is_best = false;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (!scores[i]) continue;
    if (best_scores_[i] && *scores[i] <= *best_scores_[i]) continue;
    best_scores_[i] = scores[i];
    best_states_[i] = state;
    is_best = true;
  }
  return is_best;
}

void StateArchive::Add(std::unique_ptr<ArchivedState> state) {
  Hold(*state);
  states_.push_back(std::move(state));
}

void StateArchive::Hold(const ArchivedState& state) {
  pages_.Add(state.snapshot);
  state_bytes_ += BytesOf(state);
}

void StateArchive::Leave(const ArchivedState& state) {
  pages_.Remove(state.snapshot);
  state_bytes_ -= BytesOf(state);
}

bool StateArchive::Weigh() {
  weight_sums_.clear();
  double sum = 0.0;
  for (const std::unique_ptr<ArchivedState>& state : states_) {
    sum += WeightOf(*state);
    weight_sums_.push_back(sum);
  }
  return sum > 0.0;
}

bool StateArchive::IsBest(const ArchivedState* state) const {
  return std::ranges::find(best_states_, state) != best_states_.end();
}

double StateArchive::WeightOf(const ArchivedState& state) const {
  if (state.is_over) return 0.0;
  double worth = state.worth;
  double hits = 0.0;
  if (IsBest(&state)) {
    worth = kWorthOfBest;
  } else if (!state.features.empty()) {
    uint64_t fewest = UINT64_MAX;
    for (const uint64_t feature : state.features) {
      fewest = std::min(fewest, features_.at(feature));
    }
    hits = static_cast<double>(fewest);
  }
  const double chosen = static_cast<double>(state.chosen);
  return worth / std::sqrt((1.0 + hits) * (1.0 + chosen));
}

const ArchivedState& StateArchive::Choose(sim::RandomStream& stream) const {
  // Of four, one goes on from what is youngest: deep before wide.
  constexpr uint64_t kYoungest = 32;
  if (sim::NextBelow(stream, 4) == 0) {
    const uint64_t count = std::min<uint64_t>(states_.size(), kYoungest);
    const size_t index = states_.size() - 1 - sim::NextBelow(stream, count);
    if (!states_[index]->is_over) return *states_[index];
  }
  const double place = sim::NextUnit(stream) * weight_sums_.back();
  const auto found = std::ranges::upper_bound(weight_sums_, place);
  const auto index = static_cast<size_t>(found - weight_sums_.begin());
  return *states_[std::min(index, states_.size() - 1)];
}

void StateArchive::Drop(ArchivedState& state, bool keeps_runs) {
  if (!state.is_taken && (keeps_runs || !state.is_told_by_tables)) {
    untaken_.push_back(
        {.played = state.played, .is_told_by_tables = state.is_told_by_tables});
  }
  Leave(state);
  // What it alone was played for is free at once.
  state.played.reset();
  for (const ArchivedState*& best : best_states_) {
    if (best == &state) best = nullptr;
  }
}

size_t StateArchive::DropLeastUseful(bool keeps_runs) {
  const uint64_t bytes_max = bytes_max_ / 4 * 3;
  if (states_.size() <= kStatesMax && bytes() <= bytes_max) return 0;
  // The best come last: they go where nothing else helps.
  std::vector<std::tuple<bool, double, size_t>> by_weight;
  for (size_t i = 1; i < states_.size(); ++i) {
    const ArchivedState* const state = states_[i].get();
    by_weight.emplace_back(IsBest(state), WeightOf(*state), i);
  }
  // A total order: places differ.
  std::ranges::sort(by_weight);
  const size_t count_min = (states_.size() + 3) / 4;
  std::vector<bool> is_dropped(states_.size(), false);
  size_t dropped = 0;
  for (const auto& [is_best, weight, place] : by_weight) {
    const bool is_enough = dropped >= count_min && bytes() <= bytes_max / 4 * 3;
    if (is_enough || (is_best && bytes() <= bytes_max)) break;
    Drop(*states_[place], keeps_runs);
    is_dropped[place] = true;
    ++dropped;
  }
  size_t place = 0;
  std::erase_if(states_, [&](const std::unique_ptr<ArchivedState>&) {
    return is_dropped[place++];
  });
  return dropped;
}

void StateArchive::ForgetRuns() {
  untaken_.clear();
  for (const std::unique_ptr<ArchivedState>& state : states_) {
    state->is_taken = true;
  }
}

std::vector<PlayedInputs> StateArchive::TakeRuns(bool has_all) {
  std::vector<std::shared_ptr<const PlayedStep>> ends;
  for (Untaken& dropped : std::exchange(untaken_, {})) {
    if (dropped.is_told_by_tables && !has_all) continue;
    ends.push_back(std::move(dropped.played));
  }
  for (const std::unique_ptr<ArchivedState>& state : states_) {
    if (state->is_taken || (state->is_told_by_tables && !has_all)) continue;
    state->is_taken = true;
    ends.push_back(state->played);
  }
  // The deepest first: it goes through those before it.
  std::ranges::stable_sort(ends, std::greater(),
                           [](const auto& end) { return end->end; });
  std::set<const PlayedStep*> covered;
  std::vector<PlayedInputs> runs;
  for (const std::shared_ptr<const PlayedStep>& end : ends) {
    if (end->before == nullptr || covered.contains(end.get())) continue;
    for (const PlayedStep* step = end.get(); step != nullptr;
         step = step->before.get()) {
      covered.insert(step);
    }
    runs.push_back(InputsOf(*end));
  }
  return runs;
}

std::vector<PlayedInputs> StateArchive::OpenEnds(size_t count_max) const {
  std::set<const PlayedStep*> inner;
  for (const std::unique_ptr<ArchivedState>& state : states_) {
    for (const PlayedStep* step = state->played->before.get();
         step != nullptr && inner.insert(step).second;
         step = step->before.get()) {
    }
  }
  std::vector<const ArchivedState*> ends;
  for (const std::unique_ptr<ArchivedState>& state : states_) {
    if (state->is_over || inner.contains(state->played.get())) continue;
    ends.push_back(state.get());
  }
  std::vector<PlayedInputs> runs;
  const size_t count = std::min(count_max, ends.size());
  for (size_t i = 0; i < count; ++i) {
    runs.push_back(InputsOf(*ends[i * ends.size() / count]->played));
  }
  return runs;
}

}  // namespace reprise::replays
