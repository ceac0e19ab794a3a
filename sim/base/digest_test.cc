// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/digest.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

// The reference: the same hash without vector instructions.
#define XXH_INLINE_ALL
#define XXH_VECTOR XXH_SCALAR
#include "xxhash.h"

namespace reprise::sim {
namespace {

using ::testing::Each;

std::vector<std::byte> MakeBytes(size_t count) {
  std::vector<std::byte> bytes(count);
  for (size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>((i * 2654435761u) >> 13);
  }
  return bytes;
}

// xxHash's own values for an empty input.
TEST(DigestTest, NothingHasItsKnownDigest) {
  EXPECT_EQ(FormatDigest(DigestOf({})), "2d06800538d394c2");
}

TEST(DigestTest, EveryLengthIsHashedAsWithoutVectorInstructions) {
  const std::vector<std::byte> bytes = MakeBytes(4200);
  for (size_t size = 0; size <= bytes.size(); ++size) {
    const std::span<const std::byte> part = std::span(bytes).first(size);
    ASSERT_EQ(DigestOf(part).value, XXH3_64bits(part.data(), size)) << size;
  }
}

TEST(DigestTest, TextIsReadAsItWasWritten) {
  const std::vector<std::byte> bytes = MakeBytes(100);
  const Digest digest = DigestOf(bytes);
  EXPECT_EQ(ParseDigest(FormatDigest(digest)).value(), digest);
}

TEST(DigestTest, TextThatIsNoDigestIsRefused) {
  for (const std::string text :
       {"", "2d06800538d394c", "2d06800538d394c20", "2D06800538D394C2",
        "0x06800538d394c2", " d06800538d394c2"}) {
    EXPECT_FALSE(ParseDigest(text).ok()) << text;
  }
}

#if defined(__x86_64__)

// The upper halves of ymm0 to ymm15, two words each; empty ones where the CPU
// has none.
__attribute__((target("avx"))) std::array<uint64_t, 32> ReadUpperHalves() {
  std::array<uint64_t, 32> halves = {};
  if (!__builtin_cpu_supports("avx")) return halves;
  // One register at a time: nothing comes between that could use another.
  asm volatile(
      "vextractf128 $1, %%ymm0, 0x00(%0)\n\t"
      "vextractf128 $1, %%ymm1, 0x10(%0)\n\t"
      "vextractf128 $1, %%ymm2, 0x20(%0)\n\t"
      "vextractf128 $1, %%ymm3, 0x30(%0)\n\t"
      "vextractf128 $1, %%ymm4, 0x40(%0)\n\t"
      "vextractf128 $1, %%ymm5, 0x50(%0)\n\t"
      "vextractf128 $1, %%ymm6, 0x60(%0)\n\t"
      "vextractf128 $1, %%ymm7, 0x70(%0)\n\t"
      "vextractf128 $1, %%ymm8, 0x80(%0)\n\t"
      "vextractf128 $1, %%ymm9, 0x90(%0)\n\t"
      "vextractf128 $1, %%ymm10, 0xa0(%0)\n\t"
      "vextractf128 $1, %%ymm11, 0xb0(%0)\n\t"
      "vextractf128 $1, %%ymm12, 0xc0(%0)\n\t"
      "vextractf128 $1, %%ymm13, 0xd0(%0)\n\t"
      "vextractf128 $1, %%ymm14, 0xe0(%0)\n\t"
      "vextractf128 $1, %%ymm15, 0xf0(%0)\n\t"
      :
      : "r"(halves.data())
      : "memory");
  return halves;
}

TEST(DigestTest, UpperHalvesOfAvxRegistersAreLeftEmpty) {
  const std::vector<std::byte> bytes = MakeBytes(4096);
  const Digest digest = DigestOf(bytes);
  EXPECT_THAT(ReadUpperHalves(), Each(0u)) << FormatDigest(digest);
}

#endif

}  // namespace
}  // namespace reprise::sim
