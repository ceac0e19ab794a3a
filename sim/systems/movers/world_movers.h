// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Characters and vehicles in a world: who has rows, who steers them, and when
// they move: after the behaviours of a tick have moved platforms and given
// their wishes, and before physics. All of them see the world as it is then.

#ifndef REPRISE_SIM_SYSTEMS_MOVERS_WORLD_MOVERS_H_
#define REPRISE_SIM_SYSTEMS_MOVERS_WORLD_MOVERS_H_

#include "absl/status/status.h"
#include "sim/base/state.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/systems/fields/fields.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Whether any type is a character or a vehicle.
bool HasMovers(const WorldDefinition& definition);

// Whether any vehicle has an engine that turns.
bool HasDrivetrains(const WorldDefinition& definition);

// Whether a player steers objects of the type, or pushes them.
bool IsSteered(const TypeDefinition& type);

// The others do nothing in a world without movers.

// Gives rows to movers that have come or become active, and takes them from
// those that went or sleep.
void FollowMovers(const WorldParts& parts);

// Passes on what the players' devices say.
void SteerMovers(const WorldParts& parts);

// Moves all of them, in object order. Looks at the state by `queries`; `fields`
// is null where there are none.
void MoveMovers(const WorldParts& parts, PhysicsQueries& queries,
                const Fields* fields);

// OK, or DataLoss where rows can't be those of the snapshot's objects.
absl::Status CheckMoverRows(const WorldDefinition& definition,
                            const WorldTables& tables, const State& snapshot);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_MOVERS_WORLD_MOVERS_H_
