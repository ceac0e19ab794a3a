// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/definition/level.h"

#include <algorithm>
#include <variant>

#include "sim/world/components/world_names.h"

namespace reprise::sim {
namespace {

std::vector<Id> EventsHeardBy(const LevelDefinition& definition) {
  std::vector<Id> types;
  if (!definition.air_locks.empty()) types.push_back(kDoorAsked);
  const auto add = [&](const ObjectiveCondition& condition) {
    if (const auto* event = std::get_if<EventCondition>(&condition)) {
      types.push_back(event->type);
    }
  };
  for (const ObjectiveDefinition& objective : definition.objectives) {
    add(objective.condition);
    for (const ObjectiveCondition& failure : objective.failures) add(failure);
  }
  // A total order: equal ids are the same.
  std::ranges::sort(types);
  types.erase(std::unique(types.begin(), types.end()), types.end());
  return types;
}

}  // namespace

LevelRules::LevelRules(const LevelDefinition& definition)
    : regions(definition.regions),
      chunks(definition.chunk_plan),
      air_locks(definition.air_locks),
      objectives(definition.objectives),
      paths(definition.paths.begin(), definition.paths.end()),
      heard_events(EventsHeardBy(definition)) {}

}  // namespace reprise::sim
