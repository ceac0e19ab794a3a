// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who touches whom, read from the contact points. Comparing two ticks' lists
// gives what began and what ended.

#ifndef REPRISE_SIM_PHYSICS_BODIES_TOUCHING_PAIRS_H_
#define REPRISE_SIM_PHYSICS_BODIES_TOUCHING_PAIRS_H_

#include <compare>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/state.h"

namespace reprise::sim {

struct TouchingPair {
  ObjectId object_a;  // object_a < object_b
  ObjectId object_b;

  friend auto operator<=>(const TouchingPair&, const TouchingPair&) = default;
};

// Calls `visit(pair)` for each pair of objects with a contact point at a
// distance of 0 or less, triggers included, in ascending order. Points that are
// merely close don't count.
template <typename Visit>
void ForEachTouchingPair(const State& state, const PhysicsTables& tables,
                         const Visit& visit) {
  const Table& table = state.table(tables.contact_points);
  TouchingPair last;
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    const auto& row = table.Get<ContactPointRow>(i);
    if (row.distance > 0.0) continue;
    const TouchingPair pair = {.object_a = row.object_a,
                               .object_b = row.object_b};
    // Rows are in the order of pairs: a pair's points lie together.
    if (pair == last) continue;
    last = pair;
    visit(pair);
  }
}

// The same as a list.
std::vector<TouchingPair> CollectTouchingPairs(const State& state,
                                               const PhysicsTables& tables);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BODIES_TOUCHING_PAIRS_H_
