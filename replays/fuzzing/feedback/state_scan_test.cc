// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what grows without a bound is told, and what merely grows isn't;
// that positions beyond the world's radius are, and no other numbers so large;
// and that pages that didn't change bring no bucket twice.

#include "replays/fuzzing/feedback/state_scan.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/field.h"
#include "sim/base/object_id.h"
#include "sim/geometry/vector3.h"
#include "sim/state/row_schema.h"
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

struct Stone {
  sim::ObjectId object;
  sim::Vector3 position;
  sim::Vector3 velocity;

  static constexpr std::string_view kTable = "stones";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(Stone, object, ""),
                      REPRISE_FIELD(Stone, position, "m"),
                      REPRISE_FIELD(Stone, velocity, "m/s")};
  }
};

// What is told of three stones, of which the middle one becomes `stone`.
std::optional<ScanFinding> LookAtStone(const Stone& stone) {
  sim::State state;
  const sim::TableIndex table =
      state.AddTable("game", sim::RowSchema::Of<Stone>());
  sim::Table& stones = state.mutable_table(table);
  stones.Resize(3);
  for (uint32_t row = 0; row < 3; ++row) {
    stones.Mutable<Stone>(row) = Stone{
        .object = {row + 1}, .position = {1.0 * row, 0.0, 0.0}, .velocity = {}};
  }
  StateScan scan(state, kRadius);
  std::vector<uint64_t> buckets;
  EXPECT_FALSE(scan.Look(state, buckets).has_value());
  state.mutable_table(table).Mutable<Stone>(1) = stone;
  return scan.Look(state, buckets);
}

TEST(StateScanTest, PositionBeyondTheRadiusIsOutOfTheWorld) {
  for (const double y : {-1000.5, 1000.5, -1e300}) {
    const std::optional<ScanFinding> finding =
        LookAtStone({.object = {2}, .position = {0.0, y, 0.0}, .velocity = {}});
    ASSERT_TRUE(finding.has_value()) << y;
    EXPECT_EQ(finding->kind, ScanFinding::Kind::kOutOfWorld);
    EXPECT_EQ(finding->field, "game.stones.position.y");
    EXPECT_EQ(finding->row, 1u);
    EXPECT_EQ(finding->value, y);
  }
}

TEST(StateScanTest, PositionWithinTheRadiusAndLargeSpeedAreNotTold) {
  EXPECT_FALSE(LookAtStone({.object = {2},
                            .position = {kRadius, -kRadius, kRadius},
                            .velocity = {0.0, 5.0 * kRadius, 0.0}})
                   .has_value());
}

TEST(StateScanTest, PositionThatIsNoNumberIsNotOutOfTheWorld) {
  const std::optional<ScanFinding> finding = LookAtStone(
      {.object = {2},
       .position = {0.0, 0.0, std::numeric_limits<double>::infinity()},
       .velocity = {}});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->kind, ScanFinding::Kind::kNotFinite);
  EXPECT_EQ(finding->field, "game.stones.position.z");
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
