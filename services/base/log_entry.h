// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a server tells its operator: a sentence, and what it is about, so that
// programs find it without reading the sentence.

#ifndef REPRISE_SERVICES_BASE_LOG_ENTRY_H_
#define REPRISE_SERVICES_BASE_LOG_ENTRY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/time/time.h"

namespace reprise::services {

struct LogEntry {
  // Of those who watch: nothing to do, to be looked at, to be mended.
  enum class Severity { kInfo, kWarning, kError };

  LogEntry() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): most are just a sentence.
  LogEntry(std::string_view sentence) : message(sentence) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  LogEntry(const std::string& sentence) : message(sentence) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  LogEntry(const char* sentence) : message(sentence) {}

  std::string message;
  Severity severity = Severity::kInfo;

  // Of what follows only what is known is told.
  std::string resource;  // "sessions/ID", "replays/ID", ...
  std::optional<uint64_t> tick;
  std::string call;  // "CreateSession"
  std::string code;  // "OK", "NOT_FOUND"
  std::string reason;
  std::optional<absl::Duration> duration;
  // W3C's: see trace_context.h.
  std::string trace_id;
  std::string span_id;
};

// Takes entries. Safe to call from any thread.
using Log = std::function<void(const LogEntry&)>;

// The entry as a line without its end, on which no text of a client's can pass
// itself off as another. Text: "reprise: " and the sentence. JSON: an object of
// time, severity, message and what is known besides; a session is "session",
// what else there is "resource"; duration_seconds.
std::string FormatTextLine(const LogEntry& entry);
std::string FormatJsonLine(const LogEntry& entry, absl::Time now);

// Write a line to standard error. Where that can't be, it is lost.
void LogText(const LogEntry& entry);
void LogJson(const LogEntry& entry);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_LOG_ENTRY_H_
