// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The checksum that MCAP asks for: CRC-32 with zlib's polynomial (reflected
// 0x04C11DB7). Finds any error within 32 neighbouring bits, always.

#ifndef REPRISE_REPLAYS_CONTAINER_CRC32_H_
#define REPRISE_REPLAYS_CONTAINER_CRC32_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace reprise::replays {

// Returns the checksum of what `previous` covers followed by `bytes`. The
// checksum of nothing is 0.
uint32_t Crc32(std::span<const std::byte> bytes, uint32_t previous = 0);

// Returns the checksum of what `first` covers followed by the `length` bytes
// that `second` covers, without these.
uint32_t JoinCrc32(uint32_t first, uint32_t second, uint64_t length);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_CRC32_H_
