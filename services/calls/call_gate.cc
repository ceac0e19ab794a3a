// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/call_gate.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "fmt/format.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

// Of names that clients send, in logs: the longest is "packs/" with a name of
// 64 bytes, '@' and a digest of 64 digits.
constexpr size_t kResourceBytesMax = 160;

// The metadata `name`, which a call has once or not at all: of two it isn't
// known which one is meant.
std::optional<std::string_view> FindMetadata(
    const grpc::CallbackServerContext& context, std::string_view name) {
  const auto& metadata = context.client_metadata();
  const auto [first, end] =
      metadata.equal_range(grpc::string_ref(name.data(), name.size()));
  if (first == end || std::next(first) != end) return std::nullopt;
  return std::string_view(first->second.data(), first->second.size());
}

// Whether gRPC sends it as a header. It receives anything, and ends the process
// over what it is given to send and can't.
bool IsHeaderValue(std::string_view value) {
  return std::ranges::all_of(value, [](unsigned char character) {
    return character >= ' ' && character <= '~';
  });
}

// What an operator has to look at: the server is at fault.
bool IsServersFault(absl::StatusCode code) {
  return code == absl::StatusCode::kInternal ||
         code == absl::StatusCode::kUnknown ||
         code == absl::StatusCode::kDataLoss;
}

LogEntry::Severity SeverityOf(const absl::Status& result) {
  if (result.ok()) return LogEntry::Severity::kInfo;
  return IsServersFault(result.code()) ? LogEntry::Severity::kError
                                       : LogEntry::Severity::kWarning;
}

}  // namespace

CallGate::CallGate(const Access* access, ServerMetrics* metrics,
                   AuditLog* audit, Log log, CallLogging logging)
    : access_(*access),
      metrics_(*metrics),
      audit_(audit),
      log_(std::move(log)),
      logging_(logging) {}

CallPass CallGate::Enter(size_t call, grpc::CallbackServerContext& context) {
  CallPass pass(this, call);
  if (audit_ != nullptr) pass.peer_ = context.peer();
  if (const auto header = FindMetadata(context, kTraceHeader)) {
    if (const auto trace = ParseTraceHeader(*header)) {
      pass.trace_ = BeginSpan(*trace);
      context.AddInitialMetadata(std::string(kTraceHeader),
                                 pass.trace_->ToHeader());
      // What others keep of the trace is none of ours, and goes on with it.
      if (const auto state = FindMetadata(context, kTraceStateHeader);
          state.has_value() && state->size() <= kTraceStateBytesMax &&
          IsHeaderValue(*state)) {
        context.AddInitialMetadata(std::string(kTraceStateHeader),
                                   std::string(*state));
      }
    }
  }
  auto caller = access_.Authorize(FindMetadata(context, "authorization"),
                                  kCallScopes[call].scope);
  if (caller.ok()) {
    pass.caller_ = *std::move(caller);
    if (is_closed_) pass.admission_ = StoppingError();
  } else {
    pass.admission_ = caller.status();
  }
  return pass;
}

CallPass::CallPass(CallGate* gate, size_t call)
    : gate_(gate), call_(call), arrival_(std::chrono::steady_clock::now()) {
  gate_->metrics_.call(call_).under_way.Add(1);
}

CallPass::CallPass(CallPass&& other) noexcept
    : gate_(std::exchange(other.gate_, nullptr)),
      call_(other.call_),
      arrival_(other.arrival_),
      admission_(std::move(other.admission_)),
      caller_(std::move(other.caller_)),
      peer_(std::move(other.peer_)),
      trace_(std::move(other.trace_)),
      resource_(std::move(other.resource_)),
      tick_(other.tick_) {}

CallPass::~CallPass() {
  if (gate_ != nullptr) End(CancelledError());
}

absl::Status CallPass::Confirm() {
  return gate_->access_.Confirm(kCallScopes[call_].scope, caller_);
}

void CallPass::Concern(std::string_view resource,
                       std::optional<sim::Tick> tick) {
  resource_ = resource.substr(0, kResourceBytesMax);
  tick_ = tick;
}

void CallPass::Receive(const grpc::ByteBuffer& message) {
  gate_->metrics_.call(call_).request_bytes.Add(message.Length());
}

void CallPass::Send(const grpc::ByteBuffer& message) {
  gate_->metrics_.call(call_).response_bytes.Add(message.Length());
}

void CallPass::Answer(const absl::Status& result) {
  gate_->metrics_.CountStreamRequest(result.code());
  if (result.ok()) return;
  gate_->metrics_.CountRefusal(result);
  Tell(result, /*time=*/std::nullopt);
}

void CallPass::End(const absl::Status& result) {
  CHECK(gate_ != nullptr);
  const auto time = std::chrono::steady_clock::now() - arrival_;
  CallMetrics& metrics = gate_->metrics_.call(call_);
  metrics.under_way.Add(-1);
  metrics.time.Add(time);
  metrics.ended[static_cast<size_t>(result.code())].Add();
  if (!result.ok()) gate_->metrics_.CountRefusal(result);
  Tell(result, absl::FromChrono(time));
  if (IsAudited(result)) {
    gate_->audit_->Add(
        {.token = caller_.token,
         .tenant = caller_.tenant,
         .peer = peer_,
         .call = std::string(kCallScopes[call_].call),
         .resource = resource_,
         .result = result,
         .trace_id = trace_.has_value() ? trace_->trace_id : ""});
  }
  gate_ = nullptr;
}

bool CallPass::IsAudited(const absl::Status& result) const {
  if (gate_->audit_ == nullptr) return false;
  switch (kCallScopes[call_].audit) {
    case Audit::kAll:
      return true;
    case Audit::kRefused:
      return (!admission_.ok() && !absl::IsUnavailable(admission_)) ||
             absl::IsUnauthenticated(result) ||
             absl::IsPermissionDenied(result);
  }
  CHECK(false);
  return false;
}

void CallPass::Tell(const absl::Status& result,
                    std::optional<absl::Duration> time) {
  if (gate_->logging_ == CallLogging::kNone ||
      (gate_->logging_ == CallLogging::kFailed && result.ok())) {
    return;
  }
  const std::string_view call = kCallScopes[call_].call;
  const std::string code = absl::StatusCodeToString(result.code());
  LogEntry entry(fmt::format(
      "{}{}{}: {}{}{}", call, resource_.empty() ? "" : " ", resource_, code,
      result.message().empty() ? "" : ": ", std::string(result.message())));
  entry.severity = SeverityOf(result);
  entry.resource = resource_;
  entry.tick = tick_;
  entry.call = call;
  entry.code = code;
  entry.reason = ReasonOf(result);
  entry.duration = time;
  if (trace_.has_value()) {
    entry.trace_id = trace_->trace_id;
    entry.span_id = trace_->span_id;
  }
  gate_->log_(entry);
}

}  // namespace reprise::services
