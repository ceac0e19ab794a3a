// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Replays as clients are told of them, and as they ask for them.

#ifndef REPRISE_SERVICES_STORAGE_REPLAY_MESSAGE_H_
#define REPRISE_SERVICES_STORAGE_REPLAY_MESSAGE_H_

#include "absl/status/statusor.h"
#include "reprise/v1/replay_service.pb.h"
#include "services/storage/replay_catalogue.h"

namespace reprise::services {

v1::Replay ToMessage(const KnownReplay& known);

// INVALID_ARGUMENT: no such outcome, too many tags, or a text that is too long.
absl::StatusOr<ReplayQuery> ParseReplayQuery(
    const v1::ListReplaysRequest& request);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_REPLAY_MESSAGE_H_
