// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Turns a pack into the flat tables that a world runs on, once, and finds every
// mistake in it. The only room inside sim that sees protobuf.

#ifndef REPRISE_SIM_COMPILER_PACK_COMPILER_H_
#define REPRISE_SIM_COMPILER_PACK_COMPILER_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// The world of `pack` and `seed`; nullptr when `report` has problems. The same
// pack and seed give the same definition, whatever the order of the manifest.
std::shared_ptr<const WorldDefinition> CompilePack(const PackArchive& pack,
                                                   uint64_t seed,
                                                   PackReport& report);

// The factory of the simulation "world": CompilePack and a World of it.
// INVALID_ARGUMENT lists the problems, one a line.
absl::StatusOr<std::unique_ptr<Simulation>> CreateWorld(const PackArchive& pack,
                                                        uint64_t seed);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_PACK_COMPILER_H_
