// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a world consists of while it is stepped: what every phase works on.

#ifndef REPRISE_SIM_WORLD_OBJECTS_WORLD_PARTS_H_
#define REPRISE_SIM_WORLD_OBJECTS_WORLD_PARTS_H_

#include <initializer_list>
#include <optional>
#include <vector>

#include "sim/base/tick.h"
#include "sim/geometry/transform.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/physics_world.h"
#include "sim/state/state.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/event_rows.h"
#include "sim/world/events/waiting_events.h"
#include "sim/world/inputs/input_tables.h"
#include "sim/world/objects/objects.h"
#include "sim/world/time/timers.h"

namespace reprise::sim {

class InputTexts;
class Systems;
class WorldLog;
class WorldQueries;

// The world's own; systems have theirs.
struct WorldTables {
  TableIndex run;
  ObjectTables objects;
  TableIndex random_streams;
  // Where behaviours can ask for anything.
  std::optional<TableIndex> requests;
  // What rays are asked for, under the keys of their requests.
  TableIndex ray_requests;
  InputTables input;
  EventTables events;
  TableIndex clocks;
  TimerTables timers;
  TableIndex timelines;
  // Where a behaviour marks timelines.
  std::optional<TableIndex> timeline_marks;
  PhysicsTables physics;
};

struct WorldParts {
  const WorldDefinition& definition;
  const WorldTables& tables;
  State& state;
  Objects& objects;
  PhysicsWorld& physics;
  WaitingEvents& journal;
  InputTexts& texts;
  EventRouter* router = nullptr;
  Systems* systems = nullptr;
  // What is said to people, which is no state; never null in a world.
  WorldLog* log = nullptr;
  // Null where no behaviour asks.
  WorldQueries* queries = nullptr;
  // The state in which behaviours read others; null where none does. Who lets
  // behaviours run beside their updates brings it up to date.
  State* readable = nullptr;

  // The step of the game that is being made, or that comes next: what timers,
  // events and behaviours go by. The tick, while the game's clock keeps up.
  const Tick& game_tick;
};

// The game's own clock, the one row of its table.
inline constexpr Id kGameClock = IdOf("game");

// An event of the world about an object: to the object itself, and from it. A
// tick must be in the making.
void TellObject(const WorldParts& parts, Id type, ObjectId object,
                std::initializer_list<EventArgument> arguments);

// The same, only for the account of the run: of objects that are not there yet
// or any more.
void TellListeners(const WorldParts& parts, Id type, ObjectId object,
                   std::vector<EventArgument> arguments);

// Makes the body of an object. One beyond the bounds of physics comes to their
// edge, and `body_refused` tells of it. REQUIRES: the object has none.
void EnterPhysics(const WorldParts& parts, const BodyPlacement& wanted);

// Puts an object to sleep, wakes it, or has it fail. Its timers and timelines
// stand still while it isn't active. A body leaves the physical world with
// sleep, and comes back where it was, with no velocity; that of an inert object
// stays.
void SetStatus(const WorldParts& parts, uint32_t row, ObjectStatus status);

// Where an object is, by its row in `state`: its body's place, or its own.
Transform PlaceOf(const WorldParts& parts, const State& state, uint32_t row);

// Puts an object that has no body, or one that isn't moved by physics, there.
void SetPlace(const WorldParts& parts, uint32_t row, const Transform& place);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_OBJECTS_WORLD_PARTS_H_
