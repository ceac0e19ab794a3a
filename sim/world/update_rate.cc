// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/update_rate.h"

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::sim {

absl::StatusOr<uint32_t> UpdateDivisor(uint32_t updates_per_second,
                                       TickRate rate) {
  if (updates_per_second == 0 ||
      rate.ticks_per_second % updates_per_second != 0) {
    return absl::InvalidArgumentError(
        fmt::format("{} updates a second don't divide {} ticks",
                    updates_per_second, rate.ticks_per_second));
  }
  return rate.ticks_per_second / updates_per_second;
}

bool IsUpdateDue(Tick tick, uint32_t divisor, uint32_t offset) {
  CHECK(offset < divisor, "offset {} of {}", offset, divisor);
  return tick % divisor == offset;
}

uint32_t SpreadOffset(uint64_t ordinal, uint32_t divisor) {
  CHECK(divisor > 0);
  return static_cast<uint32_t>(ordinal % divisor);
}

}  // namespace reprise::sim
