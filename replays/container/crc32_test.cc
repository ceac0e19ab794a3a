// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the checksum is the one that MCAP means, by its published check
// value and by zlib at every length and alignment at which another path
// through it is taken, and that it can be computed piece by piece.

#include "replays/container/crc32.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "zlib.h"

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

TEST(Crc32Test, IsZlibsAtEveryLengthAndAlignment) {
  constexpr size_t kAlignments = 16;
  constexpr size_t kLengthMax = 300;  // more than two blocks of four lanes
  std::vector<std::byte> bytes(kAlignments + kLengthMax);
  uint32_t noise = 1;
  for (std::byte& byte : bytes) {
    noise = noise * 1664525 + 1013904223;
    byte = static_cast<std::byte>(noise >> 24);
  }
  for (size_t begin = 0; begin < kAlignments; ++begin) {
    for (size_t length = 1; length <= kLengthMax; ++length) {
      const auto piece = std::span(bytes).subspan(begin, length);
      const uint32_t previous = noise + static_cast<uint32_t>(length);
      ASSERT_EQ(Crc32(piece, previous),
                crc32_z(previous, reinterpret_cast<const Bytef*>(piece.data()),
                        piece.size()))
          << length << " bytes from " << begin;
    }
  }
}

TEST(Crc32Test, OfTwoPartsIsJoinedFromTheirs) {
  std::vector<std::byte> bytes(1000);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i * 37 % 256);
  const std::span<const std::byte> whole(bytes);
  for (size_t length = 0; length <= whole.size(); length += 37) {
    EXPECT_EQ(JoinCrc32(Crc32(whole.first(length)),
                        Crc32(whole.subspan(length)), whole.size() - length),
              Crc32(whole))
        << length;
  }
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
