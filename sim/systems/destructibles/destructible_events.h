// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of what breaks, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kDestructibleEvents = std::to_array<EventDeclaration>({
    {.name = "blast",
     .sender = kByPack,
     .receiver = "a destructible object",
     .when = "it is to lose health as by a contact of this impulse",
     .arguments = {{{"impulse", ScalarType::kDouble, "N s"}}}},
    {.name = "damage",
     .sender = kByPack,
     .receiver = "a destructible object",
     .when = "it is to lose so much health; all where the amount is left out",
     .arguments = {{{"amount", ScalarType::kDouble, "", true}}}},
    {.name = "stage_changed",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a destructible object broke further; the last is 'destroyed'",
     .arguments = {{{"stage"}, {"health", ScalarType::kDouble}}}},
});

// Explosions send it, too, to all that they reach.
inline constexpr Id kBlast = EventIdIn(kDestructibleEvents, "blast");
inline constexpr Id kDamage = EventIdIn(kDestructibleEvents, "damage");
inline constexpr Id kStageChanged =
    EventIdIn(kDestructibleEvents, "stage_changed");
inline constexpr Id kAmount = WordIdIn(kDestructibleEvents, "amount");
inline constexpr Id kHealth = WordIdIn(kDestructibleEvents, "health");
inline constexpr Id kStage = WordIdIn(kDestructibleEvents, "stage");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_EVENTS_H_
