// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles regions, those of the game and those of whoever else has some.

#ifndef REPRISE_SIM_SYSTEMS_REGIONS_REGION_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_REGIONS_REGION_COMPILER_H_

#include "reprise/v1/pack.pb.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/systems/layers/layer_system.h"
#include "sim/systems/regions/regions.h"

namespace reprise::sim {

// The region; what is wrong with it is in the report of `checker`, its own.
// `layers` is null in a pack without layers.
RegionDefinition CompileRegion(const v1::Region& region, TickRate rate,
                               const LayerDefinitions* layers,
                               const MessageChecker& checker,
                               DeclaredNames& names);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_REGIONS_REGION_COMPILER_H_
