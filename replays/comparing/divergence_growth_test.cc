// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the distance of two states counts what differs and finds the
// largest difference in either measure, and what a person is told of growth.

#include "replays/comparing/divergence_growth.h"

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/tiny_recording.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

using ::testing::EndsWith;

// Puts `value` into a double of a piece of `simulation`.
void Put(sim::Simulation& simulation, uint32_t row, const char* field,
         double value) {
  const Injection injection =
      OneUlpMore(simulation, "board", "pieces", row, field, 0);
  ASSERT_TRUE(
      simulation.Inject(injection.address, sim::FieldValue::OfDouble(value))
          .ok());
}

TEST(DivergenceGrowthTest, EqualStatesAreNowhereApart) {
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
  const sim::State& state = simulation->state();

  EXPECT_EQ(MeasureDistance(state, state, sim::NamesOf(*simulation)),
            StateDistance());
}

TEST(DivergenceGrowthTest, EachMeasureHasItsOwnLargestDifference) {
  const std::unique_ptr<sim::Simulation> left = MakeTiny();
  const std::unique_ptr<sim::Simulation> right = MakeTiny();
  Put(*left, 0, "x", 1e-9);
  // Next to zero a small step is many units in the last place.
  Put(*right, 0, "x", 2e-9);
  Put(*right, 1, "x", 1.25);
  Put(*right, 1, "y", 1.125);

  const StateDistance distance =
      MeasureDistance(left->state(), right->state(), sim::NamesOf(*left));

  EXPECT_EQ(distance.object_count, 2u);
  EXPECT_EQ(distance.field_count, 3u);
  EXPECT_EQ(distance.row_count, 0u);
  EXPECT_EQ(distance.largest_difference, 0.25);
  EXPECT_EQ(distance.largest_difference_at, "board.pieces drifter x");
  EXPECT_EQ(distance.unit, "m");
  EXPECT_EQ(distance.most_ulps_at, "board.pieces runner x");
}

TEST(DivergenceGrowthTest, AcrossAndFromZeroNothingIsToldInUlps) {
  const std::unique_ptr<sim::Simulation> left = MakeTiny();
  const std::unique_ptr<sim::Simulation> right = MakeTiny();
  Put(*right, 0, "x", 1e-9);
  Put(*right, 1, "x", -1.25);

  const StateDistance distance =
      MeasureDistance(left->state(), right->state(), sim::NamesOf(*left));

  EXPECT_EQ(distance.field_count, 2u);
  EXPECT_EQ(distance.most_ulps_at, "");
  EXPECT_EQ(FormatGrowth({.samples = {{.tick = 7, .distance = distance}},
                          .equal_from = std::nullopt}),
            "  tick 7: 2 objects, 2 fields; at most 2.25 m (board.pieces "
            "drifter x)\n"
            "  it lasts: still there at tick 7\n");
}

TEST(DivergenceGrowthTest, TextSaysHowFarAndWhetherItLasts) {
  DivergenceGrowth growth;
  growth.samples.push_back(
      {.tick = 7,
       .distance = {.object_count = 1,
                    .row_count = 2,
                    .field_count = 3,
                    .largest_difference = 0.25,
                    .largest_difference_at = "board.pieces runner x",
                    .unit = "m",
                    .most_ulps = 9,
                    .most_ulps_at = "board.pieces drifter x"}});
  EXPECT_EQ(FormatGrowth(growth),
            "  tick 7: 1 object, 3 fields, 2 rows on one side only; at most "
            "0.25 m (board.pieces runner x), 9 ulp (board.pieces drifter x)\n"
            "  it lasts: still there at tick 7\n");

  growth.samples.push_back({.tick = 12, .distance = {}});
  growth.equal_from = 10;
  EXPECT_THAT(FormatGrowth(growth),
              EndsWith("  tick 12: equal\n"
                       "  it dies out: equal from tick 10 to 12\n"));
}

}  // namespace
}  // namespace reprise::replays
