// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What sessions refuse, whoever asks.

#ifndef REPRISE_SERVICES_SESSIONS_SESSION_ERRORS_H_
#define REPRISE_SERVICES_SESSIONS_SESSION_ERRORS_H_

#include <string_view>

#include "absl/status/status.h"

namespace reprise::services {

// NOT_FOUND: there is no session `id`, or it has ended.
absl::Status SessionNotFoundError(std::string_view id);

// FAILED_PRECONDITION: somebody else has session `id`, or several play it.
absl::Status SessionInUseError(std::string_view id, bool is_played);

// INVALID_ARGUMENT: what a session that plays a replay can't do, or only such
// one can.
absl::Status FollowError(std::string_view sentence);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_SESSION_ERRORS_H_
