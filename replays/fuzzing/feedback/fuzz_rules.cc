// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/feedback/fuzz_rules.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::replays {
namespace {

absl::Status Wrong(std::string_view word, std::string_view name,
                   std::string_view problem) {
  return absl::InvalidArgumentError(
      fmt::format("fuzzing.{} '{}': {}", word, name, problem));
}

// What the built-in simulation sends where a script or a behaviour can't go on.
constexpr std::string_view kMistakes[] = {"script_failed", "object_failed"};

bool IsSent(std::string_view event, const sim::Simulation& simulation) {
  return std::ranges::count(simulation.description().events, event,
                            &sim::EventDescription::name) > 0;
}

absl::StatusOr<Query> ParseQuery(std::string_view word, std::string_view name,
                                 const std::string& text,
                                 const sim::Simulation& simulation) {
  absl::StatusOr<Query> query = Query::Parse(text, simulation);
  if (query.ok()) return query;
  return Wrong(word, name, std::string(query.status().message()));
}

absl::Status AddWords(std::string_view word,
                      const std::vector<sim::FuzzingExpression>& expressions,
                      sim::ExpressionType type,
                      const sim::Simulation& simulation,
                      std::vector<FuzzWord>& words) {
  for (const sim::FuzzingExpression& expression : expressions) {
    absl::StatusOr<Query> query =
        ParseQuery(word, expression.name, expression.text, simulation);
    if (!query.ok()) return query.status();
    if (query->type() != type) {
      return Wrong(word, expression.name,
                   type == sim::ExpressionType::kBool ? "it is no condition"
                                                      : "it is no number");
    }
    words.push_back({.name = expression.name, .query = *std::move(query)});
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FuzzRules> FuzzRules::Create(
    const sim::FuzzingDescription& description,
    const sim::Simulation& simulation) {
  using Type = sim::ExpressionType;
  FuzzRules rules{.description = description};
  for (const absl::Status& status :
       {AddWords("always", description.always, Type::kBool, simulation,
                 rules.always),
        AddWords("sometimes", description.sometimes, Type::kBool, simulation,
                 rules.sometimes),
        AddWords("maximize", description.maximize, Type::kNumber, simulation,
                 rules.maximize),
        AddWords("minimize", description.minimize, Type::kNumber, simulation,
                 rules.minimize)}) {
    if (!status.ok()) return status;
  }
  for (const sim::FuzzingSet& given : description.sets) {
    FuzzSet set{.name = given.name, .queries = {}, .step = given.step};
    for (const std::string& text : given.expressions) {
      absl::StatusOr<Query> query =
          ParseQuery("set", given.name, text, simulation);
      if (!query.ok()) return query.status();
      set.queries.push_back(*std::move(query));
    }
    rules.sets.push_back(std::move(set));
  }
  for (const std::string& name : description.reachable) {
    rules.reachable.push_back({.name = name, .id = sim::IdOf(name)});
  }
  for (const std::string& name : description.unreachable) {
    rules.unreachable.push_back({.name = name, .id = sim::IdOf(name)});
  }
  for (const std::string_view name : kMistakes) {
    const bool is_ruled = std::ranges::count(description.reachable, name) > 0 ||
                          std::ranges::count(description.unreachable, name) > 0;
    if (is_ruled || !IsSent(name, simulation)) continue;
    rules.mistakes.push_back(
        {.name = std::string(name), .id = sim::IdOf(name)});
  }
  return rules;
}

}  // namespace reprise::replays
