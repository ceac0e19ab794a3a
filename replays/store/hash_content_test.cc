// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a source hashed in pieces has the digest that it has as a whole,
// and that errors of the visitor end it.

#include "replays/store/hash_content.h"

#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {
namespace {

Bytes SomeBytes(size_t size) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7);
  return bytes;
}

TEST(HashContentTest, SourceIsVisitedWholeAndInOrder) {
  const Bytes bytes = SomeBytes((size_t{3} << 20) + 5);
  Bytes visited;
  const auto digest = HashContent(MemorySource(bytes), [&](auto piece) {
    visited.insert(visited.end(), piece.begin(), piece.end());
    return absl::OkStatus();
  });
  ASSERT_TRUE(digest.ok()) << digest.status();
  EXPECT_EQ(*digest, sim::ContentDigestOf(bytes));
  EXPECT_EQ(visited, bytes);
  EXPECT_EQ(*HashContent(MemorySource(bytes), sim::ContentHash::kXxh3),
            sim::ContentDigestOf(bytes, sim::ContentHash::kXxh3));
}

TEST(HashContentTest, NothingHasTheDigestOfNothing) {
  EXPECT_EQ(*HashContent(MemorySource(std::span<const std::byte>())),
            sim::ContentDigestOf({}));
}

TEST(HashContentTest, ErrorOfTheVisitorEndsIt) {
  const Bytes bytes = SomeBytes(10);
  EXPECT_EQ(HashContent(MemorySource(bytes),
                        [](auto) { return absl::AbortedError("enough"); })
                .status()
                .code(),
            absl::StatusCode::kAborted);
}

}  // namespace
}  // namespace reprise::replays
