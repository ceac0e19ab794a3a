// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/monitoring/server_metrics.h"

#include <algorithm>
#include <string>

#include "services/base/status.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

using Type = MetricsText::Type;

std::string NameOfCode(size_t code) {
  return absl::StatusCodeToString(static_cast<absl::StatusCode>(code));
}

size_t IndexOf(absl::StatusCode code) {
  const auto index = static_cast<size_t>(code);
  CHECK(index < kCodeCount, "{}", index);
  return index;
}

}  // namespace

void ServerMetrics::CountRefusal(const absl::Status& status) {
  CHECK(!status.ok());
  const std::string reason = ReasonOf(status);
  const auto found = std::ranges::lower_bound(kReasons, reason);
  if (found != kReasons.end() && *found == reason) {
    refusals_[static_cast<size_t>(found - kReasons.begin())].Add();
  } else {
    unexplained_[IndexOf(status.code())].Add();
  }
}

void ServerMetrics::CountStreamRequest(absl::StatusCode code) {
  stream_requests_[IndexOf(code)].Add();
}

void ServerMetrics::AppendTo(MetricsText& text) const {
  text.BeginFamily("reprise_ticks_total", Type::kCounter,
                   "Ticks made by all sessions.");
  text.Add({}, ticks.value());
  text.BeginFamily(
      "reprise_tick_seconds", Type::kHistogram,
      "How long a tick took, with what is recorded and seen of it.");
  text.AddTimes({}, tick_time.Read());
  text.BeginFamily("reprise_phase_seconds", Type::kHistogram,
                   "How long a phase of a tick took, of one tick in 64 of each "
                   "session.");
  for (const PhaseTimes::Phase& phase : phase_times.Read()) {
    text.AddTimes({{"simulation", phase.simulation}, {"phase", phase.phase}},
                  phase.times);
  }

  text.BeginFamily("reprise_calls_total", Type::kCounter,
                   "Calls that ended, streams among them, by gRPC's code.");
  for (size_t call = 0; call < calls_.size(); ++call) {
    for (size_t code = 0; code < kCodeCount; ++code) {
      const uint64_t count = calls_[call].ended[code].value();
      // Series that will mostly never be aren't begun.
      if (code != 0 && count == 0) continue;
      text.Add({{"call", kCallScopes[call].call}, {"code", NameOfCode(code)}},
               count);
    }
  }
  text.BeginFamily("reprise_calls_under_way", Type::kGauge,
                   "Calls that have arrived and not ended.");
  for (size_t call = 0; call < calls_.size(); ++call) {
    text.Add({{"call", kCallScopes[call].call}},
             calls_[call].under_way.value());
  }
  text.BeginFamily("reprise_call_seconds", Type::kHistogram,
                   "How long a call took from its arrival to its end.");
  for (size_t call = 0; call < calls_.size(); ++call) {
    const TimeCounts times = calls_[call].time.Read();
    if (times.total() == 0) continue;
    text.AddTimes({{"call", kCallScopes[call].call}}, times);
  }
  text.BeginFamily("reprise_request_bytes_total", Type::kCounter,
                   "Bytes of the messages that clients sent.");
  for (size_t call = 0; call < calls_.size(); ++call) {
    text.Add({{"call", kCallScopes[call].call}},
             calls_[call].request_bytes.value());
  }
  text.BeginFamily("reprise_response_bytes_total", Type::kCounter,
                   "Bytes of the messages that clients were sent.");
  for (size_t call = 0; call < calls_.size(); ++call) {
    text.Add({{"call", kCallScopes[call].call}},
             calls_[call].response_bytes.value());
  }
  text.BeginFamily("reprise_stream_requests_total", Type::kCounter,
                   "Requests in streams of StepSession, by the code of what "
                   "came of them.");
  for (size_t code = 0; code < kCodeCount; ++code) {
    const uint64_t count = stream_requests_[code].value();
    if (code != 0 && count == 0) continue;
    text.Add({{"code", NameOfCode(code)}}, count);
  }
  text.BeginFamily("reprise_refusals_total", Type::kCounter,
                   "Calls, and requests in streams, that weren't carried out, "
                   "by the reason.");
  for (size_t reason = 0; reason < kReasons.size(); ++reason) {
    const uint64_t count = refusals_[reason].value();
    if (count > 0) text.Add({{"reason", kReasons[reason]}}, count);
  }
  for (size_t code = 0; code < kCodeCount; ++code) {
    const uint64_t count = unexplained_[code].value();
    if (count > 0) text.Add({{"reason", NameOfCode(code)}}, count);
  }
}

uint64_t ServerMetrics::ended_calls() const {
  uint64_t count = 0;
  for (const CallMetrics& call : calls_) {
    for (const Counter& ended : call.ended) count += ended.value();
  }
  return count;
}

uint64_t ServerMetrics::failed_calls() const {
  uint64_t count = ended_calls();
  for (const CallMetrics& call : calls_) count -= call.ended[0].value();
  return count;
}

}  // namespace reprise::services
