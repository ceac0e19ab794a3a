// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Registered interest: who is told of multicasts of which types, and in which
// order. Everything is in a table of InterestRow.

#ifndef REPRISE_SIM_WORLD_EVENTS_INTERESTS_H_
#define REPRISE_SIM_WORLD_EVENTS_INTERESTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/state/table.h"
#include "sim/world/events/event_rows.h"

namespace reprise::sim {

// 2 MiB of rows; a thousand objects with 64 types each.
inline constexpr uint32_t kInterestsMax = 1 << 16;

// Registers the interest of `object` (by handle `handle`) in multicasts of
// `type`. An interest that was there takes the new priority and handle.
// RESOURCE_EXHAUSTED, and nothing changes, beyond kInterestsMax.
absl::Status RegisterInterest(Table& interests, Id type, ObjectId object,
                              Handle handle, int64_t priority);

// Returns whether there was such an interest.
bool UnregisterInterest(Table& interests, Id type, ObjectId object);

// Removes every interest of `object`.
void DropInterests(Table& interests, ObjectId object);

// Those interested in `type`: the highest priority first, then in the order of
// objects.
std::vector<InterestRow> FindInterests(const Table& interests, Id type);

// Whether `interest`, found earlier, still stands as it was.
bool StillStands(const Table& interests, const InterestRow& interest);

// DATA_LOSS when the rows are too many, out of order, or hold one object's
// interest in one type twice.
absl::Status CheckInterests(const Table& interests);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_INTERESTS_H_
