// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What making the simulation of a pack takes of memory: claimed before it is
// made, measured when it has been, and known of the pack from then on.

#ifndef REPRISE_SERVICES_SESSIONS_LOAD_COSTS_H_
#define REPRISE_SERVICES_SESSIONS_LOAD_COSTS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "services/base/memory_budget.h"
#include "sim/base/content_digest.h"
#include "sim/pack_archive.h"

namespace reprise::services {

// Safe to use from any thread.
class LoadCosts {
 public:
  // `budget` may be null: nothing is claimed or measured then. It must remain
  // live.
  explicit LoadCosts(MemoryBudget* budget) : budget_(budget) {}
  LoadCosts(const LoadCosts&) = delete;
  LoadCosts& operator=(const LoadCosts&) = delete;

  // One simulation on its way.
  struct Load {
    std::string digest;
    uint64_t expected_bytes = 0;
    uint64_t bytes_before = 0;
    uint64_t begun_before = 0;  // of all, up to this one
    bool is_alone = false;
    MemoryClaim claim;
  };

  // Claims what making `pack` is going to take. RESOURCE_EXHAUSTED: the budget
  // hasn't got that.
  absl::StatusOr<Load> Begin(const sim::ContentDigest& digest,
                             const sim::PackArchive& pack);

  // What it has taken, about: measured where nothing else was loaded meanwhile,
  // expected otherwise.
  uint64_t End(Load load, bool is_made);

  // Takes what others have found out of a pack, if nothing is known of it.
  void Note(const sim::ContentDigest& digest, uint64_t bytes);

 private:
  MemoryBudget* const budget_;

  std::mutex mutex_;  // guards what follows
  std::map<std::string, uint64_t> known_;
  uint64_t begun_count_ = 0;
  uint64_t under_way_count_ = 0;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_LOAD_COSTS_H_
