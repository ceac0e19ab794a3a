// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a system looks around among the bodies of its world.

#ifndef REPRISE_SIM_WORLD_SYSTEMS_BODY_QUERIES_H_
#define REPRISE_SIM_WORLD_SYSTEMS_BODY_QUERIES_H_

#include <memory>

#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Queries that haven't looked at anything yet. The definition of `parts`
// outlives them.
inline PhysicsQueries QueriesOf(const WorldParts& parts) {
  // It owns nothing: the world owns its definition.
  return PhysicsQueries(std::shared_ptr<const PhysicsDefinition>(
                            std::shared_ptr<void>(), &parts.definition.physics),
                        parts.tables.physics);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_SYSTEMS_BODY_QUERIES_H_
