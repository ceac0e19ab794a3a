// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/joint_constraints.h"

#include <algorithm>

#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/physics/solver/free_rotation.h"

namespace reprise::sim {
namespace {

// Errors are mended as by a spring of this frequency, well above its critical
// damping.
constexpr double kJointFrequencyHz = 60.0;
constexpr double kJointDampingRatio = 5.0;

LaneVector3 PairOf(const double (&a)[4], const double (&b)[4]) {
  return {Pair(a[0], b[0]), Pair(a[1], b[1]), Pair(a[2], b[2])};
}

bool IsBound(double impulse) { return Abs(impulse) < SIMD_INFINITY; }

// A body as it will be in the middle of the step if nothing holds it.
class MidStep {
 public:
  MidStep(btRigidBody& body, double step_s)
      : body_(body), pose_(body.getWorldTransform()) {
    if (!body.isActive() || body.isStaticObject()) return;
    linear_ = 0.5 * step_s * body.getLinearVelocity();
    angular_ = 0.5 * step_s * body.getAngularVelocity();
    body_.setWorldTransform(btTransform(TurnedBy(pose_.getBasis(), angular_),
                                        pose_.getOrigin() + linear_));
  }
  ~MidStep() { body_.setWorldTransform(pose_); }

  MidStep(const MidStep&) = delete;
  MidStep& operator=(const MidStep&) = delete;

  // How far it has come, m and rad.
  const btVector3& linear() const { return linear_; }
  const btVector3& angular() const { return angular_; }

