// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is counted while it happens: each is a relaxed addition to a number of
// its own, so that no tick waits for who reads them. What is read is right for
// each number, and of several as near to one moment as they were read.

#ifndef REPRISE_SERVICES_MONITORING_METRIC_H_
#define REPRISE_SERVICES_MONITORING_METRIC_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace reprise::services {

// Only goes up. Safe to use from any thread.
class Counter {
 public:
  void Add(uint64_t count = 1) {
    value_.fetch_add(count, std::memory_order_relaxed);
  }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_ = 0;
};

// Goes up and down. Safe to use from any thread.
class Gauge {
 public:
  void Set(int64_t value) { value_.store(value, std::memory_order_relaxed); }
  void Add(int64_t change) {
    value_.fetch_add(change, std::memory_order_relaxed);
  }
  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_ = 0;
};

// The upper bounds of the buckets of times: 1, 2.5 and 5 of each power of ten
// from a microsecond, which the tick of a small game takes, to ten seconds,
// which is longer than any client waits.
inline constexpr auto kTimeBounds = std::to_array<std::chrono::nanoseconds>({
    std::chrono::nanoseconds(1'000),
    std::chrono::nanoseconds(2'500),
    std::chrono::nanoseconds(5'000),
    std::chrono::nanoseconds(10'000),
    std::chrono::nanoseconds(25'000),
    std::chrono::nanoseconds(50'000),
    std::chrono::nanoseconds(100'000),
    std::chrono::nanoseconds(250'000),
    std::chrono::nanoseconds(500'000),
    std::chrono::milliseconds(1),
    std::chrono::nanoseconds(2'500'000),
    std::chrono::milliseconds(5),
    std::chrono::milliseconds(10),
    std::chrono::milliseconds(25),
    std::chrono::milliseconds(50),
    std::chrono::milliseconds(100),
    std::chrono::milliseconds(250),
    std::chrono::milliseconds(500),
    std::chrono::seconds(1),
    std::chrono::milliseconds(2'500),
    std::chrono::seconds(5),
    std::chrono::seconds(10),
});
static_assert(std::ranges::is_sorted(kTimeBounds));

// Of times, how many fell into which bucket: those up to each bound, and those
// above all. One thread's own.
struct TimeCounts {
  std::array<uint64_t, kTimeBounds.size() + 1> counts = {};
  uint64_t sum_ns = 0;

  void Add(std::chrono::nanoseconds time) {
    ++counts[BucketOf(time)];
    sum_ns += static_cast<uint64_t>(std::max<int64_t>(time.count(), 0));
  }

  uint64_t total() const {
    uint64_t total = 0;
    for (const uint64_t count : counts) total += count;
    return total;
  }

  // The bound below or at which that share of the times is, 0 to 1; ten seconds
  // for those above all, and 0 where there are none.
  std::chrono::nanoseconds Quantile(double share) const {
    const uint64_t all = total();
    if (all == 0) return {};
    uint64_t up_to = 0;
    for (size_t i = 0; i < kTimeBounds.size(); ++i) {
      up_to += counts[i];
      if (static_cast<double>(up_to) >= share * static_cast<double>(all)) {
        return kTimeBounds[i];
      }
    }
    return kTimeBounds.back();
  }

  static size_t BucketOf(std::chrono::nanoseconds time) {
    return static_cast<size_t>(std::ranges::lower_bound(kTimeBounds, time) -
                               kTimeBounds.begin());
  }
};

// How long something took, each time. Safe to use from any thread.
class TimeHistogram {
 public:
  void Add(std::chrono::nanoseconds time) {
    counts_[TimeCounts::BucketOf(time)].Add(1);
    sum_ns_.Add(static_cast<uint64_t>(std::max<int64_t>(time.count(), 0)));
  }

  // Adds what a thread has gathered.
  void Add(const TimeCounts& times) {
    for (size_t i = 0; i < counts_.size(); ++i) {
      if (times.counts[i] > 0) counts_[i].Add(times.counts[i]);
    }
    sum_ns_.Add(times.sum_ns);
  }

  TimeCounts Read() const {
    TimeCounts times;
    for (size_t i = 0; i < counts_.size(); ++i) {
      times.counts[i] = counts_[i].value();
    }
    times.sum_ns = sum_ns_.value();
    return times;
  }

 private:
  std::array<Counter, kTimeBounds.size() + 1> counts_;
  Counter sum_ns_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_MONITORING_METRIC_H_
