// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a pack has exactly one encoding, and that nothing else decodes.

#include "sim/pack_archive.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

PackArchive MakePack() {
  PackArchive pack;
  EXPECT_TRUE(pack.Add("pack.txtpb", "name: \"a\"\n").ok());
  EXPECT_TRUE(pack.Add("maps/one.txt", std::string(600, 'x')).ok());
  EXPECT_TRUE(pack.Add("empty", "").ok());
  return pack;
}

std::span<const std::byte> Bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST(PackArchiveTest, DecodedPackHasTheSameFiles) {
  const auto decoded = PackArchive::Decode(Bytes(MakePack().Encode()));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->files(), MakePack().files());
}

TEST(PackArchiveTest, OrderOfFilesIsNothing) {
  PackArchive pack;
  ASSERT_TRUE(pack.Add("empty", "").ok());
  ASSERT_TRUE(pack.Add("maps/one.txt", std::string(600, 'x')).ok());
  ASSERT_TRUE(pack.Add("pack.txtpb", "name: \"a\"\n").ok());
  EXPECT_EQ(pack.ComputeDigest(), MakePack().ComputeDigest());
}

TEST(PackArchiveTest, ContentsEnterTheDigest) {
  PackArchive pack = MakePack();
  ASSERT_TRUE(pack.Add("another", "").ok());
  EXPECT_NE(pack.ComputeDigest(), MakePack().ComputeDigest());
}

TEST(PackArchiveTest, PathsThatLeaveThePackAreRefused) {
  PackArchive pack;
  for (const char* path : {"", "/etc", "../x", "a/../b", "a//b", ".", "a/"}) {
    EXPECT_EQ(pack.Add(path, "").code(), absl::StatusCode::kInvalidArgument)
        << path;
  }
  EXPECT_EQ(pack.Add(std::string(101, 'a'), "").code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(PackArchiveTest, SecondFileOfAPathIsRefused) {
  PackArchive pack = MakePack();
  EXPECT_EQ(pack.Add("empty", "other").code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(pack.Find("empty"), "");
}

TEST(PackArchiveTest, CutOffAnywhereIsRefused) {
  const std::string archive = MakePack().Encode();
  for (size_t size = 0; size < archive.size(); ++size) {
    EXPECT_FALSE(PackArchive::Decode(Bytes(archive).first(size)).ok()) << size;
  }
}

// A header has one checksum, so it is damaged as a whole; everything else that
// isn't a file's is where it is.
TEST(PackArchiveTest, DamageIsToldByItsByte) {
  constexpr size_t kBlock = 512;
  PackArchive pack;
  ASSERT_TRUE(pack.Add("a", "12345").ok());
  ASSERT_TRUE(pack.Add("b", "67").ok());
  const std::string archive = pack.Encode();
  ASSERT_EQ(archive.size(), 6 * kBlock);
  const auto message_of = [](const std::string& bytes) {
    return std::string(PackArchive::Decode(Bytes(bytes)).status().message());
  };
  for (const auto& [at, told] : std::vector<std::pair<size_t, size_t>>{
           {3, 0},                            // the first header
           {2 * kBlock + 130, 2 * kBlock},    // the second one
           {kBlock + 5, kBlock + 5},          // behind the first file
           {2 * kBlock - 1, 2 * kBlock - 1},  // the same, its last byte
           {5 * kBlock + 7, 5 * kBlock + 7},  // the end
       }) {
    std::string damaged = archive;
    damaged[at] = 'x';
    EXPECT_TRUE(message_of(damaged).ends_with(" not the archive's at byte " +
                                              std::to_string(told)))
        << at << ": " << message_of(damaged);
  }
  for (const size_t size : {kBlock + 2, kBlock + 9, 5 * kBlock + 1}) {
    EXPECT_EQ(message_of(archive.substr(0, size)),
              "pack archive: cut off at byte " + std::to_string(size));
  }
  EXPECT_EQ(message_of(archive + "x"),
            "pack archive: bytes that are not the archive's at byte 3072");
}

TEST(PackArchiveTest, FlippedByteIsRefusedOrIsAnotherPack) {
  const PackArchive pack = MakePack();
  const std::string archive = pack.Encode();
  for (size_t at = 0; at < archive.size(); ++at) {
    std::string damaged = archive;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    const auto decoded = PackArchive::Decode(Bytes(damaged));
    if (!decoded.ok()) continue;
    EXPECT_NE(decoded->ComputeDigest(), pack.ComputeDigest()) << at;
  }
}

}  // namespace
}  // namespace reprise::sim
