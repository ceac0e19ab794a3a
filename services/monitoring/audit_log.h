// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who did what: a file to which a line is added for each call that changes
// something or takes something out, and for each that wasn't let in. Lines are
// never changed; where one can't be written, the operator is told, and calls go
// on.

#ifndef REPRISE_SERVICES_MONITORING_AUDIT_LOG_H_
#define REPRISE_SERVICES_MONITORING_AUDIT_LOG_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "services/base/log_entry.h"
#include "services/base/tenant.h"

namespace reprise::services {

struct AuditRecord {
  std::string token;  // its name; empty: none, or none that is known
  Tenant tenant;
  std::string peer;  // the address, as gRPC writes it
  std::string call;
  std::string resource;  // what it was about, as far as it is known
  absl::Status result;
  std::string trace_id;
};

// The record as a JSON object in a line, without its end.
std::string FormatAuditLine(const AuditRecord& record, absl::Time now);

// Safe to use from any thread.
class AuditLog {
 public:
  // Adds to the file `path`, which is made if need be, readable by its owner
  // and the group. UNAVAILABLE: it can't be opened. `log` hears of lines that
  // can't be written, once until they can be again.
  static absl::StatusOr<std::unique_ptr<AuditLog>> Open(std::string path,
                                                        Log log);

  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;
  ~AuditLog();

  // Adds a line. It is the system's when this returns: a killed server has it,
  // a machine that loses power may not.
  void Add(const AuditRecord& record);

  // Goes on in a new file where the one it has was moved away or removed.
  void Reopen();

  // That couldn't be written.
  uint64_t lines_lost() const;

 private:
  AuditLog(std::string path, Log log, int descriptor);

  // REQUIRES: the caller holds mutex_.
  void AddLocked(std::string line);
  void TellLocked(const std::string& problem);

  const std::string path_;
  const Log log_;

  mutable std::mutex mutex_;  // guards what follows
  int descriptor_;
  std::string reopen_problem_;  // that was told last
  // The last line was begun and not ended.
  bool is_line_broken_ = false;
  uint64_t lines_lost_ = 0;
  uint64_t lost_in_row_ = 0;  // since the last line that was written
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_MONITORING_AUDIT_LOG_H_
