// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/session_errors.h"

#include <string>

#include "fmt/format.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"

namespace reprise::services {

absl::Status SessionNotFoundError(std::string_view id) {
  return WithReason(
      absl::NotFoundError(fmt::format("there is no session '{}'", id)),
      "SESSION_NOT_FOUND", {{"session", MakeName(kSessions, id)}});
}

absl::Status SessionInUseError(std::string_view id, bool is_played) {
  return WithReason(
      absl::FailedPreconditionError(
          is_played ? fmt::format("session '{}' is being played", id)
                    : fmt::format("somebody is stepping session '{}'", id)),
      "SESSION_IN_USE", {{"session", MakeName(kSessions, id)}});
}

absl::Status FollowError(std::string_view sentence) {
  return WithReason(absl::InvalidArgumentError(std::string(sentence)),
                    "FOLLOW_REFUSED");
}

}  // namespace reprise::services
