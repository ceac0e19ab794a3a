// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a run is asked at its ticks: an expression about the state of a
// simulation and the facts of the tick.

#ifndef REPRISE_REPLAYS_QUERY_QUERY_H_
#define REPRISE_REPLAYS_QUERY_QUERY_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/query/query_facts.h"
#include "sim/expression/state_expression.h"
#include "sim/expression/value.h"
#include "sim/simulation.h"

namespace reprise::replays {

// Immutable; any number of threads may evaluate it.
class Query {
 public:
  // Parses `text` and checks it against `simulation` as it is now: objects and
  // events are known by name where they are there or where the pack names them.
  // INVALID_ARGUMENT: "column 8: ...", with the nearest name where one is near.
  static absl::StatusOr<Query> Parse(std::string_view text,
                                     const sim::Simulation& simulation);

  const std::string& text() const { return expression_.text(); }
  sim::ExpressionType type() const { return expression_.type(); }

  const sim::StateExpression& expression() const { return expression_; }
  // What the expression calls facts.
  const std::vector<QueryFact>& facts() const { return facts_; }

 private:
  Query(sim::StateExpression expression, std::vector<QueryFact> facts);

  sim::StateExpression expression_;
  std::vector<QueryFact> facts_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_QUERY_QUERY_H_
