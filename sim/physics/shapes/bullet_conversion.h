// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Our vectors and matrices as Bullet's and back. Nothing is computed: bits
// stay.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_BULLET_CONVERSION_H_
#define REPRISE_SIM_PHYSICS_SHAPES_BULLET_CONVERSION_H_

#include "LinearMath/btMatrix3x3.h"
#include "LinearMath/btTransform.h"
#include "LinearMath/btVector3.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

inline btVector3 ToBullet(Vector3 v) { return btVector3(v.x, v.y, v.z); }

inline btMatrix3x3 ToBullet(const Matrix3& m) {
  return btMatrix3x3(ToBullet(m.rows[0]), ToBullet(m.rows[1]),
                     ToBullet(m.rows[2]));
}

// The pose of a body or frame at `position`, turned by `rotation`, which may be
// of any length but 0.
inline btTransform ToBullet(Vector3 position, Quaternion rotation) {
  return btTransform(ToBullet(ToMatrix3(Normalized(rotation))),
                     ToBullet(position));
}

inline Vector3 FromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

inline Matrix3 FromBullet(const btMatrix3x3& m) {
  return {{FromBullet(m[0]), FromBullet(m[1]), FromBullet(m[2])}};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_BULLET_CONVERSION_H_
