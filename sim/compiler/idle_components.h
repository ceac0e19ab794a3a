// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds components of the program that types have in vain.

#ifndef REPRISE_SIM_COMPILER_IDLE_COMPONENTS_H_
#define REPRISE_SIM_COMPILER_IDLE_COMPONENTS_H_

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Warns of each type that says values of a component for which the program has
// behaviours, where neither the type nor one that extends it has any of these.
// REQUIRES: nothing is wrong with the pack.
void WarnOfIdleComponents(const v1::Pack& pack, const MessageChecker& checker,
                          const WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_IDLE_COMPONENTS_H_
