// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/library_log.h"

#include <memory>
#include <utility>

#include "fmt/format.h"
#include "google/protobuf/stubs/logging.h"
#include "grpc/support/log.h"
#include "services/base/clock.h"
#include "sim/base/utf8.h"

namespace reprise::services {
namespace {

// A sentence, not the message that it complains of.
constexpr size_t kSentenceBytesMax = 400;

constexpr absl::Duration kPeriod = absl::Seconds(1);

// Both libraries call functions without an object.
struct Listener {
  std::mutex mutex;
  std::shared_ptr<const Log> log;  // guarded by it
  LimitedLog protobuf = LimitedLog("protobuf");
  LimitedLog grpc = LimitedLog("grpc");
};

Listener& TheListener() {
  // Never destroyed: threads of libraries may outlive main.
  static Listener& listener = *new Listener;
  return listener;
}

void Tell(LimitedLog& limit, LogEntry::Severity severity,
          std::string_view message) {
  const auto entry = limit.Limit(severity, message, MonotonicNow());
  if (!entry.has_value()) return;
  Listener& listener = TheListener();
  std::shared_ptr<const Log> log;
  {
    const std::scoped_lock lock(listener.mutex);
    log = listener.log;
  }
  if (log != nullptr) (*log)(*entry);
}

void TellOfProtobuf(google::protobuf::LogLevel level, const char* /*file*/,
                    int /*line*/, const std::string& message) {
  const auto severity = level == google::protobuf::LOGLEVEL_INFO
                            ? LogEntry::Severity::kInfo
                        : level == google::protobuf::LOGLEVEL_WARNING
                            ? LogEntry::Severity::kWarning
                            : LogEntry::Severity::kError;
  Tell(TheListener().protobuf, severity, message);
}

void TellOfGrpc(gpr_log_func_args* arguments) {
  const auto severity = arguments->severity == GPR_LOG_SEVERITY_ERROR
                            ? LogEntry::Severity::kError
                            : LogEntry::Severity::kInfo;
  Tell(TheListener().grpc, severity, arguments->message);
}

}  // namespace

std::optional<LogEntry> LimitedLog::Limit(LogEntry::Severity severity,
                                          std::string_view message,
                                          absl::Time now) {
  const std::scoped_lock lock(mutex_);
  if (now - last_ < kPeriod) {
    ++left_out_;
    return std::nullopt;
  }
  last_ = now;
  LogEntry entry(fmt::format("{}: {}", library_,
                             sim::Utf8Prefix(message, kSentenceBytesMax)));
  if (left_out_ > 0) {
    entry.message += fmt::format(" ({} before it weren't told)", left_out_);
  }
  left_out_ = 0;
  entry.severity = severity;
  return entry;
}

void TakeLibraryLogs(Log log) {
  Listener& listener = TheListener();
  {
    const std::scoped_lock lock(listener.mutex);
    listener.log = std::make_shared<const Log>(std::move(log));
  }
  google::protobuf::SetLogHandler(&TellOfProtobuf);
  gpr_set_log_function(&TellOfGrpc);
}

}  // namespace reprise::services
