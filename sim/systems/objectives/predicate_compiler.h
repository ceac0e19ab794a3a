// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the predicates of a pack.

#ifndef REPRISE_SIM_SYSTEMS_OBJECTIVES_PREDICATE_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_OBJECTIVES_PREDICATE_COMPILER_H_

#include <set>
#include <string>
#include <vector>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/event_language.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/systems/objectives/predicates.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Ascending by name, after reporting what is wrong with them to `checker`, that
// of the pack. Their names are added to `words`. REQUIRES: the types and
// objects of `world` are there.
std::vector<PredicateDefinition> CompilePredicates(
    const v1::Pack& pack, const MessageChecker& checker,
    const EventLanguage& language, std::set<std::string>& words,
    const WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_OBJECTIVES_PREDICATE_COMPILER_H_
