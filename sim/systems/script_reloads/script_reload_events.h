// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is told of scripts that are replaced while a game runs.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPT_RELOADS_SCRIPT_RELOAD_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_SCRIPT_RELOADS_SCRIPT_RELOAD_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kScriptReloadEvents = std::to_array<EventDeclaration>({
    {.name = "script_reload_refused",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a player gave a source that can't take the script's place; the "
             "message says why, and where it can a line",
     .arguments = {{{"player", ScalarType::kInt64}, {"file"}, {"message"}}}},
    {.name = "script_reloaded",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a script runs from the source that a player gave",
     .arguments = {{{"player", ScalarType::kInt64}, {"file"}}}},
});

inline constexpr Id kScriptReloadRefused =
    EventIdIn(kScriptReloadEvents, "script_reload_refused");
inline constexpr Id kScriptReloaded =
    EventIdIn(kScriptReloadEvents, "script_reloaded");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPT_RELOADS_SCRIPT_RELOAD_EVENTS_H_
