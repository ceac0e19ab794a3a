// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Priorities as keys of tables: a rank is an unsigned number that is smaller
// the higher the priority, so ascending rows are in the order of delivery.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_EVENT_PRIORITY_H_
#define REPRISE_SIM_WORLD_COMPONENTS_EVENT_PRIORITY_H_

#include <bit>
#include <cstdint>

namespace reprise::sim {

// Flips all bits but the sign's: int64's order, turned round, as uint64's.
inline constexpr uint64_t kPriorityMask = 0x7fffffffffffffff;

constexpr uint64_t RankOfPriority(int64_t priority) {
  return std::bit_cast<uint64_t>(priority) ^ kPriorityMask;
}

constexpr int64_t PriorityOfRank(uint64_t rank) {
  return std::bit_cast<int64_t>(rank ^ kPriorityMask);
}

static_assert(RankOfPriority(1) < RankOfPriority(0));
static_assert(RankOfPriority(0) < RankOfPriority(-1));
static_assert(PriorityOfRank(RankOfPriority(-7)) == -7);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_EVENT_PRIORITY_H_
