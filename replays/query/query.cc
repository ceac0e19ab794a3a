// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/query/query.h"

#include <utility>

namespace reprise::replays {

absl::StatusOr<Query> Query::Parse(std::string_view text,
                                   const sim::Simulation& simulation) {
  QueryFactScope facts(&simulation);
  absl::StatusOr<sim::StateExpression> expression = sim::StateExpression::Parse(
      text, simulation.state(), sim::NamesOf(simulation), &facts);
  if (!expression.ok()) return expression.status();
  return Query(*std::move(expression), facts.facts());
}

Query::Query(sim::StateExpression expression, std::vector<QueryFact> facts)
    : expression_(std::move(expression)), facts_(std::move(facts)) {}

}  // namespace reprise::replays
