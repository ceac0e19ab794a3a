// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which rules a world steps by.

#ifndef REPRISE_SIM_WORLD_RULES_REVISION_H_
#define REPRISE_SIM_WORLD_RULES_REVISION_H_

#include <cstdint>

namespace reprise::sim {

// Goes up whenever a change of the world's code moves the digests of a pack.
inline constexpr uint32_t kWorldRulesRevision = 11;

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_RULES_REVISION_H_
