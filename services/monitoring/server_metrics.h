// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// All that a server counts while it happens. What can be looked up when
// somebody asks, such as how many sessions there are, isn't counted here.

#ifndef REPRISE_SERVICES_MONITORING_SERVER_METRICS_H_
#define REPRISE_SERVICES_MONITORING_SERVER_METRICS_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "services/base/reason.h"
#include "services/base/scope.h"
#include "services/monitoring/metric.h"
#include "services/monitoring/metrics_text.h"
#include "services/monitoring/phase_times.h"

namespace reprise::services {

// gRPC's codes, OK included.
inline constexpr size_t kCodeCount = 17;

// Of one kind of call.
struct CallMetrics {
  std::array<Counter, kCodeCount> ended;  // by code
  Gauge under_way;
  TimeHistogram time;  // from its arrival to its end
  Counter request_bytes;
  Counter response_bytes;
};

// Safe to use from any thread.
class ServerMetrics {
 public:
  // REQUIRES: `call` is a row of kCallScopes.
  CallMetrics& call(size_t call) { return calls_[call]; }

  // Why something was not done: a reason of reason.h, or the name of a code.
  // REQUIRES: `status` is an error.
  void CountRefusal(const absl::Status& status);

  // How a request of a stream ended.
  void CountStreamRequest(absl::StatusCode code);

  Counter ticks;
  TimeHistogram tick_time;
  PhaseTimes phase_times;

  // Adds all of it.
  void AppendTo(MetricsText& text) const;

  // Of all calls, and of them those that weren't OK.
  uint64_t ended_calls() const;
  uint64_t failed_calls() const;

 private:
  std::array<CallMetrics, kCallScopes.size()> calls_;
  std::array<Counter, kCodeCount> stream_requests_;  // by code
  std::array<Counter, kReasons.size()> refusals_;
  std::array<Counter, kCodeCount> unexplained_;  // refusals, by code
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_MONITORING_SERVER_METRICS_H_
