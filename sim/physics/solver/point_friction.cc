// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/point_friction.h"

#include "sim/physics/collision/contact_material.h"

namespace reprise::sim {
namespace {

// Points whose distances from their middle, squared and summed up, are less
// than this, m^2, are one: they don't turn anything.
constexpr double kSpreadMin = 1e-12;

// From the middle to a point.
btVector3 ArmOf(const btManifoldPoint& point, const ManifoldFrame& frame) {
  return point.getPositionWorldOnB() - frame.middle_b;
}

}  // namespace

ManifoldFrame FrameOf(std::span<btManifoldPoint* const> points) {
  const double share = 1.0 / static_cast<double>(points.size());
  const btVector3 zero(0.0, 0.0, 0.0);
  ManifoldFrame frame = {.middle_a = zero, .middle_b = zero, .normal = zero};
  for (const btManifoldPoint* point : points) {
    frame.middle_a += share * point->getPositionWorldOnA();
    frame.middle_b += share * point->getPositionWorldOnB();
    frame.normal += point->m_normalWorldOnB;
  }
  for (const btManifoldPoint* point : points) {
    frame.spread_m += share * ArmOf(*point, frame).length();
  }
  // Points of a manifold look much the same way; opposite ones would leave
  // none.
  const double length = frame.normal.length();
  frame.normal =
      length > 0.5 ? frame.normal / length : points[0]->m_normalWorldOnB;
  btPlaneSpace1(frame.normal, frame.across[0], frame.across[1]);
  return frame;
}

ManifoldFriction SumFriction(std::span<btManifoldPoint* const> points,
                             const ManifoldFrame& frame, double scale) {
  btVector3 sum(0.0, 0.0, 0.0);
  double turn = 0.0;
  for (const btManifoldPoint* point : points) {
    const btVector3& friction = FrictionImpulse(*point);
    sum += friction;
    turn += ArmOf(*point, frame).cross(friction).dot(frame.normal);
  }
  return {.across = {scale * sum.dot(frame.across[0]),
                     scale * sum.dot(frame.across[1])},
          .around = scale * turn};
}

void ShareFriction(const ManifoldFriction& friction, const ManifoldFrame& frame,
                   double scale, std::span<btManifoldPoint* const> points) {
  // The same for all, and around the middle by how far they are from it.
  const btVector3 even = scale / static_cast<double>(points.size()) *
                         (friction.across[0] * frame.across[0] +
                          friction.across[1] * frame.across[1]);
  double spread = 0.0;
  for (const btManifoldPoint* point : points) {
    spread += ArmOf(*point, frame).cross(frame.normal).length2();
  }
  const double turn =
      spread > kSpreadMin ? scale * friction.around / spread : 0.0;
  for (btManifoldPoint* point : points) {
    SetFrictionImpulse(even + turn * frame.normal.cross(ArmOf(*point, frame)),
                       *point);
  }
}

}  // namespace reprise::sim
