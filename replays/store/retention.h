// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which replays a store no longer has to keep, by their age and by the size of
// all together.

#ifndef REPRISE_REPLAYS_STORE_RETENTION_H_
#define REPRISE_REPLAYS_STORE_RETENTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/store/catalogue.h"
#include "replays/store/stored_replay.h"

namespace reprise::replays {

struct RetentionPolicy {
  // Replays recorded longer ago than this go.
  std::optional<absl::Duration> age_max;
  // While what is kept is larger than this, the one recorded first goes.
  std::optional<uint64_t> size_bytes_max;
  // Replays with one of these stay, but count as kept.
  std::vector<std::string> kept_tags;
};

struct RetentionPlan {
  std::vector<StoredReplay> expired;  // those recorded first come first
  uint64_t expired_bytes = 0;
  uint64_t kept_count = 0;
  uint64_t kept_bytes = 0;
};

// Changes nothing. Errors are the catalogue's.
absl::StatusOr<RetentionPlan> PlanRetention(const Catalogue& catalogue,
                                            const RetentionPolicy& policy,
                                            absl::Time now);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_RETENTION_H_
