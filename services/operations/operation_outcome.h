// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the end of a worker means for its operation.

#ifndef REPRISE_SERVICES_OPERATIONS_OPERATION_OUTCOME_H_
#define REPRISE_SERVICES_OPERATIONS_OPERATION_OUTCOME_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "reprise/v1/operation_service.pb.h"
#include "services/base/reason.h"
#include "services/operations/worker_process.h"

namespace reprise::services {

// How a process came to its end.
enum class WorkerEnding { kByItself, kCancelled, kTimedOut, kHung, kTooMuch };

struct OperationOutcome {
  absl::Status error;
  v1::Operation result;  // the parts that it decides
};

absl::Status WorkerError(absl::StatusCode code, Reason reason,
                         std::string_view sentence);

// REQUIRES: the worker has ended.
OperationOutcome JudgeWorker(v1::Operation::Kind kind,
                             const WorkerProcess& worker, WorkerEnding ending,
                             uint64_t result_bytes_max);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OPERATIONS_OPERATION_OUTCOME_H_
