// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what there is to do in a pack: predicates and objectives.

#ifndef REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVE_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVE_COMPILER_H_

#include <set>
#include <string>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Adds the predicates and objectives of `pack` to `world.level`, and their
// names and those of their events to `words`. Objectives that wait for each
// other are left to FinishLevel. `checker` is the pack's own. REQUIRES: the
// objects and layers are there.
void CompileObjectives(const v1::Pack& pack, const MessageChecker& checker,
                       std::set<std::string>& words, WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVE_COMPILER_H_
