// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Simulated time, counted in whole ticks. Every conversion from or to seconds
// is exact integer arithmetic on the value given, so no rounding error of a
// compiler or a CPU can move an event to another tick.

#ifndef REPRISE_SIM_BASE_TICK_H_
#define REPRISE_SIM_BASE_TICK_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace reprise::sim {

// The number of steps taken since the pack was loaded; state(0) is the pack.
using Tick = uint64_t;

// The last tick: every tick up to it is exact as a double, and so in JSON.
// At 1,000 ticks a second it lies 285,000 years ahead.
inline constexpr Tick kTickMax = Tick{1} << 53;

// Above this a tick is shorter than 1 ms, finer than any input device reports,
// and a millisecond of real time could no longer tell two ticks apart.
inline constexpr uint32_t kTickRateMax = 1000;

// How many ticks make one simulated second. A pack states it once.
struct TickRate {
  uint32_t ticks_per_second = 60;  // 1..kTickRateMax

  // The length of a tick in seconds, correctly rounded; one constant a pack.
  // REQUIRES: the rate is valid.
  double dt() const { return 1.0 / ticks_per_second; }

  bool operator==(const TickRate&) const = default;
};

// OK, or OutOfRange when the rate isn't in 1..kTickRateMax. Every other
// function here asks for a rate that passed.
absl::Status ValidateTickRate(TickRate rate);

// Returns the tick nearest to `seconds`; a value exactly half-way between two
// ticks goes to the later one. "Exactly" is meant: a double is an integer
// times a power of two, and the product of that with the rate is rounded once,
// as an integer. So 0.3 s at 5 Hz is 1 tick, because the double nearest to 0.3
// lies a little below it, although 0.3 * 5 comes to 1.5 in floating point.
//
// Fails with InvalidArgument for NaN and for anything below zero (-0 is zero),
// and with OutOfRange when the tick would lie beyond kTickMax, as infinity's.
absl::StatusOr<Tick> TicksFromSeconds(double seconds, TickRate rate);

// Returns floor(tick * 1e9 / rate): the nanoseconds of simulated time at which
// a tick begins, as the log time of a recorded message. Never decreases from
// one tick to the next; from 2^64 ns (584 years) on it stays at the largest
// value.
uint64_t LogTimeNs(Tick tick, TickRate rate);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_TICK_H_
