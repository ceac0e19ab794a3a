// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether a state can be one of a world: what a snapshot has to pass before
// anything works on its rows.

#ifndef REPRISE_SIM_WORLD_WORLD_CHECK_H_
#define REPRISE_SIM_WORLD_WORLD_CHECK_H_

#include "absl/status/status.h"
#include "sim/state/state.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// OK, or FAILED_PRECONDITION where `snapshot` has other tables than `state`: it
// names the system whose tables are missing or too many, or the table that is
// another.
absl::Status CheckWorldTables(const State& state, const State& snapshot);

// OK, or DATA_LOSS naming what contradicts itself or the pack. The rows of
// physics are checked by PhysicsWorld::Load. REQUIRES: `snapshot` has the
// tables.
absl::Status CheckWorldRows(const WorldDefinition& definition,
                            const WorldTables& tables, const Objects& objects,
                            const State& snapshot);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_WORLD_CHECK_H_
