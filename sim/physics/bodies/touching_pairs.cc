// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/bodies/touching_pairs.h"

#include <cstdint>

#include "sim/state/table.h"

namespace reprise::sim {

std::vector<TouchingPair> CollectTouchingPairs(const State& state,
                                               const PhysicsTables& tables) {
  std::vector<TouchingPair> pairs;
  ForEachTouchingPair(state, tables,
                      [&](const TouchingPair& pair) { pairs.push_back(pair); });
  return pairs;
}

}  // namespace reprise::sim
