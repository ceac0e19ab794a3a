// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that content hashed in pieces, of whatever size, has the digest that
// it has as a whole, and that errors of the source and the visitor end it.

#include "replays/store/content_hasher.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "replays/container/byte_file.h"

namespace reprise::replays {
namespace {

Bytes SomeBytes(size_t size) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7);
  return bytes;
}

TEST(ContentHasherTest, PiecesHaveTheDigestOfTheWhole) {
  const Bytes bytes = SomeBytes(100'000);
  for (const size_t piece : {size_t{1}, size_t{255}, size_t{4096}}) {
    ContentHasher hasher;
    for (size_t i = 0; i < bytes.size(); i += piece) {
      hasher.Append(
          std::span(bytes).subspan(i, std::min(piece, bytes.size() - i)));
    }
    EXPECT_EQ(hasher.digest(), sim::ContentDigestOf(bytes)) << piece;
  }
}

TEST(ContentHasherTest, SourceIsVisitedWholeAndInOrder) {
  const Bytes bytes = SomeBytes((size_t{3} << 20) + 5);
  Bytes visited;
  const auto digest = HashContent(MemorySource(bytes), [&](auto piece) {
    visited.insert(visited.end(), piece.begin(), piece.end());
    return absl::OkStatus();
  });
  ASSERT_TRUE(digest.ok()) << digest.status();
  EXPECT_EQ(*digest, sim::ContentDigestOf(bytes));
  EXPECT_EQ(visited, bytes);
}

TEST(ContentHasherTest, NothingHasTheDigestOfNothing) {
  EXPECT_EQ(*HashContent(MemorySource(std::span<const std::byte>())), sim::ContentDigestOf({}));
}

TEST(ContentHasherTest, ErrorOfTheVisitorEndsIt) {
  const Bytes bytes = SomeBytes(10);
  EXPECT_EQ(HashContent(MemorySource(bytes),
                        [](auto) { return absl::AbortedError("enough"); })
                .status()
                .code(),
            absl::StatusCode::kAborted);
}

}  // namespace
}  // namespace reprise::replays
