// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Puts sessions back: to tick 0, or to one of their snapshots. One that isn't
// recorded takes the time of a copy of its state. A recording holds one run
// from its beginning, so that it always verifies: putting a session back
// finishes it, and begins another one that is whole in itself.

#ifndef REPRISE_SERVICES_SESSIONS_SESSION_RESTART_H_
#define REPRISE_SERVICES_SESSIONS_SESSION_RESTART_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "replays/recording/resumed_recording.h"
#include "services/sessions/session.h"
#include "services/sessions/session_loader.h"

namespace reprise::services {

// Used by whoever has the session's lease. What both return is the id of the
// replay that the recording before has become, empty without; nullopt, and
// nothing changes, where `may_take_long` is false and it would. After an error
// the session stands as it did.

// RESOURCE_EXHAUSTED: the store is full. Others: errors of the simulation's
// factory and of the recording.
absl::StatusOr<std::optional<std::string>> ResetSession(
    const SessionLoader& loader, bool may_take_long,
    std::optional<uint64_t> seed, Session& session);

// NOT_FOUND: no such snapshot. CANCELLED. Others as above, and of
// SessionLoader::LoadPoint.
absl::StatusOr<std::optional<std::string>> RestoreSession(
    const SessionLoader& loader, bool may_take_long, uint64_t snapshot,
    replays::IsCancelled is_cancelled, Session& session);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_SESSION_RESTART_H_
