// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/joint_constraints.h"

#include <algorithm>
#include <array>

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

// Bodies that turn by more than this in a step, rad, keep the velocities that
// they have; the others turn them in so many rounds.
constexpr double kTurnMaxRad = 1.0;
constexpr int kTurnRounds = 3;
// Each changes less than this share of what the one before has.
constexpr double kTurnRoundShare = 0.25;

LaneVector3 PairOf(const double (&a)[4], const double (&b)[4]) {
  return {Pair(a[0], b[0]), Pair(a[1], b[1]), Pair(a[2], b[2])};
}

bool IsBound(double impulse) { return Abs(impulse) < SIMD_INFINITY; }

// How far a body comes until the middle of a section if nothing holds it.
BodyVelocity MovedWithin(const btRigidBody& body, double section_s) {
  if (!body.isActive() || body.isStaticObject()) return {};
  return {.linear = 0.5 * section_s * body.getLinearVelocity(),
          .angular = 0.5 * section_s * body.getAngularVelocity()};
}

}  // namespace

void JointConstraints::Reset(std::span<btTypedConstraint* const> joints,
                             double step_s, const StepParts& parts,
                             SolverBodies& bodies) {
  part_s_ = parts.part_s;
  softness_ = MakeSoftness(kJointFrequencyHz, kJointDampingRatio, part_s_);
  groups_.clear();
  pairs_.clear();
  constraints_.clear();
  step_s_ = step_s;
  section_s_ = part_s_ * std::min(parts.count, kPartsPerSection);
  TakeJoints(joints);
  std::vector<uint32_t> ends;  // of the descriptions of each joint
  descriptions_.clear();
  WhereMoved(
      [this](const JointedBody& jointed) {
        return MovedWithin(*jointed.body, section_s_);
      },
      [&] {
        for (const Group& group : groups_) {
          if (IsSpring(*group.joint)) {
            DescribeSpring(group);
          } else {
            Describe(*group.joint);
          }
          ends.push_back(static_cast<uint32_t>(descriptions_.size()));
        }
      });
  size_t begin = 0;
  for (size_t g = 0; g < groups_.size(); ++g) {
    AddRows(std::span(descriptions_).subspan(begin, ends[g] - begin), parts,
            bodies, groups_[g]);
    begin = ends[g];
  }
  FillSystem(static_cast<uint32_t>(bodies.velocities().size()));
}

void JointConstraints::FillSystem(uint32_t body_count) {
  held_.clear();
  for (uint32_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    group.held_count = 0;
    for (Bounded& row : RowsOf(group)) {
      row.is_held = !row.is_driven && !IsBound(row.lower) &&
                    !IsBound(row.upper) && row.effective_mass > 0.0;
      if (!row.is_held) continue;
      ++group.held_count;
      held_.push_back(
          {.direction = &row.direction, .pair = &groups_[g].pair, .joint = g});
    }
  }
  if (system_.Reset(held_, body_count)) {
    wanted_.resize(held_.size());
    return;
  }
  held_.clear();
  for (Group& group : groups_) group.held_count = 0;
  for (Bounded& row : constraints_) row.is_held = false;
}

template <typename Visit>
void JointConstraints::ForEachHeld(const Visit& visit) {
  if (held_.empty()) return;
  size_t index = 0;
  for (const Group& group : groups_) {
    if (group.held_count == 0) continue;
    const auto visit_row = visit(group);
    for (Bounded& row : RowsOf(group)) {
      if (row.is_held) visit_row(row, index++);
    }
  }
}

template <typename Change>
void JointConstraints::ApplyHeld(std::span<BodyVelocity> velocities,
                                 const Change& change) {
  if (held_.empty()) return;
  size_t index = 0;
  for (const Group& group : groups_) {
    if (group.held_count == 0) continue;
    LaneVelocity velocity = Load(group.pair, velocities);
    for (Bounded& row : RowsOf(group)) {
      if (!row.is_held) continue;
      const double impulse = wanted_[index++];
      change(row, impulse);
      Apply(row.direction, group.pair, impulse, velocity);
    }
    Store(velocity, group.pair, velocities);
  }
}

