// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where the time comes from that time-outs are measured by, so that tests
// decide what time it is.

#ifndef REPRISE_SERVICES_BASE_CLOCK_H_
#define REPRISE_SERVICES_BASE_CLOCK_H_

#include <chrono>
#include <functional>

#include "absl/time/time.h"

namespace reprise::services {

// Returns the present. Safe to call from any thread.
using Clock = std::function<absl::Time()>;

// Goes on evenly, whatever is done to the machine's clock. Its times say
// nothing but what lies between them.
inline absl::Time MonotonicNow() {
  return absl::UnixEpoch() +
         absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_CLOCK_H_
