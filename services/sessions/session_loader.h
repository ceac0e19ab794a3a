// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a session's simulation comes about: from a pack at tick 0, or from a
// replay at any of its ticks.

#ifndef REPRISE_SERVICES_SESSIONS_SESSION_LOADER_H_
#define REPRISE_SERVICES_SESSIONS_SESSION_LOADER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "replays/recording/resumed_recording.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/base/server_options.h"
#include "services/storage/pack_catalog.h"
#include "services/storage/recording.h"
#include "services/storage/replay_store.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::services {

// Where a session leaves a replay.
struct BranchPoint {
  std::string replay_id;  // valid
  sim::Tick tick = 0;     // the first whose inputs are the session's

  friend bool operator==(const BranchPoint&, const BranchPoint&) = default;
};

// What a client asks for.
struct SessionSpec {
  std::string pack;   // empty for a branch, which has its parent's
  uint64_t seed = 0;  // 0 for a branch, likewise
  bool record = false;
  std::optional<BranchPoint> branch;

  friend bool operator==(const SessionSpec&, const SessionSpec&) = default;
};

// What a request asks for. INVALID_ARGUMENT: its branch is of no replay's name.
absl::StatusOr<SessionSpec> ParseSessionSpec(
    const v1::CreateSessionRequest& request);

// A new simulation of `pack`, for clients. Errors are those of the options'
// factory, each with its reason.
absl::StatusOr<std::unique_ptr<sim::Simulation>> MakeSimulation(
    const ServerOptions& options, const sim::PackArchive& pack, uint64_t seed);

// Safe to use from any thread.
class SessionLoader {
 public:
  // `packs` and `replays` must remain live while this loader is in use.
  SessionLoader(const PackCatalog* packs, const ReplayStore* replays,
                const ServerOptions& options)
      : packs_(*packs), replays_(*replays), options_(options) {}

  // The run of session `id`, recorded if that is wanted. `is_cancelled` is
  // asked on the way to where a branch starts. INVALID_ARGUMENT: a branch with
  // a pack or a seed. CANCELLED. Others: errors of the catalogue, the
  // simulation's factory, the store, and replays::ResumedRecording.
  absl::StatusOr<RecordedRun> Load(const SessionSpec& spec, std::string_view id,
                                   replays::IsCancelled is_cancelled) const;

 private:
  absl::StatusOr<RecordedRun> LoadPack(const SessionSpec& spec,
                                       std::string_view id) const;
  absl::StatusOr<RecordedRun> LoadBranch(
      const BranchPoint& branch, bool record, std::string_view id,
      replays::IsCancelled is_cancelled) const;

  // The catalogue's pack for a replay that holds none; nullopt for one that
  // does.
  absl::StatusOr<std::optional<sim::PackArchive>> FindMissingPack(
      const replays::ReplayReader& replay) const;

  const PackCatalog& packs_;
  const ReplayStore& replays_;
  const ServerOptions options_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_SESSION_LOADER_H_
