// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/log_entry.h"

#include <unistd.h>

#include "absl/time/clock.h"
#include "fmt/format.h"
#include "services/base/json_line.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

// As OpenTelemetry's logs call them.
std::string_view NameOf(LogEntry::Severity severity) {
  switch (severity) {
    case LogEntry::Severity::kInfo:
      return "INFO";
    case LogEntry::Severity::kWarning:
      return "WARN";
    case LogEntry::Severity::kError:
      return "ERROR";
  }
  CHECK(false);
  return "";
}

// No stream of C or C++: what fails on a full disk must end nothing.
void WriteToStandardError(std::string line) {
  line += '\n';
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

std::string FormatTextLine(const LogEntry& entry) {
  std::string line = fmt::format("reprise: {}", entry.message);
  if (!entry.trace_id.empty()) {
    line += fmt::format(" (trace {})", entry.trace_id);
  }
  for (char& character : line) {
    if (static_cast<unsigned char>(character) < ' ') character = ' ';
  }
  return line;
}

std::string FormatJsonLine(const LogEntry& entry, absl::Time now) {
  JsonLine line;
  line.Add("time", now);
  line.Add("severity", NameOf(entry.severity));
  line.Add("message", entry.message);
  line.AddUnlessEmpty(
      entry.resource.starts_with("sessions/") ? "session" : "resource",
      entry.resource);
  if (entry.tick.has_value()) line.Add("tick", *entry.tick);
  line.AddUnlessEmpty("call", entry.call);
  line.AddUnlessEmpty("code", entry.code);
  line.AddUnlessEmpty("reason", entry.reason);
  if (entry.duration.has_value()) line.Add("duration_seconds", *entry.duration);
  line.AddUnlessEmpty("trace_id", entry.trace_id);
  line.AddUnlessEmpty("span_id", entry.span_id);
  return line.text();
}

void LogText(const LogEntry& entry) {
  WriteToStandardError(FormatTextLine(entry));
}

void LogJson(const LogEntry& entry) {
  WriteToStandardError(FormatJsonLine(entry, absl::Now()));
}

}  // namespace reprise::services
