// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no address passes that another machine could reach.

#include "services/base/loopback_address.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace reprise::services {
namespace {

TEST(LoopbackAddressTest, LoopbackAddressesAreAccepted) {
  for (const std::string address :
       {"127.0.0.1:0", "127.1.2.3:65535", "[::1]:7171"}) {
    const auto parsed = ParseLoopbackAddress(address);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(parsed->ToString(), address);
  }
}

TEST(LoopbackAddressTest, LocalhostIsNotLookedUp) {
  const auto parsed = ParseLoopbackAddress("localhost:80");

  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->ToString(), "127.0.0.1:80");
}

TEST(LoopbackAddressTest, OtherAddressesAreRefused) {
  for (const char* address :
       {"0.0.0.0:1", "[::]:1", "10.0.0.1:1", "128.0.0.1:1", "example.org:1",
        "localhost.example.org:1", "127.1:1", "127.0.0.1.example.org:1", ":1",
        "*:1", "::1:1", "unix:socket:1"}) {
    EXPECT_EQ(ParseLoopbackAddress(address).status().code(),
              absl::StatusCode::kInvalidArgument)
        << address;
  }
}

TEST(LoopbackAddressTest, WhatHasNoPortIsRefused) {
  for (const char* address :
       {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536",
        "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1: 1"}) {
    EXPECT_EQ(ParseLoopbackAddress(address).status().code(),
              absl::StatusCode::kInvalidArgument)
        << address;
  }
}

}  // namespace
}  // namespace reprise::services