void JointConstraints::SolveHeld(std::span<BodyVelocity> velocities) {
  if (held_.empty()) return;
  system_.Solve(wanted_);
  ApplyHeld(velocities,
            [](Bounded& row, double impulse) { row.impulse += impulse; });
}

void JointConstraints::TakeJoints(std::span<btTypedConstraint* const> joints) {
  jointed_.clear();
  for (btTypedConstraint* joint : joints) {
    CHECK(joint->getJointFeedback() == nullptr);
    CHECK(joint->getOverrideNumSolverIterations() <= 0);
    joint->internalSetAppliedImpulse(0.0);
    if (!joint->isEnabled()) continue;
    joint->buildJacobian();
    Group& group = groups_.emplace_back();
    group.joint = joint;
    group.jointed_a = TakeBody(joint->getRigidBodyA());
    group.jointed_b = TakeBody(joint->getRigidBodyB());
  }
  for (const JointedBody& jointed : jointed_) {
    const int place = jointed.body->getWorldArrayIndex();
    if (place >= 0) jointed_of_[static_cast<size_t>(place)] = 0;
  }
}

uint32_t JointConstraints::TakeBody(btRigidBody& body) {
  const auto next = static_cast<uint32_t>(jointed_.size());
  // What is in no world, which holds joints to a place, is taken each time.
  if (const int place = body.getWorldArrayIndex(); place >= 0) {
    const auto at = static_cast<size_t>(place);
    if (at >= jointed_of_.size()) jointed_of_.resize(at + 1, 0);
    if (jointed_of_[at] != 0) return jointed_of_[at] - 1;
    jointed_of_[at] = next + 1;
  }
  JointedBody& jointed = jointed_.emplace_back();
  jointed.body = &body;
  jointed.pose = body.getWorldTransform();
  jointed.pose.getBasis().getRotation(jointed.rotation);
  return next;
}

template <typename Moved, typename Visit>
void JointConstraints::WhereMoved(const Moved& moved, const Visit& visit) {
  for (JointedBody& jointed : jointed_) {
    jointed.moved = moved(jointed);
    jointed.displaced =
        btTransform(TurnedBy(jointed.rotation, jointed.moved.angular),
                    jointed.pose.getOrigin() + jointed.moved.linear);
    jointed.body->setWorldTransform(jointed.displaced);
  }
  visit();
  for (const JointedBody& jointed : jointed_) {
    jointed.body->setWorldTransform(jointed.pose);
  }
}

LaneVelocity JointConstraints::MovedOf(const Group& group) const {
  const BodyVelocity& a = jointed_[group.jointed_a].moved;
  const BodyVelocity& b = jointed_[group.jointed_b].moved;
  return {Pair(a.linear, b.linear), Pair(a.angular, b.angular)};
}

void JointConstraints::DescribeSpring(const Group& group) {
  const std::array<const JointedBody*, 2> both = {&jointed_[group.jointed_a],
                                                  &jointed_[group.jointed_b]};
  for (const JointedBody* jointed : both) {
    jointed->body->setWorldTransform(jointed->pose);
  }
  Describe(*group.joint);
  for (const JointedBody* jointed : both) {
    jointed->body->setWorldTransform(jointed->displaced);
  }
}

