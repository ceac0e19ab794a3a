// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the objects that a pack starts with.

#ifndef REPRISE_SIM_COMPILER_OBJECT_COMPILER_H_
#define REPRISE_SIM_COMPILER_OBJECT_COMPILER_H_

#include <cstdint>
#include <set>
#include <string>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/system_compilers.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Objects that a pack may have, and that there can be at a time.
inline constexpr uint32_t kObjectsMax = 60000;

// Appends the objects of `pack` to `world`, whose types and chunks are there;
// the numbers of those of tick 0 follow the order of their names. What a grid
// leaves to chance is drawn from the run's seed. Names and texts of their
// values are added to `words`. `checker` is the pack's own.
void CompileObjects(const v1::Pack& pack, const MessageChecker& checker,
                    const SystemCompilers& systems,
                    std::set<std::string>& words, WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_OBJECT_COMPILER_H_
