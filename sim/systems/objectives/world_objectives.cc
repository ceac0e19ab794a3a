// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/objectives/world_objectives.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/systems/objectives/run_outcome.h"
#include "sim/world/components/component.h"
#include "sim/world/components/world_names.h"

namespace reprise::sim {
namespace {

const PredicateDefinition& FindPredicate(const WorldDefinition& definition,
                                         Id name) {
  const auto found = std::ranges::lower_bound(definition.level.predicates, name,
                                              {}, &PredicateDefinition::name);
  CHECK(found != definition.level.predicates.end() && found->name == name,
        "no predicate {:016x}", name.value);
  return *found;
}

// What a change is called; kNoId: it goes untold.
Id TypeOfChange(ObjectiveStatus status) {
  switch (status) {
    case ObjectiveStatus::kLocked:
      return kNoId;
    case ObjectiveStatus::kActive:
      return kObjectiveActive;
    case ObjectiveStatus::kComplete:
      return kObjectiveComplete;
    case ObjectiveStatus::kFailed:
      return kObjectiveFailed;
  }
  return kNoId;
}

}  // namespace

bool Holds(const WorldParts& parts, const PredicateDefinition& predicate) {
  const uint32_t row = parts.objects.RowNamed(predicate.object);
  if (row == kNoRow) return false;
  const uint32_t component_row =
      parts.objects.ComponentRow(row, predicate.component);
  if (component_row == kNoRow) return false;
  const Table& table =
      parts.state.table(parts.tables.objects.components[predicate.component]);
  const std::vector<FieldValue> value =
      ReadProperty(parts.definition.components[predicate.component],
                   predicate.property, table.Row(component_row));
  return Compare(value[0].AsNumber(), predicate.comparison, predicate.value);
}

void UpdateObjectives(const WorldParts& parts) {
  if (parts.definition.level.objectives.empty()) return;
  const auto post = [&](Id type, Id objective) {
    parts.router->Post(
        {.type = type,
         .arguments = {{kObjective, FieldValue::OfId(objective)}}});
  };
  const ObjectiveUpdate update =
      parts.definition.level_rules->objectives.Update(
          parts.game_tick, parts.journal.step_events(),
          [&](Id name) {
            return Holds(parts, FindPredicate(parts.definition, name));
          },
          parts.state.mutable_table(parts.tables.level.objectives));
  for (const ObjectiveChange& change : update.changes) {
    if (const Id type = TypeOfChange(change.to); type != kNoId) {
      post(type, change.objective);
    }
  }
  for (const ObjectivePenalty& penalty : update.penalties) {
    post(penalty.event, penalty.objective);
  }
  for (const Id gate : update.gates) {
    const absl::Status status = SetLayer(
        gate, true, parts.state.mutable_table(parts.tables.level.layers));
    CHECK(status.ok(), "{}", status.ToString());
  }
  if (update.decision.has_value()) {
    const Id objective = update.decision->objective;
    DecideRun(parts, {.outcome = update.decision->outcome, .reason = objective},
              {{kObjective, FieldValue::OfId(objective)}});
  }
  // What was posted waits in the queue over the end of the tick.
  parts.router->Settle();
}

}  // namespace reprise::sim
