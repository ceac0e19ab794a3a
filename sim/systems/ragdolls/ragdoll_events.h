// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of ragdolls, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLL_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLL_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kRagdollEvents = std::to_array<EventDeclaration>({
    {.name = "ragdoll",
     .sender = kByPack,
     .receiver = "an object with a ragdoll",
     .when = "it is to go limp"},
    {.name = "ragdoll_off",
     .sender = kByPack,
     .receiver = "an object with a ragdoll",
     .when = "it is to stand up again"},
});

inline constexpr Id kRagdoll = EventIdIn(kRagdollEvents, "ragdoll");
inline constexpr Id kRagdollOff = EventIdIn(kRagdollEvents, "ragdoll_off");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLL_EVENTS_H_
