// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of characters, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_CHARACTERS_CHARACTER_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_CHARACTERS_CHARACTER_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kCharacterEvents = std::to_array<EventDeclaration>({
    {.name = "jumped",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a character jumped"},
    {.name = "landed",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a character came to stand on object",
     .arguments = {{{"object", ScalarType::kObject}}}},
    {.name = "left_ground",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a character no longer stands on object",
     .arguments = {{{"object", ScalarType::kObject}}}},
});

inline constexpr Id kJumped = EventIdIn(kCharacterEvents, "jumped");
inline constexpr Id kLanded = EventIdIn(kCharacterEvents, "landed");
inline constexpr Id kLeftGround = EventIdIn(kCharacterEvents, "left_ground");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CHARACTERS_CHARACTER_EVENTS_H_
