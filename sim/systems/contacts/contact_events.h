// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of contacts and triggers, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

inline constexpr DeclaredArguments kContactArguments = {
    {{"object", ScalarType::kObject},
     {"impulse", ScalarType::kDouble, "N s"},
     {"x", ScalarType::kDouble, "m"},
     {"y", ScalarType::kDouble, "m"},
     {"z", ScalarType::kDouble, "m"},
     {"normal_x", ScalarType::kDouble},
     {"normal_y", ScalarType::kDouble},
     {"normal_z", ScalarType::kDouble}}};

// In ascending order of names.
inline constexpr auto kContactEvents = std::to_array<EventDeclaration>({
    {.name = "contact_began",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "its body touches that of object; the normal points to itself",
     .arguments = kContactArguments},
    {.name = "contact_ended",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "its body no longer touches that of object",
     .arguments = {{{"object", ScalarType::kObject}}}},
    {.name = "contact_stayed",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "its body has touched that of object for another period",
     .arguments = kContactArguments},
    {.name = "trigger_entered",
     .sender = "the trigger",
     .receiver = "the trigger",
     .when = "something came into it",
     .arguments = {{{"visitor", ScalarType::kObject}}}},
    {.name = "trigger_left",
     .sender = "the trigger",
     .receiver = "the trigger",
     .when = "something left it, or is gone",
     .arguments = {{{"visitor", ScalarType::kObject}}}},
});

inline constexpr Id kContactBegan = EventIdIn(kContactEvents, "contact_began");
inline constexpr Id kContactEnded = EventIdIn(kContactEvents, "contact_ended");
inline constexpr Id kContactStayed =
    EventIdIn(kContactEvents, "contact_stayed");
inline constexpr Id kTriggerEntered =
    EventIdIn(kContactEvents, "trigger_entered");
inline constexpr Id kTriggerLeft = EventIdIn(kContactEvents, "trigger_left");
inline constexpr Id kNormalX = WordIdIn(kContactEvents, "normal_x");
inline constexpr Id kNormalY = WordIdIn(kContactEvents, "normal_y");
inline constexpr Id kNormalZ = WordIdIn(kContactEvents, "normal_z");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_EVENTS_H_
