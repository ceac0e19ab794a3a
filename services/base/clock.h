// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where wall-clock time comes from, so that tests decide what time it is.

#ifndef REPRISE_SERVICES_BASE_CLOCK_H_
#define REPRISE_SERVICES_BASE_CLOCK_H_

#include <functional>

#include "absl/time/time.h"

namespace reprise::services {

// Returns the present. Safe to call from any thread; `absl::Now` is one.
using Clock = std::function<absl::Time()>;

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_CLOCK_H_
