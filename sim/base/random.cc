// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/random.h"

#include <limits>

#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// Philox's multipliers and Weyl increments, from the paper.
constexpr uint32_t kMultiplier0 = 0xd2511f53;
constexpr uint32_t kMultiplier1 = 0xcd9e8d57;
constexpr uint32_t kWeyl0 = 0x9e3779b9;  // the golden ratio
constexpr uint32_t kWeyl1 = 0xbb67ae85;  // the square root of 3, less 1
constexpr int kRounds = 10;

constexpr uint32_t Low(uint64_t value) { return static_cast<uint32_t>(value); }
constexpr uint32_t High(uint64_t value) {
  return static_cast<uint32_t>(value >> 32);
}

// The first 64 bits of a block.
uint64_t Block64(uint64_t counter_low, uint64_t counter_high, uint64_t key) {
  const PhiloxCounter block =
      Philox4x32({Low(counter_low), High(counter_low), Low(counter_high),
                  High(counter_high)},
                 {Low(key), High(key)});
  return uint64_t{block[1]} << 32 | block[0];
}

}  // namespace

PhiloxCounter Philox4x32(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t product0 = uint64_t{kMultiplier0} * counter[0];
    const uint64_t product1 = uint64_t{kMultiplier1} * counter[2];
    counter = {High(product1) ^ counter[1] ^ key[0], Low(product1),
               High(product0) ^ counter[3] ^ key[1], Low(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

RandomStream MakeRandomStream(uint64_t seed, Id name, ObjectId object) {
  return {
      .key = Block64(name.value, 0, seed), .stream = object.serial, .draws = 0};
}

uint64_t NextUint64(RandomStream& stream) {
  const uint64_t bits = Block64(stream.draws, stream.stream, stream.key);
  ++stream.draws;
  return bits;
}

uint64_t NextBelow(RandomStream& stream, uint64_t bound) {
  CHECK(bound > 0);
  __extension__ using Uint128 = unsigned __int128;
  Uint128 product = Uint128{NextUint64(stream)} * bound;
  // What 2^64 modulo bound comes to is less than bound: where the lower half
  // is not, the division is spared.
  if (static_cast<uint64_t>(product) < bound) {
    const uint64_t rejected_below = (0 - bound) % bound;
    while (static_cast<uint64_t>(product) < rejected_below) {
      product = Uint128{NextUint64(stream)} * bound;
    }
  }
  return static_cast<uint64_t>(product >> 64);
}

int64_t NextInRange(RandomStream& stream, int64_t low, int64_t high) {
  CHECK(low <= high, "range [{}, {}]", low, high);
  // Unsigned arithmetic wraps where the signed range would overflow.
  const uint64_t distance =
      static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  const uint64_t offset = distance == std::numeric_limits<uint64_t>::max()
                              ? NextUint64(stream)
                              : NextBelow(stream, distance + 1);
  return static_cast<int64_t>(static_cast<uint64_t>(low) + offset);
}

double NextUnit(RandomStream& stream) {
  return static_cast<double>(NextUint64(stream) >> 11) * 0x1p-53;
}

}  // namespace reprise::sim
