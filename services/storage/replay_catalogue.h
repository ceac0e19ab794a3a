// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is known of the replays that a server keeps: what their files say, and
// what their tenants said about them. It is the catalogue of the store's
// folder, in which a tenant sees the replays that have a name of its own, and
// the tags that it gave. What isn't in the catalogue yet is read from its file.
//
// In the catalogue a tag of the tenant red is "red//tag", so `reprise store`
// shows whose it is; those of callers without a tenant are as they are.

#ifndef REPRISE_SERVICES_STORAGE_REPLAY_CATALOGUE_H_
#define REPRISE_SERVICES_STORAGE_REPLAY_CATALOGUE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/store/replay_store.h"
#include "replays/store/stored_file_index.h"
#include "replays/store/stored_replay.h"
#include "services/base/log_entry.h"
#include "services/base/tenant.h"
#include "services/storage/replay_store.h"
#include "sim/base/content_digest.h"
#include "sim/base/digest.h"

namespace reprise::services {

// Limits of what clients say.
inline constexpr size_t kReplayTagBytesMax = 63;
inline constexpr size_t kReplayTextBytesMax = 128;

// How many replays one request of a list looks at, at most.
inline constexpr size_t kReplaysLookedAtMax = 2000;

struct KnownReplay {
  std::string id;
  uint64_t size_bytes = 0;
  bool is_catalogued = false;
  bool is_readable = false;
  // Without digest, tags and times where it isn't catalogued, and empty where
  // its file can't be read. Tags are the tenant's.
  replays::StoredReplay replay;
};

// What is looked for: replays that are all of it.
struct ReplayQuery {
  replays::StoredReplayFilter filter;  // of tags, the tenant's
  std::string text;                    // in small letters
  bool is_empty() const;
  bool Matches(const KnownReplay& known) const;
};

// INVALID_ARGUMENT: `text` is too long.
absl::StatusOr<std::string> ParseReplayText(std::string_view text);

// Safe to use from any thread. UNAVAILABLE, where it is not named: the store's
// catalogue can't be used now; the operator is told why, and the client isn't.
class ReplayCatalogue {
 public:
  // Of the store's folder `store`. `replays` must remain live.
  ReplayCatalogue(std::string store, const ReplayStore* replays, Log log)
      : store_(std::move(store)),
        replays_(*replays),
        log_(std::move(log)),
        files_(store_) {}

  // Errors are ReplayStore::OpenReplay's: a catalogue that can't be used costs
  // what it says.
  absl::StatusOr<KnownReplay> Get(const Tenant& tenant,
                                  std::string_view id) const;

  // Calls `visit` with the tenant's replays that match, in descending order of
  // ids, from behind `page_token` on, until it says false, `page_size` were
  // visited or kReplaysLookedAtMax looked at. Returns the next page's token,
  // empty behind the last. INVALID_ARGUMENT: no page returned that token. Other
  // errors are ReplayStore::List's; UNAVAILABLE only where something is looked
  // for.
  absl::StatusOr<std::string> List(
      const Tenant& tenant, const ReplayQuery& query, int32_t page_size,
      std::string_view page_token,
      absl::FunctionRef<bool(const KnownReplay&)> visit) const;

  // Takes the tenant's replay away from it; its bytes stay where others have
  // them. Errors are OpenReplay's.
  absl::Status Delete(const Tenant& tenant, std::string_view id) const;

  // Errors are OpenReplay's; INVALID_ARGUMENT: not a tag of a client, or too
  // many; RESOURCE_EXHAUSTED: it would have too many.
  absl::StatusOr<KnownReplay> ChangeTags(
      const Tenant& tenant, std::string_view id,
      std::span<const std::string> added,
      std::span<const std::string> removed) const;

  // Whether the catalogue knows it, so that changing its tags takes no reading
  // of its file.
  bool IsCatalogued(const Tenant& tenant, std::string_view id) const;

  // Takes what has become a replay into the catalogue, if that can be now: it
  // reads all of the file, and nobody waits for that.
  void TakeIn(const Tenant& tenant, std::string_view id) const;

  // The tenant's replay with these bytes; empty: none that is catalogued.
  std::string FindId(const Tenant& tenant,
                     const sim::ContentDigest& digest) const;

 private:
  absl::StatusOr<std::unique_ptr<replays::ReplayStore>> Open() const;
  absl::Status Unavailable(const absl::Status& status) const;

  // REQUIRES of those: the caller holds mutex_.
  // `store` may be null.
  absl::StatusOr<KnownReplay> Describe(const Tenant& tenant,
                                       std::string_view id,
                                       const replays::ReplayStore* store) const;
  // The digest of the tenant's replay, which is taken in if it isn't yet.
  absl::StatusOr<sim::ContentDigest> DigestOf(
      const Tenant& tenant, std::string_view id,
      replays::ReplayStore& store) const;
  std::string FindIdLocked(const Tenant& tenant,
                           const sim::ContentDigest& digest) const;

  const std::string store_;
  const ReplayStore& replays_;
  const Log log_;

  mutable std::mutex mutex_;  // guards what follows
  mutable replays::StoredFileIndex files_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_REPLAY_CATALOGUE_H_
