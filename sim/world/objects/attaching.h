// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Parents that objects get and lose while the game runs: who comes after whom
// in the order of updates follows, within the bound on buckets.

#ifndef REPRISE_SIM_WORLD_OBJECTS_ATTACHING_H_
#define REPRISE_SIM_WORLD_OBJECTS_ATTACHING_H_

#include <cstdint>

#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/state/state.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {

// Why an object didn't get a parent.
enum class AttachRefusal : uint8_t {
  kNone,
  kIsGone,        // one of both
  kIsRing,        // the parent depends on the object, or is it
  kNoBucket,      // a chain of those that depend on each other is too long
  kNotKinematic,  // it can't be carried: its body isn't kinematic
};

// How `attach_refused` says that. REQUIRES: it is refused.
Id ReasonOf(AttachRefusal refusal);

// Whether objects of a type can be carried by a parent: without a body, or with
// a kinematic one.
bool CanBeCarried(const WorldDefinition& definition,
                  const TypeDefinition& type);

// Gives an object another parent, or none with a null handle, and brings it and
// all that depend on it into buckets behind those that they depend on. Nothing
// changes where it is refused. Objects::Reorder is to be called afterwards.
AttachRefusal SetParent(const WorldDefinition& definition,
                        const Objects& objects, State& state, Handle object,
                        Handle parent);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_OBJECTS_ATTACHING_H_
