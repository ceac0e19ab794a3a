// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Holds what an export says of itself against the replay that it names.

#ifndef REPRISE_REPLAYS_CLAIMS_EXPORT_CHECK_H_
#define REPRISE_REPLAYS_CLAIMS_EXPORT_CHECK_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "replays/claims/export_claims.h"
#include "replays/format/replay_reader.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"

namespace reprise::replays {

// The first state that isn't what the export says it is.
struct ExportDifference {
  sim::Tick tick = 0;
  sim::Digest shown;   // as the export says
  sim::Digest played;  // as it is
};

struct ExportCheck {
  uint64_t states_checked = 0;  // that are as they should be
  std::optional<ExportDifference> difference;
};

// Plays the replay, on `pack` if it isn't null, to each tick of the claims and
// compares digests; stops at the first that differs. OUT_OF_RANGE: the export
// shows a tick that the replay doesn't have. Other errors are those of playing.
absl::StatusOr<ExportCheck> CheckExport(const ExportClaims& claims,
                                        const ReplayReader& replay,
                                        const sim::PackArchive* pack = nullptr);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CLAIMS_EXPORT_CHECK_H_
