// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles who can play a pack in the place of persons, and what players see.

#ifndef REPRISE_SIM_COMPILER_BOT_COMPILER_H_
#define REPRISE_SIM_COMPILER_BOT_COMPILER_H_

#include <vector>

#include "reprise/v1/pack.pb.h"
#include "sim/bot_description.h"
#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/pack_archive.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// What players of `pack` see and hear. `checker` is the pack's own; `world` has
// its types and components.
PlayerSenses CompileSenses(const v1::Pack& pack, const MessageChecker& checker,
                           EventCatalogue& events,
                           const WorldDefinition& world);

// The bots of `pack`, ascending by name. A native bot that this program lacks,
// and scripts that can't be loaded, are problems to the pack's author alone:
// nobody else needs them before they are to play.
std::vector<BotDescription> CompileBots(const v1::Pack& pack,
                                        const PackArchive& archive,
                                        const MessageChecker& checker,
                                        bool is_author,
                                        const WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_BOT_COMPILER_H_
