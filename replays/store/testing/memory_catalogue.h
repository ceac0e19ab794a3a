// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A catalogue in a plain vector: the least that a database has to do.

#ifndef REPRISE_REPLAYS_STORE_TESTING_MEMORY_CATALOGUE_H_
#define REPRISE_REPLAYS_STORE_TESTING_MEMORY_CATALOGUE_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "replays/store/catalogue.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {

class MemoryCatalogue final : public Catalogue {
 public:
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
  absl::Status CheckIntegrity() const override { return absl::OkStatus(); }

 private:
  std::vector<StoredReplay> replays_;  // in the order of List
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_TESTING_MEMORY_CATALOGUE_H_
