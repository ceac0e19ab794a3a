// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/load_costs.h"

#include <algorithm>
#include <new>
#include <utility>

namespace reprise::services {
namespace {

// Of a pack of which nothing is known. One of 4 MB that is nothing but objects
// takes 36 times as much, and 1 MB is what a small game takes.
constexpr uint64_t kBytesPerPackByte = 40;
constexpr uint64_t kBytesAtLeast = uint64_t{1} << 20;

// More packs than a server has under way. Forgetting costs a guess.
constexpr size_t kKnownMax = 4096;

uint64_t GuessOf(const sim::PackArchive& pack) {
  uint64_t bytes = 0;
  for (const auto& [path, contents] : pack.files()) bytes += contents.size();
  return kBytesAtLeast + kBytesPerPackByte * bytes;
}

}  // namespace

absl::StatusOr<LoadCosts::Load> LoadCosts::Begin(
    const sim::ContentDigest& digest, const sim::PackArchive& pack) {
  Load load;
  if (budget_ == nullptr || budget_->bytes_max() == 0) return load;
  load.digest = sim::FormatDigest(digest);
  {
    const std::scoped_lock lock(mutex_);
    const auto known = known_.find(load.digest);
    load.expected_bytes = known == known_.end() ? GuessOf(pack) : known->second;
  }
  auto claim = budget_->Claim(load.expected_bytes);
  if (!claim.ok()) return claim.status();
  load.claim = *std::move(claim);
  load.bytes_before = budget_->bytes_in_use();
  const std::scoped_lock lock(mutex_);
  load.begun_before = ++begun_count_;
  load.is_alone = under_way_count_++ == 0;
  return load;
}

uint64_t LoadCosts::End(Load load, bool is_made) {
  if (load.digest.empty()) return 0;
  const uint64_t bytes_after = budget_->bytes_in_use();
  const std::scoped_lock lock(mutex_);
  --under_way_count_;
  const bool was_alone = load.is_alone && begun_count_ == load.begun_before;
  if (!is_made) return 0;
  if (!was_alone || bytes_after <= load.bytes_before) {
    return load.expected_bytes;
  }
  // Others give back meanwhile what they had: the most that was seen counts,
  // and no pack takes less than any does.
  const uint64_t bytes =
      std::max(bytes_after - load.bytes_before, kBytesAtLeast);
  if (known_.size() >= kKnownMax) known_.clear();
  try {
    uint64_t& known = known_[load.digest];
    known = std::max(known, bytes);
  } catch (const std::bad_alloc&) {
    // The simulation is made. Another one of it is measured again.
  }
  return bytes;
}

void LoadCosts::Note(const sim::ContentDigest& digest, uint64_t bytes) {
  if (bytes == 0) return;
  const std::scoped_lock lock(mutex_);
  if (known_.size() >= kKnownMax) known_.clear();
  known_.emplace(sim::FormatDigest(digest), bytes);
}

}  // namespace reprise::services
