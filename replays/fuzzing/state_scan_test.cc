// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what grows without a bound is told, and what merely grows isn't;
// and that pages that didn't change bring no bucket twice.

#include "replays/fuzzing/state_scan.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "sim/state/state.h"
#include "sim/state/table.h"
#include "sim/state/testing_rows.h"

namespace reprise::replays {
namespace {

constexpr double kRadius = 1000.0;

// What is told of a game that began with two movers and has so many now.
std::optional<ScanFinding> LookAt(uint32_t count) {
  StateScan scan(sim::MakeMovers(2), kRadius);
  std::vector<uint64_t> buckets;
  return scan.Look(sim::MakeMovers(count), buckets);
}

TEST(StateScanTest, TableThatGrowsWithoutABoundIsTold) {
  constexpr auto kMost = static_cast<uint32_t>(2 * StateScan::kGrowthFactor +
                                               StateScan::kGrowthRows);
  EXPECT_FALSE(LookAt(kMost).has_value());
  const std::optional<ScanFinding> finding = LookAt(kMost + 1);
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->kind, ScanFinding::Kind::kGrowth);
  EXPECT_EQ(finding->field, "game.movers");
  EXPECT_EQ(finding->value, kMost + 1.0);
}

TEST(StateScanTest, NumberThatIsNoneIsToldWithItsField) {
  sim::State state = sim::MakeMovers(9);
  StateScan scan(state, kRadius);
  state.mutable_table(sim::kMoverTable).Mutable<sim::Mover>(4).speed =
      std::numeric_limits<double>::quiet_NaN();
  std::vector<uint64_t> buckets;
  const std::optional<ScanFinding> finding = scan.Look(state, buckets);
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->kind, ScanFinding::Kind::kNotFinite);
  EXPECT_EQ(finding->field, "game.movers.speed");
  EXPECT_EQ(finding->row, 4u);
}

TEST(StateScanTest, PageThatDidNotChangeIsLookedAtOnce) {
  sim::State state = sim::MakeMovers(300);
  StateScan scan(state, kRadius);
  std::vector<uint64_t> buckets;
  scan.Look(state, buckets);
  EXPECT_FALSE(buckets.empty());
  buckets.clear();
  scan.Look(state, buckets);
  EXPECT_TRUE(buckets.empty());
  state.mutable_table(sim::kMoverTable).Mutable<sim::Mover>(0).score = -77;
  scan.Look(state, buckets);
  EXPECT_FALSE(buckets.empty());
}

}  // namespace
}  // namespace reprise::replays
