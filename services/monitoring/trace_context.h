// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where a call belongs in a trace of others', as W3C's "Trace Context" writes
// it in the header "traceparent": https://www.w3.org/TR/trace-context/.

#ifndef REPRISE_SERVICES_MONITORING_TRACE_CONTEXT_H_
#define REPRISE_SERVICES_MONITORING_TRACE_CONTEXT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace reprise::services {

// The name of the header, as gRPC's metadata has it.
inline constexpr std::string_view kTraceHeader = "traceparent";

// What tracing systems on the way keep beside it, passed on as it came. The
// standard wants 512 bytes passed on at least.
inline constexpr std::string_view kTraceStateHeader = "tracestate";
inline constexpr size_t kTraceStateBytesMax = 512;

struct TraceContext {
  std::string trace_id;  // 32 hexadecimal digits, not all 0
  std::string span_id;   // 16, not all 0: the call's own, or its caller's
  std::string flags;     // 2: 01 where the caller keeps the trace

  // Version 00 of the header.
  std::string ToHeader() const;
};

// Nullopt: it is none that may be used. What later versions add at the end is
// passed over.
std::optional<TraceContext> ParseTraceHeader(std::string_view header);

// The same trace and flags, with a span of its own.
TraceContext BeginSpan(const TraceContext& caller);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_MONITORING_TRACE_CONTEXT_H_
