// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves how many items a page holds, whatever a client asks for.

#include "services/base/page.h"

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

TEST(PageTest, ItHoldsAsManyAsAreAskedForUpToTheMost) {
  EXPECT_EQ(*ParsePageSize(0, 50), 50u);
  EXPECT_EQ(*ParsePageSize(1, 50), 1u);
  EXPECT_EQ(*ParsePageSize(50, 50), 50u);
  EXPECT_EQ(*ParsePageSize(51, 50), 50u);
  EXPECT_EQ(*ParsePageSize(std::numeric_limits<int32_t>::max(), 50), 50u);
}

TEST(PageTest, NegativeSizesAreRefused) {
  for (const int32_t size : {-1, std::numeric_limits<int32_t>::min()}) {
    const absl::Status status = ParsePageSize(size, 50).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(ReasonOf(status), "PAGE_SIZE_NEGATIVE");
  }
}

}  // namespace
}  // namespace reprise::services
