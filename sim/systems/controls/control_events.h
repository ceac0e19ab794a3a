// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of controls, and their ids. Presses and releases have the names
// that a pack gives them.

#ifndef REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kControlEvents = std::to_array<EventDeclaration>({
    {.name = "rebind_refused",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when =
         "a player wanted to bind an action that isn't there, or of another "
         "kind, or to a binding that can't be changed",
     .arguments = {{{"player", ScalarType::kInt64}, {"binding"}, {"action"}}}},
    {.name = "rebound",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a player has bound another action",
     .arguments = {{{"player", ScalarType::kInt64}, {"binding"}, {"action"}}}},
});

inline constexpr Id kRebindRefused =
    EventIdIn(kControlEvents, "rebind_refused");
inline constexpr Id kRebound = EventIdIn(kControlEvents, "rebound");
inline constexpr Id kBinding = WordIdIn(kControlEvents, "binding");
inline constexpr Id kAction = WordIdIn(kControlEvents, "action");

// Arguments of events whose types a pack names.
inline constexpr Id kControl = IdOf("control");
inline constexpr Id kSlot = IdOf("slot");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_EVENTS_H_
