// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/playing/kept_simulations.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "replays/format/replay_metadata.h"
#include "replays/playing/replay_player.h"
#include "sim/base/check.h"

namespace reprise::replays {

KeptSimulations::KeptSimulations(size_t kept_max) : kept_max_(kept_max) {
  CHECK(kept_max > 0);
}

absl::StatusOr<std::unique_ptr<sim::Simulation>> KeptSimulations::Create(
    const ReplayReader& replay, const sim::PackArchive* pack) {
  std::optional<sim::PackArchive> inside;
  if (pack == nullptr) {
    absl::StatusOr<sim::PackArchive> recorded = replay.ReadPack();
    // It knows what to say of one that isn't there.
    if (!recorded.ok()) return CreateRecordedSimulation(replay);
    inside = *std::move(recorded);
    pack = &*inside;
  }
  const ReplayMetadata& metadata = replay.metadata();
  if (!metadata.plugin.empty()) return CreateAnew(replay, *pack);
  Kept& kept = FindOrAdd({.simulation = metadata.simulation,
                          .pack = pack->ComputeDigest(),
                          .seed = metadata.seed});
  if (kept.start != nullptr) return kept.start->Fork();
  if (!std::exchange(kept.was_asked_for, true)) {
    return CreateAnew(replay, *pack);
  }
  absl::StatusOr<std::unique_ptr<sim::Simulation>> made =
      CreateAnew(replay, *pack);
  if (!made.ok()) return made.status();
  // What it tells before its first tick, a fork of it wouldn't tell.
  if (!(*made)->DrainEvents().empty()) return CreateAnew(replay, *pack);
  kept.start = *std::move(made);
  return kept.start->Fork();
}

KeptSimulations::Kept& KeptSimulations::FindOrAdd(Kept wanted) {
  const auto found = std::ranges::find_if(kept_, [&wanted](const Kept& kept) {
    return kept.simulation == wanted.simulation && kept.pack == wanted.pack &&
           kept.seed == wanted.seed;
  });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
  } else {
    kept_.push_front(std::move(wanted));
    if (kept_.size() > kept_max_) kept_.pop_back();
  }
  return kept_.front();
}

absl::StatusOr<std::unique_ptr<sim::Simulation>> KeptSimulations::CreateAnew(
    const ReplayReader& replay, const sim::PackArchive& pack) {
  ++created_;
  return CreateRecordedSimulation(replay, &pack);
}

}  // namespace reprise::replays
