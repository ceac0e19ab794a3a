// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Utility: how much an agent wants each of its options, from curves over what
// it considers, and which one it takes.

#ifndef REPRISE_SIM_DECISIONS_UTILITY_H_
#define REPRISE_SIM_DECISIONS_UTILITY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace reprise::sim {

// With x from 0 to 1.
enum class CurveKind : uint8_t {
  kLinear,     // slope (x - shift) + lift
  kQuadratic,  // slope (x - shift)^2 + lift
  kPower,      // slope (x - shift)^exponent + lift; nothing below the shift
  kLogistic,   // 1 / (1 + e^(-slope (x - shift))) + lift
  kStep,       // 1 from the shift on, before it 0; + lift
  kSmooth,     // 3 u^2 - 2 u^3 of u = slope (x - shift), held to 0 to 1; + lift
};

// From a number that an agent considers to a score of 0 to 1.
struct ScoreCurve {
  CurveKind kind = CurveKind::kLinear;
  // What counts as 0 and as 1; what lies beyond is held there.
  double minimum = 0.0;
  double maximum = 1.0;
  double slope = 1.0;
  double exponent = 2.0;
  double shift = 0.0;
  double lift = 0.0;
  bool is_inverted = false;  // 1 - the score
};

// 0 to 1; 0 for what is no number. REQUIRES: minimum < maximum, all finite.
double ScoreOf(const ScoreCurve& curve, double value);

// The product of scores of 0 to 1, raised for their number: without that an
// option with more to consider would lose to one with less. With n scores of
// product p it is p + (1 - p) (1 - 1/n) p (Mark, "Behavioral Mathematics for
// Game AI", 2009; Lewis, "Choosing Effective Utility-Based Considerations",
// Game AI Pro 3). 1 of none.
double CompensatedProduct(std::span<const double> scores);

// The option of the highest score above `least`, the first of equal ones. The
// one that runs, if any, counts (1 + inertia) times, so that equals don't take
// turns. nullopt when there is none.
std::optional<size_t> ChooseOption(std::span<const double> scores,
                                   std::optional<size_t> running,
                                   double inertia, double least);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_DECISIONS_UTILITY_H_
