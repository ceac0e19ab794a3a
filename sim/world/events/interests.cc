// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/events/interests.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "sim/world/components/event_priority.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

std::array<uint64_t, 3> KeyOf(const InterestRow& row) {
  return {row.type.value, row.priority_rank, row.object.serial};
}

// The row of the interest of `object` in `type`, whatever its priority.
std::optional<uint32_t> FindInterest(const Table& interests, Id type,
                                     ObjectId object) {
  const std::array key = {type.value};
  for (uint32_t i = interests.LowerBound(key); i < interests.row_count(); ++i) {
    const auto& row = interests.Get<InterestRow>(i);
    if (row.type != type) break;
    if (row.object == object) return i;
  }
  return std::nullopt;
}

}  // namespace

absl::Status RegisterInterest(Table& interests, Id type, ObjectId object,
                              Handle handle, int64_t priority) {
  const InterestRow row = {.type = type,
                           .priority_rank = RankOfPriority(priority),
                           .object = object,
                           .handle = handle};
  const std::optional<uint32_t> old = FindInterest(interests, type, object);
  if (old.has_value()) {
    if (interests.Get<InterestRow>(*old).priority_rank == row.priority_rank) {
      WriteRow(interests, *old, row);
      return absl::OkStatus();
    }
    interests.EraseRange(*old, 1);
  } else if (interests.row_count() == kInterestsMax) {
    return absl::ResourceExhaustedError(
        fmt::format("{} interests are registered", kInterestsMax));
  }
  const uint32_t place = interests.LowerBound(KeyOf(row));
  interests.Insert(place);
  interests.Mutable<InterestRow>(place) = row;
  return absl::OkStatus();
}

bool UnregisterInterest(Table& interests, Id type, ObjectId object) {
  const std::optional<uint32_t> row = FindInterest(interests, type, object);
  if (row.has_value()) interests.EraseRange(*row, 1);
  return row.has_value();
}

void DropInterests(Table& interests, ObjectId object) {
  EraseRowsIf<InterestRow>(interests, [object](const InterestRow& row) {
    return row.object == object;
  });
}

std::vector<InterestRow> FindInterests(const Table& interests, Id type) {
  std::vector<InterestRow> found;
  const std::array key = {type.value};
  for (uint32_t i = interests.LowerBound(key); i < interests.row_count(); ++i) {
    const auto& row = interests.Get<InterestRow>(i);
    if (row.type != type) break;
    found.push_back(row);
  }
  return found;
}

bool StillStands(const Table& interests, const InterestRow& interest) {
  const std::optional<uint32_t> row = FindRow(interests, KeyOf(interest));
  return row.has_value() &&
         interests.Get<InterestRow>(*row).handle == interest.handle;
}

absl::Status CheckInterests(const Table& interests) {
  if (interests.row_count() > kInterestsMax || !RowsAscend(interests)) {
    return absl::DataLossError("interests are too many or not in order");
  }
  std::vector<std::pair<Id, ObjectId>> pairs;
  for (uint32_t i = 0; i < interests.row_count(); ++i) {
    const auto& row = interests.Get<InterestRow>(i);
    pairs.emplace_back(row.type, row.object);
  }
  // A total order: equal pairs are the same.
  std::ranges::sort(pairs);
  if (std::ranges::adjacent_find(pairs) != pairs.end()) {
    return absl::DataLossError("an interest is registered twice");
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
