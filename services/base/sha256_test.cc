// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the published values of FIPS 180-4's examples, however they are cut.

#include "services/base/sha256.h"

#include <string>

#include "gtest/gtest.h"

namespace reprise::services {
namespace {

TEST(Sha256Test, GivesThePublishedValues) {
  Sha256 hash;
  EXPECT_EQ(hash.HexDigest(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  hash.Append("abc");
  EXPECT_EQ(hash.HexDigest(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256Test, GoesOnWhereItWas) {
  const std::string text =
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  Sha256 hash;
  for (const char letter : text) {
    hash.Append(std::string_view(&letter, 1));
    hash.HexDigest();
  }
  EXPECT_EQ(hash.HexDigest(),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

}  // namespace
}  // namespace reprise::services
