// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/claims/export_check.h"

#include <memory>

#include "replays/playing/replay_player.h"

namespace reprise::replays {

absl::StatusOr<ExportCheck> CheckExport(const ExportClaims& claims,
                                        const ReplayReader& replay,
                                        const sim::PackArchive* pack) {
  absl::StatusOr<std::unique_ptr<ReplayPlayer>> player =
      ReplayPlayer::Create(&replay, pack);
  if (!player.ok()) return player.status();
  ExportCheck check;
  for (const auto& [tick, shown] : claims.states) {
    const absl::Status status = (*player)->SeekTo(tick);
    if (!status.ok()) return replay.file().Named(status);
    const sim::Digest played =
        (*player)->simulation().state().ComputeRootDigest();
    if (played != shown) {
      check.difference = {.tick = tick, .shown = shown, .played = played};
      return check;
    }
    ++check.states_checked;
  }
  return check;
}

}  // namespace reprise::replays
