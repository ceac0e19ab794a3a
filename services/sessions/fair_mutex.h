// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef REPRISE_SERVICES_SESSIONS_FAIR_MUTEX_H_
#define REPRISE_SERVICES_SESSIONS_FAIR_MUTEX_H_

#include <mutex>

namespace reprise::services {

// A mutex that who has just unlocked it doesn't get again before somebody who
// waits: who steps a session locks it again at once, slice after slice, and
// whoever only looks would wait for the end of all.
class FairMutex {
 public:
  void lock() {
    const std::scoped_lock turn(turn_);
    mutex_.lock();
  }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex turn_;  // held by whose turn is next
  std::mutex mutex_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_FAIR_MUTEX_H_
