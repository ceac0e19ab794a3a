// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Directions among each other: angles, parts along and across, mirrored ones,
// and the rotation that brings one to another.

#ifndef REPRISE_SIM_GEOMETRY_DIRECTIONS_H_
#define REPRISE_SIM_GEOMETRY_DIRECTIONS_H_

#include <optional>

#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector2.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

constexpr double LengthSquared(Vector3 a) { return Dot(a, a); }

// Returns the part of `a` along the unit vector `axis`, and the rest of it,
// which is perpendicular to the axis. REQUIRES: axis has length 1.
constexpr Vector3 Along(Vector3 a, Vector3 axis) { return axis * Dot(a, axis); }
constexpr Vector3 Across(Vector3 a, Vector3 axis) { return a - Along(a, axis); }

// Returns `a` as a mirror with this normal throws it back: the part along the
// normal turns round. REQUIRES: normal has length 1.
constexpr Vector3 Reflected(Vector3 a, Vector3 normal) {
  return a - normal * (2.0 * Dot(a, normal));
}
constexpr Vector2 Reflected(Vector2 a, Vector2 normal) {
  return a - normal * (2.0 * Dot(a, normal));
}

// Returns the angle between two vectors of any length, in [0, pi] rad, exact to
// the last digits also where it is tiny or nearly pi. The zero vector has no
// direction: the angle is 0.
double AngleBetween(Vector3 a, Vector3 b);

// Returns the turn that brings the direction of `from` to that of `to`, in
// (-pi, pi] rad, counter-clockwise above 0; pi where they are opposite.
double SignedAngle(Vector2 from, Vector2 to);

// Returns the unit vector that `facing` becomes when it turns towards `to` by
// at most `angle_max_rad`, on the shorter way, counter-clockwise where both are
// as long. It gets there exactly. A zero vector turns nothing.
// REQUIRES: angle_max_rad >= 0.
Vector2 TurnedTowards(Vector2 facing, Vector2 to, double angle_max_rad);

// Returns the shortest rotation that brings the direction of `from` to that of
// `to`. Opposite directions go round a fixed axis perpendicular to `from`; with
// a zero vector the result is the identity.
Quaternion RotationBetween(Vector3 from, Vector3 to);

// Returns a unit vector perpendicular to `a`, always the same one for the same
// `a`; x for the zero vector.
Vector3 AnyPerpendicular(Vector3 a);

// Returns the unit normal of the triangle a, b, c: towards the eye that sees
// them counter-clockwise. Nullopt where they lie on one line, to within
// rounding.
std::optional<Vector3> NormalOf(Vector3 a, Vector3 b, Vector3 c);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_DIRECTIONS_H_
