// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The phase "chunks" of a tick: which chunks are there, which doors are open,
// and which of their objects come, go, sleep and wake.

#ifndef REPRISE_SIM_SYSTEMS_CHUNKS_WORLD_CHUNKS_H_
#define REPRISE_SIM_SYSTEMS_CHUNKS_WORLD_CHUNKS_H_

#include <span>

#include "sim/systems/chunks/chunks.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Whether the phase has anything to do in this pack.
bool HasChunkPhase(const WorldDefinition& definition);

// Brings layers, chunks and doors up to this step of the game and posts what
// changed. Returns what has to become of objects.
std::vector<PresenceChange> UpdateChunks(const WorldParts& parts);

// Asks for the doors that events of this step named; they move in the next one.
// To be called after everything of the step was told.
void AskForDoors(const WorldParts& parts);

// Puts away and brings back objects that stay, and asks for the end of those
// that go. Objects that the game destroyed itself are left at that. Returns
// whether Objects::Commit has something to do.
bool SendAway(const WorldParts& parts, std::span<const PresenceChange> changes);

// Asks for the objects that come, parents before their children and otherwise
// in the order of `changes`; after those that go have gone, so that their
// places are free. Returns as SendAway.
bool BringIn(const WorldParts& parts, std::span<const PresenceChange> changes);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CHUNKS_WORLD_CHUNKS_H_
