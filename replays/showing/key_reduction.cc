// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/key_reduction.h"

#include "sim/base/math.h"

namespace reprise::replays {
namespace {

sim::Quaternion Blend(const sim::Quaternion& a, double weight_a,
                      const sim::Quaternion& b, double weight_b) {
  return sim::Normalized(sim::Quaternion{
      weight_a * a.x + weight_b * b.x, weight_a * a.y + weight_b * b.y,
      weight_a * a.z + weight_b * b.z, weight_a * a.w + weight_b * b.w});
}

}  // namespace

sim::Vector3 Interpolate(const sim::Vector3& from, const sim::Vector3& to,
                         double part) {
  return (1.0 - part) * from + part * to;
}

sim::Quaternion Interpolate(const sim::Quaternion& from,
                            const sim::Quaternion& to, double part) {
  const double dot = sim::Dot(from, to);
  const double sign = dot < 0 ? -1.0 : 1.0;
  const double cosine = std::min(sim::Abs(dot), 1.0);
  const double angle = sim::Acos(cosine);
  const double sine = sim::Sin(angle);
  // So near that the arc is its chord to the last bit of a float.
  if (sine < 1e-6) return Blend(from, 1.0 - part, to, sign * part);
  return Blend(from, sim::Sin((1.0 - part) * angle) / sine, to,
               sign * sim::Sin(part * angle) / sine);
}

double DistanceBetween(const sim::Vector3& a, const sim::Vector3& b) {
  return sim::Length(a - b);
}

// By the chord, which is exact where the angle is small and its cosine isn't.
double DistanceBetween(const sim::Quaternion& a, const sim::Quaternion& b) {
  const double sign = sim::Dot(a, b) < 0 ? -1.0 : 1.0;
  const sim::Quaternion apart = {a.x - sign * b.x, a.y - sign * b.y,
                                 a.z - sign * b.z, a.w - sign * b.w};
  const double half_chord = 0.5 * sim::Sqrt(sim::Dot(apart, apart));
  return 4.0 * sim::Asin(std::min(half_chord, 1.0));
}

}  // namespace reprise::replays
