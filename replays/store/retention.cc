// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/retention.h"

#include <algorithm>

#include "absl/status/status.h"

namespace reprise::replays {
namespace {

bool HasOneOf(const StoredReplay& replay,
              const std::vector<std::string>& tags) {
  return std::ranges::any_of(tags, [&replay](const std::string& tag) {
    return std::ranges::count(replay.tags, tag) > 0;
  });
}

}  // namespace

absl::StatusOr<RetentionPlan> PlanRetention(const Catalogue& catalogue,
                                            const RetentionPolicy& policy,
                                            absl::Time now) {
  // What may go, the last recorded first.
  std::vector<StoredReplay> candidates;
  RetentionPlan plan;
  const absl::Status status =
      ForEachStoredReplay(catalogue, {}, [&](const StoredReplay& replay) {
        ++plan.kept_count;
        plan.kept_bytes += replay.size_bytes;
        if (!HasOneOf(replay, policy.kept_tags)) candidates.push_back(replay);
        return absl::OkStatus();
      });
  if (!status.ok()) return status;

  const auto must_go = [&](const StoredReplay& replay) {
    return (policy.age_max.has_value() &&
            now - replay.recorded_at > *policy.age_max) ||
           (policy.size_bytes_max.has_value() &&
            plan.kept_bytes > *policy.size_bytes_max);
  };
  // Both rules take the oldest first, so the first that may stay ends it.
  while (!candidates.empty() && must_go(candidates.back())) {
    --plan.kept_count;
    plan.kept_bytes -= candidates.back().size_bytes;
    plan.expired_bytes += candidates.back().size_bytes;
    plan.expired.push_back(std::move(candidates.back()));
    candidates.pop_back();
  }
  return plan;
}

}  // namespace reprise::replays
