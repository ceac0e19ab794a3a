// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the kinds of objects of a pack, and their archetypes.

#ifndef REPRISE_SIM_COMPILER_TYPE_COMPILER_H_
#define REPRISE_SIM_COMPILER_TYPE_COMPILER_H_

#include <set>
#include <string>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/system_compilers.h"
#include "sim/pack_archive.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Adds the types and archetypes of `pack` to `world`, whose inputs, components
// and limits are there. Names and texts of their values are added to `words`.
// `checker` is the pack's own, `archive` its files.
void CompileTypes(const v1::Pack& pack, const MessageChecker& checker,
                  const PackArchive& archive, const SystemCompilers& systems,
                  EventCatalogue& events, std::set<std::string>& words,
                  WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_TYPE_COMPILER_H_
