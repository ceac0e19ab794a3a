// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The catalogue of a store in one SQLite file. Several processes of one machine
// may use it at once; README.md shows its tables.

#ifndef REPRISE_REPLAYS_STORE_SQLITE_CATALOGUE_H_
#define REPRISE_REPLAYS_STORE_SQLITE_CATALOGUE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/store/catalogue.h"
#include "replays/store/sqlite_connection.h"
#include "replays/store/stored_replay.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {

// The version of the tables that this build makes. It takes over older ones.
inline constexpr int kSqliteCatalogueVersion = 2;

class SqliteCatalogue final : public Catalogue {
 public:
  // Makes the tables where the file at `path` is missing or empty. Waits for
  // others as long as SqliteConnection::Open. INVALID_ARGUMENT: a database, but
  // no catalogue. UNIMPLEMENTED: of a later version than this build's.
  // DATA_LOSS: it lacks what a catalogue has. None changes the file.
  static absl::StatusOr<std::unique_ptr<Catalogue>> Open(
      const std::string& path, absl::Duration wait_max = absl::Seconds(10));

  absl::Status Insert(const StoredReplay& replay) override;
  absl::Status Erase(const sim::ContentDigest& digest) override;
  absl::StatusOr<StoredReplay> Find(
      const sim::ContentDigest& digest) const override;
  absl::StatusOr<std::vector<StoredReplay>> FindByPrefix(
      std::string_view prefix, size_t limit) const override;
  absl::StatusOr<std::vector<StoredReplay>> List(
      const StoredReplayFilter& filter, size_t limit,
      const std::optional<Place>& behind) const override;
  absl::Status ChangeTags(const sim::ContentDigest& digest,
                          std::span<const std::string> added,
                          std::span<const std::string> removed) override;
  absl::Status Rename(const sim::ContentDigest& digest,
                      std::string_view name) override;
  absl::Status CheckIntegrity() const override;

 private:
  explicit SqliteCatalogue(SqliteConnection connection)
      : connection_(std::move(connection)) {}

  // Runs a statement whose rows are replays, and reads them with their tags.
  absl::StatusOr<std::vector<StoredReplay>> ReadReplays(
      SqliteStatement& statement) const;
  absl::Status ReadTags(std::string_view digest,
                        std::vector<std::string>& tags) const;
  absl::Status InsertTags(std::string_view digest,
                          std::span<const std::string> tags) const;

  const SqliteConnection connection_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_SQLITE_CATALOGUE_H_
