// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What workers print, as clients are told of it. A worker plays packs of
// strangers, so nothing of what it says is believed to be well formed.

#ifndef REPRISE_SERVICES_OPERATIONS_WORKER_REPORT_H_
#define REPRISE_SERVICES_OPERATIONS_WORKER_REPORT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "reprise/v1/operation_service.pb.h"

namespace reprise::services {

// What `reprise verify --format json` of one replay prints. INTERNAL: it isn't
// that.
absl::StatusOr<v1::Verification> ParseVerification(std::string_view text);

// What `reprise diff --format json` prints. INTERNAL: it isn't that.
absl::StatusOr<v1::Comparison> ParseComparison(std::string_view text);

// What follows "error: " in the last line that begins so, and in those behind
// it up to the next label; empty without one.
std::string ErrorIn(std::string_view text);

// What follows "note: " and "warning: ", 16 lines at most.
std::vector<std::string> NotesIn(std::string_view text);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OPERATIONS_WORKER_REPORT_H_
