// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What physics has beside bodies, as somebody sees it who looks for a reason:
// contacts, joints with their axes and limits, triggers.

#ifndef REPRISE_SIM_WORLD_WORLD_DEBUG_FRAME_H_
#define REPRISE_SIM_WORLD_WORLD_DEBUG_FRAME_H_

#include <functional>
#include <string>

#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/debug_frame.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/state.h"

namespace reprise::sim {

struct DebugNames {
  std::function<std::string(Id)> id_name;
  std::function<std::string(ObjectId)> object_name;
};

// Of `state`, a state of a world with these tables: contacts in the order of
// their rows, then joints of the pack, those that came, and triggers.
DebugFrame MakePhysicsDebugFrame(const PhysicsDefinition& physics,
                                 const PhysicsTables& tables,
                                 const State& state, const DebugNames& names);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_WORLD_DEBUG_FRAME_H_
