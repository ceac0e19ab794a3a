// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of what players push, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_PLAYERS_PLAYER_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_PLAYERS_PLAYER_EVENTS_H_

#include <array>

#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kPlayerEvents = std::to_array<EventDeclaration>({
    {.name = "jumped",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a roller jumped"},
});

inline constexpr Id kRollerJumped = EventIdIn(kPlayerEvents, "jumped");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_PLAYERS_PLAYER_EVENTS_H_
