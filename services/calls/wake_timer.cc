// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/wake_timer.h"

#include <utility>

namespace reprise::services {

WakeTimer::WakeTimer() : thread_([this] { Run(); }) {}

void WakeTimer::CallAfter(absl::Duration delay, std::function<void()> call) {
  const std::scoped_lock lock(mutex_);
  if (stopping_) return;
  const auto added = calls_.emplace(
      Clock::now() + absl::ToChronoNanoseconds(delay), std::move(call));
  if (added == calls_.begin()) wakeup_.notify_one();
}

void WakeTimer::Stop() {
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
    wakeup_.notify_one();
  }
  thread_.join();
}

void WakeTimer::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (calls_.empty()) {
      wakeup_.wait(lock);
      continue;
    }
    const auto next = calls_.begin();
    if (next->first > Clock::now()) {
      wakeup_.wait_until(lock, next->first);
      continue;
    }
    const std::function<void()> call = std::move(next->second);
    calls_.erase(next);
    lock.unlock();
    call();
    lock.lock();
  }
}

}  // namespace reprise::services
