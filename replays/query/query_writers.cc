// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/query/query_writers.h"

#include <utility>
#include <variant>

#include "sim/expression/state_subjects.h"

namespace reprise::replays {

QueryWriters::QueryWriters(const Query* query,
                           const sim::Simulation* simulation)
    : simulation_(*simulation),
      evaluation_(query),
      values_(ValuesIn(simulation->state())) {}

std::string QueryWriters::WriterOf(const std::vector<uint64_t>& key) const {
  const auto writer = writers_.find(key);
  return writer == writers_.end() ? "" : writer->second;
}

void QueryWriters::OnWriter(std::string_view writer, const sim::State& state) {
  Values now = ValuesIn(state);
  for (const auto& [key, value] : now) {
    const auto before = values_.find(key);
    if (before == values_.end() || !sim::IsSame(before->second, value)) {
      writers_[key] = writer;
    }
  }
  for (const auto& [key, value] : values_) {
    if (!now.contains(key)) writers_[key] = writer;
  }
  values_ = std::move(now);
}

void QueryWriters::OnPhase(uint32_t phase, const sim::State& state) {
  OnWriter(simulation_.info().phases[phase], state);
}

QueryWriters::Values QueryWriters::ValuesIn(const sim::State& state) {
  Values values;
  evaluation_.Visit(
      simulation_, state, /*events=*/{},
      [&](const sim::StateSubject& subject,
          const sim::ExpressionAnswer& answer) {
        if (answer.ok() &&
            !std::holds_alternative<sim::ExpressionAbsence>(*answer)) {
          values.insert_or_assign(evaluation_.KeyOf(subject), *answer);
        }
      });
  return values;
}

}  // namespace reprise::replays
