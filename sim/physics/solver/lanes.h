// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Numbers and vectors of two bodies side by side, so that what the solver
// computes for both is computed at once. Each lane is what scalars would be:
// the same IEEE operations in the same order, in every build.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_LANES_H_
#define REPRISE_SIM_PHYSICS_SOLVER_LANES_H_

#include "LinearMath/btMatrix3x3.h"
#include "LinearMath/btVector3.h"

namespace reprise::sim {

// [0] is of body A, [1] of body B.
typedef double Lanes __attribute__((vector_size(16)));

inline Lanes Pair(double a, double b) { return Lanes{a, b}; }
inline Lanes Both(double value) { return Pair(value, value); }

// By value, which lets vectors of lanes stay in registers.
inline double LaneA(Lanes lanes) { return lanes[0]; }
inline double LaneB(Lanes lanes) { return lanes[1]; }

struct LaneVector3 {
  Lanes x = {};
  Lanes y = {};
  Lanes z = {};
};

inline LaneVector3 Both(const btVector3& v) {
  return {Both(v.x()), Both(v.y()), Both(v.z())};
}

inline LaneVector3 Pair(const btVector3& a, const btVector3& b) {
  return {Pair(a.x(), b.x()), Pair(a.y(), b.y()), Pair(a.z(), b.z())};
}

inline btVector3 LaneA(const LaneVector3& v) {
  return {LaneA(v.x), LaneA(v.y), LaneA(v.z)};
}

inline btVector3 LaneB(const LaneVector3& v) {
  return {LaneB(v.x), LaneB(v.y), LaneB(v.z)};
}

inline void StoreLaneA(const LaneVector3& v, btVector3& to) {
  to[0] = LaneA(v.x);
  to[1] = LaneA(v.y);
  to[2] = LaneA(v.z);
}

inline void StoreLaneB(const LaneVector3& v, btVector3& to) {
  to[0] = LaneB(v.x);
  to[1] = LaneB(v.y);
  to[2] = LaneB(v.z);
}

inline LaneVector3 operator+(const LaneVector3& a, const LaneVector3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

inline LaneVector3 operator-(const LaneVector3& a, const LaneVector3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

// By component.
inline LaneVector3 operator*(const LaneVector3& a, const LaneVector3& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

inline LaneVector3 operator*(const LaneVector3& v, Lanes factor) {
  return {v.x * factor, v.y * factor, v.z * factor};
}

inline Lanes Dot(const LaneVector3& a, const LaneVector3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

inline LaneVector3 Cross(const LaneVector3& a, const LaneVector3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct LaneMatrix3 {
  LaneVector3 rows[3];
};

inline LaneMatrix3 Pair(const btMatrix3x3& a, const btMatrix3x3& b) {
  return {{Pair(a[0], b[0]), Pair(a[1], b[1]), Pair(a[2], b[2])}};
}

inline LaneVector3 operator*(const LaneMatrix3& m, const LaneVector3& v) {
  return {Dot(m.rows[0], v), Dot(m.rows[1], v), Dot(m.rows[2], v)};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_LANES_H_
