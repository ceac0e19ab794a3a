// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the grids of a pack: where the copies of an object stand.

#ifndef REPRISE_SIM_COMPILER_GRID_COMPILER_H_
#define REPRISE_SIM_COMPILER_GRID_COMPILER_H_

#include <cstdint>
#include <vector>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/geometry/transform.h"

namespace reprise::sim {

// Copies that one grid may make.
inline constexpr uint32_t kGridCopiesMax = 10000;

// The places of the copies that the grid of `object` makes of it, in the order
// of their numbers: along x, then y, then z. `first` is its own; random is what
// follows from `seed` and its name. Empty where there are too many. Of bodies,
// copies that would stand in one place are reported.
std::vector<Transform> CompileGrid(const v1::Object& object,
                                   const MessageChecker& checker,
                                   const Transform& first, bool has_body,
                                   uint64_t seed);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_GRID_COMPILER_H_
