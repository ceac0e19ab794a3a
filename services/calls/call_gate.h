// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where every call comes in and goes out: it is let in by its token, and its
// end is counted, logged and audited. What a call is, and what became of it, is
// told here and nowhere else.

#ifndef REPRISE_SERVICES_CALLS_CALL_GATE_H_
#define REPRISE_SERVICES_CALLS_CALL_GATE_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "services/base/access.h"
#include "services/base/log_entry.h"
#include "services/base/scope.h"
#include "services/base/server_options.h"
#include "services/monitoring/audit_log.h"
#include "services/monitoring/server_metrics.h"
#include "services/monitoring/trace_context.h"
#include "sim/base/check.h"
#include "sim/base/tick.h"

namespace reprise::services {

// The row of kCallScopes of the call whose requests are of this type: each call
// has one of its own, "FooRequest" of "Foo".
template <typename Request>
size_t CallOfRequest() {
  static const size_t row = [] {
    std::string_view call = Request::descriptor()->name();
    call.remove_suffix(std::string_view("Request").size());
    const std::optional<size_t> found = RowOf(call);
    CHECK(found.has_value(), "{}", call);
    return *found;
  }();
  return row;
}

class CallGate;

// One call, from when it arrived to its end. Used by one thread at a time.
class CallPass {
 public:
  CallPass(const CallPass&) = delete;
  CallPass& operator=(const CallPass&) = delete;
  CallPass(CallPass&& other) noexcept;
  CallPass& operator=(CallPass&&) = delete;
  // Ends it as cancelled where nobody has said how it ended.
  ~CallPass();

  // Why it isn't let in; OK where it is.
  const absl::Status& admission() const { return admission_; }
  // Who made it; nobody in particular where it isn't let in.
  const Caller& caller() const { return caller_; }

  // Whether the caller who was let in still would be. Errors are
  // Access::Confirm's.
  absl::Status Confirm();

  // Says what it is about, where that is known, by name and tick.
  void Concern(std::string_view resource,
               std::optional<sim::Tick> tick = std::nullopt);

  // Count messages.
  void Receive(const grpc::ByteBuffer& message);
  void Send(const grpc::ByteBuffer& message);

  // Tells what became of one request of a stream that goes on.
  void Answer(const absl::Status& result);

  // Tells what became of it all. Called once.
  void End(const absl::Status& result);

 private:
  friend class CallGate;

  CallPass(CallGate* gate, size_t call);

  bool IsAudited(const absl::Status& result) const;
  void Tell(const absl::Status& result, std::optional<absl::Duration> time);

  CallGate* gate_;  // null: it has ended, or was moved from
  size_t call_;
  std::chrono::steady_clock::time_point arrival_;
  absl::Status admission_;
  Caller caller_;
  std::string peer_;
  std::optional<TraceContext> trace_;
  std::string resource_;
  std::optional<sim::Tick> tick_;
};

// Safe to use from any thread.
class CallGate {
 public:
  // All must remain live while any call is under way. `audit` may be null.
  CallGate(const Access* access, ServerMetrics* metrics, AuditLog* audit,
           Log log, CallLogging logging);

  // The call of `context`, which is of the row `call` of kCallScopes. A trace
  // that its caller is in goes on, and the response says so in its metadata.
  CallPass Enter(size_t call, grpc::CallbackServerContext& context);

  // The server stops: what comes from now on isn't let in, UNAVAILABLE. What is
  // under way goes on.
  void Close() { is_closed_ = true; }

  ServerMetrics& metrics() { return metrics_; }

 private:
  friend class CallPass;

  const Access& access_;
  ServerMetrics& metrics_;
  AuditLog* const audit_;
  const Log log_;
  const CallLogging logging_;
  std::atomic<bool> is_closed_ = false;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_CALL_GATE_H_
