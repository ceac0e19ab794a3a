// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The names that the world itself gives: its events and their arguments. Those
// of chunks, doors and regions are declared with them.

#ifndef REPRISE_SIM_WORLD_WORLD_NAMES_H_
#define REPRISE_SIM_WORLD_WORLD_NAMES_H_

#include <array>
#include <string_view>

#include "sim/base/id.h"

namespace reprise::sim {

// Every one of them, for the pack's table of names.
inline constexpr auto kWorldNames = std::to_array<std::string_view>({
    "body_refused",
    "chunk",
    "chunk_activated",
    "chunk_budget_exceeded",
    "chunk_cancelled",
    "chunk_deactivated",
    "chunk_kept",
    "chunk_leaving",
    "chunk_scheduled",
    "count",
    "destroy",
    "door",
    "door_asked",
    "door_closed",
    "door_closing",
    "door_opened",
    "events_dropped",
    "fraction",
    "game",
    "game_lost",
    "game_won",
    "hit",
    "jumped",
    "object",
    "object_destroyed",
    "object_spawned",
    "objective",
    "objective_active",
    "objective_complete",
    "objective_failed",
    "player",
    "property",
    "property_refused",
    "read_refused",
    "reference",
    "request",
    "region",
    "region_entered",
    "region_left",
    "region_stayed",
    "region_visits_dropped",
    "sleep",
    "spawn",
    "spawn_incomplete",
    "spawn_refused",
    "stale_reference",
    "start",
    "stop",
    "timer",
    "trigger_entered",
    "trigger_left",
    "type",
    "visitor",
    "wake",
    "x",
    "y",
    "z",
});

// Events that every object understands.
inline constexpr Id kDestroy = IdOf("destroy");
inline constexpr Id kSleep = IdOf("sleep");
inline constexpr Id kWake = IdOf("wake");

// Events that a spawner understands.
inline constexpr Id kSpawn = IdOf("spawn");
inline constexpr Id kStart = IdOf("start");
inline constexpr Id kStop = IdOf("stop");

// Events, with their arguments.
// A body had values that physics can't simulate, and was stopped.
inline constexpr Id kBodyRefused = IdOf("body_refused");
// Somebody wants a door of an air lock to open: door. Sent by the game.
inline constexpr Id kDoorAsked = IdOf("door_asked");
// Nobody listened for too long: count.
inline constexpr Id kEventsDropped = IdOf("events_dropped");
// The outcome: the visitor of a trigger, or the objective.
inline constexpr Id kGameLost = IdOf("game_lost");
inline constexpr Id kGameWon = IdOf("game_won");
inline constexpr Id kJumped = IdOf("jumped");
// An object came or went: type.
inline constexpr Id kObjectDestroyed = IdOf("object_destroyed");
inline constexpr Id kObjectSpawned = IdOf("object_spawned");
// A value out of its bounds was not written: property.
inline constexpr Id kPropertyRefused = IdOf("property_refused");
// An objective opened, or ended: objective. The tick after.
inline constexpr Id kObjectiveActive = IdOf("objective_active");
inline constexpr Id kObjectiveComplete = IdOf("objective_complete");
inline constexpr Id kObjectiveFailed = IdOf("objective_failed");
// More objects were in regions than are counted: count.
inline constexpr Id kRegionVisitsDropped = IdOf("region_visits_dropped");
// A behaviour wanted a value of this tick that is not there yet: reference.
inline constexpr Id kReadRefused = IdOf("read_refused");
// An object came, but there was no room for its timers or interests.
inline constexpr Id kSpawnIncomplete = IdOf("spawn_incomplete");
// There was no room for an object: type, and the chunk that it is of.
inline constexpr Id kSpawnRefused = IdOf("spawn_refused");
// A handle led to nobody.
inline constexpr Id kStaleReference = IdOf("stale_reference");
// Something came into a trigger, or left it: visitor.
inline constexpr Id kTriggerEntered = IdOf("trigger_entered");
inline constexpr Id kTriggerLeft = IdOf("trigger_left");

// Arguments.
inline constexpr Id kChunk = IdOf("chunk");
inline constexpr Id kCount = IdOf("count");
inline constexpr Id kDoor = IdOf("door");
inline constexpr Id kFraction = IdOf("fraction");
inline constexpr Id kObject = IdOf("object");
inline constexpr Id kObjective = IdOf("objective");
inline constexpr Id kPlayer = IdOf("player");
inline constexpr Id kProperty = IdOf("property");
inline constexpr Id kReference = IdOf("reference");
inline constexpr Id kRegion = IdOf("region");
inline constexpr Id kRequest = IdOf("request");
inline constexpr Id kTimer = IdOf("timer");
inline constexpr Id kType = IdOf("type");
inline constexpr Id kVisitor = IdOf("visitor");
inline constexpr Id kX = IdOf("x");
inline constexpr Id kY = IdOf("y");
inline constexpr Id kZ = IdOf("z");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_WORLD_NAMES_H_
