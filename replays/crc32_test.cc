// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the checksum is the one that MCAP means, by its published check
// value, and that it can be computed piece by piece.

#include "replays/crc32.h"

#include <cstddef>
#include <span>
#include <string_view>

#include "gtest/gtest.h"

namespace reprise::replays {
namespace {

std::span<const std::byte> AsBytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST(Crc32Test, HasThePublishedCheckValue) {
  EXPECT_EQ(Crc32(AsBytes("123456789")), 0xCBF43926u);
}

TEST(Crc32Test, OfNothingIsZero) { EXPECT_EQ(Crc32({}), 0u); }

TEST(Crc32Test, OfNothingMoreIsThePreviousOne) {
  EXPECT_EQ(Crc32({}, 0x12345678u), 0x12345678u);
}

TEST(Crc32Test, ContinuesWhereItStopped) {
  const std::string_view text = "the same bits on every CPU";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    const uint32_t first = Crc32(AsBytes(text.substr(0, cut)));
    EXPECT_EQ(Crc32(AsBytes(text.substr(cut)), first), Crc32(AsBytes(text)));
  }
}

}  // namespace
}  // namespace reprise::replays
