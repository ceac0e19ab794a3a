// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/cpu_features.h"

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

#if defined(__x86_64__)

// What the compiler's own check says; tests aren't optimised across files.
TEST(CpuFeaturesTest, AreThoseTheCompilerFinds) {
  EXPECT_EQ(HasAvx(), __builtin_cpu_supports("avx") != 0);
  EXPECT_EQ(HasAvx2(), __builtin_cpu_supports("avx2") != 0);
}

#else

TEST(CpuFeaturesTest, OthersHaveNone) {
  EXPECT_FALSE(HasAvx());
  EXPECT_FALSE(HasAvx2());
}

#endif

}  // namespace
}  // namespace reprise::sim
