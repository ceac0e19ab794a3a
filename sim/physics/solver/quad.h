// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Numbers of four independent pairs of bodies side by side in memory.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_QUAD_H_
#define REPRISE_SIM_PHYSICS_SOLVER_QUAD_H_

#include <array>
#include <cstdint>

#include "LinearMath/btVector3.h"

namespace reprise::sim {

inline constexpr int kQuadLanes = 4;

struct alignas(32) Quad {
  std::array<double, kQuadLanes> lanes = {};
};

struct QuadVector3 {
  Quad x;
  Quad y;
  Quad z;

  btVector3 lane(int i) const { return {x.lanes[i], y.lanes[i], z.lanes[i]}; }
  void set_lane(int i, const btVector3& v) {
    x.lanes[i] = v.x();
    y.lanes[i] = v.y();
    z.lanes[i] = v.z();
  }
};

// Lanes that something holds for: all bits of them, or none.
struct alignas(32) QuadMask {
  std::array<int64_t, kQuadLanes> lanes = {};
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_QUAD_H_
