// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what the objects of a pack become when they go limp.

#ifndef REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLL_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLL_COMPILER_H_

#include <set>
#include <string>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Adds the ragdolls of `pack` to the types of `world`, which are there with
// their archetypes, and to those that extend them; the joints become templates
// of its physics. The names of bones and joints, "walker.left_knee", are added
// to `words`. `checker` is the pack's own.
void CompileRagdolls(const v1::Pack& pack, const MessageChecker& checker,
                     std::set<std::string>& words, WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLL_COMPILER_H_
