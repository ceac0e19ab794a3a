// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves curves by values that their formulas have on paper, the product by its
// own properties, and choices against a plain look at all of them.

#include "sim/decisions/utility.h"

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"

namespace reprise::sim {
namespace {

TEST(UtilityTest, CurvesHaveTheirValues) {
  EXPECT_DOUBLE_EQ(ScoreOf({.maximum = 100.0}, 25.0), 0.25);
  EXPECT_DOUBLE_EQ(ScoreOf({.minimum = -10.0, .maximum = 10.0}, 0.0), 0.5);
  EXPECT_DOUBLE_EQ(ScoreOf({.slope = -1.0, .lift = 1.0}, 0.25), 0.75);
  EXPECT_DOUBLE_EQ(ScoreOf({.kind = CurveKind::kQuadratic}, 0.5), 0.25);
  EXPECT_DOUBLE_EQ(
      ScoreOf({.kind = CurveKind::kQuadratic, .slope = 4.0, .shift = 0.5}, 1.0),
      1.0);
  EXPECT_DOUBLE_EQ(ScoreOf({.kind = CurveKind::kPower, .exponent = 3.0}, 0.5),
                   0.125);
  EXPECT_DOUBLE_EQ(ScoreOf({.kind = CurveKind::kPower, .exponent = 0.5}, 0.25),
                   0.5);
  EXPECT_DOUBLE_EQ(
      ScoreOf({.kind = CurveKind::kPower, .shift = 0.5, .lift = 0.1}, 0.25),
      0.1);
  const ScoreCurve logistic = {
      .kind = CurveKind::kLogistic, .slope = 10.0, .shift = 0.5};
  EXPECT_DOUBLE_EQ(ScoreOf(logistic, 0.5), 0.5);
  // 1 / (1 + e^-5) and 1 / (1 + e^5).
  EXPECT_NEAR(ScoreOf(logistic, 1.0), 0.9933071490757153, 1e-15);
  EXPECT_NEAR(ScoreOf(logistic, 0.0), 0.0066928509242848554, 1e-15);
  const ScoreCurve step = {.kind = CurveKind::kStep, .shift = 0.5};
  EXPECT_EQ(ScoreOf(step, 0.4999), 0.0);
  EXPECT_EQ(ScoreOf(step, 0.5), 1.0);
  EXPECT_DOUBLE_EQ(ScoreOf({.kind = CurveKind::kSmooth}, 0.25), 0.15625);
  EXPECT_DOUBLE_EQ(ScoreOf({.is_inverted = true}, 0.25), 0.75);
}

TEST(UtilityTest, ScoresStayWithinZeroAndOneWhateverComes) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  RandomStream random = MakeRandomStream(1, IdOf("curves"));
  for (int i = 0; i < 20'000; ++i) {
    const ScoreCurve curve = {
        .kind = static_cast<CurveKind>(NextBelow(random, 6)),
        .minimum = -1e300 * NextUnit(random),
        .maximum = 1e300 * NextUnit(random) + 1.0,
        .slope = 2e6 * (NextUnit(random) - 0.5),
        .exponent = 0.01 + 99.0 * NextUnit(random),
        .shift = 2e6 * (NextUnit(random) - 0.5),
        .lift = 2e6 * (NextUnit(random) - 0.5),
        .is_inverted = NextBelow(random, 2) == 1};
    for (const double value :
         {-kInfinity, -1e308, 0.0, NextUnit(random), 1e308, kInfinity}) {
      const double score = ScoreOf(curve, value);
      ASSERT_GE(score, 0.0);
      ASSERT_LE(score, 1.0);
    }
    ASSERT_EQ(ScoreOf(curve, std::numeric_limits<double>::quiet_NaN()), 0.0);
  }
}

TEST(UtilityTest, ProductsAreRaisedForTheirNumber) {
  EXPECT_EQ(CompensatedProduct({}), 1.0);
  EXPECT_EQ(CompensatedProduct(std::array{0.5}), 0.5);
  // p = 0.25: 0.25 + 0.75 * 0.5 * 0.25.
  EXPECT_DOUBLE_EQ(CompensatedProduct(std::array{0.5, 0.5}), 0.34375);
  EXPECT_EQ(CompensatedProduct(std::array{0.5, 0.0, 1.0}), 0.0);
  EXPECT_EQ(CompensatedProduct(std::array{1.0, 1.0, 1.0}), 1.0);
}

TEST(UtilityTest, TheHighestIsChosenAndWhatRunsHasAnAdvantage) {
  EXPECT_EQ(ChooseOption(std::array{0.2, 0.7, 0.7}, std::nullopt, 0.0, 0.0),
            1u);
  EXPECT_EQ(ChooseOption(std::array{0.2, 0.7, 0.7}, 2, 0.0, 0.0), 1u);
  EXPECT_EQ(ChooseOption(std::array{0.2, 0.7, 0.7}, 2, 0.1, 0.0), 2u);
  EXPECT_EQ(ChooseOption(std::array{0.2, 0.7, 0.6}, 2, 0.1, 0.0), 1u);
  EXPECT_EQ(ChooseOption(std::array{0.0, 0.0}, std::nullopt, 0.0, 0.0),
            std::nullopt);
  EXPECT_EQ(ChooseOption(std::array{0.3, 0.2}, std::nullopt, 0.0, 0.3),
            std::nullopt);
  EXPECT_EQ(ChooseOption({}, std::nullopt, 0.0, 0.0), std::nullopt);
}

TEST(UtilityTest, ChoicesAreThoseOfLookingAtAll) {
  RandomStream random = MakeRandomStream(2, IdOf("choices"));
  for (int i = 0; i < 5'000; ++i) {
    std::vector<double> scores(1 + NextBelow(random, 6));
    for (double& score : scores) {
      score = static_cast<double>(NextBelow(random, 5)) / 4.0;
    }
    const size_t running = NextBelow(random, scores.size());
    const double inertia = 0.5 * static_cast<double>(NextBelow(random, 3));
    std::optional<size_t> best;
    for (size_t k = scores.size(); k > 0; --k) {
      const auto of = [&](size_t at) {
        return at == running ? scores[at] * (1.0 + inertia) : scores[at];
      };
      if (of(k - 1) > 0.0 && (!best || of(k - 1) >= of(*best))) best = k - 1;
    }
    ASSERT_EQ(ChooseOption(scores, running, inertia, 0.0), best);
  }
}

}  // namespace
}  // namespace reprise::sim
