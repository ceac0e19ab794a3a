// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/benchmarking/reference_load.h"

#include <bit>
#include <cmath>
#include <cstddef>

namespace reprise::tools {
namespace {

constexpr int kCellBits = 15;

// Knuth's linear congruential generator of 64 bits (MMIX).
constexpr uint64_t kMultiplier = 6364136223846793005;
constexpr uint64_t kIncrement = 1442695040888963407;

}  // namespace

ReferenceLoad::ReferenceLoad() : cells_(size_t{1} << kCellBits) {}

uint64_t ReferenceLoad::Run(uint32_t units) {
  const uint64_t rounds = uint64_t{units} * kRoundsPerUnit;
  for (uint64_t i = 0; i < rounds; ++i) {
    state_ = state_ * kMultiplier + kIncrement;
    uint64_t& cell = cells_[state_ >> (64 - kCellBits)];
    cell ^= state_;
    sum_ = std::rotl(sum_, 1) + cell;
    // At most 2^54, so that nothing overflows.
    value_ = value_ * 0.5 + static_cast<double>(cell >> 11);
    if ((cell & (uint64_t{1} << 32)) != 0) value_ = std::sqrt(value_);
  }
  return sum_ ^ std::bit_cast<uint64_t>(value_);
}

}  // namespace reprise::tools
