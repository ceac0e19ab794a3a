// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Predicates: what a pack asks of the state of a world, by name.

#ifndef REPRISE_SIM_SYSTEMS_OBJECTIVES_PREDICATES_H_
#define REPRISE_SIM_SYSTEMS_OBJECTIVES_PREDICATES_H_

#include <cstdint>
#include <memory>

#include "sim/base/id.h"
#include "sim/expression/evaluator.h"
#include "sim/world/components/comparison.h"
#include "sim/world/events/event_expression.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Whether an expression holds, in which what isn't there is unknown; or, where
// there is none, whether a property of an object compares so with `value`,
// which it doesn't while the object isn't there.
struct PredicateDefinition {
  Id name;
  std::shared_ptr<const EventExpression> condition;  // of no event

  Id object;               // by its name
  uint32_t component = 0;  // index into WorldDefinition::components
  uint32_t property = 0;   // of the component: a single number or bool
  Comparison comparison = Comparison::kEqual;
  double value = 0.0;  // in the unit of the property
};

// Whether the predicate holds in the state as it is. Whole numbers are compared
// as doubles where a property is; in an expression by their exact values.
// REQUIRES: the index of objects is up to date.
bool Holds(const WorldParts& parts, const PredicateDefinition& predicate,
           ExpressionEvaluator& evaluator);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_OBJECTIVES_PREDICATES_H_
