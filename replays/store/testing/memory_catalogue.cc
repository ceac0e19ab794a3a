// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/testing/memory_catalogue.h"
#include "sim/base/content_digest.h"

#include <algorithm>
#include <utility>

namespace reprise::replays {
namespace {

bool IsBefore(const Catalogue::Place& a, const Catalogue::Place& b) {
  return a.recorded_at != b.recorded_at ? a.recorded_at > b.recorded_at
                                        : a.digest < b.digest;
}

Catalogue::Place PlaceOf(const StoredReplay& replay) {
  return {replay.recorded_at, replay.digest};
}

}  // namespace

absl::Status MemoryCatalogue::Insert(const StoredReplay& replay) {
  if (Find(replay.digest).ok()) return absl::AlreadyExistsError("replay");
  const auto place =
      std::ranges::find_if(replays_, [&replay](const StoredReplay& other) {
        return IsBefore(PlaceOf(replay), PlaceOf(other));
      });
  replays_.insert(place, replay);
  return absl::OkStatus();
}

absl::Status MemoryCatalogue::Erase(const sim::ContentDigest& digest) {
  const size_t erased = std::erase_if(replays_, [&digest](const auto& replay) {
    return replay.digest == digest;
  });
  return erased == 1 ? absl::OkStatus() : absl::NotFoundError("replay");
}

absl::StatusOr<StoredReplay> MemoryCatalogue::Find(
    const sim::ContentDigest& digest) const {
  const auto found = std::ranges::find(replays_, digest, &StoredReplay::digest);
  if (found == replays_.end()) return absl::NotFoundError("replay");
  return *found;
}

absl::StatusOr<std::vector<StoredReplay>> MemoryCatalogue::FindByPrefix(
    std::string_view prefix, size_t limit) const {
  std::vector<StoredReplay> found;
  std::ranges::copy_if(
      replays_, std::back_inserter(found),
      [prefix](const StoredReplay& replay) {
        return sim::FormatDigest(replay.digest).starts_with(prefix);
      });
  std::ranges::sort(found, {}, &StoredReplay::digest);
  if (found.size() > limit) found.resize(limit);
  return found;
}

absl::StatusOr<std::vector<StoredReplay>> MemoryCatalogue::List(
    const StoredReplayFilter& filter, size_t limit,
    const std::optional<Place>& behind) const {
  std::vector<StoredReplay> page;
  for (const StoredReplay& replay : replays_) {
    if (behind.has_value() && !IsBefore(*behind, PlaceOf(replay))) continue;
    if (filter.Matches(replay)) page.push_back(replay);
    if (page.size() == limit) break;
  }
  return page;
}

absl::Status MemoryCatalogue::ChangeTags(const sim::ContentDigest& digest,
                                         std::span<const std::string> added,
                                         std::span<const std::string> removed) {
  const auto found = std::ranges::find(replays_, digest, &StoredReplay::digest);
  if (found == replays_.end()) return absl::NotFoundError("replay");
  std::vector<std::string> tags = found->tags;
  for (const std::string& tag : removed) std::erase(tags, tag);
  tags.insert(tags.end(), added.begin(), added.end());
  std::ranges::sort(tags);
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  if (tags.size() > kTagsMax) return absl::ResourceExhaustedError("tags");
  found->tags = std::move(tags);
  return absl::OkStatus();
}

absl::Status MemoryCatalogue::Rename(const sim::ContentDigest& digest,
                                     std::string_view name) {
  const auto found = std::ranges::find(replays_, digest, &StoredReplay::digest);
  if (found == replays_.end()) return absl::NotFoundError("replay");
  found->name = std::string(name);
  return absl::OkStatus();
}

}  // namespace reprise::replays
