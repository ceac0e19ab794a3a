// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/directions.h"

#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// Corners are on one line when the sine of the angle between two sides is no
// more than this: a few rounding errors of the sides' components.
constexpr double kSineOfNoAngle = 1e-14;

}  // namespace

double AngleBetween(Vector3 a, Vector3 b) {
  // By the arc tangent: the arc cosine loses half of the digits near 0 and pi.
  const Vector3 unit_a = Normalized(a);
  const Vector3 unit_b = Normalized(b);
  return Atan2(Length(Cross(unit_a, unit_b)), Dot(unit_a, unit_b));
}

double SignedAngle(Vector2 from, Vector2 to) {
  const Vector2 unit_from = Normalized(from);
  const Vector2 unit_to = Normalized(to);
  // -0 would make half a turn clockwise of half a turn.
  const double cross = Cross(unit_from, unit_to);
  return Atan2(cross == 0.0 ? 0.0 : cross, Dot(unit_from, unit_to));
}

Vector2 TurnedTowards(Vector2 facing, Vector2 to, double angle_max_rad) {
  const Vector2 unit_facing = Normalized(facing);
  const Vector2 unit_to = Normalized(to);
  if (unit_facing == Vector2{} || unit_to == Vector2{}) return unit_facing;
  const double angle_rad = SignedAngle(unit_facing, unit_to);
  if (Abs(angle_rad) <= angle_max_rad) return unit_to;
  const double turn_rad = angle_rad < 0.0 ? -angle_max_rad : angle_max_rad;
  const double sine = Sin(turn_rad);
  const double cosine = Cos(turn_rad);
  return Normalized(Vector2{unit_facing.x * cosine - unit_facing.y * sine,
                            unit_facing.x * sine + unit_facing.y * cosine});
}

Quaternion RotationBetween(Vector3 from, Vector3 to) {
  const Vector3 unit_from = Normalized(from);
  const Vector3 unit_to = Normalized(to);
  if (unit_from == Vector3{} || unit_to == Vector3{}) return {};
  // Around what is perpendicular to both. Where they are nearly parallel their
  // product is mostly rounding, so its part along `from` is taken out again.
  Vector3 axis = Across(Normalized(Cross(unit_from, unit_to)), unit_from);
  if (axis == Vector3{}) axis = AnyPerpendicular(unit_from);
  axis = Normalized(axis);
  // The sum and the difference of two unit vectors hold the cosine and the
  // sine of half of the angle, with all digits.
  const double sine = 0.5 * Length(unit_to - unit_from);
  const double cosine = 0.5 * Length(unit_to + unit_from);
  return Normalized(
      Quaternion{axis.x * sine, axis.y * sine, axis.z * sine, cosine});
}

Vector3 AnyPerpendicular(Vector3 a) {
  const Vector3 unit = Normalized(a);
  if (unit == Vector3{}) return {1.0, 0.0, 0.0};
  // Across the axis that the vector leans to least, so that nothing cancels.
  if (Abs(unit.x) <= Abs(unit.y) && Abs(unit.x) <= Abs(unit.z)) {
    return Normalized(Vector3{0.0, -unit.z, unit.y});
  }
  if (Abs(unit.y) <= Abs(unit.z)) {
    return Normalized(Vector3{unit.z, 0.0, -unit.x});
  }
  return Normalized(Vector3{-unit.y, unit.x, 0.0});
}

std::optional<Vector3> NormalOf(Vector3 a, Vector3 b, Vector3 c) {
  const Vector3 cross = Cross(Normalized(b - a), Normalized(c - a));
  if (Length(cross) <= kSineOfNoAngle) return std::nullopt;
  return Normalized(cross);
}

}  // namespace reprise::sim
