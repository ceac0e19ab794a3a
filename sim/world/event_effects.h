// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Does what connections say to the objects of a world.

#ifndef REPRISE_SIM_WORLD_EVENT_EFFECTS_H_
#define REPRISE_SIM_WORLD_EVENT_EFFECTS_H_

#include "sim/expression/evaluator.h"
#include "sim/state/state.h"
#include "sim/world/events/event_effect.h"
#include "sim/world/events/receivers.h"
#include "sim/world/events/world_event.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Does it for `event`, which is being delivered. Nothing happens to an object
// that isn't there or lacks the component, nor by a value that is unknown or
// can't be computed. `cached` as UpdateContext's.
void ApplyEffect(const WorldParts& parts, const State* cached,
                 const EventReceivers& receivers, const EventEffect& effect,
                 const WorldEvent& event, ExpressionEvaluator& evaluator);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENT_EFFECTS_H_
