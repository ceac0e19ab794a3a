// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/short_hash.h"

#define XXH_INLINE_ALL
#include "xxhash.h"

namespace reprise::sim {

static_assert(kShortHashBytesMax == XXH3_MIDSIZE_MAX);

uint64_t HashShort(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace reprise::sim
