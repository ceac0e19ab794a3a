// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/expectation.h"

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/query/query_evaluation.h"
#include "sim/expression/state_subjects.h"
#include "sim/expression/value.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

absl::StatusOr<Expectation> Expectation::Parse(
    std::string_view text, const sim::Simulation& simulation) {
  absl::StatusOr<replays::Query> query =
      replays::Query::Parse(text, simulation);
  if (!query.ok()) {
    return absl::InvalidArgumentError(fmt::format(
        "--expect '{}': {}", text, std::string(query.status().message())));
  }
  if (query->type() != sim::ExpressionType::kBool) {
    return absl::InvalidArgumentError(fmt::format(
        "--expect '{}': it is not true or false; compare it with something",
        text));
  }
  return Expectation(*std::move(query));
}

std::optional<std::string> Expectation::DescribeFailure(
    const sim::Simulation& simulation, std::span<const sim::Event> events,
    Subjects subjects) const {
  replays::QueryEvaluation evaluation(&query_);
  bool holds_of_some = false;
  bool holds_of_every = true;
  std::string first;  // of which it doesn't hold
  absl::Status error;
  evaluation.Visit(simulation, events,
                   [&](const sim::StateSubject& subject,
                       const sim::ExpressionAnswer& answer) {
                     if (answer.ok() && sim::IsBool(*answer, true)) {
                       holds_of_some = true;
                       return;
                     }
                     if (!answer.ok()) error.Update(answer.status());
                     if (holds_of_every) first = evaluation.NameOf(subject);
                     holds_of_every = false;
                   });
  if (subjects == Subjects::kEvery ? holds_of_every : holds_of_some) {
    return std::nullopt;
  }

  std::string text = fmt::format("tick {}, {}", simulation.tick(),
                                 FormatOutcome(simulation.outcome()));
  if (subjects == Subjects::kEvery && !first.empty()) text += "; of " + first;
  for (const auto& [name, value] : evaluation.ValuesOfTick()) {
    if (name == "tick" || name == "outcome" || !value.ok()) continue;
    text += fmt::format("; {} = {}", name, sim::FormatExpressionValue(*value));
  }
  if (!error.ok()) text += "; " + std::string(error.message());
  return text;
}

}  // namespace reprise::tools
