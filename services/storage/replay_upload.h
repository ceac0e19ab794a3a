// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Replays that clients send in pieces. An upload is known by whose it is and
// the digest and size of all its bytes, so whoever has these goes on with it.
// It is a file of the store that has no name yet; once all of it is there and
// was found right, it becomes a replay. One that nobody goes on with is dropped
// with its file, and what a killed server left of others, too.

#ifndef REPRISE_SERVICES_STORAGE_REPLAY_UPLOAD_H_
#define REPRISE_SERVICES_STORAGE_REPLAY_UPLOAD_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/store/store_files.h"
#include "services/base/clock.h"
#include "services/base/log_entry.h"
#include "services/base/server_options.h"
#include "services/base/tenant.h"
#include "services/storage/replay_store.h"
#include "sim/base/content_digest.h"

namespace reprise::services {

struct UploadKey {
  Tenant tenant;
  sim::ContentDigest digest;  // SHA-256
  uint64_t size_bytes = 0;

  friend auto operator<=>(const UploadKey&, const UploadKey&) = default;
};

// INVALID_ARGUMENT: no digest, or no size that a replay has.
absl::StatusOr<UploadKey> ParseUploadKey(const Tenant& tenant,
                                         std::string_view digest,
                                         uint64_t size_bytes);

class UploadSet;

// An upload while one stream sends it; others are kept off until it is
// destroyed. Used by one thread at a time.
class UploadLease {
 public:
  UploadLease() = default;
  UploadLease(UploadLease&& other) noexcept
      : set_(std::exchange(other.set_, nullptr)),
        key_(std::move(other.key_)),
        file_(std::exchange(other.file_, nullptr)) {}
  UploadLease& operator=(UploadLease&& other) noexcept;
  ~UploadLease() { Release(); }

  bool is_held() const { return set_ != nullptr; }
  const UploadKey& key() const { return key_; }
  uint64_t offset() const { return file_->size_bytes(); }
  bool is_whole() const { return offset() == key_.size_bytes; }

  // Adds a piece that lies at `offset`. OUT_OF_RANGE: that isn't where the
  // upload is, or the piece reaches past its size. What had arrived
  // is kept. UNAVAILABLE: the disk can't be written; it is dropped, and the
  // lease with it. REQUIRES: is_held().
  absl::Status Append(uint64_t offset, std::string_view data);

  // Gives it back; it can be gone on with.
  void Release();

 private:
  friend class UploadSet;

  using File = replays::StoreFiles::Incoming;

  UploadLease(UploadSet* set, UploadKey key, File* file)
      : set_(set), key_(std::move(key)), file_(file) {}

  UploadSet* set_ = nullptr;
  UploadKey key_;
  File* file_ = nullptr;  // the set's
};

// Safe to use from any thread.
class UploadSet {
 public:
  // In the store's folder `store`. `replays` must remain live.
  UploadSet(std::string store, const ReplayStore* replays,
            const UploadLimits& limits, Clock clock, Log log)
      : store_(std::move(store)),
        replays_(*replays),
        limits_(limits),
        clock_(std::move(clock)),
        log_(std::move(log)) {}

  // Removes what nobody writes any more.
  void RemoveAbandoned() const;

  // How much of it has arrived; 0 where there is none.
  uint64_t OffsetOf(const UploadKey& key) const;

  // Goes on with an upload, or begins it; where the tenant has as many as it
  // may, the one that was left longest by its stream is dropped for it.
  // ABORTED: somebody else sends it. RESOURCE_EXHAUSTED: it is too large, there
  // are too many, or there is no room. UNAVAILABLE: the disk can't be written.
  absl::StatusOr<UploadLease> Take(const UploadKey& key);

  // Makes a replay of it, and returns its id, or the one that `find_known` has
  // for its bytes already. INVALID_ARGUMENT: its bytes have
  // another digest, or are no replay. DATA_LOSS: the replay is damaged. Of
  // these it is dropped; UNAVAILABLE: the disk can't be read or written.
  // REQUIRES: it is held, of this set, and whole.
  absl::StatusOr<std::string> Finish(
      UploadLease lease,
      absl::FunctionRef<std::string(const sim::ContentDigest&)> find_known);

  // Drops those that nobody has gone on with since.
  void DropIdleSince(absl::Time time);

  size_t size() const;

 private:
  friend class UploadLease;

  struct Entry {
    uint64_t size_bytes() const {
      return file == nullptr ? 0 : file->size_bytes();
    }

    // Null: it is just begun.
    std::unique_ptr<replays::StoreFiles::Incoming> file;
    bool is_held = false;
    absl::Time last_activity;
  };
  // What all uploads have yet to write, and what the tenant's take.
  struct Demand {
    uint64_t store_bytes = 0;
    uint64_t tenant_bytes = 0;
  };

  void Return(const UploadKey& key);
  // Takes out what is dropped for another one of the tenant; nothing where that
  // has room, or a stream is at each. REQUIRES: the caller holds mutex_.
  std::map<UploadKey, Entry>::node_type ExtractLeftLocked(const Tenant& tenant);
  // Forgets it, and its file where that has no name.
  void Drop(UploadLease lease);
  absl::Status TooLargeError(const UploadKey& key) const;
  // REQUIRES: the caller holds mutex_.
  absl::StatusOr<Demand> CheckCountsLocked(const UploadKey& key) const;
  absl::StatusOr<std::unique_ptr<replays::StoreFiles::Incoming>> Begin(
      const UploadKey& key, const Demand& demand) const;
  // What the store has the bytes under, or would.
  absl::StatusOr<sim::ContentDigest> Identify(
      const replays::StoreFiles::Incoming& file) const;
  absl::Status Unavailable(const absl::Status& status) const;
  absl::Status Check(const UploadLease& lease) const;

  const std::string store_;
  const ReplayStore& replays_;
  const UploadLimits limits_;
  const Clock clock_;
  const Log log_;

  mutable std::mutex mutex_;  // guards what follows
  std::map<UploadKey, Entry> uploads_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_REPLAY_UPLOAD_H_
