// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/session_restart.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "services/base/resource_name.h"

namespace reprise::services {

absl::StatusOr<std::optional<std::string>> ResetSession(
    const SessionLoader& loader, bool may_take_long,
    std::optional<uint64_t> seed, Session& session) {
  const auto reset = session.ResetInPlace(seed);
  if (!reset.ok()) return reset.status();
  if (*reset) return "";
  if (!may_take_long) return std::nullopt;

  auto run = session.StartAgain(seed);
  if (!run.ok()) return run.status();
  std::string replay_id = NewId(absl::Now());
  if (absl::Status started =
          loader.Start(session.tenant(), seed.value_or(session.seed()),
                       session.is_recorded() ? replay_id : "", *run);
      !started.ok()) {
    return started;
  }
  return session.Replace(*std::move(run), std::move(replay_id));
}

absl::StatusOr<std::optional<std::string>> RestoreSession(
    const SessionLoader& loader, bool may_take_long, uint64_t snapshot,
    replays::IsCancelled is_cancelled, Session& session) {
  const auto restored = session.RestoreInPlace(snapshot);
  if (!restored.ok()) return restored.status();
  if (*restored) return "";
  if (!may_take_long) return std::nullopt;

  const auto point = session.FlushTo(snapshot);
  if (!point.ok()) return point.status();
  std::string replay_id = NewId(absl::Now());
  auto run = loader.LoadPoint(*point, replay_id, session.pack(), is_cancelled);
  if (!run.ok()) return run.status();
  return session.Replace(*std::move(run), std::move(replay_id));
}

}  // namespace reprise::services
