// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The famous approximation of 1/sqrt(x) by integer arithmetic and one step of
// Newton's. Exact square roots are as fast today: it is here for games that
// were tuned to its errors.

#ifndef REPRISE_SIM_GEOMETRY_INVERSE_SQUARE_ROOT_H_
#define REPRISE_SIM_GEOMETRY_INVERSE_SQUARE_ROOT_H_

#include <bit>
#include <cstdint>

namespace reprise::sim {

// Within 0.1753 % of 1/sqrt(value). REQUIRES: value is normal and above 0.
constexpr float ApproximateInverseSquareRoot(float value) {
  const float half = value * 0.5f;
  const uint32_t bits = 0x5f3759df - (std::bit_cast<uint32_t>(value) >> 1);
  const float guess = std::bit_cast<float>(bits);
  return guess * (1.5f - half * guess * guess);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_INVERSE_SQUARE_ROOT_H_
