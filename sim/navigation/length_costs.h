// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What ways cost by their lengths: whole millimetres, rounded up, so that a
// guess that is rounded down never is too much.

#ifndef REPRISE_SIM_NAVIGATION_LENGTH_COSTS_H_
#define REPRISE_SIM_NAVIGATION_LENGTH_COSTS_H_

#include <algorithm>
#include <cstdint>

#include "sim/base/math.h"

namespace reprise::sim {

inline constexpr double kCostPerMetre = 1000.0;
// A length of 52 bits is wrong by its last ones; this is a thousand times more.
inline constexpr double kLengthRoundingMargin = 1.0 - 1e-12;

// Of a way of this length that is so many times as dear, at least 1.
inline uint64_t CostOfLength(double length_m, double weight) {
  const double cost = Ceil(kCostPerMetre * length_m * weight);
  return std::max(static_cast<uint64_t>(cost), uint64_t{1});
}

// Of the straight line, which nothing is shorter than: admissible and
// consistent, as long as weights are 1 at least.
inline uint64_t GuessOfLength(double length_m) {
  return static_cast<uint64_t>(
      Floor(kCostPerMetre * length_m * kLengthRoundingMargin));
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_LENGTH_COSTS_H_
