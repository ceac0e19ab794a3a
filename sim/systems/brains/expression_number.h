// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A number that decides: what an expression comes to for an event.

#ifndef REPRISE_SIM_SYSTEMS_BRAINS_EXPRESSION_NUMBER_H_
#define REPRISE_SIM_SYSTEMS_BRAINS_EXPRESSION_NUMBER_H_

#include <variant>

#include "sim/base/math.h"
#include "sim/expression/evaluator.h"
#include "sim/expression/value.h"
#include "sim/world/events/event_expression.h"
#include "sim/world/events/receivers.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {

// What is unknown, or can't be computed, speaks for nothing.
inline constexpr double kUnknownNumber = -0x1p1023;

inline double NumberFor(const EventExpression& expression,
                        const WorldEvent& event,
                        const EventReceivers& receivers,
                        ExpressionEvaluator& evaluator) {
  const ExpressionAnswer answer =
      expression.Evaluate(event, receivers, evaluator);
  if (!answer.ok()) return kUnknownNumber;
  if (const auto* const value = std::get_if<double>(&*answer)) {
    return IsNan(*value) ? kUnknownNumber : *value;
  }
  if (const auto* const whole = std::get_if<ExpressionInteger>(&*answer)) {
    return static_cast<double>(*whole);
  }
  return kUnknownNumber;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_BRAINS_EXPRESSION_NUMBER_H_
