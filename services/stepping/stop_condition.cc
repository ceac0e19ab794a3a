// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/stepping/stop_condition.h"

#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "services/base/status.h"
#include "sim/expression/state_subjects.h"
#include "sim/expression/value.h"

namespace reprise::services {
namespace {

absl::Status ConditionError(std::string_view problem) {
  return WithReason(
      absl::InvalidArgumentError(fmt::format("until.condition: {}", problem)),
      "CONDITION_REFUSED", {{"field", "until.condition"}});
}

}  // namespace

absl::StatusOr<StopCondition> StopCondition::Parse(
    const std::string& text, const sim::Simulation& simulation) {
  auto query = replays::Query::Parse(text, simulation);
  if (!query.ok()) {
    return ConditionError(std::string(query.status().message()));
  }
  if (query->type() != sim::ExpressionType::kBool) {
    return ConditionError("this is no condition");
  }
  return StopCondition(*std::move(query));
}

StopCondition::StopCondition(replays::Query query)
    : query_(std::make_unique<const replays::Query>(std::move(query))),
      evaluation_(std::make_unique<replays::QueryEvaluation>(query_.get())) {}

bool StopCondition::Holds(const ObservedTick& tick) {
  bool holds = false;
  evaluation_->Visit(
      tick.simulation, tick.events,
      [&](const sim::StateSubject&, const sim::ExpressionAnswer& answer) {
        holds |= answer.ok() && sim::IsBool(*answer, true);
      });
  return holds;
}

}  // namespace reprise::services
