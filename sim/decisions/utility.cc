// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/decisions/utility.h"

#include <algorithm>

#include "sim/base/math.h"

namespace reprise::sim {
namespace {

double RawScore(const ScoreCurve& curve, double x) {
  const double moved = x - curve.shift;
  switch (curve.kind) {
    case CurveKind::kLinear:
      return curve.slope * moved + curve.lift;
    case CurveKind::kQuadratic:
      return curve.slope * moved * moved + curve.lift;
    case CurveKind::kPower:
      return (moved <= 0.0 ? 0.0 : curve.slope * Pow(moved, curve.exponent)) +
             curve.lift;
    case CurveKind::kLogistic:
      return 1.0 / (1.0 + Exp(-curve.slope * moved)) + curve.lift;
    case CurveKind::kStep:
      return (moved >= 0.0 ? 1.0 : 0.0) + curve.lift;
    case CurveKind::kSmooth:
      break;
  }
  const double u = std::clamp(curve.slope * moved, 0.0, 1.0);
  return u * u * (3.0 - 2.0 * u) + curve.lift;
}

}  // namespace

double ScoreOf(const ScoreCurve& curve, double value) {
  if (IsNan(value)) return 0.0;
  // Halves, so that the span of two huge bounds stays finite.
  const double span = curve.maximum / 2 - curve.minimum / 2;
  const double from = std::clamp(value, curve.minimum, curve.maximum);
  const double x = std::clamp((from / 2 - curve.minimum / 2) / span, 0.0, 1.0);
  const double raw = RawScore(curve, x);
  const double score = IsNan(raw) ? 0.0 : std::clamp(raw, 0.0, 1.0);
  return curve.is_inverted ? 1.0 - score : score;
}

double CompensatedProduct(std::span<const double> scores) {
  if (scores.empty()) return 1.0;
  double product = 1.0;
  for (const double score : scores) product *= score;
  const double modification = 1.0 - 1.0 / static_cast<double>(scores.size());
  return product + (1.0 - product) * modification * product;
}

std::optional<size_t> ChooseOption(std::span<const double> scores,
                                   std::optional<size_t> running,
                                   double inertia, double least) {
  std::optional<size_t> best;
  double best_score = least;
  for (size_t i = 0; i < scores.size(); ++i) {
    const double score = running == i ? scores[i] * (1.0 + inertia) : scores[i];
    if (!(score > best_score)) continue;
    best = i;
    best_score = score;
  }
  return best;
}

}  // namespace reprise::sim
