// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Calls back after a while, so that nobody waits for a time on a thread.

#ifndef REPRISE_SERVICES_CALLS_WAKE_TIMER_H_
#define REPRISE_SERVICES_CALLS_WAKE_TIMER_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "absl/time/time.h"

namespace reprise::services {

// Safe to use from any thread.
class WakeTimer {
 public:
  WakeTimer();
  WakeTimer(const WakeTimer&) = delete;
  WakeTimer& operator=(const WakeTimer&) = delete;
  ~WakeTimer() { Stop(); }

  // Has `call`, which takes no time, called once after `delay`, or never where
  // it is stopped before.
  void CallAfter(absl::Duration delay, std::function<void()> call);

  // No call is under way any more, and none follows.
  void Stop();

 private:
  using Clock = std::chrono::steady_clock;

  void Run();

  std::mutex mutex_;                // guards what follows
  std::condition_variable wakeup_;  // an earlier call came, or the end
  std::multimap<Clock::time_point, std::function<void()>> calls_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_WAKE_TIMER_H_
