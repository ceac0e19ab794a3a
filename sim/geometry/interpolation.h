// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// From one value to another by a fraction: of numbers, points and rotations.
// Fractions 0 and 1 give the two values themselves, to the bit.

#ifndef REPRISE_SIM_GEOMETRY_INTERPOLATION_H_
#define REPRISE_SIM_GEOMETRY_INTERPOLATION_H_

#include "sim/geometry/quaternion.h"
#include "sim/geometry/transform.h"

namespace reprise::sim {

// Returns the value itself, or the nearest end of [low, high].
// REQUIRES: low <= high.
constexpr double Clamp(double value, double low, double high) {
  if (value < low) return low;
  return value > high ? high : value;
}

// Returns (1 - fraction) a + fraction b, of doubles, Vector2 or Vector3. A
// fraction outside [0, 1] goes on along the line.
template <typename Value>
constexpr Value Lerp(Value a, Value b, double fraction) {
  return a * (1.0 - fraction) + b * fraction;
}

// Both turn from a to b on the shorter way, and where both ways are as long on
// the one from a to b as given. Nlerp is cheap and swifter in the middle than
// at the ends; Slerp turns by the same angle for the same fraction.
// REQUIRES: a and b have length 1; fraction in [0, 1].
Quaternion Nlerp(Quaternion a, Quaternion b, double fraction);
Quaternion Slerp(Quaternion a, Quaternion b, double fraction);

// The position by Lerp, the rotation by Slerp.
Transform Interpolated(const Transform& a, const Transform& b, double fraction);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_INTERPOLATION_H_
