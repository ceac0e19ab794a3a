// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A slice of stepping: when it is over, and how long its ticks took. One look
// at the clock a tick serves both.

#ifndef REPRISE_SERVICES_CALLS_WORK_SLICE_H_
#define REPRISE_SERVICES_CALLS_WORK_SLICE_H_

#include <chrono>
#include <cstdint>

#include "absl/time/time.h"
#include "services/calls/work_queue.h"
#include "services/monitoring/metric.h"
#include "services/monitoring/server_metrics.h"

namespace reprise::services {

// Used by one thread.
class WorkSlice {
 public:
  // `metrics` must remain live as long.
  explicit WorkSlice(ServerMetrics* metrics)
      : metrics_(*metrics),
        last_(Clock::now()),
        end_(last_ + absl::ToChronoNanoseconds(kWorkSlice)) {}
  WorkSlice(const WorkSlice&) = delete;
  WorkSlice& operator=(const WorkSlice&) = delete;

  // Adds its ticks to the metrics.
  ~WorkSlice() {
    if (ticks_ == 0) return;
    metrics_.ticks.Add(ticks_);
    metrics_.tick_time.Add(times_);
  }

  // Called behind each tick. True: others should have their turn.
  bool EndTick() {
    const Clock::time_point now = Clock::now();
    times_.Add(now - last_);
    ++ticks_;
    last_ = now;
    return now >= end_;
  }

  // The same of what makes no ticks.
  bool is_over() const { return Clock::now() >= end_; }

 private:
  using Clock = std::chrono::steady_clock;

  ServerMetrics& metrics_;
  Clock::time_point last_;
  const Clock::time_point end_;
  uint64_t ticks_ = 0;
  TimeCounts times_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_WORK_SLICE_H_
