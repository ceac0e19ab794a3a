// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/monitoring/trace_context.h"

#include <unistd.h>

#include <cstdint>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

// Positions in "00-TRACE-SPAN-FLAGS".
constexpr size_t kTraceStart = 3;
constexpr size_t kTraceDigits = 32;
constexpr size_t kSpanStart = kTraceStart + kTraceDigits + 1;
constexpr size_t kSpanDigits = 16;
constexpr size_t kFlagsStart = kSpanStart + kSpanDigits + 1;
constexpr size_t kFlagsDigits = 2;
constexpr size_t kHeaderSize = kFlagsStart + kFlagsDigits;

// Capitals aren't allowed.
bool IsHexadecimal(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool IsZero(std::string_view digits) {
  return digits.find_first_not_of('0') == std::string_view::npos;
}

}  // namespace

std::string TraceContext::ToHeader() const {
  return fmt::format("00-{}-{}-{}", trace_id, span_id, flags);
}

std::optional<TraceContext> ParseTraceHeader(std::string_view header) {
  if (header.size() < kHeaderSize) return std::nullopt;
  const std::string_view version = header.substr(0, 2);
  const std::string_view trace = header.substr(kTraceStart, kTraceDigits);
  const std::string_view span = header.substr(kSpanStart, kSpanDigits);
  const std::string_view flags = header.substr(kFlagsStart, kFlagsDigits);
  const bool has_dashes = header[kTraceStart - 1] == '-' &&
                          header[kSpanStart - 1] == '-' &&
                          header[kFlagsStart - 1] == '-';
  const bool ends_well = header.size() == kHeaderSize ||
                         (version != "00" && header[kHeaderSize] == '-');
  if (!has_dashes || !ends_well || version == "ff" || !IsHexadecimal(version) ||
      !IsHexadecimal(trace) || !IsHexadecimal(span) || !IsHexadecimal(flags) ||
      IsZero(trace) || IsZero(span)) {
    return std::nullopt;
  }
  return TraceContext{.trace_id = std::string(trace),
                      .span_id = std::string(span),
                      .flags = std::string(flags)};
}

TraceContext BeginSpan(const TraceContext& caller) {
  uint64_t span = 0;
  while (span == 0) CHECK(getentropy(&span, sizeof(span)) == 0);
  TraceContext own = caller;
  own.span_id = fmt::format("{:016x}", span);
  return own;
}

}  // namespace reprise::services
