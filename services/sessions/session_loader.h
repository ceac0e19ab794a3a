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

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "replays/recording/resumed_recording.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/base/memory_budget.h"
#include "services/base/server_options.h"
#include "services/base/tenant.h"
#include "services/monitoring/phase_times.h"
#include "services/operations/pack_trial.h"
#include "services/sessions/labels.h"
#include "services/sessions/load_costs.h"
#include "services/sessions/session.h"
#include "services/stepping/lockstep_options.h"
#include "services/storage/followed_replay.h"
#include "services/storage/pack_catalog.h"
#include "services/storage/pack_pool.h"
#include "services/storage/recording.h"
#include "services/storage/replay_store.h"
#include "services/storage/uploaded_packs.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::services {

// Where a session leaves a replay.
struct BranchPoint {
  std::string replay_id;  // valid
  sim::Tick tick = 0;     // the first whose inputs are the session's
  bool follow = false;    // those are the replay's

  friend bool operator==(const BranchPoint&, const BranchPoint&) = default;
};

// Where a session leaves another one.
struct ForkPoint {
  std::string session_id;            // valid
  std::optional<uint64_t> snapshot;  // none: where it stands

  friend bool operator==(const ForkPoint&, const ForkPoint&) = default;
};

// What a client asks for.
struct SessionSpec {
  Tenant tenant;            // whose session it will be, and whose it builds on
  std::string pack;         // empty for a branch, which has its parent's
  std::string pack_digest;  // that the pack has to have; empty: whichever
  uint64_t seed = 0;        // 0 for a branch, likewise
  bool record = false;
  Labels labels;
  std::optional<BranchPoint> branch;
  std::optional<ForkPoint> fork;  // then there is neither pack nor branch
  std::optional<LockstepOptions> lockstep;  // none: one client steps it

  friend bool operator==(const SessionSpec&, const SessionSpec&) = default;
};

// What a request asks for. INVALID_ARGUMENT: its branch is of no replay's name,
// its session or snapshot is none's or of another session, or its labels or its
// lockstep are refused.
absl::StatusOr<SessionSpec> ParseSessionSpec(
    const Tenant& tenant, const v1::CreateSessionRequest& request);
absl::StatusOr<SessionSpec> ParseSessionSpec(
    const Tenant& tenant, const v1::ForkSessionRequest& request);

// A new simulation of `pack`, for clients. Errors are those of the options'
// factory, each with its reason.
absl::StatusOr<std::unique_ptr<sim::Simulation>> MakeSimulation(
    const ServerOptions& options, const sim::PackArchive& pack, uint64_t seed);

// Where simulations come from, and what they may take.
struct SessionSources {
  const PackCatalog* packs = nullptr;
  const ReplayStore* replays = nullptr;
  const UploadedPacks* uploads = nullptr;  // null: nobody brings any
  PackTrial* trial = nullptr;              // null: all packs are trusted
  MemoryBudget* budget = nullptr;          // null: there is no limit
  PhaseTimes* phase_times = nullptr;       // null: nobody counts them
};

// Safe to use from any thread.
class SessionLoader {
 public:
  // What `sources` points at must remain live while this loader is in use.
  SessionLoader(const SessionSources& sources, const ServerOptions& options)
      : sources_(sources),
        packs_(*sources.packs),
        replays_(*sources.replays),
        options_(options),
        costs_(sources.budget) {}

  // The run of session `id`, recorded if that is wanted. `is_cancelled` is
  // asked on the way to where a branch starts. INVALID_ARGUMENT: a branch with
  // a pack or a seed. FAILED_PRECONDITION: the pack has another digest.
  // RESOURCE_EXHAUSTED: the server hasn't got the memory. CANCELLED. What
  // strangers have brought is tried before: see PackTrial. Others: errors of
  // the catalogue, the simulation's factory, the store, and
  // replays::ResumedRecording. REQUIRES: `spec` is no fork.
  absl::StatusOr<RecordedRun> Load(const SessionSpec& spec, std::string_view id,
                                   replays::IsCancelled is_cancelled) const;

