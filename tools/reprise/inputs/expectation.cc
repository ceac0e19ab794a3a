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
    const sim::Simulation& simulation,
    std::span<const sim::Event> events) const {
  replays::QueryEvaluation evaluation(&query_);
  bool holds = false;
  absl::Status error;
  evaluation.Visit(
      simulation, events,
      [&](const sim::StateSubject&, const sim::ExpressionAnswer& answer) {
        if (!answer.ok()) {
          error.Update(answer.status());
        } else if (sim::IsBool(*answer, true)) {
          holds = true;
        }
      });
  if (holds) return std::nullopt;

  std::string text = fmt::format("tick {}, {}", simulation.tick(),
                                 FormatOutcome(simulation.outcome()));
  for (const auto& [name, value] : evaluation.ValuesOfTick()) {
    if (name == "tick" || name == "outcome" || !value.ok()) continue;
    text += fmt::format("; {} = {}", name, sim::FormatExpressionValue(*value));
  }
  if (!error.ok()) text += "; " + std::string(error.message());
  return text;
}

}  // namespace reprise::tools
