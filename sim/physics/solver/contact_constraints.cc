// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/contact_constraints.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/physics/collision/prefetch.h"

namespace reprise::sim {
namespace {

// How many manifolds ahead memory is asked for, headers first, for they tell of
// points. Without it taking contacts of 1,000 bodies lasts twice as long; two
// to four make no difference.
constexpr size_t kHeadersAhead = 6;
constexpr size_t kPointsAhead = 3;

// The bodies of a manifold and its number of points, which stand last.
void PrefetchHeader(const btPersistentManifold& manifold) {
  constexpr size_t kSize = sizeof(btPersistentManifold);
  Prefetch(&manifold, kSize - 128, kSize);
}

// Of each point what lies between the first and the last that is used.
void PrefetchPoints(const btPersistentManifold& manifold) {
  for (int i = 0; i < manifold.getNumContacts(); ++i) {
    Prefetch(&manifold.getContactPoint(i),
             offsetof(btManifoldPoint, m_positionWorldOnB),
             offsetof(btManifoldPoint, m_contactMotion1));
  }
}

// `relaxation` is the share of the whole correction that is made at once.
double EffectiveMass(const LaneVector3& axis, const LaneVector3& arms,
                     const LaneVector3& response, const SolverBodyPair& pair,
                     double relaxation, double softness) {
  const LaneVector3 turning = Cross(response * pair.sides, arms);
  const Lanes inverse_mass = pair.inverse_mass + Dot(axis, turning);
  return relaxation / (LaneA(inverse_mass) + LaneB(inverse_mass) + softness);
}

// The velocity of A's point less that of B's.
btVector3 PointVelocity(const LaneVelocity& velocity, const LaneVector3& arms) {
  const LaneVector3 points = velocity.linear + Cross(velocity.angular, arms);
  return LaneA(points) - LaneB(points);
}

double VelocityAlong(const Constraint& constraint,
                     const LaneVelocity& velocity) {
  const Lanes along = Dot(constraint.linear, velocity.linear) +
                      Dot(constraint.angular, velocity.angular);
  return LaneA(along) + LaneB(along);
}

// The speed with which bodies should part.
double BounceSpeed(const btManifoldPoint& point, const LaneVector3& arms,
                   const SolverBodyPair& pair,
                   const btContactSolverInfo& info) {
  if (point.m_combinedRestitution == 0.0) return 0.0;
  const double speed =
      point.m_normalWorldOnB.dot(PointVelocity(pair.velocity, arms));
  if (Abs(speed) < info.m_restitutionVelocityThreshold) return 0.0;
  return std::max(point.m_combinedRestitution * -speed, 0.0);
}

Constraint MakePressure(const btVector3& normal, const LaneVector3& arms,
                        const SolverBodyPair& pair,
                        const btContactSolverInfo& info) {
  const LaneVector3 axis = Both(normal);
  const double softness = info.m_globalCfm * (1.0 / info.m_timeStep);
  Constraint constraint;
  constraint.linear = axis * pair.sides;
  constraint.angular = Cross(arms, axis) * pair.sides;
  constraint.response = pair.ResponseTo(constraint.angular);
  constraint.effective_mass = EffectiveMass(axis, arms, constraint.response,
                                            pair, info.m_sor, softness);
  constraint.softness = softness * constraint.effective_mass;
  return constraint;
}

// Against sliding; where nothing slides, in any direction across the normal.
Constraint MakeFriction(const btManifoldPoint& point, const LaneVector3& arms,
                        const SolverBodyPair& pair,
                        const btContactSolverInfo& info) {
  const btVector3& normal = point.m_normalWorldOnB;
  const btVector3 velocity = PointVelocity(pair.gained, arms);
  btVector3 direction = velocity - normal * normal.dot(velocity);
  const double speed_squared = direction.length2();
  if (speed_squared > SIMD_EPSILON) {
    direction *= 1.0 / Sqrt(speed_squared);
  } else {
    btVector3 unused;
    btPlaneSpace1(normal, direction, unused);
  }

  const LaneVector3 axis = Both(direction);
  Constraint constraint;
  constraint.linear = axis * pair.sides;
  constraint.angular = Cross(arms, constraint.linear);
  constraint.response = pair.ResponseTo(constraint.angular);
  constraint.effective_mass =
      EffectiveMass(axis, arms, constraint.response, pair, info.m_sor, 0.0);
  // Torques are left out, as Bullet does.
  const double speed =
      VelocityAlong(constraint, {pair.gained.linear, pair.velocity.angular});
  constraint.target = -speed * constraint.effective_mass;
  return constraint;
}

// Against turning around `axis`.
Constraint MakeTurning(const btVector3& axis, const SolverBodyPair& pair) {
  const Lanes sides = Pair(-1.0, 1.0);
  Constraint constraint;
  constraint.angular = Both(axis) * sides;
  const LaneVector3 response = pair.inverse_inertia * constraint.angular;
  constraint.response = response * pair.angular_factor;
  const Lanes inverse_inertia = Dot(response, constraint.angular);
  constraint.effective_mass =
      1.0 / (LaneA(inverse_inertia) + LaneB(inverse_inertia));
  const double speed =
      VelocityAlong(constraint, {pair.gained.linear, pair.velocity.angular});
  constraint.target = -speed * constraint.effective_mass;
  return constraint;
}

}  // namespace

void ContactConstraints::Reset(std::span<btPersistentManifold* const> manifolds,
                               const btContactSolverInfo& info,
                               SolverBodies& bodies) {
  groups_.clear();
  points_.clear();
  pressures_.clear();
  impulses_.clear();
  frictions_.clear();
  rolling_groups_.clear();
  rolling_.clear();
  pushes_.clear();
  for (size_t i = 0; i < manifolds.size(); ++i) {
    if (i + kHeadersAhead < manifolds.size()) {
      PrefetchHeader(*manifolds[i + kHeadersAhead]);
    }
    if (i + kPointsAhead < manifolds.size()) {
      PrefetchPoints(*manifolds[i + kPointsAhead]);
    }
    if (manifolds[i]->getNumContacts() != 0) {
      AddManifold(*manifolds[i], info, bodies);
    }
  }
}

void ContactConstraints::AddManifold(btPersistentManifold& manifold,
                                     const btContactSolverInfo& info,
                                     SolverBodies& bodies) {
  // Bullet keeps what can't change from objects that contacts only refer to.
  auto& object_a = const_cast<btCollisionObject&>(*manifold.getBody0());
  auto& object_b = const_cast<btCollisionObject&>(*manifold.getBody1());
  const uint32_t a = bodies.IndexOf(object_a);
  const uint32_t b = bodies.IndexOf(object_b);
  // Nor do two respond that are too heavy, or not let go anywhere.
  if (bodies[a].inverse_mass_by_axis.fuzzyZero() &&
      bodies[b].inverse_mass_by_axis.fuzzyZero()) {
    return;
  }

  const SolverBodyPair pair = bodies.PairOf(a, b);
  const LaneVector3 origins = Pair(
      a != 0 ? bodies[a].origin : object_a.getWorldTransform().getOrigin(),
      b != 0 ? bodies[b].origin : object_b.getWorldTransform().getOrigin());
  const auto begin = static_cast<uint32_t>(points_.size());
  const auto rolling_begin = static_cast<uint32_t>(rolling_.size());
  LaneVelocity change = Load(pair.pair, bodies.changes());
  for (int i = 0; i < manifold.getNumContacts(); ++i) {
    btManifoldPoint& point = manifold.getContactPoint(i);
    if (point.getDistance() > manifold.getContactProcessingThreshold()) {
      continue;
    }
    const LaneVector3 arms =
        Pair(point.getPositionWorldOnA(), point.getPositionWorldOnB()) -
        origins;
    AddPoint(point, arms, pair, info);
    Apply(pressures_.back(), pair.pair, impulses_.back(), change);
  }
  Store(change, pair.pair, bodies.changes());
  const auto end = static_cast<uint32_t>(points_.size());
  const auto rolling_end = static_cast<uint32_t>(rolling_.size());
  if (begin != end) groups_.push_back({pair.pair, begin, end});
  if (rolling_begin != rolling_end) {
    rolling_groups_.push_back({pair.pair, rolling_begin, rolling_end});
  }
}

void ContactConstraints::AddPoint(btManifoldPoint& point,
                                  const LaneVector3& arms,
                                  const SolverBodyPair& pair,
                                  const btContactSolverInfo& info) {
  CHECK(point.m_contactPointFlags == 0);
  Constraint& pressure = pressures_.emplace_back(
      MakePressure(point.m_normalWorldOnB, arms, pair, info));
  const double inverse_step = 1.0 / info.m_timeStep;
  const double distance_m = point.getDistance() + info.m_linearSlop;
  const bool is_apart = distance_m > 0.0;
  double missing_speed = BounceSpeed(point, arms, pair, info) -
                         VelocityAlong(pressure, pair.gained);
  if (is_apart) missing_speed -= distance_m * inverse_step;
  pressure.target = missing_speed * pressure.effective_mass;
  if (!is_apart) {
    const double push =
        -distance_m * info.m_erp2 * inverse_step * pressure.effective_mass;
    if (distance_m > info.m_splitImpulsePenetrationThreshold) {
      pressure.target = push + pressure.target;
    } else if (push != 0.0) {
      pushes_.push_back({.target = push,
                         .point = static_cast<uint32_t>(points_.size()),
                         .group = static_cast<uint32_t>(groups_.size())});
    }
  }
  if (point.m_combinedRollingFriction > 0.0) AddRolling(point, pair);
  frictions_.push_back({.constraint = MakeFriction(point, arms, pair, info),
                        .coefficient = point.m_combinedFriction});
  impulses_.push_back(point.m_appliedImpulse * info.m_warmstartingFactor);
  points_.push_back(&point);
}

void ContactConstraints::AddRolling(const btManifoldPoint& point,
                                    const SolverBodyPair& pair) {
  const auto add = [&](const btVector3& axis, double coefficient) {
    rolling_.push_back({.constraint = MakeTurning(axis, pair),
                        .coefficient = coefficient,
                        .point = static_cast<uint32_t>(points_.size())});
  };
  btVector3 across;
  btVector3 along;
  btPlaneSpace1(point.m_normalWorldOnB, across, along);
  add(point.m_normalWorldOnB, point.m_combinedSpinningFriction);
  add(across.normalize(), point.m_combinedRollingFriction);
  add(along.normalize(), point.m_combinedRollingFriction);
}

bool ContactConstraints::Solve(std::span<VelocityChange> changes) {
  bool changed = SolvePressure(changes);
  changed |= SolveFriction(changes);
  changed |= SolveRolling(changes);
  return changed;
}

bool ContactConstraints::SolvePressure(std::span<VelocityChange> changes) {
  bool changed = false;
  for (const Group& group : groups_) {
    LaneVelocity velocity = Load(group.pair, changes);
    for (uint32_t i = group.begin; i < group.end; ++i) {
      changed |= SolveFromBelow(pressures_[i], group.pair, pressures_[i].target,
                                0.0, impulses_[i], velocity);
    }
    Store(velocity, group.pair, changes);
  }
  return changed;
}

bool ContactConstraints::SolveFriction(std::span<VelocityChange> changes) {
  bool changed = false;
  for (const Group& group : groups_) {
    LaneVelocity velocity = Load(group.pair, changes);
    for (uint32_t i = group.begin; i < group.end; ++i) {
      if (!(impulses_[i] > 0.0)) continue;
      Friction& friction = frictions_[i];
      const double bound = friction.coefficient * impulses_[i];
      changed |= SolveBetween(friction.constraint, group.pair, -bound, bound,
                              friction.impulse, velocity);
    }
    Store(velocity, group.pair, changes);
  }
  return changed;
}

bool ContactConstraints::SolveRolling(std::span<VelocityChange> changes) {
  bool changed = false;
  for (const Group& group : rolling_groups_) {
    LaneVelocity velocity = Load(group.pair, changes);
    for (uint32_t i = group.begin; i < group.end; ++i) {
      Rolling& rolling = rolling_[i];
      const double pressure = impulses_[rolling.point];
      if (!(pressure > 0.0)) continue;
      double bound = rolling.coefficient * pressure;
      if (bound > rolling.coefficient) bound = rolling.coefficient;
      changed |= SolveBetween(rolling.constraint, group.pair, -bound, bound,
                              rolling.impulse, velocity);
    }
    Store(velocity, group.pair, changes);
  }
  return changed;
}

bool ContactConstraints::SolvePushes(std::span<VelocityChange> pushes) {
  bool changed = false;
  for (Push& push : pushes_) {
    const BodyPair& pair = groups_[push.group].pair;
    LaneVelocity velocity = Load(pair, pushes);
    changed |= SolveFromBelow(pressures_[push.point], pair, push.target, 0.0,
                              push.impulse, velocity);
    Store(velocity, pair, pushes);
  }
  return changed;
}

void ContactConstraints::WriteBack() const {
  for (size_t i = 0; i < points_.size(); ++i) {
    points_[i]->m_appliedImpulse = impulses_[i];
    points_[i]->m_appliedImpulseLateral1 = frictions_[i].impulse;
  }
}

}  // namespace reprise::sim
