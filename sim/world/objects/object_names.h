// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What objects are called in reports and frames.

#ifndef REPRISE_SIM_WORLD_OBJECTS_OBJECT_NAMES_H_
#define REPRISE_SIM_WORLD_OBJECTS_OBJECT_NAMES_H_

#include <cstdint>
#include <string>

#include "sim/state/state.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {

// Of the object of a row: its name in the pack; "walker_3.left_thigh" for a
// bone of another object; "ball#17" for one that came without a name.
std::string NameOfObject(const WorldDefinition& definition,
                         const Objects& objects, const State& state,
                         uint32_t row);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_OBJECTS_OBJECT_NAMES_H_
