// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What can be asked of a run besides its state: the tick, the outcome, and the
// events of the step that led to it.

#ifndef REPRISE_REPLAYS_QUERY_QUERY_FACTS_H_
#define REPRISE_REPLAYS_QUERY_QUERY_FACTS_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/id.h"
#include "sim/event.h"
#include "sim/expression/scope.h"
#include "sim/expression/tree.h"
#include "sim/expression/value.h"
#include "sim/simulation.h"

namespace reprise::replays {

struct QueryFact {
  enum class Kind {
    kTick,
    kOutcome,
    kEvent,  // how many of type `event` the tick brought
  };

  Kind kind = Kind::kTick;
  sim::Id event;
};

// `tick`, `outcome`, `event(name)`, and what an outcome can be: `running`,
// `won`, `lost`.
class QueryFactScope final : public sim::ExpressionScope {
 public:
  // Knows the events that the pack of `simulation` names, which must remain
  // live while this scope is in use.
  explicit QueryFactScope(const sim::Simulation* simulation);

  absl::StatusOr<std::optional<sim::ExpressionMeaning>> FindName(
      const sim::ExpressionNode& node) override;
  std::vector<std::string> KnownNames() const override;
  std::span<const sim::ScopeFunction> functions() const override;
  absl::StatusOr<sim::ExpressionMeaning> FindCall(
      const sim::ScopeCall& call) override;

  // What the references refer to.
  const std::vector<QueryFact>& facts() const { return facts_; }

 private:
  sim::ExpressionMeaning Add(QueryFact fact, sim::ExpressionType type);

  const sim::Simulation& simulation_;
  std::vector<QueryFact> facts_;
};

// Reads the facts of a tick.
class QueryFactReader final : public sim::ExpressionReader {
 public:
  // All must remain live while this reader is in use.
  QueryFactReader(const std::vector<QueryFact>* facts,
                  const sim::Simulation* simulation,
                  std::span<const sim::Event> events)
      : facts_(*facts), simulation_(*simulation), events_(events) {}

  sim::ExpressionAnswer Read(uint32_t reference) override;

 private:
  const std::vector<QueryFact>& facts_;
  const sim::Simulation& simulation_;
  const std::span<const sim::Event> events_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_QUERY_QUERY_FACTS_H_
