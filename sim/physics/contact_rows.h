// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Contact points between Bullet's manifolds and their table: every bit that a
// later step depends on, both ways.

#ifndef REPRISE_SIM_PHYSICS_CONTACT_ROWS_H_
#define REPRISE_SIM_PHYSICS_CONTACT_ROWS_H_

#include "absl/status/status.h"
#include "sim/physics/bullet_world.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/state/table.h"

namespace reprise::sim {

// Whether the rows of `table` are contact points that the bodies of the rows
// `bodies` can have. DATA_LOSS names the first that isn't: numbers that aren't
// finite, objects or primitives that don't exist, keys out of order.
// REQUIRES: the rows of bodies ascend, and their kinds exist.
absl::Status CheckContactRows(const Table& table, const Table& bodies,
                              const PhysicsDefinition& definition);

// Whether Bullet's contact points are those of `table`, to the bit. So they are
// after a body was removed from both.
bool HoldsContactRows(const Table& table, BulletWorld& bullet);

// Makes Bullet's contact points those of `table`, whatever they were.
// REQUIRES: CheckContactRows is OK for the bodies of `bullet`.
void LoadContactRows(const Table& table, BulletWorld& bullet);

// Puts all contact points in the world where their bodies are now. Pairs that
// are looked at before they are solved need it not, but those at rest.
void PlaceContactPoints(BulletWorld& bullet);

// Makes `table` the contact points of the step just made. Rows that stay the
// same bits aren't written. Points with a number that isn't finite are left
// out.
void StoreContactRows(BulletWorld& bullet, Table& table);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CONTACT_ROWS_H_
