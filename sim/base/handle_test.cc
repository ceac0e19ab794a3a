// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that handles are null unless given, differ when only the generation
// does, and have one total order.

#include "sim/base/handle.h"

#include <type_traits>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

static_assert(std::is_trivially_copyable_v<Handle>);
static_assert(std::has_unique_object_representations_v<Handle>);

TEST(HandleTest, IsNullUntilGiven) {
  EXPECT_TRUE(Handle{}.is_null());
  EXPECT_EQ(Handle{}, kNullHandle);
  EXPECT_FALSE((Handle{0, 1}.is_null()));
}

TEST(HandleTest, TheNextTenantOfASlotIsAnother) {
  EXPECT_NE((Handle{3, 1}), (Handle{3, 2}));
  EXPECT_EQ((Handle{3, 2}), (Handle{3, 2}));
}

TEST(HandleTest, OrdersByIndexThenGeneration) {
  EXPECT_LT((Handle{1, 9}), (Handle{2, 1}));
  EXPECT_LT((Handle{2, 1}), (Handle{2, 2}));
}

}  // namespace
}  // namespace reprise::sim
