// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/brains/score_curve_compiler.h"

#include <limits>

#include "fmt/format.h"

namespace reprise::sim {
namespace {

constexpr double kCurveMax = 1e6;

CurveKind CompileCurve(v1::BrainConsideration::Curve curve) {
  switch (curve) {
    case v1::BrainConsideration::CURVE_QUADRATIC:
      return CurveKind::kQuadratic;
    case v1::BrainConsideration::CURVE_POWER:
      return CurveKind::kPower;
    case v1::BrainConsideration::CURVE_LOGISTIC:
      return CurveKind::kLogistic;
    case v1::BrainConsideration::CURVE_STEP:
      return CurveKind::kStep;
    case v1::BrainConsideration::CURVE_SMOOTH:
      return CurveKind::kSmooth;
    default:
      return CurveKind::kLinear;
  }
}

}  // namespace

ScoreCurve CompileScoreCurve(const v1::BrainConsideration& message,
                             const MessageChecker& place) {
  constexpr double kAny = std::numeric_limits<double>::max();
  ScoreCurve curve;
  curve.kind = CompileCurve(message.curve());
  curve.minimum = place.Number("minimum", message.minimum(), -kAny, kAny);
  curve.maximum = message.has_maximum()
                      ? place.Number("maximum", message.maximum(), -kAny, kAny)
                      : 1.0;
  if (!(curve.minimum < curve.maximum)) {
    place.Problem("maximum", fmt::format("{} is not above the minimum, {}",
                                         curve.maximum, curve.minimum));
  }
  if (message.has_slope()) {
    curve.slope = place.Number("slope", message.slope(), -kCurveMax, kCurveMax);
  }
  if (message.has_exponent()) {
    curve.exponent = place.Number("exponent", message.exponent(), 0.01, 100.0);
    if (curve.kind != CurveKind::kPower) {
      place.Problem("exponent", "only CURVE_POWER has one");
    }
  }
  curve.shift = place.Number("shift", message.shift(), -kCurveMax, kCurveMax);
  curve.lift = place.Number("lift", message.lift(), -kCurveMax, kCurveMax);
  curve.is_inverted = message.inverted();
  return curve;
}

}  // namespace reprise::sim
