// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what types say of contacts, and how their objects break.

#ifndef REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_COMPILER_H_

#include <set>
#include <string>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Adds to `type` what its message says, and the names of stages to `words`.
// REQUIRES: the type's body and the components of `world` are there.
void CompileDestructible(const v1::Type& message, const MessageChecker& checker,
                         const WorldDefinition& world,
                         std::set<std::string>& words, TypeDefinition& type);
void CompileContactEvents(const v1::Type& message,
                          const MessageChecker& checker,
                          const WorldDefinition& world, TypeDefinition& type);

// Finds the bodies of stages and the archetypes of debris, and whether anybody
// follows contacts. REQUIRES: all types and archetypes are there.
void FinishDestructibles(const v1::Pack& pack, const MessageChecker& checker,
                         WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_COMPILER_H_
