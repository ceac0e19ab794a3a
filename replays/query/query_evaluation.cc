// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/query/query_evaluation.h"

#include "replays/query/query_facts.h"

namespace reprise::replays {

QueryEvaluation::QueryEvaluation(const Query* query) : query_(*query) {}

void QueryEvaluation::Visit(const sim::Simulation& simulation,
                            std::span<const sim::Event> events, Visitor visit) {
  Visit(simulation, simulation.state(), events, visit);
}

void QueryEvaluation::Visit(const sim::Simulation& simulation,
                            const sim::State& state,
                            std::span<const sim::Event> events, Visitor visit) {
  if (simulation_ != &simulation) {
    simulation_ = &simulation;
    evaluation_.emplace(&query_.expression(), sim::NamesOf(simulation));
  }
  QueryFactReader facts(&query_.facts(), &simulation, events);
  evaluation_->Visit(state, &facts, visit);
}

std::string QueryEvaluation::NameOf(const sim::StateSubject& subject) const {
  return evaluation_->NameOf(subject);
}

std::vector<uint64_t> QueryEvaluation::KeyOf(
    const sim::StateSubject& subject) const {
  return evaluation_->KeyOf(subject);
}

std::vector<std::pair<std::string, sim::ExpressionAnswer>>
QueryEvaluation::ValuesOfTick() const {
  if (!evaluation_) return {};
  return evaluation_->CommonValues();
}

}  // namespace reprise::replays
