// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/objectives/predicates.h"

#include "sim/state/table.h"
#include "sim/world/components/component.h"
#include "sim/world/components/property_value.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/world_event.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {

bool Holds(const WorldParts& parts, const PredicateDefinition& predicate,
           ExpressionEvaluator& evaluator) {
  if (predicate.condition != nullptr) {
    return predicate.condition->Holds(WorldEvent{}, parts.router->receivers(),
                                      evaluator);
  }
  const uint32_t row = parts.objects.RowNamed(predicate.object);
  if (row == kNoRow) return false;
  const uint32_t component_row =
      parts.objects.ComponentRow(row, predicate.component);
  if (component_row == kNoRow) return false;
  const Table& table =
      parts.state.table(parts.tables.objects.components[predicate.component]);
  const PropertyValue value =
      ReadProperty(parts.definition.components[predicate.component],
                   predicate.property, table.Row(component_row));
  return Compare(value.scalars()[0].AsNumber(), predicate.comparison,
                 predicate.value);
}

}  // namespace reprise::sim
