// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What protobuf and gRPC have to say goes where the server tells its operator,
// as lines like all others, and no more than one a second of each: clients can
// make them speak as often as they like.

#ifndef REPRISE_SERVICES_BASE_LIBRARY_LOG_H_
#define REPRISE_SERVICES_BASE_LIBRARY_LOG_H_

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "services/base/log_entry.h"

namespace reprise::services {

// One entry a second, which says how many were left out before it. Safe to use
// from any thread.
class LimitedLog {
 public:
  explicit LimitedLog(std::string library) : library_(std::move(library)) {}

  // What is to be told of `message` at `now`; nullopt: nothing, yet.
  std::optional<LogEntry> Limit(LogEntry::Severity severity,
                                std::string_view message, absl::Time now);

 private:
  const std::string library_;

  std::mutex mutex_;  // guards what follows
  absl::Time last_ = absl::InfinitePast();
  uint64_t left_out_ = 0;
};

// Has both libraries speak to `log` from now on, of the whole process. The last
// one that was given is spoken to.
void TakeLibraryLogs(Log log);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_LIBRARY_LOG_H_
