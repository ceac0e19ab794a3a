// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/exit_code.h"

namespace reprise::tools {

ExitCode ExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return ExitCode::kOk;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kUnimplemented:
    // Limits are stated for what is read: a larger pack, more commands. What
    // can't be written is UNAVAILABLE.
    case absl::StatusCode::kResourceExhausted:
      return ExitCode::kBadInput;
    case absl::StatusCode::kNotFound:
      return ExitCode::kMissing;
    case absl::StatusCode::kInternal:
      return ExitCode::kCrashed;
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kAborted:
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kUnknown:
    default:
      return ExitCode::kInfrastructure;
  }
}

}  // namespace reprise::tools
