// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// XXH3-64 of few bytes, in place: most digests are of some other digests, and
// finding out what the CPU has costs more than to hash these.

#ifndef REPRISE_SIM_BASE_SHORT_HASH_H_
#define REPRISE_SIM_BASE_SHORT_HASH_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace reprise::sim {

// Up to so many bytes XXH3 uses no vectors (XXH3_MIDSIZE_MAX).
inline constexpr size_t kShortHashBytesMax = 240;

// REQUIRES: bytes.size() <= kShortHashBytesMax.
uint64_t HashShort(std::span<const std::byte> bytes);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_SHORT_HASH_H_
