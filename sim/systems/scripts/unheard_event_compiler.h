// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds types with scripts that want events, or start timers, for which none of
// their scripts has anything to do: the name in `on` is mistyped, or missing.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_UNHEARD_EVENT_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_UNHEARD_EVENT_COMPILER_H_

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Warns of them. `world` is complete; `checker` is the pack's own.
void WarnOfUnheardEvents(const v1::Pack& pack, const WorldDefinition& world,
                         const MessageChecker& checker);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_UNHEARD_EVENT_COMPILER_H_
