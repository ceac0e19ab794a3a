// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/query/query_facts.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "sim/game_description.h"

namespace reprise::replays {
namespace {

using Kind = QueryFact::Kind;

constexpr sim::ScopeFunction kFunctions[] = {
    {"event", sim::ScopeFunction::Argument::kName},
};

// By sim::Outcome::Status; they may go without quotes.
constexpr std::string_view kOutcomeTexts[] = {"running", "won", "lost"};
constexpr sim::ExpressionChoices kOutcomes = {"an outcome", kOutcomeTexts};

std::string OutcomeText(sim::Outcome::Status status) {
  return std::string(kOutcomeTexts[static_cast<size_t>(status)]);
}

}  // namespace

QueryFactScope::QueryFactScope(const sim::Simulation* simulation)
    : simulation_(*simulation) {}

absl::StatusOr<std::optional<sim::ExpressionMeaning>> QueryFactScope::FindName(
    const sim::ExpressionNode& node) {
  if (node.kind != sim::ExpressionNode::Kind::kName) return std::nullopt;
  const std::string& name = node.path[0];
  if (name == "tick") {
    return Add({.kind = Kind::kTick}, sim::ExpressionType::kNumber);
  }
  if (name == "outcome") {
    sim::ExpressionMeaning meaning =
        Add({.kind = Kind::kOutcome}, sim::ExpressionType::kText);
    meaning.choices = &kOutcomes;
    return meaning;
  }
  if (std::ranges::count(kOutcomeTexts, name) > 0) {
    return sim::ExpressionMeaning{.type = sim::ExpressionType::kText,
                                  .constant = name};
  }
  return std::nullopt;
}

std::vector<std::string> QueryFactScope::KnownNames() const {
  std::vector<std::string> names = {"tick", "outcome"};
  names.insert(names.end(), std::begin(kOutcomeTexts), std::end(kOutcomeTexts));
  return names;
}

std::span<const sim::ScopeFunction> QueryFactScope::functions() const {
  return kFunctions;
}

absl::StatusOr<sim::ExpressionMeaning> QueryFactScope::FindCall(
    const sim::ScopeCall& call) {
  const sim::Id event = sim::IdOf(call.name);
  if (simulation_.IdName(event) != call.name) {
    std::vector<std::string> known;
    for (const sim::EventDescription& each : simulation_.description().events) {
      known.push_back(each.name);
    }
    return sim::UnknownNameAt(call.argument_column, "event", call.name, known);
  }
  return Add({.kind = Kind::kEvent, .event = event},
             sim::ExpressionType::kNumber);
}

sim::ExpressionMeaning QueryFactScope::Add(QueryFact fact,
                                           sim::ExpressionType type) {
  facts_.push_back(fact);
  return {.type = type, .reference = static_cast<uint32_t>(facts_.size() - 1)};
}

sim::ExpressionAnswer QueryFactReader::Read(uint32_t reference) {
  const QueryFact& fact = facts_[reference];
  if (fact.kind == Kind::kOutcome) {
    return sim::ExpressionValue(OutcomeText(simulation_.outcome().status));
  }
  const auto number =
      fact.kind == Kind::kTick
          ? static_cast<sim::ExpressionInteger>(simulation_.tick())
          : static_cast<sim::ExpressionInteger>(
                std::ranges::count(events_, fact.event, &sim::Event::type));
  return sim::ExpressionValue(number);
}

}  // namespace reprise::replays