 private:
  btRigidBody& body_;
  btTransform pose_;
  btVector3 linear_ = btVector3(0.0, 0.0, 0.0);
  btVector3 angular_ = btVector3(0.0, 0.0, 0.0);
};

}  // namespace

void JointConstraints::Reset(std::span<btTypedConstraint* const> joints,
                             double step_s, const StepParts& parts,
                             SolverBodies& bodies) {
  part_s_ = parts.part_s;
  softness_ = MakeSoftness(kJointFrequencyHz, kJointDampingRatio, part_s_);
  groups_.clear();
  constraints_.clear();
  for (btTypedConstraint* joint : joints) {
    AddJoint(*joint, step_s, parts, bodies);
  }
}

void JointConstraints::Describe(btTypedConstraint& joint, double step_s) {
  btTypedConstraint::btConstraintInfo1 counts;
  joint.getInfo1(&counts);
  descriptions_.assign(
      static_cast<size_t>(counts.m_numConstraintRows),
      Description{.lower = -SIMD_INFINITY, .upper = SIMD_INFINITY});
  if (descriptions_.empty()) return;

  Description& first = descriptions_.front();
  btTypedConstraint::btConstraintInfo2 wanted;
  // Errors are told as the velocity that mends them within this step.
  wanted.fps = 1.0 / step_s;
  wanted.erp = 1.0;
  wanted.m_J1linearAxis = first.linear_a;
  wanted.m_J1angularAxis = first.angular_a;
  wanted.m_J2linearAxis = first.linear_b;
  wanted.m_J2angularAxis = first.angular_b;
  wanted.rowskip = sizeof(Description) / sizeof(double);
  wanted.m_constraintError = &first.error;
  wanted.cfm = &first.softness;
  wanted.m_lowerLimit = &first.lower;
  wanted.m_upperLimit = &first.upper;
  wanted.m_numIterations = 1;
  wanted.m_damping = 1.0;
  joint.getInfo2(&wanted);
}

LaneVelocity JointConstraints::DescribeMidStep(btTypedConstraint& joint,
                                               double step_s) {
  btRigidBody& body_a = joint.getRigidBodyA();
  btRigidBody& body_b = joint.getRigidBodyB();
  if (joint.getConstraintType() == MAX_CONSTRAINT_TYPE) {
    Describe(joint, step_s);
    return {};
  }
  const MidStep a(body_a, step_s);
  const MidStep b(body_b, step_s);
  Describe(joint, step_s);
  return {Pair(a.linear(), b.linear()), Pair(a.angular(), b.angular())};
}

void JointConstraints::AddJoint(btTypedConstraint& joint, double step_s,
                                const StepParts& parts, SolverBodies& bodies) {
  CHECK(joint.getJointFeedback() == nullptr);
  CHECK(joint.getOverrideNumSolverIterations() <= 0);
  joint.internalSetAppliedImpulse(0.0);
  if (!joint.isEnabled()) return;
  joint.buildJacobian();
  const LaneVelocity ahead = DescribeMidStep(joint, step_s);
  if (descriptions_.empty()) return;

  const SolverBodyPair pair =
      bodies.Join(joint.getRigidBodyA(), joint.getRigidBodyB());
  const auto begin = static_cast<uint32_t>(constraints_.size());
  const double share = 1.0 / parts.count;
  for (const Description& description : descriptions_) {
    Bounded& bounded = constraints_.emplace_back();
    bounded.direction.linear =
        PairOf(description.linear_a, description.linear_b);
    bounded.direction.angular =
        PairOf(description.angular_a, description.angular_b);
    bounded.direction.response = pair.ResponseTo(bounded.direction.angular);
    bounded.effective_mass = pair.EffectiveMass(bounded.direction);
    bounded.lower = description.lower;
    bounded.upper = description.upper;
    if (IsBound(description.lower) && IsBound(description.upper)) {
      bounded.is_driven = true;
      bounded.speed = description.error;
      bounded.lower *= share;
      bounded.upper *= share;
    } else {
      bounded.error =
          description.error * step_s + VelocityAlong(bounded.direction, ahead);
    }
  }
  groups_.push_back({.pair = pair.pair,
                     .joint = &joint,
                     .begin = begin,
                     .end = static_cast<uint32_t>(constraints_.size())});
}

void JointConstraints::SolveWithin(double missing, const BodyPair& pair,
                                   Bounded& row, LaneVelocity& velocity) {
  const double before = row.impulse;
  row.impulse = std::clamp(before + missing, row.lower, row.upper);
  Apply(row.direction, pair, row.impulse - before, velocity);
}

void JointConstraints::WarmStart(std::span<BodyVelocity> velocities) const {
  for (const Group& group : groups_) {
    LaneVelocity velocity = Load(group.pair, velocities);
    for (uint32_t i = group.begin; i < group.end; ++i) {
      Apply(constraints_[i].direction, group.pair, constraints_[i].impulse,
            velocity);
    }
    Store(velocity, group.pair, velocities);
  }
}

JointConstraints::Mending JointConstraints::MendingOf(
    const Bounded& row, const LaneVelocity& moved) const {
  const double error = row.error - VelocityAlong(row.direction, moved);
  // A stop that is not reached may be reached by the end of the part.
  const bool is_free =
      (row.lower == 0.0 && error < 0.0) || (row.upper == 0.0 && error > 0.0);
  if (is_free) return {.speed = error / part_s_, .is_soft = false};
  return {.speed = softness_.bias_rate * error, .is_soft = true};
}

void JointConstraints::Solve(Order order, std::span<BodyVelocity> velocities,
                             std::span<const BodyVelocity> displacements) {
  ForEachIn(groups_, order, [&](const Group& group) {
    LaneVelocity velocity = Load(group.pair, velocities);
    const LaneVelocity moved = Load(group.pair, displacements);
    ForEachIn(RowsOf(group), order, [&](Bounded& row) {
      const double speed = VelocityAlong(row.direction, velocity);
      double missing = row.effective_mass * (row.speed - speed);
      if (!row.is_driven) {
        const Mending mending = MendingOf(row, moved);
        missing = row.effective_mass * (mending.speed - speed);
        if (mending.is_soft) {
          missing = softness_.mass_scale * missing -
                    softness_.impulse_scale * row.impulse;
        }
      }
      SolveWithin(missing, group.pair, row, velocity);
    });
    Store(velocity, group.pair, velocities);
  });
}

void JointConstraints::Relax(Order order, std::span<BodyVelocity> velocities,
                             std::span<const BodyVelocity> displacements) {
  ForEachIn(groups_, order, [&](const Group& group) {
    LaneVelocity velocity = Load(group.pair, velocities);
    const LaneVelocity moved = Load(group.pair, displacements);
    ForEachIn(RowsOf(group), order, [&](Bounded& row) {
      double wanted = row.speed;
      if (!row.is_driven) {
        const Mending mending = MendingOf(row, moved);
        if (!mending.is_soft) wanted = mending.speed;
      }
      const double missing = row.effective_mass *
                             (wanted - VelocityAlong(row.direction, velocity));
      SolveWithin(missing, group.pair, row, velocity);
      row.impulse_sum += row.impulse;
    });
    Store(velocity, group.pair, velocities);
  });
}

void JointConstraints::WriteBack() const {
  for (const Group& group : groups_) {
    btTypedConstraint& joint = *group.joint;
    for (uint32_t i = group.begin; i < group.end; ++i) {
      const double impulse = constraints_[i].impulse_sum;
      joint.internalSetAppliedImpulse(impulse);
      if (Abs(impulse) >= joint.getBreakingImpulseThreshold()) {
        joint.setEnabled(false);
      }
    }
  }
}

}  // namespace reprise::sim
