// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The objects of chunks in a world: how they come, go, sleep and wake.

#ifndef REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_OBJECTS_H_
#define REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_OBJECTS_H_

#include <span>

#include "sim/systems/chunks/chunks.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Puts away and brings back objects that stay, and asks for the end of those
// that go. Objects that the game destroyed itself are left at that. Returns
// whether Objects::Commit has something to do.
bool SendAway(const WorldParts& parts, std::span<const PresenceChange> changes);

// Asks for the objects that come, parents before their children and otherwise
// in the order of `changes`; after those that go have gone, so that their
// places are free. Returns as SendAway.
bool BringIn(const WorldParts& parts, std::span<const PresenceChange> changes);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_OBJECTS_H_
