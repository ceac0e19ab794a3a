// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/feedback/run_novelty.h"

#include <algorithm>
#include <string>
#include <variant>

#include "replays/fuzzing/feedback/state_scan.h"
#include "sim/base/id.h"
#include "sim/expression/value.h"

namespace reprise::replays {
namespace {

using Kind = Feature::Kind;

double ToDouble(const sim::ExpressionValue& value) {
  if (const auto* whole = std::get_if<sim::ExpressionInteger>(&value)) {
    return static_cast<double>(*whole);
  }
  const auto* number = std::get_if<double>(&value);
  return number == nullptr ? 0.0 : *number;
}

bool IsNumber(const sim::ExpressionValue& value) {
  return std::holds_alternative<sim::ExpressionInteger>(value) ||
         std::holds_alternative<double>(value);
}

// Which multiple of `step` a number lies in.
uint64_t CellOf(double value, double step) {
  constexpr double kLimit = 1e15;
  const double multiple = value / step;
  if (!(multiple > -kLimit)) return 1;
  if (!(multiple < kLimit)) return 2;
  const auto whole = static_cast<int64_t>(multiple);
  return static_cast<uint64_t>(static_cast<double>(whole) > multiple ? whole - 1
                                                                     : whole);
}

uint64_t CellOf(const sim::ExpressionValue& value, double step) {
  if (IsNumber(value)) return CellOf(ToDouble(value), step);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? 0 : sim::IdOf(*text).value;
}

// What events tell apart beside numbers, which count on.
bool IsName(sim::ScalarType type) {
  return type == sim::ScalarType::kId || type == sim::ScalarType::kBool ||
         type == sim::ScalarType::kObject;
}

Feature MakeFeature(Kind kind, uint32_t index, uint64_t value) {
  return {
      .hash = MixBuckets(MixBuckets(static_cast<uint64_t>(kind), index), value),
      .kind = kind,
      .index = index};
}

}  // namespace

RunNovelty::RunNovelty(const FuzzRules* rules)
    : maximize_count_(rules->maximize.size()) {
  for (const FuzzWord& word : rules->sometimes) {
    sometimes_.emplace_back(&word.query);
  }
  for (const FuzzWord& word : rules->maximize) aims_.emplace_back(&word.query);
  for (const FuzzWord& word : rules->minimize) aims_.emplace_back(&word.query);
  for (const FuzzSet& given : rules->sets) {
    Set set{.evaluations = {}, .step = given.step};
    for (const Query& query : given.queries) {
      set.evaluations.emplace_back(&query);
    }
    sets_.push_back(std::move(set));
  }
  scores_.resize(aims_.size());
}

void RunNovelty::Look(const sim::Simulation& simulation,
                      std::span<const sim::Event> events,
                      std::vector<Feature>& features) {
  for (const sim::Event& event : events) {
    uint64_t value = MixBuckets(event.type.value, event.object.serial);
    for (const sim::EventArgument& argument : event.arguments) {
      if (!IsName(argument.value.type)) continue;
      value = MixBuckets(MixBuckets(value, argument.name.value),
                         argument.value.bits);
    }
    features.push_back(MakeFeature(Kind::kEvent, 0, value));
    features.back().event = event.type;
  }
  const auto status = simulation.outcome().status;
  if (status != sim::Outcome::Status::kRunning) {
    features.push_back(
        MakeFeature(Kind::kOutcome, static_cast<uint32_t>(status),
                    sim::IdOf(simulation.outcome().reason).value));
  }
  for (uint32_t i = 0; i < sometimes_.size(); ++i) {
    bool holds = false;
    sometimes_[i].Visit(simulation, events,
                        [&holds](const sim::StateSubject&,
                                 const sim::ExpressionAnswer& answer) {
                          if (answer.ok() && sim::IsBool(*answer, true))
                            holds = true;
                        });
    if (holds) features.push_back(MakeFeature(Kind::kSometimes, i, 1));
  }
  for (uint32_t i = 0; i < sets_.size(); ++i) {
    LookAtSet(simulation, events, i, features);
  }
  for (size_t i = 0; i < aims_.size(); ++i) {
    std::optional<double>& score = scores_[i];
    score.reset();
    aims_[i].Visit(
        simulation, events,
        [&](const sim::StateSubject&, const sim::ExpressionAnswer& answer) {
          if (!answer.ok() || !IsNumber(*answer)) return;
          const double value = ToDouble(*answer);
          const double better = i < maximize_count_ ? value : -value;
          if (!score || better > *score) score = better;
        });
  }
}

void RunNovelty::LookAtSet(const sim::Simulation& simulation,
                           std::span<const sim::Event> events, uint32_t index,
                           std::vector<Feature>& features) {
  Set& set = sets_[index];
  cells_.clear();
  uint64_t of_whole = 0;  // of expressions that are about no object
  for (QueryEvaluation& evaluation : set.evaluations) {
    evaluation.Visit(simulation, events,
                     [&](const sim::StateSubject& subject,
                         const sim::ExpressionAnswer& answer) {
                       const uint64_t cell =
                           answer.ok() ? CellOf(*answer, set.step) : 0;
                       if (subject.rows.empty()) {
                         of_whole = MixBuckets(of_whole, cell);
                         return;
                       }
                       std::vector<uint64_t> key = evaluation.KeyOf(subject);
                       uint64_t& known = cells_[std::move(key)];
                       known = MixBuckets(known, cell);
                     });
  }
  if (cells_.empty()) {
    features.push_back(MakeFeature(Kind::kSet, index, of_whole));
  }
  for (const auto& [key, cell] : cells_) {
    uint64_t value = MixBuckets(of_whole, cell);
    for (const uint64_t part : key) value = MixBuckets(value, part);
    features.push_back(MakeFeature(Kind::kSet, index, value));
  }
}

}  // namespace reprise::replays
