// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of chunks and the doors of air locks, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kChunkEvents = std::to_array<EventDeclaration>({
    {.name = "chunk_activated",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk came, and its objects come",
     .arguments = {{{"chunk"}}}},
    {.name = "chunk_budget_exceeded",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk is wanted, and no place is free",
     .arguments = {{{"chunk"}}}},
    {.name = "chunk_cancelled",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk was to come, and is no longer wanted",
     .arguments = {{{"chunk"}}}},
    {.name = "chunk_deactivated",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk went, and its objects go",
     .arguments = {{{"chunk"}}}},
    {.name = "chunk_kept",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk was about to go, and is wanted again",
     .arguments = {{{"chunk"}}}},
    {.name = "chunk_leaving",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk is no longer wanted, and goes after its delay",
     .arguments = {{{"chunk"}}}},
    {.name = "chunk_scheduled",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk is wanted, and comes after its delay",
     .arguments = {{{"chunk"}}}},
    {.name = "door_asked",
     .sender = kByPack,
     .receiver = "an air lock",
     .when = "somebody wants a door of it to open",
     .arguments = {{{"door"}}}},
    {.name = "door_closed",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a door of an air lock is closed",
     .arguments = {{{"door"}}}},
    {.name = "door_closing",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a door of an air lock begins to close",
     .arguments = {{{"door"}}}},
    {.name = "door_opened",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a door of an air lock is open",
     .arguments = {{{"door"}}}},
});

inline constexpr Id kChunkActivated =
    EventIdIn(kChunkEvents, "chunk_activated");
inline constexpr Id kChunkBudgetExceeded =
    EventIdIn(kChunkEvents, "chunk_budget_exceeded");
inline constexpr Id kChunkCancelled =
    EventIdIn(kChunkEvents, "chunk_cancelled");
inline constexpr Id kChunkDeactivated =
    EventIdIn(kChunkEvents, "chunk_deactivated");
inline constexpr Id kChunkKept = EventIdIn(kChunkEvents, "chunk_kept");
inline constexpr Id kChunkLeaving = EventIdIn(kChunkEvents, "chunk_leaving");
inline constexpr Id kChunkScheduled =
    EventIdIn(kChunkEvents, "chunk_scheduled");
inline constexpr Id kDoorAsked = EventIdIn(kChunkEvents, "door_asked");
inline constexpr Id kDoorClosed = EventIdIn(kChunkEvents, "door_closed");
inline constexpr Id kDoorClosing = EventIdIn(kChunkEvents, "door_closing");
inline constexpr Id kDoorOpened = EventIdIn(kChunkEvents, "door_opened");
inline constexpr Id kDoor = WordIdIn(kChunkEvents, "door");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_EVENTS_H_
