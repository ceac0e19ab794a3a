// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Names in scripts of bots that aren't there: they would find out about it when
// they come to that line, or never.

#ifndef REPRISE_SIM_COMPILER_BOT_NAMES_H_
#define REPRISE_SIM_COMPILER_BOT_NAMES_H_

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/pack_archive.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Reports, with file, line and what was probably meant, functions that scripts
// of bots don't have, and names, where they are written out, of actions and
// their arguments, of types and properties that aren't there or that players
// don't see, and of parameters that no bot with the script is given. Each
// script is told of once, at the first bot that has it. `checker` is the
// pack's own; `world` has its types, components and inputs.
void CheckNamesOfBots(const v1::Pack& pack, const PackArchive& archive,
                      const MessageChecker& checker,
                      const WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_BOT_NAMES_H_
