// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of explosions, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_EXPLOSIONS_EXPLOSION_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_EXPLOSIONS_EXPLOSION_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/systems/destructibles/destructible_events.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kExplosionEvents = std::to_array<EventDeclaration>({
    {.name = "blast",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "an explosion reached its body, at its closest point",
     .arguments = {{{"object", ScalarType::kObject},
                    {"impulse", ScalarType::kDouble, "N s"},
                    {"x", ScalarType::kDouble, "m"},
                    {"y", ScalarType::kDouble, "m"},
                    {"z", ScalarType::kDouble, "m"}}}},
    {.name = "explode",
     .sender = kByPack,
     .receiver = "an explosive object",
     .when = "it is to explode: at this point, or where it is",
     .arguments = {{{"x", ScalarType::kDouble, "m", true},
                    {"y", ScalarType::kDouble, "m", true},
                    {"z", ScalarType::kDouble, "m", true}}}},
});

inline constexpr Id kExplode = EventIdIn(kExplosionEvents, "explode");

// Whatever breaks understands it by the same name.
static_assert(EventIdIn(kExplosionEvents, "blast") == kBlast);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_EXPLOSIONS_EXPLOSION_EVENTS_H_
