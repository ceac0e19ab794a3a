// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/joint_constraints.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

LaneVector3 PairOf(const double (&a)[4], const double (&b)[4]) {
  return {Pair(a[0], b[0]), Pair(a[1], b[1]), Pair(a[2], b[2])};
}

// 0 where nothing can move.
double EffectiveMass(const Constraint& constraint, const SolverBodyPair& pair) {
  const Lanes linear =
      Dot(constraint.linear * pair.inverse_mass, constraint.linear);
  const Lanes angular =
      Dot(pair.inverse_inertia * constraint.angular, constraint.angular);
  const double inverse_mass =
      LaneA(linear) + LaneA(angular) + LaneB(linear) + LaneB(angular);
  return Abs(inverse_mass) > SIMD_EPSILON ? 1.0 / inverse_mass : 0.0;
}

}  // namespace

void JointConstraints::Reset(std::span<btTypedConstraint* const> joints,
                             const btContactSolverInfo& info,
                             SolverBodies& bodies) {
  groups_.clear();
  constraints_.clear();
  for (btTypedConstraint* joint : joints) AddJoint(*joint, info, bodies);
}

double JointConstraints::Describe(btTypedConstraint& joint,
                                  const btContactSolverInfo& info) {
  btTypedConstraint::btConstraintInfo1 counts;
  joint.getInfo1(&counts);
  descriptions_.assign(
      static_cast<size_t>(counts.m_numConstraintRows),
      Description{.lower = -SIMD_INFINITY, .upper = SIMD_INFINITY});
  if (descriptions_.empty()) return 0.0;

  Description& first = descriptions_.front();
  first.softness = info.m_globalCfm;
  btTypedConstraint::btConstraintInfo2 wanted;
  wanted.fps = 1.0 / info.m_timeStep;
  wanted.erp = info.m_erp;
  wanted.m_J1linearAxis = first.linear_a;
  wanted.m_J1angularAxis = first.angular_a;
  wanted.m_J2linearAxis = first.linear_b;
  wanted.m_J2angularAxis = first.angular_b;
  wanted.rowskip = sizeof(Description) / sizeof(double);
  wanted.m_constraintError = &first.error;
  wanted.cfm = &first.softness;
  wanted.m_lowerLimit = &first.lower;
  wanted.m_upperLimit = &first.upper;
  wanted.m_numIterations = info.m_numIterations;
  wanted.m_damping = info.m_damping;
  joint.getInfo2(&wanted);
  return wanted.m_damping;
}

void JointConstraints::AddJoint(btTypedConstraint& joint,
                                const btContactSolverInfo& info,
                                SolverBodies& bodies) {
  CHECK(joint.getJointFeedback() == nullptr);
  CHECK(joint.getOverrideNumSolverIterations() <= 0);
  joint.internalSetAppliedImpulse(0.0);
  if (!joint.isEnabled()) return;
  joint.buildJacobian();
  const double damping = Describe(joint, info);
  if (descriptions_.empty()) return;

  const auto index_a = bodies.IndexOf(joint.getRigidBodyA());
  const auto index_b = bodies.IndexOf(joint.getRigidBodyB());
  const SolverBodyPair pair = bodies.PairOf(index_a, index_b);
  const auto begin = static_cast<uint32_t>(constraints_.size());
  const double strength = joint.getBreakingImpulseThreshold();
  for (const Description& description : descriptions_) {
    Bounded& bounded = constraints_.emplace_back();
    bounded.lower = std::max(description.lower, -strength);
    bounded.upper = std::min(description.upper, strength);
    Constraint& constraint = bounded.constraint;
    constraint.linear = PairOf(description.linear_a, description.linear_b);
    constraint.angular = PairOf(description.angular_a, description.angular_b);
    constraint.response = pair.ResponseTo(constraint.angular);
    constraint.effective_mass = EffectiveMass(constraint, pair);
    constraint.softness = description.softness;
    const Lanes along = Dot(constraint.linear, pair.gained.linear) +
                        Dot(constraint.angular, pair.gained.angular);
    constraint.target =
        description.error * constraint.effective_mass -
        (LaneA(along) + LaneB(along)) * damping * constraint.effective_mass;
  }
  groups_.push_back({.pair = pair.pair,
                     .joint = &joint,
                     .begin = begin,
                     .end = static_cast<uint32_t>(constraints_.size())});
}

bool JointConstraints::Solve(std::span<VelocityChange> changes) {
  bool changed = false;
  for (const Group& group : groups_) {
    LaneVelocity velocity = Load(group.pair, changes);
    for (uint32_t i = group.begin; i < group.end; ++i) {
      Bounded& bounded = constraints_[i];
      changed |= SolveBetween(bounded.constraint, group.pair, bounded.lower,
                              bounded.upper, bounded.impulse, velocity);
    }
    Store(velocity, group.pair, changes);
  }
  return changed;
}

void JointConstraints::WriteBack() const {
  for (const Group& group : groups_) {
    btTypedConstraint& joint = *group.joint;
    for (uint32_t i = group.begin; i < group.end; ++i) {
      const double impulse = constraints_[i].impulse;
      joint.internalSetAppliedImpulse(impulse);
      if (Abs(impulse) >= joint.getBreakingImpulseThreshold()) {
        joint.setEnabled(false);
      }
    }
  }
}

}  // namespace reprise::sim
