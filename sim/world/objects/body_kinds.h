// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What kind of body an object has: that of its type, or of the stage to which
// it has broken.

#ifndef REPRISE_SIM_WORLD_OBJECTS_BODY_KINDS_H_
#define REPRISE_SIM_WORLD_OBJECTS_BODY_KINDS_H_

#include <cstdint>

#include "sim/base/object_id.h"
#include "sim/state/state.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {

// The kind of body that an object of `type` has while it is active.
// REQUIRES: the type has a body.
uint32_t BodyKindOf(const State& state, const ObjectTables& tables,
                    const TypeDefinition& type, ObjectId object);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_OBJECTS_BODY_KINDS_H_
