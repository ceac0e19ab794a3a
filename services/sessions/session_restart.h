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
#include "sim/base/tick.h"

namespace reprise::services {

// Used by whoever has the session's lease. What both return is the id of the
// replay that the recording before has become, empty without; nullopt, and
// nothing changes, where `may_take_long` is false and it would. After an error
// the session stands as it did.

// Where a reset leads.
struct ResetPoint {
  std::optional<uint64_t> seed;  // none: the one that it has
  // Of a session that plays a replay; of others 0.
  sim::Tick tick = 0;
};

// RESOURCE_EXHAUSTED: the store is full, or the server hasn't got the memory
// for a second state. INVALID_ARGUMENT: a tick of a session that plays no
// replay, or another seed of one that does. Others: errors of the simulation's
// factory, of the recording and of SessionLoader::Seek.
absl::StatusOr<std::optional<std::string>> ResetSession(
    const SessionLoader& loader, bool may_take_long, const ResetPoint& point,
    replays::IsCancelled is_cancelled, Session& session);

// NOT_FOUND: no such snapshot. CANCELLED. Others as above, and of
// SessionLoader::LoadPoint.
absl::StatusOr<std::optional<std::string>> RestoreSession(
    const SessionLoader& loader, bool may_take_long, uint64_t snapshot,
    replays::IsCancelled is_cancelled, Session& session);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_SESSION_RESTART_H_
