// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What follows when objects come and go: bodies, attachments, interests,
// timers, and whatever else was kept for those that are gone.

#ifndef REPRISE_SIM_WORLD_SYSTEMS_OBJECT_CHANGES_H_
#define REPRISE_SIM_WORLD_SYSTEMS_OBJECT_CHANGES_H_

#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Gives the objects of the pack, which Objects::Initialize has just made, what
// they come with besides their bodies, and has their behaviours hear of it.
void GreetFirst(const WorldParts& parts);

// Lets the objects that were asked for come and go, with all that belongs to
// them, gives them the parents that were asked for, and tells of it; again for
// what behaviours ask for when they hear of that.
void CommitObjects(const WorldParts& parts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_SYSTEMS_OBJECT_CHANGES_H_
