// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Digests for rows of tests, each of a number. Those of odd numbers are by the
// hash that former versions knew replays by.

#ifndef REPRISE_REPLAYS_STORE_TESTING_NUMBERED_DIGEST_H_
#define REPRISE_REPLAYS_STORE_TESTING_NUMBERED_DIGEST_H_

#include <cstddef>
#include <cstdint>

#include "sim/base/content_digest.h"

namespace reprise::replays {

// Where the number stands in a digest, the least significant byte first. The
// first byte is its last one again, so that digests have many beginnings.
inline constexpr size_t kNumberOffset = 8;

inline sim::ContentDigest NumberedDigest(uint64_t number) {
  sim::ContentDigest digest;
  if (number % 2 == 1) digest.hash = sim::ContentHash::kXxh3;
  digest.bytes.front() = static_cast<uint8_t>(number);
  for (size_t i = 0; i < sizeof(number); ++i) {
    digest.bytes[kNumberOffset + i] = static_cast<uint8_t>(number >> (8 * i));
  }
  return digest;
}

inline uint64_t NumberOf(const sim::ContentDigest& digest) {
  uint64_t number = 0;
  for (size_t i = sizeof(number); i-- > 0;) {
    number = number << 8 | digest.bytes[kNumberOffset + i];
  }
  return number;
}

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_TESTING_NUMBERED_DIGEST_H_
