// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/crc32.h"

#include "zlib.h"

namespace reprise::replays {

uint32_t Crc32(std::span<const std::byte> bytes, uint32_t previous) {
  // zlib takes a null pointer as a question for the initial value.
  if (bytes.empty()) return previous;
  return static_cast<uint32_t>(crc32_z(
      previous, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace reprise::replays
