// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a world consists of while it is stepped: what every phase works on.

#ifndef REPRISE_SIM_WORLD_WORLD_PARTS_H_
#define REPRISE_SIM_WORLD_WORLD_PARTS_H_

#include "sim/base/state.h"
#include "sim/base/tick.h"
#include "sim/geometry/transform.h"
#include "sim/physics/physics_rows.h"
#include "sim/physics/physics_world.h"
#include "sim/world/event_journal.h"
#include "sim/world/objects.h"
#include "sim/world/world_definition.h"

namespace reprise::sim {

struct WorldTables {
  TableIndex run;
  ObjectTables objects;
  TableIndex overlaps;
  TableIndex random_streams;
  TableIndex devices;
  PhysicsTables physics;
};

struct WorldParts {
  const WorldDefinition& definition;
  const WorldTables& tables;
  State& state;
  Objects& objects;
  PhysicsWorld& physics;
  EventJournal& journal;

  // The tick that is being made, or that comes next.
  Tick tick() const;
};

// Where an object is, by its row in `state`: its body's place, or its own.
Transform PlaceOf(const WorldParts& parts, const State& state, uint32_t row);

// Puts an object that has no body, or one that isn't moved by physics, there.
void SetPlace(const WorldParts& parts, uint32_t row, const Transform& place);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_WORLD_PARTS_H_
