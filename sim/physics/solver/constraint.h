// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the solver solves: velocities of two bodies along a direction, and the
// impulses that change them.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_CONSTRAINT_H_
#define REPRISE_SIM_PHYSICS_SOLVER_CONSTRAINT_H_

#include <cstdint>
#include <span>

#include "LinearMath/btVector3.h"
#include "sim/physics/solver/lanes.h"

namespace reprise::sim {

// A body's velocity, m/s and rad/s, or what it has moved in this step, m and
// rad. One cache line.
struct alignas(64) BodyVelocity {
  btVector3 linear = btVector3(0.0, 0.0, 0.0);
  btVector3 angular = btVector3(0.0, 0.0, 0.0);
};

// Of the two bodies of a constraint.
struct LaneVelocity {
  LaneVector3 linear;
  LaneVector3 angular;
};

// Bodies that constraints following each other share, by their indexes.
struct BodyPair {
  uint32_t a = 0;
  uint32_t b = 0;
  // Whether impulses move it, which nothing does with index 0.
  bool moves_a = false;
  bool moves_b = false;
  LaneVector3 inverse_mass;  // 1/kg, by axis
};

inline LaneVelocity Load(const BodyPair& pair,
                         std::span<const BodyVelocity> velocities) {
  const BodyVelocity& a = velocities[pair.a];
  const BodyVelocity& b = velocities[pair.b];
  return {Pair(a.linear, b.linear), Pair(a.angular, b.angular)};
}

// What doesn't move isn't written: else all that touches the ground would wait
// for each other.
inline void Store(const LaneVelocity& velocity, const BodyPair& pair,
                  std::span<BodyVelocity> velocities) {
  if (pair.moves_a) {
    BodyVelocity& a = velocities[pair.a];
    StoreLaneA(velocity.linear, a.linear);
    StoreLaneA(velocity.angular, a.angular);
  }
  if (pair.moves_b) {
    BodyVelocity& b = velocities[pair.b];
    StoreLaneB(velocity.linear, b.linear);
    StoreLaneB(velocity.angular, b.angular);
  }
}

// Along which two bodies move against each other.
struct Direction {
  // What the velocity along it is the sum of: dot products with the velocities
  // of both bodies.
  LaneVector3 linear;
  LaneVector3 angular;
  // The change of angular velocity that an impulse of 1 makes.
  LaneVector3 response;
};

inline double VelocityAlong(const Direction& direction,
                            const LaneVelocity& velocity) {
  const Lanes along = Dot(direction.linear, velocity.linear) +
                      Dot(direction.angular, velocity.angular);
  return LaneA(along) + LaneB(along);
}

// Rounds go through constraints forth and back in turn, so that what comes
// later has no less to say than what comes first.
enum class Order : uint8_t { kForth, kBack };

template <typename Items, typename Visit>
void ForEachIn(Items&& items, Order order, const Visit& visit) {
  if (order == Order::kForth) {
    for (auto it = items.begin(); it != items.end(); ++it) visit(*it);
  } else {
    for (auto it = items.end(); it != items.begin();) visit(*--it);
  }
}

// `impulse` in N s, or N m s where the direction turns only.
inline void Apply(const Direction& direction, const BodyPair& pair,
                  double impulse, LaneVelocity& velocity) {
  const Lanes both = Both(impulse);
  velocity.linear =
      velocity.linear + direction.linear * pair.inverse_mass * both;
  velocity.angular = velocity.angular + direction.response * both;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_CONSTRAINT_H_
