// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Answers a query about a simulation as it stands, for every object it is
// about.

#ifndef REPRISE_REPLAYS_QUERY_QUERY_EVALUATION_H_
#define REPRISE_REPLAYS_QUERY_QUERY_EVALUATION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "replays/query/query.h"
#include "sim/event.h"
#include "sim/expression/state_evaluation.h"
#include "sim/expression/state_subjects.h"
#include "sim/expression/value.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

// Used by one thread at a time.
class QueryEvaluation {
 public:
  using Visitor = sim::StateEvaluation::Visitor;

  // `query` must remain live while this evaluation is in use.
  explicit QueryEvaluation(const Query* query);

  // Looks at the state of `simulation`, which may be another each time, and at
  // the events of the step that led to it. Calls `visit` for every subject in
  // order of keys; a query without subjects has one.
  void Visit(const sim::Simulation& simulation,
             std::span<const sim::Event> events, Visitor visit);

  // The same of a state within a step, as its observers see it: `state` stands
  // in for the simulation's own and has its shape.
  void Visit(const sim::Simulation& simulation, const sim::State& state,
             std::span<const sim::Event> events, Visitor visit);

  // During a visit, of what `visit` was called with; see StateEvaluation.
  std::string NameOf(const sim::StateSubject& subject) const;
  std::vector<uint64_t> KeyOf(const sim::StateSubject& subject) const;

  // Of the last visit: what is the same for all subjects, as the query calls
  // it, and what it comes to.
  std::vector<std::pair<std::string, sim::ExpressionAnswer>> ValuesOfTick()
      const;

 private:
  const Query& query_;
  // With the names of this simulation.
  const sim::Simulation* simulation_ = nullptr;
  std::optional<sim::StateEvaluation> evaluation_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_QUERY_QUERY_EVALUATION_H_
