// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/input/conditioning.h"

#include <algorithm>

#include "sim/base/math.h"

namespace reprise::sim {
namespace {

constexpr double kNeutralRadius = 0.5;

// The tangent of 22.5 degrees: half of a sector.
constexpr double kHalfSectorTangent = 0.41421356237309503;

}  // namespace

double InRange(double value, const AxisRange& range) {
  const double size = Abs(value);
  if (size <= range.dead) return 0.0;
  const double part =
      std::min(1.0, (size - range.dead) / (range.reach - range.dead));
  return value < 0.0 ? -part : part;
}

Vector2 InRange(Vector2 stick, const AxisRange& range) {
  const double length = Length(stick);
  const double wanted = InRange(length, range);
  if (wanted == 0.0) return {};
  return (wanted / length) * stick;
}

double Smooth(double smoothed, double value, double factor) {
  return smoothed + factor * (value - smoothed);
}

double SmoothingFactor(double time_constant) {
  return 1.0 - Exp(-1.0 / time_constant);
}

StickDirection DirectionOf(Vector2 stick) {
  if (Length(stick) < kNeutralRadius) return StickDirection::kNeutral;
  const double x = Abs(stick.x);
  const double y = Abs(stick.y);
  if (y <= kHalfSectorTangent * x) {
    return stick.x > 0.0 ? StickDirection::kRight : StickDirection::kLeft;
  }
  if (x <= kHalfSectorTangent * y) {
    return stick.y > 0.0 ? StickDirection::kUp : StickDirection::kDown;
  }
  if (stick.y > 0.0) {
    return stick.x > 0.0 ? StickDirection::kUpRight : StickDirection::kUpLeft;
  }
  return stick.x > 0.0 ? StickDirection::kDownRight : StickDirection::kDownLeft;
}

}  // namespace reprise::sim
