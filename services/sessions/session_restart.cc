// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/session_restart.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "services/base/memory_budget.h"
#include "services/base/resource_name.h"

namespace reprise::services {
namespace {

// Memory for a second state of the session, for as long as it has both. At
// most: pages are shared until somebody writes to them.
absl::StatusOr<MemoryClaim> ClaimCopy(const SessionLoader& loader,
                                      const Session& session) {
  return loader.ClaimMemory(session.Glance().state_bytes);
}

// To a tick of the replay that the session plays.
absl::StatusOr<std::optional<std::string>> SeekSession(
    const SessionLoader& loader, bool may_take_long, const ResetPoint& point,
    replays::IsCancelled is_cancelled, Session& session) {
  if (point.seed.has_value()) {
    return FollowError("a session that plays a replay has that one's seed");
  }
  if (!may_take_long) return std::nullopt;
  const BranchPoint there = {.replay_id = session.followed_replay_id(),
                             .tick = point.tick,
                             .follow = true};
  // A copy, so that it stands as it did after an error. One that can't go on
  // can't be copied.
  auto claim = ClaimCopy(loader, session);
  if (!claim.ok()) return claim.status();
  auto run = session.Fork(std::nullopt);
  if (run.ok()) {
    if (absl::Status sought =
            loader.Seek(session.tenant(), there, is_cancelled, *run);
        !sought.ok()) {
      return sought;
    }
  } else {
    claim->Release();  // what is loaded has a claim of its own
    run = loader.LoadFollowed(session.tenant(), there, is_cancelled);
    if (!run.ok()) return run.status();
  }
  return session.Replace(*std::move(run), /*replay_id=*/"");
}

}  // namespace

absl::StatusOr<std::optional<std::string>> ResetSession(
    const SessionLoader& loader, bool may_take_long, const ResetPoint& point,
    replays::IsCancelled is_cancelled, Session& session) {
  if (!session.followed_replay_id().empty()) {
    return SeekSession(loader, may_take_long, point, is_cancelled, session);
  }
  if (point.tick != 0) {
    return FollowError("only a session that plays a replay is put to a tick");
  }
  const std::optional<uint64_t> seed = point.seed;
  const auto reset = session.ResetInPlace(seed);
  if (!reset.ok()) return reset.status();
  if (*reset) return "";
  if (!may_take_long) return std::nullopt;

  const auto claim = ClaimCopy(loader, session);
  if (!claim.ok()) return claim.status();
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
