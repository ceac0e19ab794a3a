// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Random numbers from a counter: draw n of a stream is a function of the seed,
// the stream's name and n alone. So a stream's whole state is three integers
// that lie in a table like any other state, and no stream can disturb another.
//
// Never draw twice in one expression: which draw comes first would be the
// compiler's choice.

#ifndef REPRISE_SIM_BASE_RANDOM_H_
#define REPRISE_SIM_BASE_RANDOM_H_

#include <array>
#include <compare>
#include <cstdint>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"

namespace reprise::sim {

// The block function underneath: Philox4x32 with 10 rounds (Salmon, Moraes,
// Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11), equal
// bit for bit to the Random123 library's.
using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;
PhiloxCounter Philox4x32(PhiloxCounter counter, PhiloxKey key);

// The state of one stream. Plain data: copied, it goes on from the same place.
struct RandomStream {
  uint64_t key = 0;     // from the seed and the stream's name
  uint64_t stream = 0;  // the object's serial; 0 is the stream of a system
  uint64_t draws = 0;   // 64-bit draws taken so far

  friend auto operator<=>(const RandomStream&, const RandomStream&) = default;
};

template <>
struct FieldTraits<RandomStream> {
  static constexpr ScalarType kScalar = ScalarType::kUint64;
  static constexpr FieldShape kShape = FieldShape::kArray;
  static constexpr uint32_t kCount = 3;  // key, stream, draws
};

// Returns the stream called `name` of a simulation with the given seed, before
// its first draw: a system's own, or the one that it keeps for `object`. The
// key is the first 64 bits of the Philox block of counter (name, 0) under the
// seed, low words first.
RandomStream MakeRandomStream(uint64_t seed, Id name,
                              ObjectId object = kNoObject);

// Returns the next 64 bits: the first two words, low one first, of the Philox
// block of counter (draws, stream) under the key. One draw.
uint64_t NextUint64(RandomStream& stream);

// Returns an integer in [0, bound), each exactly as likely as any other: the
// upper 64 bits of draw * bound, where a draw is rejected and the next one
// taken when the lower 64 bits are less than 2^64 modulo bound (Lemire, "Fast
// random integer generation in an interval", 2019). One draw and, rarely, more:
// two on average at the very worst. REQUIRES: bound > 0.
uint64_t NextBelow(RandomStream& stream, uint64_t bound);

// Returns an integer in [low, high], both included, by NextBelow of the range's
// size; the whole range of int64_t takes exactly one draw.
// REQUIRES: low <= high.
int64_t NextInRange(RandomStream& stream, int64_t low, int64_t high);

// Returns a multiple of 2^-53 in [0, 1): the upper 53 bits of one draw.
double NextUnit(RandomStream& stream);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_RANDOM_H_
