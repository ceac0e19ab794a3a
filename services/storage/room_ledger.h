// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who has how much of the room that a store has, and each tenant in it: files,
// as they were looked at last, and recordings under way, which reserve theirs
// before they write it. No byte is given to two of them.

#ifndef REPRISE_SERVICES_STORAGE_ROOM_LEDGER_H_
#define REPRISE_SERVICES_STORAGE_ROOM_LEDGER_H_

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "services/base/tenant.h"

namespace reprise::services {

// A file, whatever its names are.
struct FileId {
  uint64_t device = 0;
  uint64_t number = 0;  // of its inode

  friend auto operator<=>(const FileId&, const FileId&) = default;
};

// Safe to use from any thread.
class RoomLedger {
 public:
  struct Limits {
    uint64_t store_bytes_max = 0;
    uint64_t tenant_bytes_max = 0;  // 0: as much as the store has
  };

  explicit RoomLedger(const Limits& limits) : limits_(limits) {}
  RoomLedger(const RoomLedger&) = delete;
  RoomLedger& operator=(const RoomLedger&) = delete;

  // What is reserved for one file, of which the ledger counts that and not its
  // size. Given back when it goes. Used by one thread at a time.
  class Reservation {
   public:
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;
    ~Reservation();

    uint64_t bytes() const { return bytes_; }

    // Has `bytes`, at least. RESOURCE_EXHAUSTED (STORE_FULL, QUOTA_REACHED):
    // they aren't there, and it has what it had.
    absl::Status GrowTo(uint64_t bytes);
    // The same of bytes that are there already, in the file or elsewhere,
    // whatever the limits are.
    void Count(uint64_t bytes);
    // Has no more than `bytes`.
    void ShrinkTo(uint64_t bytes);
    // The file is finished with so many bytes, which are a file's from now on.
    void Finish(uint64_t bytes);

   private:
    friend class RoomLedger;

    Reservation(RoomLedger* ledger, Tenant tenant, const FileId& file)
        : ledger_(*ledger), tenant_(std::move(tenant)), file_(file) {}

    RoomLedger& ledger_;
    const Tenant tenant_;
    const FileId file_;
    uint64_t bytes_ = 0;
    uint64_t finished_bytes_ = 0;
  };

  // Nothing yet, of a file of the tenant. The ledger must outlive it.
  std::unique_ptr<Reservation> Reserve(const Tenant& tenant,
                                       const FileId& file);

  // What somebody has to know who is about to look at the files.
  struct Look {
    // Those that reservations are of: what they hold is counted there, and not
    // to be counted again.
    std::set<FileId> reserved_files;
    // What has become of reservations so far.
    uint64_t finished_bytes = 0;
    std::map<Tenant, uint64_t> tenant_finished_bytes;
  };
  Look BeginLook() const;

  // Notes what all other files hold, and those of one tenant, as a look found
  // them. What has been finished since it began is added.
  void NoteFiles(const Look& look, uint64_t bytes);
  void NoteFilesOf(const Tenant& tenant, const Look& look, uint64_t bytes);

  // Whether there is any room for the store, or for the tenant in it, and so
  // many bytes of it. RESOURCE_EXHAUSTED: STORE_FULL, QUOTA_REACHED.
  absl::Status CheckStore(uint64_t bytes) const;
  absl::Status CheckTenant(const Tenant& tenant, uint64_t bytes) const;

 private:
  struct Share {
    uint64_t files_bytes = 0;
    uint64_t reserved_bytes = 0;
    uint64_t finished_bytes = 0;  // of all reservations that there were
  };

  // REQUIRES of those: the caller holds mutex_.
  absl::Status CheckStoreLocked(uint64_t bytes) const;
  absl::Status CheckTenantLocked(const Tenant& tenant, uint64_t bytes) const;
  void SetLocked(Reservation& reservation, uint64_t bytes);

  const Limits limits_;
  mutable std::mutex mutex_;  // guards what follows
  Share store_;
  std::map<Tenant, Share> tenants_;
  std::set<FileId> reserved_files_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_ROOM_LEDGER_H_
