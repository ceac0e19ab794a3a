// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what pushes bodies without touching them.

#ifndef REPRISE_SIM_SYSTEMS_FIELDS_FIELD_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_FIELDS_FIELD_COMPILER_H_

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Adds the fluids and gravity zones of `pack` to `world`, whose regions are
// there. `checker` is the pack's own.
void CompileFields(const v1::Pack& pack, const MessageChecker& checker,
                   WorldDefinition& world);

// `checker` is the message's own.
ExplosiveDefinition CompileExplosive(const v1::Explosive& message,
                                     const MessageChecker& checker);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_FIELDS_FIELD_COMPILER_H_
