// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A manifold rubs in its middle, in any direction across its normal and around
// it; its points keep the impulses of that from one step to the next, each a
// share of its own, since points come and go by themselves.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_POINT_FRICTION_H_
#define REPRISE_SIM_PHYSICS_SOLVER_POINT_FRICTION_H_

#include <array>
#include <span>

#include "BulletCollision/NarrowPhaseCollision/btManifoldPoint.h"
#include "LinearMath/btVector3.h"

namespace reprise::sim {

// Where a manifold rubs, in the world.
struct ManifoldFrame {
  btVector3 middle_a;  // of the points on the first body
  btVector3 middle_b;
  btVector3 normal;                 // out of the second, of length 1
  std::array<btVector3, 2> across;  // at right angles to it and each other
  double spread_m = 0.0;  // of the points from their middle, on average
};

// Of the first body.
struct ManifoldFriction {
  std::array<double, 2> across = {};  // N s
  double around = 0.0;                // N m s
};

// REQUIRES: there are points.
ManifoldFrame FrameOf(std::span<btManifoldPoint* const> points);

// What the points rub with together, times `scale`.
ManifoldFriction SumFriction(std::span<btManifoldPoint* const> points,
                             const ManifoldFrame& frame, double scale);

// Gives each point its share of `friction` times `scale`, so that SumFriction
// finds it again.
void ShareFriction(const ManifoldFriction& friction, const ManifoldFrame& frame,
                   double scale, std::span<btManifoldPoint* const> points);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_POINT_FRICTION_H_
