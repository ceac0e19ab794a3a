// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which tick is due at a moment of real time, for whoever plays a run at a
// speed. Knows no clock: it is told how much time has passed.

#ifndef REPRISE_REPLAYS_PLAYING_PLAYBACK_CLOCK_H_
#define REPRISE_REPLAYS_PLAYING_PLAYBACK_CLOCK_H_

#include <chrono>

#include "absl/status/statusor.h"
#include "sim/base/tick.h"

namespace reprise::replays {

class PlaybackClock {
 public:
  // Plays from `first` to `last`, backwards where `last` is the lower one, at
  // `speed` times real time. INVALID_ARGUMENT unless the speed is between a
  // thousandth and a million. REQUIRES: the rate is valid.
  static absl::StatusOr<PlaybackClock> Create(sim::Tick first, sim::Tick last,
                                              sim::TickRate rate, double speed);

  // The tick to show when `elapsed` has passed since `first` was shown; `last`
  // from its time on.
  sim::Tick TickAt(std::chrono::nanoseconds elapsed) const;

  // When `tick` is due, counted from `first`, or what comes `ticks_before` of
  // it. REQUIRES: it lies between both.
  std::chrono::nanoseconds TimeOf(sim::Tick tick,
                                  double ticks_before = 0) const;

 private:
  PlaybackClock(sim::Tick first, sim::Tick last, double ns_per_tick)
      : first_(first), last_(last), ns_per_tick_(ns_per_tick) {}

  sim::Tick distance() const {
    return last_ < first_ ? first_ - last_ : last_ - first_;
  }

  sim::Tick first_;
  sim::Tick last_;
  double ns_per_tick_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_PLAYING_PLAYBACK_CLOCK_H_
