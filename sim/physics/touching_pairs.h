// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who touches whom, read from the contact points. Comparing two ticks' lists
// gives what began and what ended.

#ifndef REPRISE_SIM_PHYSICS_TOUCHING_PAIRS_H_
#define REPRISE_SIM_PHYSICS_TOUCHING_PAIRS_H_

#include <compare>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/base/state.h"
#include "sim/physics/physics_rows.h"

namespace reprise::sim {

struct TouchingPair {
  ObjectId object_a;  // object_a < object_b
  ObjectId object_b;

  friend auto operator<=>(const TouchingPair&, const TouchingPair&) = default;
};

// Returns the pairs of objects with a contact point at a distance of 0 or less,
// triggers included, in ascending order. Points that are merely close don't
// count.
std::vector<TouchingPair> CollectTouchingPairs(const State& state,
                                               const PhysicsTables& tables);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_TOUCHING_PAIRS_H_
