// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The ids of what the world itself has names for: its events and their
// arguments, and words that systems share. What each event says stands in
// built_in_events.h; each system declares its own.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_WORLD_NAMES_H_
#define REPRISE_SIM_WORLD_COMPONENTS_WORLD_NAMES_H_

#include "sim/base/id.h"
#include "sim/world/components/built_in_events.h"

namespace reprise::sim {

// Events that every object understands.
inline constexpr Id kDestroy = EventIdOf("destroy");
inline constexpr Id kSleep = EventIdOf("sleep");
inline constexpr Id kWake = EventIdOf("wake");

// Events that spawners, path followers and whatever else goes by itself
// understand.
inline constexpr Id kStart = EventIdOf("start");
inline constexpr Id kStop = EventIdOf("stop");

// Events that the world sends.
inline constexpr Id kAttachRefused = EventIdOf("attach_refused");
inline constexpr Id kBodyRefused = EventIdOf("body_refused");
inline constexpr Id kContactsRefused = EventIdOf("contacts_refused");
inline constexpr Id kEventsDropped = EventIdOf("events_dropped");
inline constexpr Id kGameLost = EventIdOf("game_lost");
inline constexpr Id kGameWon = EventIdOf("game_won");
inline constexpr Id kObjectDestroyed = EventIdOf("object_destroyed");
inline constexpr Id kObjectFailed = EventIdOf("object_failed");
inline constexpr Id kObjectSpawned = EventIdOf("object_spawned");
inline constexpr Id kPropertyRefused = EventIdOf("property_refused");
inline constexpr Id kReadRefused = EventIdOf("read_refused");
inline constexpr Id kSpawnIncomplete = EventIdOf("spawn_incomplete");
inline constexpr Id kSpawnRefused = EventIdOf("spawn_refused");
inline constexpr Id kStaleReference = EventIdOf("stale_reference");

// Arguments.
inline constexpr Id kChunk = WordIdOf("chunk");
inline constexpr Id kCount = WordIdOf("count");
inline constexpr Id kFraction = WordIdOf("fraction");
inline constexpr Id kImpulse = WordIdOf("impulse");
inline constexpr Id kObject = WordIdOf("object");
inline constexpr Id kPlayer = WordIdOf("player");
inline constexpr Id kProperty = WordIdOf("property");
inline constexpr Id kReason = WordIdOf("reason");
inline constexpr Id kReference = WordIdOf("reference");
inline constexpr Id kRequest = WordIdOf("request");
inline constexpr Id kText = WordIdOf("text");
inline constexpr Id kTimeline = WordIdOf("timeline");
inline constexpr Id kTimer = WordIdOf("timer");
inline constexpr Id kType = WordIdOf("type");
inline constexpr Id kVisitor = WordIdOf("visitor");
inline constexpr Id kX = WordIdOf("x");
inline constexpr Id kY = WordIdOf("y");
inline constexpr Id kZ = WordIdOf("z");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_WORLD_NAMES_H_
