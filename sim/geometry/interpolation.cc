// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/interpolation.h"

#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// Where the cosine of the angle is closer to 1 than this, its sine has lost
// half of its digits to the subtraction, and Nlerp is exact to the last ones.
constexpr double kNearlyEqual = 1e-8;

Quaternion Sum(Quaternion a, double weight_a, Quaternion b, double weight_b) {
  return {a.x * weight_a + b.x * weight_b, a.y * weight_a + b.y * weight_b,
          a.z * weight_a + b.z * weight_b, a.w * weight_a + b.w * weight_b};
}

// The one of b's two quaternions that is nearer to a.
Quaternion Nearer(Quaternion a, Quaternion b) {
  if (Dot(a, b) >= 0.0) return b;
  return {-b.x, -b.y, -b.z, -b.w};
}

}  // namespace

Quaternion Nlerp(Quaternion a, Quaternion b, double fraction) {
  if (fraction == 0.0) return a;
  if (fraction == 1.0) return b;
  return Normalized(Sum(a, 1.0 - fraction, Nearer(a, b), fraction));
}

Quaternion Slerp(Quaternion a, Quaternion b, double fraction) {
  if (fraction == 0.0) return a;
  if (fraction == 1.0) return b;
  const Quaternion end = Nearer(a, b);
  const double cosine = Dot(a, end);
  if (cosine > 1.0 - kNearlyEqual) return Nlerp(a, end, fraction);
  const double angle_rad = Acos(cosine);
  const double weight_a = Sin((1.0 - fraction) * angle_rad);
  const double weight_b = Sin(fraction * angle_rad);
  return Normalized(Sum(a, weight_a, end, weight_b));
}

Transform Interpolated(const Transform& a, const Transform& b,
                       double fraction) {
  return {.position = Lerp(a.position, b.position, fraction),
          .rotation = Slerp(a.rotation, b.rotation, fraction)};
}

}  // namespace reprise::sim
