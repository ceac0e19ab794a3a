// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How fast a clock goes: a ratio of whole numbers whose denominator divides the
// parts of a tick. So every position of every clock, at any rate and after any
// change of rate, is a whole number of parts: nothing is ever rounded.

#ifndef REPRISE_SIM_WORLD_TIME_TIME_RATE_H_
#define REPRISE_SIM_WORLD_TIME_TIME_RATE_H_

#include <cstdint>

#include "absl/status/statusor.h"

namespace reprise::sim {

// The parts of a tick: 2^4 3^2 5^4 7 11 13, the least common multiple of 1 to
// 16 and of 10,000. It takes in per cent, 24, 25, 30, 50, 60, 120, 144 and 300,
// and 1,001, by which NTSC's rates are divided.
inline constexpr int64_t kTickParts = 90'090'000;

// Ticks of a clock per tick of the world. Negative rates run backwards.
struct TimeRate {
  int64_t numerator = 1;
  int64_t denominator = 1;  // > 0; divides kTickParts

  // How many parts the clock moves in a tick of the world.
  constexpr int64_t parts_per_tick() const {
    return numerator * (kTickParts / denominator);
  }

  friend bool operator==(const TimeRate&, const TimeRate&) = default;
};

// The same rate in lowest terms. INVALID_ARGUMENT when the denominator isn't
// positive or doesn't divide kTickParts; OUT_OF_RANGE when the rate isn't in
// minimum..maximum.
absl::StatusOr<TimeRate> ReducedTimeRate(TimeRate rate, int64_t minimum,
                                         int64_t maximum);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_TIME_TIME_RATE_H_
