// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that an error names its file exactly once.

#include "replays/container/named_error.h"

#include "gtest/gtest.h"

namespace reprise::replays {
namespace {

TEST(NamedErrorTest, NameStandsInFrontOnce) {
  const absl::Status named =
      NamedError("a.mcap", absl::DataLossError("offset 8: cut off"));
  EXPECT_EQ(named, absl::DataLossError("a.mcap: offset 8: cut off"));
  EXPECT_EQ(NamedError("a.mcap", named), named);
}

TEST(NamedErrorTest, AnotherFilesNameStays) {
  EXPECT_EQ(NamedError("a.mcap", absl::DataLossError("a.mcap.partial: short")),
            absl::DataLossError("a.mcap: a.mcap.partial: short"));
}

TEST(NamedErrorTest, NothingChangesWithoutANameOrAnError) {
  EXPECT_EQ(NamedError("a.mcap", absl::OkStatus()), absl::OkStatus());
  EXPECT_EQ(NamedError("", absl::DataLossError("short")),
            absl::DataLossError("short"));
}

}  // namespace
}  // namespace reprise::replays
