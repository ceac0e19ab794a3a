// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the connections of a pack: what follows when events are delivered.

#ifndef REPRISE_SIM_COMPILER_EVENTS_CONNECTION_COMPILER_H_
#define REPRISE_SIM_COMPILER_EVENTS_CONNECTION_COMPILER_H_

#include <set>
#include <string>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Gives `world`, whose types and objects are there, the connections of `pack`,
// and adds their names and texts to `words`. Warns of events that send
// themselves again and again. `checker` is the pack's own.
void CompileConnections(const v1::Pack& pack, const MessageChecker& checker,
                        EventCatalogue& events, std::set<std::string>& words,
                        WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_EVENTS_CONNECTION_COMPILER_H_
