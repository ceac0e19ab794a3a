// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that features are those the compiler finds, and that glibc's tunables
// take them away, as the determinism matrix does.

#include "sim/base/cpu_features.h"

#include <stdlib.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

#if defined(__x86_64__)

TEST(CpuFeaturesTest, AreThoseTheCompilerFinds) {
  EXPECT_EQ(HasAvx(), __builtin_cpu_supports("avx") != 0);
  EXPECT_EQ(HasAvx2(), __builtin_cpu_supports("avx2") != 0);
}

TEST(CpuFeaturesDeathTest, TunablesTakeThemAway) {
  // The process begins anew, since they are read once.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  ASSERT_EQ(setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2", 1), 0);
  EXPECT_EXIT(_exit(HasAvx2() ? 1 : 0), testing::ExitedWithCode(0), "");
  ASSERT_EQ(unsetenv("GLIBC_TUNABLES"), 0);
}

#else

TEST(CpuFeaturesTest, OthersHaveNone) {
  EXPECT_FALSE(HasAvx());
  EXPECT_FALSE(HasAvx2());
}

#endif

}  // namespace
}  // namespace reprise::sim
