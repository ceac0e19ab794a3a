// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A place and a rotation: how a rigid thing lies in its parent's space. Also
// the way from its own space to the parent's.

#ifndef REPRISE_SIM_GEOMETRY_TRANSFORM_H_
#define REPRISE_SIM_GEOMETRY_TRANSFORM_H_

#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// The identity unless set otherwise. `rotation` has length 1.
struct Transform {
  Vector3 position;
  Quaternion rotation;

  friend bool operator==(const Transform&, const Transform&) = default;
};

// Points are turned and moved; directions have no place and are only turned.
constexpr Vector3 ApplyToPoint(const Transform& t, Vector3 point) {
  return Rotate(t.rotation, point) + t.position;
}
constexpr Vector3 ApplyToDirection(const Transform& t, Vector3 direction) {
  return Rotate(t.rotation, direction);
}

// The way back: from the parent's space to the thing's own.
constexpr Vector3 ApplyInverseToPoint(const Transform& t, Vector3 point) {
  return Rotate(Conjugate(t.rotation), point - t.position);
}
constexpr Vector3 ApplyInverseToDirection(const Transform& t,
                                          Vector3 direction) {
  return Rotate(Conjugate(t.rotation), direction);
}

// `b` followed by `a`: where a child that lies at `b` in `a` lies in a's
// parent. The rotation has length 1 again, so chains don't drift.
inline Transform operator*(const Transform& a, const Transform& b) {
  return {.position = ApplyToPoint(a, b.position),
          .rotation = Normalized(a.rotation * b.rotation)};
}

constexpr Transform Inverse(const Transform& t) {
  const Quaternion back = Conjugate(t.rotation);
  return {.position = -Rotate(back, t.position), .rotation = back};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_TRANSFORM_H_
