// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Work that isn't due every tick: updates at a divisor of the tick rate, spread
// over the ticks so that each has the same share. Functions of the tick alone,
// so there is nothing to save.

#ifndef REPRISE_SIM_WORLD_UPDATE_RATE_H_
#define REPRISE_SIM_WORLD_UPDATE_RATE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "sim/base/tick.h"

namespace reprise::sim {

// Every how many ticks an update at `updates_per_second` is due.
// INVALID_ARGUMENT when that is 0 or doesn't divide the tick rate.
absl::StatusOr<uint32_t> UpdateDivisor(uint32_t updates_per_second,
                                       TickRate rate);

// Whether an update is due at `tick`: once in any `divisor` ticks in a row.
// REQUIRES: offset < divisor.
bool IsUpdateDue(Tick tick, uint32_t divisor, uint32_t offset);

// The offset of the thing number `ordinal`: of any number of things in a row
// each offset gets the same number, give or take one. REQUIRES: divisor > 0.
uint32_t SpreadOffset(uint64_t ordinal, uint32_t divisor);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATE_RATE_H_
