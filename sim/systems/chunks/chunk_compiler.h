// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what divides the space of a pack: layers, regions, chunks, air locks
// and paths.

#ifndef REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_COMPILER_H_

#include <set>
#include <string>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Fills `world.level` but for its objectives; its chunks have no objects yet,
// which name them. Names are added to `words`. `checker` is the pack's own.
// REQUIRES: the tick rate is there.
void CompileSpace(const v1::Pack& pack, const MessageChecker& checker,
                  std::set<std::string>& words, WorldDefinition& world);

// Makes `world.level_rules`, once `world.level` and `world.names` are complete
// and nothing is wrong with the pack; reports what still can't be.
void FinishLevel(const MessageChecker& checker, WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_COMPILER_H_
