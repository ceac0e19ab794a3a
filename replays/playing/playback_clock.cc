// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/playing/playback_clock.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

// Far outside what anybody watches, and far inside what a double keeps apart.
constexpr double kSpeedMin = 1e-3;
constexpr double kSpeedMax = 1e6;

constexpr double kNsPerSecond = 1e9;

}  // namespace

absl::StatusOr<PlaybackClock> PlaybackClock::Create(sim::Tick first,
                                                    sim::Tick last,
                                                    sim::TickRate rate,
                                                    double speed) {
  if (!(speed >= kSpeedMin && speed <= kSpeedMax)) {
    return absl::InvalidArgumentError(fmt::format("a speed is {} to {}, not {}",
                                                  kSpeedMin, kSpeedMax, speed));
  }
  return PlaybackClock(first, last,
                       kNsPerSecond / rate.ticks_per_second / speed);
}

sim::Tick PlaybackClock::TickAt(std::chrono::nanoseconds elapsed) const {
  const double ticks = static_cast<double>(elapsed.count()) / ns_per_tick_;
  if (!(ticks < static_cast<double>(distance()))) return last_;
  auto passed = static_cast<sim::Tick>(std::max(ticks, 0.0));
  // The division may round to either side of a tick's own time.
  while (passed > 0 &&
         TimeOf(first_ < last_ ? first_ + passed : first_ - passed) > elapsed) {
    --passed;
  }
  while (passed < distance() &&
         TimeOf(first_ < last_ ? first_ + passed + 1 : first_ - passed - 1) <=
             elapsed) {
    ++passed;
  }
  return first_ < last_ ? first_ + passed : first_ - passed;
}

std::chrono::nanoseconds PlaybackClock::TimeOf(sim::Tick tick,
                                               double ticks_before) const {
  const sim::Tick passed = tick < first_ ? first_ - tick : tick - first_;
  CHECK(passed <= distance(), "tick {} of {} to {}", tick, first_, last_);
  return std::chrono::nanoseconds(static_cast<int64_t>(
      std::ceil((static_cast<double>(passed) - ticks_before) * ns_per_tick_)));
}

}  // namespace reprise::replays
