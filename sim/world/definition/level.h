// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The level of a pack: what divides its space (layers, regions, chunks, air
// locks, paths) and its task (objectives), as it is declared and ready to work.

#ifndef REPRISE_SIM_WORLD_DEFINITION_LEVEL_H_
#define REPRISE_SIM_WORLD_DEFINITION_LEVEL_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/systems/chunks/air_locks.h"
#include "sim/systems/chunks/chunk_definition.h"
#include "sim/systems/chunks/chunks.h"
#include "sim/systems/layers/layers.h"
#include "sim/systems/objectives/objective_definition.h"
#include "sim/systems/objectives/objectives.h"
#include "sim/systems/paths/paths.h"
#include "sim/systems/regions/regions.h"
#include "sim/world/components/comparison.h"

namespace reprise::sim {

// Whether a property of an object compares so with `value`; false while the
// object isn't there.
struct PredicateDefinition {
  Id name;
  Id object;               // by its name
  uint32_t component = 0;  // index into WorldDefinition::components
  uint32_t property = 0;   // of the component: a single number or bool
  Comparison comparison = Comparison::kEqual;
  double value = 0.0;  // in the unit of the property
};

struct LevelDefinition {
  std::vector<LayerDefinition> layers;
  std::vector<RegionDefinition> regions;
  ChunkPlan chunk_plan;
  std::vector<AirLockDefinition> air_locks;
  std::vector<PathDefinition> paths;            // ascending by name
  std::vector<PredicateDefinition> predicates;  // ascending by name
  std::vector<ObjectiveDefinition> objectives;
};

// Made once from a definition, for all worlds of a pack. Immutable.
struct LevelRules {
  // REQUIRES: every part passed its Validate function.
  explicit LevelRules(const LevelDefinition& definition);

  Regions regions;
  ChunkLoader chunks;
  AirLocks air_locks;
  Objectives objectives;
  std::vector<Path> paths;  // in the order of the definition
  // The types of events that objectives and doors hear of, ascending.
  std::vector<Id> heard_events;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_DEFINITION_LEVEL_H_
