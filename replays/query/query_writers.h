// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Watches a query while a step is made, and says who made its value what it is:
// a behaviour, the solver, or the phase.

#ifndef REPRISE_REPLAYS_QUERY_QUERY_WRITERS_H_
#define REPRISE_REPLAYS_QUERY_QUERY_WRITERS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "replays/query/query.h"
#include "replays/query/query_evaluation.h"
#include "sim/expression/value.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

// A write is a change of the value: who writes what is there already isn't
// seen. Events are told when the step is over, so nobody writes them.
class QueryWriters final : public sim::PhaseObserver {
 public:
  // Watches one step of `simulation`, from its state as it is. Both must remain
  // live.
  QueryWriters(const Query* query, const sim::Simulation* simulation);

  // Who changed the value for the subject of this key last; empty: nobody.
  std::string WriterOf(const std::vector<uint64_t>& key) const;

  bool wants_writers() const override { return true; }
  void OnWriter(std::string_view writer, const sim::State& state) override;
  void OnPhase(uint32_t phase, const sim::State& state) override;

 private:
  using Values = std::map<std::vector<uint64_t>, sim::ExpressionValue>;

  // Of all subjects that have one.
  Values ValuesIn(const sim::State& state);

  const sim::Simulation& simulation_;
  QueryEvaluation evaluation_;
  Values values_;
  std::map<std::vector<uint64_t>, std::string> writers_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_QUERY_QUERY_WRITERS_H_
