// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/content_digest.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

constexpr ContentHash kHashes[] = {ContentHash::kSha256, ContentHash::kXxh3};

ContentDigest DigestOfText(std::string_view text, ContentHash hash) {
  return ContentDigestOf(std::as_bytes(std::span(text)), hash);
}

// The examples of NIST for FIPS 180-4, with one, two and many blocks, and
// xxHash's own value for an empty input.
TEST(ContentDigestTest, KnownTextsHaveTheirPublishedDigests) {
  constexpr ContentHash kSha256 = ContentHash::kSha256;
  EXPECT_EQ(FormatDigest(DigestOfText("", kSha256)),
            "e3b0c44298fc1c149afbf4c8996fb924"
            "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(FormatDigest(DigestOfText("abc", kSha256)),
            "ba7816bf8f01cfea414140de5dae2223"
            "b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(
      FormatDigest(DigestOfText(
          "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", kSha256)),
      "248d6a61d20638b8e5c026930c3e6039"
      "a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(FormatDigest(DigestOfText(std::string(1'000'000, 'a'), kSha256)),
            "cdc76e5c9914fb9281a1c7e284d73e67"
            "f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(FormatDigest(DigestOfText("", ContentHash::kXxh3)),
            "99aa06d3014798d86001c324468d497f");
}

TEST(ContentDigestTest, PiecesHaveTheDigestOfTheWhole) {
  std::vector<std::byte> bytes(4'200);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>((i * 2654435761u) >> 13);
  }
  for (const ContentHash hash : kHashes) {
    for (const size_t piece : {1u, 7u, 64u, 1000u, 5000u}) {
      ContentHasher hasher(hash);
      for (size_t offset = 0; offset < bytes.size(); offset += piece) {
        hasher.Append(std::span(bytes).subspan(
            offset, std::min(piece, bytes.size() - offset)));
        // Looking at what there is so far changes nothing.
        static_cast<void>(hasher.digest());
      }
      EXPECT_EQ(hasher.digest(), ContentDigestOf(bytes, hash)) << piece;
    }
  }
}

TEST(ContentDigestTest, TextIsReadAsItWasWritten) {
  for (const ContentHash hash : kHashes) {
    const ContentDigest digest = DigestOfText("a pack", hash);
    const auto read = ParseContentDigest(FormatDigest(digest));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, digest);
    EXPECT_EQ(read->hash, hash);
  }
  EXPECT_NE(DigestOfText("a pack", ContentHash::kSha256),
            DigestOfText("a pack", ContentHash::kXxh3));
}

TEST(ContentDigestTest, TextThatIsNoDigestIsRefused) {
  for (const std::string word :
       {"2d06800538d394c", "2d06800538d394c20", "2D06800538D394C2",
        "0x06800538d394c2", " d06800538d394c2", "+d06800538d394c2", ""}) {
    EXPECT_FALSE(ParseContentDigest(word + word).ok()) << word;
    EXPECT_FALSE(ParseContentDigest(word + word + word + word).ok()) << word;
  }
}

}  // namespace
}  // namespace reprise::sim
