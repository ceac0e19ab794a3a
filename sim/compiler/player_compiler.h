// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles who plays a pack and what they can do.

#ifndef REPRISE_SIM_COMPILER_PLAYER_COMPILER_H_
#define REPRISE_SIM_COMPILER_PLAYER_COMPILER_H_

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/input/input_grammar.h"

namespace reprise::sim {

// The grammar that `pack` declares; `checker` is the pack's own.
InputGrammar CompilePlayers(const v1::Pack& pack,
                            const MessageChecker& checker);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_PLAYER_COMPILER_H_
