// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is told of scripts.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_EVENTS_H_

#include <array>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kScriptEvents = std::to_array<EventDeclaration>({
    {.name = "script_failed",
     .sender = kByItself,
     .receiver = kToInterested,
     .when = "a script made a mistake, in that line; the object is inert then",
     .arguments = {{{"file"}, {"line", ScalarType::kInt64}, {"message"}}}},
});

inline constexpr Id kScriptFailed = EventIdIn(kScriptEvents, "script_failed");
inline constexpr Id kScriptFile = WordIdIn(kScriptEvents, "file");
inline constexpr Id kScriptLine = WordIdIn(kScriptEvents, "line");
inline constexpr Id kScriptMessage = WordIdIn(kScriptEvents, "message");
// The reason of `object_failed`.
inline constexpr std::string_view kScriptErrorReason = "script_error";

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_EVENTS_H_
