// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/touching_pairs.h"

#include <cstdint>

#include "sim/base/table.h"

namespace reprise::sim {

std::vector<TouchingPair> CollectTouchingPairs(const State& state,
                                               const PhysicsTables& tables) {
  std::vector<TouchingPair> pairs;
  const Table& table = state.table(tables.contact_points);
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    const auto& row = table.Get<ContactPointRow>(i);
    if (row.distance > 0.0) continue;
    const TouchingPair pair = {.object_a = row.object_a,
                               .object_b = row.object_b};
    // Rows are in the order of pairs: a pair's points lie together.
    if (pairs.empty() || pairs.back() != pair) pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace reprise::sim
