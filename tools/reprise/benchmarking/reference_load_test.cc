// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the load is what it was when baselines were written: its results
// are those of the same arithmetic in Python, with integers cut to 64 bits.

#include "tools/reprise/benchmarking/reference_load.h"

#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

TEST(ReferenceLoadTest, DoesTheSameWorkEverywhere) {
  ReferenceLoad load;
  EXPECT_EQ(load.Run(1), 0x85805a419775b92au);
  EXPECT_EQ(load.Run(99), 0xaddb3350107de26bu);
}

TEST(ReferenceLoadTest, UnitsAddUp) {
  ReferenceLoad once;
  ReferenceLoad twice;
  twice.Run(30);
  EXPECT_EQ(twice.Run(70), once.Run(100));
}

}  // namespace
}  // namespace reprise::tools
