// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a number is held against another.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_COMPARISON_H_
#define REPRISE_SIM_WORLD_COMPONENTS_COMPARISON_H_

#include <cstdint>

namespace reprise::sim {

enum class Comparison : uint8_t { kLess, kAtMost, kEqual, kAtLeast, kMore };

constexpr bool Compare(double number, Comparison comparison, double value) {
  switch (comparison) {
    case Comparison::kLess:
      return number < value;
    case Comparison::kAtMost:
      return number <= value;
    case Comparison::kEqual:
      return number == value;
    case Comparison::kAtLeast:
      return number >= value;
    case Comparison::kMore:
      return number > value;
  }
  return false;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_COMPARISON_H_
