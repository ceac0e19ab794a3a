// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One scalar constraint on the velocities of two bodies, and the step that
// solves it: sequential impulses, in the order of operations of Bullet's scalar
// solver, whose bits it has.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_CONSTRAINT_H_
#define REPRISE_SIM_PHYSICS_SOLVER_CONSTRAINT_H_

#include <cstdint>
#include <span>

#include "LinearMath/btVector3.h"
#include "sim/physics/solver/lanes.h"

namespace reprise::sim {

// How the solver has changed a body's velocity: m/s and rad/s. One cache line.
struct alignas(64) VelocityChange {
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
                         std::span<const VelocityChange> changes) {
  const VelocityChange& a = changes[pair.a];
  const VelocityChange& b = changes[pair.b];
  return {Pair(a.linear, b.linear), Pair(a.angular, b.angular)};
}

// What doesn't move isn't written: else all that touches the ground would wait
// for each other.
inline void Store(const LaneVelocity& velocity, const BodyPair& pair,
                  std::span<VelocityChange> changes) {
  if (pair.moves_a) {
    VelocityChange& a = changes[pair.a];
    StoreLaneA(velocity.linear, a.linear);
    StoreLaneA(velocity.angular, a.angular);
  }
  if (pair.moves_b) {
    VelocityChange& b = changes[pair.b];
    StoreLaneB(velocity.linear, b.linear);
    StoreLaneB(velocity.angular, b.angular);
  }
}

// Impulses are in N s, or N m s where the constraint turns only.
struct Constraint {
  // What a velocity along the constraint is the sum of: dot products with the
  // velocities of both bodies.
  LaneVector3 linear;
  LaneVector3 angular;
  // The change of angular velocity that an impulse of 1 makes.
  LaneVector3 response;
  // The impulse that would change the velocity along the constraint by 1.
  double effective_mass = 0.0;
  // The impulse that is missing before any velocity changes.
  double target = 0.0;
  // How much of an impulse that is there is missing for that.
  double softness = 0.0;
};

inline void Apply(const Constraint& constraint, const BodyPair& pair,
                  double impulse, LaneVelocity& velocity) {
  const Lanes both = Both(impulse);
  velocity.linear =
      velocity.linear + constraint.linear * pair.inverse_mass * both;
  velocity.angular = velocity.angular + constraint.response * both;
}

// How much is missing to `impulse` for the velocities to be as wanted.
inline double MissingImpulse(const Constraint& constraint, double target,
                             double impulse, const LaneVelocity& velocity) {
  const Lanes along = Dot(constraint.linear, velocity.linear) +
                      Dot(constraint.angular, velocity.angular);
  const Lanes change = along * Both(constraint.effective_mass);
  return target - impulse * constraint.softness - LaneA(change) - LaneB(change);
}

// Changes `impulse` and the velocities so that the constraint is satisfied or
// at its lower bound. Returns whether anything changed.
inline bool SolveFromBelow(const Constraint& constraint, const BodyPair& pair,
                           double target, double lower, double& impulse,
                           LaneVelocity& velocity) {
  double missing = MissingImpulse(constraint, target, impulse, velocity);
  const double sum = impulse + missing;
  if (sum < lower) {
    missing = lower - impulse;
    impulse = lower;
  } else {
    impulse = sum;
  }
  Apply(constraint, pair, missing, velocity);
  return missing != 0.0;
}

// As above, with two bounds.
inline bool SolveBetween(const Constraint& constraint, const BodyPair& pair,
                         double lower, double upper, double& impulse,
                         LaneVelocity& velocity) {
  double missing =
      MissingImpulse(constraint, constraint.target, impulse, velocity);
  const double sum = impulse + missing;
  if (sum < lower) {
    missing = lower - impulse;
    impulse = lower;
  } else if (sum > upper) {
    missing = upper - impulse;
    impulse = upper;
  } else {
    impulse = sum;
  }
  Apply(constraint, pair, missing, velocity);
  return missing != 0.0;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_CONSTRAINT_H_
