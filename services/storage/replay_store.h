// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The replays that a server keeps: one file each, `replays/<id>.mcap` below the
// store's folder, `replays/<tenant>/<id>.mcap` where it is a tenant's with a
// name. A file with that name is a finished replay and never changes. The
// folder is a store of replays::ReplayStore, too: TakeIn puts what is finished
// into its catalogue, and what is removed there is gone here. Recording,
// listing and opening need no catalogue.
//
// Recordings that a killed server left unfinished are `<id>.mcap.partial`: not
// listed, and never deleted before RecoverUnfinished has made replays of them.

#ifndef REPRISE_SERVICES_STORAGE_REPLAY_STORE_H_
#define REPRISE_SERVICES_STORAGE_REPLAY_STORE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "replays/recording/resumed_recording.h"
#include "services/base/server_options.h"
#include "services/base/tenant.h"
#include "services/storage/disk_writers.h"
#include "services/storage/growing_file.h"
#include "services/storage/recording.h"
#include "services/storage/replay_ids.h"
#include "services/storage/room_ledger.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::services {

// The most that a page of the list holds.
inline constexpr size_t kReplaysPerPageMax = 1000;

// Safe for concurrent access without external synchronization.
class ReplayStore {
 public:
  // Makes the folder where it is missing. Errors name the path.
  static absl::StatusOr<std::unique_ptr<ReplayStore>> Open(
      const std::string& folder, const RecordingOptions& options);

  // Starts to record `simulation` as the tenant's replay `id`; see
  // Recording::Start. The store must outlive it, and has threads that write
  // it. It reserves room ahead of what it writes. RESOURCE_EXHAUSTED: there is
  // none, of the store, of the tenant or of the disk. REQUIRES:
  // IsValidId(id).
  absl::StatusOr<std::unique_ptr<Recording>> Record(
      const Tenant& tenant, std::string_view id, sim::Simulation* simulation,
      const sim::PackArchive& pack) const;

  // Starts the tenant's replay `id` as a branch of `parent`, its replay
  // `parent_id`; see Recording::Branch. RESOURCE_EXHAUSTED and REQUIRES as
  // above.
  absl::StatusOr<RecordedRun> RecordBranch(
      const Tenant& tenant, std::string_view id,
      const replays::ReplayReader& parent, std::string_view parent_id,
      sim::Tick tick, const sim::PackArchive* pack,
      replays::IsCancelled is_cancelled) const;

  // Makes replays of the recordings that a killed server left unfinished; see
  // RecoverRecording. Says of each, in a sentence, what became of it: one that
  // can't be recovered stays, and keeps none of the others from being it.
  void RecoverUnfinished(
      absl::FunctionRef<void(std::string_view)> report) const;

  // Takes finished recordings into the store, where `reprise store` finds them,
  // until there are none or `is_cancelled` says so. One that can't be is told
  // once, and not tried again unless the store was to blame. Waits a second for
  // others at most. Called by one thread at a time.
  void TakeIn(absl::Time now, replays::IsCancelled is_cancelled,
              absl::FunctionRef<void(std::string_view)> report);

  struct Entry {
    std::string id;
    uint64_t size_bytes = 0;
  };
  struct Page {
    std::vector<Entry> replays;
    std::string next_page_token;  // empty on the last page
  };

  // The tenant's finished replays in descending order of ids, so those begun
  // last come first. Names are read where the folder has changed since the last
  // list, sizes of one page. `page_size` 0 or above kReplaysPerPageMax is taken
  // as that. INVALID_ARGUMENT: it is negative, or the token isn't one.
  absl::StatusOr<Page> List(const Tenant& tenant, int32_t page_size,
                            std::string_view page_token) const;

  // The bytes of all that is in the store, looked up now, which takes as long
  // as there are files; and as they were looked up last. What recordings have
  // reserved ahead isn't among them.
  uint64_t MeasureBytes() const;
  uint64_t bytes() const { return bytes_; }

  // The bytes of a finished replay. NOT_FOUND: the tenant has none.
  // FAILED_PRECONDITION: it is unfinished. REQUIRES: IsValidId(id).
  absl::StatusOr<std::unique_ptr<replays::ByteSource>> OpenReplay(
      const Tenant& tenant, std::string_view id) const;

  // Whether the tenant's replay `id` is being recorded, or was left so.
  // REQUIRES: IsValidId(id).
  bool IsUnfinished(const Tenant& tenant, std::string_view id) const;

  // The bytes of a replay as far as they were written, and whether more come:
  // of one that is being recorded. One that has broken off ends with DATA_LOSS.
  // NOT_FOUND and REQUIRES as above.
  absl::StatusOr<GrowingFile> Look(const Tenant& tenant,
                                   std::string_view id) const;

  // The bytes of a recording that this process makes, as far as it was
  // flushed, or of the replay that came of it. NOT_FOUND and REQUIRES as above.
  absl::StatusOr<std::unique_ptr<replays::ByteSource>> OpenUnfinished(
      const Tenant& tenant, std::string_view id) const;

  // RESOURCE_EXHAUSTED: the store holds as much as it may, or would with so
  // many bytes more. What recordings have reserved counts as held.
  absl::Status CheckRoom(uint64_t bytes) const;
  // Makes the tenant's folder where it is missing. RESOURCE_EXHAUSTED: the
  // store, or the tenant in it, holds as much as it may, or would with so many
  // bytes more.
  absl::Status MakeRoom(const Tenant& tenant, uint64_t store_bytes = 0,
                        uint64_t tenant_bytes = 0) const;

  // Where the tenant's replay is, or would be. REQUIRES: IsValidId(id).
  std::string PathOf(const Tenant& tenant, std::string_view id) const;

 private:
  ReplayStore(std::string store, const RecordingOptions& options);

  // All whose folders there are.
  absl::StatusOr<std::vector<Tenant>> ListTenants() const;

  std::string FolderOf(const Tenant& tenant) const;
  // Looks again at what a tenant has.
  void MeasureTenant(const Tenant& tenant) const;
  // Has a recording that was begun at PathOf(tenant, id) reserve its room.
  // RESOURCE_EXHAUSTED: there is none for its first tick.
  absl::Status ReserveRoom(const Tenant& tenant, std::string_view id,
                           Recording& recording) const;

  const std::string store_;   // its folder
  const std::string folder_;  // of the replays in it
  const RecordingOptions options_;
  const std::unique_ptr<RoomLedger> ledger_;
  const std::unique_ptr<ReplayIds> ids_;
  mutable std::atomic<uint64_t> bytes_ = 0;
  std::set<std::string> refused_;  // what TakeIn doesn't try again
  std::string trouble_;            // what it told last of the store
  // Goes first: what it has left to do uses the others.
  const std::unique_ptr<DiskWriters> writers_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_REPLAY_STORE_H_
