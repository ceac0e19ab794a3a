// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/monitoring/audit_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "absl/time/clock.h"
#include "fmt/format.h"
#include "services/base/json_line.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

constexpr mode_t kFileMode = 0640;

int OpenFile(const std::string& path) {
  return open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
              kFileMode);
}

std::string LastError() {
  return std::error_code(errno, std::generic_category()).message();
}

}  // namespace

std::string FormatAuditLine(const AuditRecord& record, absl::Time now) {
  JsonLine line;
  line.Add("time", now);
  line.AddUnlessEmpty("token", record.token);
  line.AddUnlessEmpty("tenant", record.tenant.name);
  line.AddUnlessEmpty("peer", record.peer);
  line.Add("call", record.call);
  line.AddUnlessEmpty("resource", record.resource);
  line.Add("result", absl::StatusCodeToString(record.result.code()));
  line.AddUnlessEmpty("reason", ReasonOf(record.result));
  line.AddUnlessEmpty("message", std::string(record.result.message()));
  line.AddUnlessEmpty("trace_id", record.trace_id);
  return line.text();
}

absl::StatusOr<std::unique_ptr<AuditLog>> AuditLog::Open(std::string path,
                                                         Log log) {
  const int descriptor = OpenFile(path);
  if (descriptor < 0) {
    return absl::UnavailableError(fmt::format(
        "{}: the audit log can't be opened: {}", path, LastError()));
  }
  return std::unique_ptr<AuditLog>(
      new AuditLog(std::move(path), std::move(log), descriptor));
}

AuditLog::AuditLog(std::string path, Log log, int descriptor)
    : path_(std::move(path)), log_(std::move(log)), descriptor_(descriptor) {}

AuditLog::~AuditLog() { close(descriptor_); }

void AuditLog::Add(const AuditRecord& record) {
  std::string line = FormatAuditLine(record, absl::Now());
  line += '\n';
  const std::scoped_lock lock(mutex_);
  AddLocked(std::move(line));
}

void AuditLog::AddLocked(std::string line) {
  // What was cut off stays a line of its own, which no reader takes for JSON.
  if (is_line_broken_) line.insert(line.begin(), '\n');
  ssize_t written = -1;
  do {
    written = write(descriptor_, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(line.size())) {
    is_line_broken_ = false;
    if (lost_in_row_ == 0) return;
    LogEntry entry(
        fmt::format("{}: the audit log is written again; {} lines "
                    "were lost",
                    path_, std::exchange(lost_in_row_, 0)));
    entry.severity = LogEntry::Severity::kWarning;
    log_(entry);
    return;
  }
  // Of a newline alone nothing was broken.
  const bool has_text = written > (is_line_broken_ ? 1 : 0);
  const std::string problem =
      written < 0
          ? LastError()
          : std::make_error_code(std::errc::no_space_on_device).message();
  if (written > 0) is_line_broken_ = has_text;
  ++lines_lost_;
  if (lost_in_row_++ == 0) TellLocked(problem);
}

void AuditLog::Reopen() {
  const std::scoped_lock lock(mutex_);
  struct stat ours = {};
  struct stat there = {};
  const bool is_there = stat(path_.c_str(), &there) == 0;
  if (is_there && fstat(descriptor_, &ours) == 0 &&
      ours.st_ino == there.st_ino && ours.st_dev == there.st_dev) {
    return;
  }
  const int descriptor = OpenFile(path_);
  if (descriptor < 0) {
    // What it has is written to meanwhile.
    const std::string problem = LastError();
    if (problem != reopen_problem_) TellLocked(problem);
    reopen_problem_ = problem;
    return;
  }
  reopen_problem_.clear();
  close(std::exchange(descriptor_, descriptor));
  is_line_broken_ = false;
}

uint64_t AuditLog::lines_lost() const {
  const std::scoped_lock lock(mutex_);
  return lines_lost_;
}

void AuditLog::TellLocked(const std::string& problem) {
  LogEntry entry(
      fmt::format("{}: the audit log can't be written: {}", path_, problem));
  entry.severity = LogEntry::Severity::kError;
  log_(entry);
}

}  // namespace reprise::services
