// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef REPRISE_REPLAYS_VERIFYING_PROGRESS_TELLER_H_
#define REPRISE_REPLAYS_VERIFYING_PROGRESS_TELLER_H_

#include <chrono>

#include "absl/status/status.h"
#include "replays/verifying/verifier.h"
#include "sim/base/tick.h"

namespace reprise::replays {

// Tells of progress often enough for a progress bar, and too seldom to cost
// anything: each 256 ticks, and of slow ticks the first that begins a second
// after what was told last, so that whoever waits for it knows slow from hung.
class ProgressTeller {
 public:
  static constexpr sim::Tick kStride = 256;

  // Null tells nobody. REQUIRES: the callback outlives this.
  explicit ProgressTeller(
      const ProgressCallback& callback,
      std::chrono::nanoseconds interval = std::chrono::seconds(1))
      : callback_(callback), interval_(interval) {}

  // At the begin of each tick. What the callback answers, OK where it isn't
  // called.
  absl::Status Tell(sim::Tick tick, sim::Tick tick_count) {
    if (callback_ == nullptr) return absl::OkStatus();
    const auto now = std::chrono::steady_clock::now();
    if (tick % kStride != 0 && now - told_ < interval_) return absl::OkStatus();
    told_ = now;
    return callback_(tick, tick_count);
  }

 private:
  const ProgressCallback& callback_;
  std::chrono::nanoseconds interval_;
  std::chrono::steady_clock::time_point told_ =
      std::chrono::steady_clock::now();
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_VERIFYING_PROGRESS_TELLER_H_
