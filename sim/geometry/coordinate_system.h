// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Other worlds' axes. Ours are right-handed with y up; engines, file formats
// and sound libraries differ, and everything that crosses the border goes
// through here, once. Each conversion undoes itself or has its way back beside
// it.

#ifndef REPRISE_SIM_GEOMETRY_COORDINATE_SYSTEM_H_
#define REPRISE_SIM_GEOMETRY_COORDINATE_SYSTEM_H_

#include "sim/geometry/quaternion.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// To and from left-handed axes with y up: z is negated. Triangles change their
// winding on the way, because the conversion is a mirror.
constexpr Vector3 ExchangeHandedness(Vector3 a) { return {a.x, a.y, -a.z}; }
constexpr Quaternion ExchangeHandedness(Quaternion q) {
  return {-q.x, -q.y, q.z, q.w};
}
constexpr Transform ExchangeHandedness(const Transform& t) {
  return {.position = ExchangeHandedness(t.position),
          .rotation = ExchangeHandedness(t.rotation)};
}

// To and from right-handed axes with z up: a quarter turn around x.
constexpr Vector3 ToZUp(Vector3 a) { return {a.x, -a.z, a.y}; }
constexpr Vector3 FromZUp(Vector3 a) { return {a.x, a.z, -a.y}; }
constexpr Quaternion ToZUp(Quaternion q) { return {q.x, -q.z, q.y, q.w}; }
constexpr Quaternion FromZUp(Quaternion q) { return {q.x, q.z, -q.y, q.w}; }
constexpr Transform ToZUp(const Transform& t) {
  return {.position = ToZUp(t.position), .rotation = ToZUp(t.rotation)};
}
constexpr Transform FromZUp(const Transform& t) {
  return {.position = FromZUp(t.position), .rotation = FromZUp(t.rotation)};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_COORDINATE_SYSTEM_H_
