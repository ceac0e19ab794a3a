// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Errors on their way out of the server. Every error that a client sees comes
// from ToGrpcStatus or ToStepError and carries a reason that stays the same
// for the same error.

#ifndef REPRISE_SERVICES_BASE_STATUS_H_
#define REPRISE_SERVICES_BASE_STATUS_H_

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/support/status.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/base/reason.h"

namespace reprise::services {

// The domain of every reason.
inline constexpr std::string_view kErrorDomain = "reprise";

// Longer texts are cut. gRPC sends a message twice in the trailing headers,
// with up to three bytes for one and in base64, and its peers refuse more than
// 8 KiB of headers.
inline constexpr size_t kErrorMessageBytesMax = 1500;
inline constexpr size_t kErrorMetadataBytesMax = 100;

// Returns `status` with the detail google.rpc.ErrorInfo, in place of one it
// may have. `metadata` names what the error is about. REQUIRES: `status` is an
// error.
absl::Status WithReason(
    absl::Status status, Reason reason,
    std::initializer_list<std::pair<std::string_view, std::string_view>>
        metadata = {});

// Returns `status` with the detail google.rpc.RetryInfo. REQUIRES: `status` is
// an error.
absl::Status WithRetryDelay(absl::Status status, absl::Duration delay);

// A part of what came from outside that is wrong.
struct Violation {
  std::string field;  // where: "pack.txtpb:12"
  std::string description;
};

// As many as fit: with these a message is shorter, so that all of it stays
// below what headers may have.
inline constexpr size_t kViolationsMax = 64;
inline constexpr size_t kViolationsBytesMax = 3000;
inline constexpr size_t kViolationBytesMax = 400;
inline constexpr size_t kViolatedMessageBytesMax = 500;

// Returns `status` with the detail google.rpc.BadRequest of the first of them;
// as it is where there are none. REQUIRES: `status` is an error.
absl::Status WithViolations(absl::Status status,
                            std::span<const Violation> violations);

// RESOURCE_EXHAUSTED: the work queue is full.
absl::Status BusyError();

// UNAVAILABLE: the server takes nothing new any more.
absl::Status StoppingError();

// CANCELLED: the client has gone or its deadline has passed, so that nobody
// will read this.
absl::Status CancelledError();

// The reason that WithReason gave; the name of the code, such as "NOT_FOUND",
// where it gave none; empty for OK.
std::string ReasonOf(const absl::Status& status);

// The status as google.rpc has it: code, message, exactly one ErrorInfo and at
// most one RetryInfo and one BadRequest. The message is valid UTF-8 whatever
// `status` holds. REQUIRES: `status` is an error.
google::rpc::Status ToRpcStatus(const absl::Status& status);

// The error of which ToRpcStatus made `details`. REQUIRES: they are of one.
absl::Status FromRpcStatus(const google::rpc::Status& details);

// The status as gRPC sends it, with ToRpcStatus as its details.
grpc::Status ToGrpcStatus(const absl::Status& status);

// The status as an item of a stream. REQUIRES: `status` is an error.
v1::StepError ToStepError(const absl::Status& status);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_STATUS_H_
