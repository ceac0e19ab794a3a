// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What follows when objects come and go: bodies, attachments, interests,
// timers, and whatever else was kept for those that are gone.

#ifndef REPRISE_SIM_WORLD_SYSTEMS_OBJECT_CHANGES_H_
#define REPRISE_SIM_WORLD_SYSTEMS_OBJECT_CHANGES_H_

#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Gives the objects that Objects::Commit has just spawned what they come with,
// besides their bodies.
void GreetSpawned(const WorldParts& parts);

// Lets the objects that were asked for come and go, with all that belongs to
// them, and tells of it.
void CommitObjects(const WorldParts& parts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_SYSTEMS_OBJECT_CHANGES_H_