  // Goes on from `point`, recorded as `id`: a branch, whole in itself. The
  // recording, which is of `pack`, may be one that this server makes. Errors as
  // above.
  absl::StatusOr<RecordedRun> LoadPoint(
      const RecordedPoint& point, std::string_view id,
      std::shared_ptr<const sim::PackArchive> pack,
      replays::IsCancelled is_cancelled) const;

  // Completes `run`, which has a pack: a simulation of `seed` where it has
  // none, and a recording as the tenant's `replay_id` unless that is empty.
  // Errors as above.
  absl::Status Start(const Tenant& tenant, uint64_t seed,
                     std::string_view replay_id, RecordedRun& run) const;

  // The run that plays a replay from a tick on. Errors as of Load, of a branch.
  absl::StatusOr<RecordedRun> LoadFollowed(
      const Tenant& tenant, const BranchPoint& point,
      replays::IsCancelled is_cancelled) const;

  // Puts `run`, which is a copy of one that plays a replay, to another tick of
  // that. Errors likewise.
  absl::Status Seek(const Tenant& tenant, const BranchPoint& point,
                    replays::IsCancelled is_cancelled, RecordedRun& run) const;

  // Memory for what is about to be copied. RESOURCE_EXHAUSTED as above.
  absl::StatusOr<MemoryClaim> ClaimMemory(uint64_t bytes) const;

  // A simulation to look at, for clients. Errors as of MakeSimulation, and
  // RESOURCE_EXHAUSTED as above.
  absl::StatusOr<std::unique_ptr<sim::Simulation>> Make(
      const sim::PackArchive& pack) const;

  // The pack that is called so: the server's own, or else the tenant's, which
  // has to call itself so, too (INVALID_ARGUMENT).
  absl::StatusOr<sim::PackArchive> FindPack(
      const Tenant& tenant, std::string_view name, std::string_view digest,
      replays::IsCancelled is_cancelled) const;

 private:
  absl::StatusOr<std::unique_ptr<FollowedReplay>> OpenFollowed(
      const Tenant& tenant, const std::string& replay_id) const;
  absl::StatusOr<RecordedRun> LoadPack(const SessionSpec& spec,
                                       std::string_view id,
                                       replays::IsCancelled is_cancelled) const;
  absl::StatusOr<RecordedRun> LoadBranch(
      const Tenant& tenant, const BranchPoint& branch, bool record,
      std::string_view id, replays::IsCancelled is_cancelled) const;
  absl::StatusOr<RecordedRun> Resume(
      const Tenant& tenant, const replays::ReplayReader& parent,
      const BranchPoint& branch, bool record, std::string_view id,
      std::shared_ptr<const sim::PackArchive> pack,
      replays::IsCancelled is_cancelled) const;

  // The pack of the replay `id`: its own or, where it holds none, the one that
  // is called so.
  absl::StatusOr<sim::PackArchive> FindPackOf(
      const Tenant& tenant, const replays::ReplayReader& replay,
      std::string_view id, replays::IsCancelled is_cancelled) const;
  // What a pack calls itself that is well; empty: nobody knows. Errors are
  // PackTrial::Try's.
  absl::StatusOr<std::string> TryPack(const Tenant& tenant,
                                      const sim::PackArchive& pack,
                                      replays::IsCancelled is_cancelled) const;
  // Has `make` make what is of `pack`, with memory claimed for it, and returns
  // how much it took. An error of `make` is this one's.
  absl::StatusOr<uint64_t> MakeMeasured(
      const sim::PackArchive& pack,
      absl::FunctionRef<absl::Status()> make) const;

  const SessionSources sources_;
  const PackCatalog& packs_;
  const ReplayStore& replays_;
  const ServerOptions options_;
  mutable LoadCosts costs_;
  mutable PackPool pool_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_SESSION_LOADER_H_
