// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The table of contents of a store of replays: rows that can be found by what
// was played, how it ended, how long it is, who built it and how it is tagged.
//
// Any database can be one. replays/store/catalogue_test.cc says what it has to
// do, and passes for SQLite and for a plain vector.

#ifndef REPRISE_REPLAYS_STORE_CATALOGUE_H_
#define REPRISE_REPLAYS_STORE_CATALOGUE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/store/stored_replay.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {

// The most that one page of a list holds.
inline constexpr size_t kCataloguePageMax = 1000;

// Each call happens as a whole or not at all, also where its process is killed,
// and is seen by every other process afterwards. Besides the errors named, all
// calls have UNAVAILABLE: the database can't be reached, or can't be written;
// and DATA_LOSS: it is damaged. Used by one thread at a time.
class Catalogue {
 public:
  // Where a page of a list begins: behind this replay.
  struct Place {
    absl::Time recorded_at;
    sim::ContentDigest digest;
  };

  virtual ~Catalogue() = default;

  // ALREADY_EXISTS: the catalogue has a replay with this digest.
  virtual absl::Status Insert(const StoredReplay& replay) = 0;

  // NOT_FOUND: the catalogue has no such replay.
  virtual absl::Status Erase(const sim::ContentDigest& digest) = 0;
  virtual absl::StatusOr<StoredReplay> Find(
      const sim::ContentDigest& digest) const = 0;

  // The replays whose digest, in hexadecimal, begins with `prefix`, at most
  // `limit`, ascending.
  virtual absl::StatusOr<std::vector<StoredReplay>> FindByPrefix(
      std::string_view prefix, size_t limit) const = 0;

  // A page of those that match, the last recorded first, then by digest.
  // REQUIRES: `limit` is 1 to kCataloguePageMax.
  virtual absl::StatusOr<std::vector<StoredReplay>> List(
      const StoredReplayFilter& filter, size_t limit,
      const std::optional<Place>& behind) const = 0;

  // Adds tags, and takes others away; those that are there, or aren't, already
  // are no error. NOT_FOUND: no such replay. RESOURCE_EXHAUSTED: it would have
  // more than kTagsMax. REQUIRES: they are tags.
  virtual absl::Status ChangeTags(const sim::ContentDigest& digest,
                                  std::span<const std::string> added,
                                  std::span<const std::string> removed) = 0;

  // Gives a replay another name. NOT_FOUND: no such replay.
  virtual absl::Status Rename(const sim::ContentDigest& digest,
                              std::string_view name) = 0;

  // DATA_LOSS says what is wrong within the database.
  virtual absl::Status CheckIntegrity() const = 0;
};

// Calls `visit` for all that match, in the order of List, until it returns an
// error, which is then the result.
template <typename Visit>
absl::Status ForEachStoredReplay(const Catalogue& catalogue,
                                 const StoredReplayFilter& filter,
                                 Visit visit) {
  std::optional<Catalogue::Place> behind;
  while (true) {
    const absl::StatusOr<std::vector<StoredReplay>> page =
        catalogue.List(filter, kCataloguePageMax, behind);
    if (!page.ok()) return page.status();
    for (const StoredReplay& replay : *page) {
      const absl::Status status = visit(replay);
      if (!status.ok()) return status;
    }
    if (page->size() < kCataloguePageMax) return absl::OkStatus();
    behind = {page->back().recorded_at, page->back().digest};
  }
}

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_CATALOGUE_H_
