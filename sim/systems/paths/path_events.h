// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of path followers, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_PATHS_PATH_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_PATHS_PATH_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kPathEvents = std::to_array<EventDeclaration>({
    {.name = "path_ended",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a path follower came to an end of its path",
     .arguments = {{{"path"}}}},
});

inline constexpr Id kPathEnded = EventIdIn(kPathEvents, "path_ended");
inline constexpr Id kPath = WordIdIn(kPathEvents, "path");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_PATHS_PATH_EVENTS_H_