void JointConstraints::Describe(btTypedConstraint& joint) {
  btTypedConstraint::btConstraintInfo1 counts;
  joint.getInfo1(&counts);
  if (counts.m_numConstraintRows == 0) return;
  const size_t begin = descriptions_.size();
  descriptions_.resize(
      begin + static_cast<size_t>(counts.m_numConstraintRows),
      Description{.lower = -SIMD_INFINITY, .upper = SIMD_INFINITY});

  Description& first = descriptions_[begin];
  btTypedConstraint::btConstraintInfo2 wanted;
  // Errors are told as the velocity that mends them within this step.
  wanted.fps = 1.0 / step_s_;
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

// A spring's force is of the beginning of the step, and of its whole.
bool JointConstraints::IsSpring(const btTypedConstraint& joint) {
  return joint.getConstraintType() == MAX_CONSTRAINT_TYPE;
}

void JointConstraints::Advance(std::span<BodyVelocity> velocities,
                               std::span<const BodyVelocity> displacements) {
  const auto ahead = [&](const JointedBody& jointed) {
    const double half_s = 0.5 * section_s_;
    const BodyVelocity& displacement = displacements[jointed.index];
    const BodyVelocity& velocity = velocities[jointed.index];
    return BodyVelocity{
        .linear = displacement.linear + velocity.linear * half_s,
        .angular = displacement.angular + velocity.angular * half_s};
  };
  WhereMoved(ahead, [this] { LookAhead(); });
  FillSystem(static_cast<uint32_t>(velocities.size()));
}

void JointConstraints::LookAhead() {
  for (size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (IsSpring(*group.joint)) continue;
    descriptions_.clear();
    Describe(*group.joint);
    const LaneVelocity moved = MovedOf(group);
    const auto rows = RowsOf(group);
    // Where a stop is reached or left meanwhile, all stay as they are.
    if (descriptions_.size() != rows.size()) continue;
    for (size_t i = 0; i < rows.size(); ++i) {
      Bounded& row = rows[i];
      const Description& description = descriptions_[i];
      const bool is_same =
          row.lower == description.lower && row.upper == description.upper;
      if (row.is_driven || !is_same) continue;
      Direct(description, pairs_[g], row);
      row.error =
          description.error * step_s_ + VelocityAlong(row.direction, moved);
    }
  }
}

void JointConstraints::Direct(const Description& description,
                              const SolverBodyPair& pair, Bounded& row) {
  row.direction.linear = PairOf(description.linear_a, description.linear_b);
  row.direction.angular = PairOf(description.angular_a, description.angular_b);
  row.direction.response = pair.ResponseTo(row.direction.angular);
  row.effective_mass = pair.EffectiveMass(row.direction);
}

void JointConstraints::AddRows(std::span<const Description> descriptions,
                               const StepParts& parts, SolverBodies& bodies,
                               Group& group) {
  group.begin = static_cast<uint32_t>(constraints_.size());
  group.end = group.begin;
  SolverBodyPair& pair = pairs_.emplace_back();
  if (descriptions.empty()) return;

  // What springs and motors do is of a whole step, as what contacts do.
  const bool holds = std::any_of(
      descriptions.begin(), descriptions.end(), [](const Description& d) {
        return !IsBound(d.lower) && !IsBound(d.upper);
      });
  pair = bodies.Join(group.joint->getRigidBodyA(), group.joint->getRigidBodyB(),
                     /*touch=*/!holds);
  group.pair = pair.pair;
  jointed_[group.jointed_a].index = pair.pair.a;
  jointed_[group.jointed_b].index = pair.pair.b;
  const double share = 1.0 / parts.count;
  const LaneVelocity ahead =
      IsSpring(*group.joint) ? LaneVelocity{} : MovedOf(group);
  for (const Description& description : descriptions) {
    Bounded& bounded = constraints_.emplace_back();
    Direct(description, pair, bounded);
    bounded.lower = description.lower;
    bounded.upper = description.upper;
    if (IsBound(description.lower) && IsBound(description.upper)) {
      bounded.is_driven = true;
      bounded.speed = description.error;
      bounded.lower *= share;
      bounded.upper *= share;
    } else {
      bounded.error =
          description.error * step_s_ + VelocityAlong(bounded.direction, ahead);
    }
  }
  group.end = static_cast<uint32_t>(constraints_.size());
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
    if (group.held_count == group.end - group.begin) return;
    LaneVelocity velocity = Load(group.pair, velocities);
    const LaneVelocity moved = Load(group.pair, displacements);
    ForEachIn(RowsOf(group), order, [&](Bounded& row) {
      if (row.is_held) return;
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
  ForEachHeld([&](const Group& group) {
    return [this, moved = Load(group.pair, displacements),
            velocity = Load(group.pair, velocities)](const Bounded& row,
                                                     size_t index) {
      const double error = row.error - VelocityAlong(row.direction, moved);
      wanted_[index] =
          softness_.bias_rate * error - VelocityAlong(row.direction, velocity);
    };
  });
  SolveHeld(velocities);
}

void JointConstraints::Relax(Order order, std::span<BodyVelocity> velocities,
                             std::span<const BodyVelocity> displacements) {
  ForEachIn(groups_, order, [&](const Group& group) {
    if (group.held_count == group.end - group.begin) return;
    LaneVelocity velocity = Load(group.pair, velocities);
    const LaneVelocity moved = Load(group.pair, displacements);
    ForEachIn(RowsOf(group), order, [&](Bounded& row) {
      if (row.is_held) return;
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
  ForEachHeld([&](const Group& group) {
    return [this, velocity = Load(group.pair, velocities)](const Bounded& row,
                                                           size_t index) {
      wanted_[index] = -VelocityAlong(row.direction, velocity);
    };
  });
  SolveHeld(velocities);
  ForEachHeld([](const Group&) {
    return [](Bounded& row, size_t) { row.impulse_sum += row.impulse; };
  });
}

void JointConstraints::TurnDirections(const Group& group) {
  const double turned =
      std::max(jointed_[group.jointed_a].moved.angular.length2(),
               jointed_[group.jointed_b].moved.angular.length2());
  const bool can_turn = turned < kTurnMaxRad * kTurnMaxRad;
  const auto rows = RowsOf(group);
  descriptions_.clear();
  if (can_turn) Describe(*group.joint);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].is_held) continue;
    Direction& direction = turned_.emplace_back();
    // Stops that are reached meanwhile are rows of their own.
    if (!can_turn || descriptions_.size() != rows.size()) continue;
    direction.linear =
        PairOf(descriptions_[i].linear_a, descriptions_[i].linear_b);
    direction.angular =
        PairOf(descriptions_[i].angular_a, descriptions_[i].angular_b);
  }
}

void JointConstraints::Turn(std::span<BodyVelocity> velocities,
                            std::span<const BodyVelocity> displacements,
                            double motion) {
  if (held_.empty()) return;
  turned_.clear();
  WhereMoved(
      [&](const JointedBody& jointed) { return displacements[jointed.index]; },
      [this] {
        for (const Group& group : groups_) {
          if (group.held_count > 0) TurnDirections(group);
        }
      });
  double angle_squared = 0.0;
  for (const JointedBody& jointed : jointed_) {
    angle_squared =
        std::max(angle_squared, displacements[jointed.index].angular.length2());
  }
  // What turns by an angle changes by that share of itself. More is a sign of
  // joints that hardly can hold, as those of a taut rope, and not of a turn.
  double change_max = angle_squared * motion;
  for (int round = 0; round < kTurnRounds; ++round) {
    ForEachHeld([&](const Group& group) {
      return [this, velocity = Load(group.pair, velocities)](const Bounded&,
                                                             size_t index) {
        wanted_[index] = -VelocityAlong(turned_[index], velocity);
      };
    });
    missing_ = wanted_;
    system_.Solve(wanted_);
    double change = 0.0;  // of the squared velocity, by mass
    for (size_t i = 0; i < wanted_.size(); ++i) {
      change += wanted_[i] * missing_[i];
    }
    if (change > change_max) return;
    change_max = kTurnRoundShare * change;
    ApplyHeld(velocities,
              [](Bounded& row, double impulse) { row.impulse_sum += impulse; });
  }
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
