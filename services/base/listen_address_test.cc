// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves which addresses there are, and that none that another machine could
// reach passes as local.

#include "services/base/listen_address.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace reprise::services {
namespace {

TEST(ListenAddressTest, LocalAddressesAreThoseOfThisMachineAlone) {
  for (const std::string address : {"127.0.0.1:0", "127.1.2.3:65535",
                                    "[::1]:7171", "unix:run/reprise.sock"}) {
    const auto parsed = ParseListenAddress(address);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(parsed->ToString(), address);
    EXPECT_TRUE(parsed->IsLocal()) << address;
  }
}

TEST(ListenAddressTest, OthersAreNotLocal) {
  for (const std::string address :
       {"0.0.0.0:1", "[::]:1", "10.0.0.1:1", "128.0.0.1:1", "[fe80::1]:1",
        "[::ffff:127.0.0.1]:1", "126.255.255.255:1"}) {
    const auto parsed = ParseListenAddress(address);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(parsed->ToString(), address);
    EXPECT_FALSE(parsed->IsLocal()) << address;
  }
}

TEST(ListenAddressTest, LocalhostIsNotLookedUp) {
  const auto parsed = ParseListenAddress("localhost:80");

  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->ToString(), "127.0.0.1:80");
}

TEST(ListenAddressTest, NamesAreRefused) {
  for (const char* address :
       {"example.org:1", "localhost.example.org:1", "127.1:1",
        "127.0.0.1.example.org:1", ":1", "*:1", "::1:1", "[127.0.0.1]:1",
        "[]:1", "[::1:1", "Unix:socket:1"}) {
    EXPECT_EQ(ParseListenAddress(address).status().code(),
              absl::StatusCode::kInvalidArgument)
        << address;
  }
}

TEST(ListenAddressTest, WhatHasNoPortIsRefused) {
  for (const char* address :
       {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536",
        "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1: 1"}) {
    EXPECT_EQ(ParseListenAddress(address).status().code(),
              absl::StatusCode::kInvalidArgument)
        << address;
  }
}

TEST(ListenAddressTest, APathThatNoSocketCanHaveIsRefused) {
  EXPECT_TRUE(ParseListenAddress("unix:" + std::string(107, 'x')).ok());
  for (const std::string& address :
       {std::string("unix:"), "unix:" + std::string(108, 'x'),
        std::string("unix:\0x", 7)}) {
    EXPECT_EQ(ParseListenAddress(address).status().code(),
              absl::StatusCode::kInvalidArgument)
        << address;
  }
}

}  // namespace
}  // namespace reprise::services
