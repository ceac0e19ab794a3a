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

// Overlaps are mended as by a spring of this frequency, far above its critical
// damping: a box on the ground gives way by 0.07 mm.
constexpr double kContactFrequencyHz = 60.0;
constexpr double kContactDampingRatio = 10.0;
constexpr double kContactOmega = 2.0 * kPi * kContactFrequencyHz;
// N/m by kg.
constexpr double kContactStiffness = kContactOmega * kContactOmega;

// And no faster than this, m/s, however deep they are.
constexpr double kPushSpeedMax = 3.0;

// What overlaps by more than this, m, and by more than what it bears presses a
// spring together, and a bit, did not get there by its weight. Nor did what
// bears nothing and isn't on its way in, from half of that on.
constexpr double kDeepM = 0.02;
constexpr double kDeepSprings = 1.2;
constexpr double kIdleDeepM = 0.01;
constexpr double kIdleSpeedMax = 0.01;

// By so many rounds the points of a manifold share what stops a body.
constexpr int kMeetingRounds = 8;

// Points that bounce together agree after some rounds: when none changes its
// impulse by more than this part of it, or after so many.
constexpr double kBounceAgreement = 1e-4;
constexpr int kBounceRoundsMax = 64;

// What is nearer than this, in metres, meets, though its neighbours may have
// carried it.
constexpr double kMeetingM = 1e-3;

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

// Changes an impulse that may only push, and the velocity, by what is missing.
void PushBy(double missing, const Direction& direction, const BodyPair& pair,
            double& impulse, LaneVelocity& velocity) {
  const double before = impulse;
  impulse = std::max(before + missing, 0.0);
  Apply(direction, pair, impulse - before, velocity);
}

// Makes the sum of squares that of `bound` at most.
void LimitTo(double bound, std::array<double, 2>& impulses) {
  const double square = impulses[0] * impulses[0] + impulses[1] * impulses[1];
  if (square <= bound * bound) return;
  const double scale = bound / Sqrt(square);
  impulses[0] *= scale;
  impulses[1] *= scale;
}

void LimitTo(double bound, double& impulse) {
  impulse = std::clamp(impulse, -bound, bound);
}

// Stops what moves along either direction, by impulses whose sum of squares is
// at most that of `bound`.
void StopWithin(double bound, const std::array<Direction, 2>& directions,
                const std::array<double, 2>& masses, const BodyPair& pair,
                std::array<double, 2>& impulses, LaneVelocity& velocity) {
  std::array<double, 2> wanted = {
      impulses[0] - masses[0] * VelocityAlong(directions[0], velocity),
      impulses[1] - masses[1] * VelocityAlong(directions[1], velocity)};
  LimitTo(bound, wanted);
  for (int i = 0; i < 2; ++i) {
    Apply(directions[i], pair, wanted[i] - impulses[i], velocity);
  }
  impulses = wanted;
}

void StopWithin(double bound, const Direction& direction, double mass,
                const BodyPair& pair, double& impulse, LaneVelocity& velocity) {
  double wanted = impulse - mass * VelocityAlong(direction, velocity);
  LimitTo(bound, wanted);
  Apply(direction, pair, wanted - impulse, velocity);
  impulse = wanted;
}

}  // namespace

void ContactConstraints::Reset(std::span<btPersistentManifold* const> manifolds,
                               double step_s, const StepParts& parts,
                               SolverBodies& bodies) {
  part_s_ = parts.part_s;
  part_count_ = parts.count;
  softness_ = MakeSoftness(kContactFrequencyHz, kContactDampingRatio, part_s_);
  groups_.clear();
  rubbings_.clear();
  frames_.clear();
  rollings_.clear();
  pressures_.clear();
  points_.clear();
  bouncing_.clear();
  is_pushed_ = false;
  for (size_t i = 0; i < manifolds.size(); ++i) {
    if (i + kHeadersAhead < manifolds.size()) {
      PrefetchHeader(*manifolds[i + kHeadersAhead]);
    }
    if (i + kPointsAhead < manifolds.size()) {
      PrefetchPoints(*manifolds[i + kPointsAhead]);
    }
    if (manifolds[i]->getNumContacts() != 0) {
      AddManifold(*manifolds[i], step_s, parts, bodies);
    }
  }
}

void ContactConstraints::AddManifold(btPersistentManifold& manifold,
                                     double step_s, const StepParts& parts,
                                     SolverBodies& bodies) {
  // Bullet keeps what can't change from objects that contacts only refer to.
  const SolverBodyPair pair =
      bodies.Join(const_cast<btCollisionObject&>(*manifold.getBody0()),
                  const_cast<btCollisionObject&>(*manifold.getBody1()),
                  /*touch=*/true);
  if (!pair.pair.moves_a && !pair.pair.moves_b) return;
  Group group = {.pair = pair.pair,
                 .begin = static_cast<uint32_t>(points_.size())};
  for (int i = 0; i < manifold.getNumContacts(); ++i) {
    AddPoint(manifold.getContactPoint(i), step_s, parts, pair);
  }
  group.end = static_cast<uint32_t>(points_.size());
  AddRubbing(pair, group);
  for (const Pressure& p : PressuresOf(group)) {
    group.is_deep = group.is_deep || IsDeep(p, pair);
  }
  is_pushed_ = is_pushed_ || group.is_deep;
  groups_.push_back(group);
  if (PressureOf(group) > 0.0) groups_.back().meeting = Meeting::kBehind;
}

bool ContactConstraints::IsDeep(const Pressure& p,
                                const SolverBodyPair& pair) const {
  const double depth_m = -p.distance_m;
  if (depth_m <= kIdleDeepM) return false;
  if (p.impulse == 0.0 &&
      VelocityAlong(p.direction, pair.velocity) > -kIdleSpeedMax) {
    return true;
  }
  return depth_m > kDeepM && depth_m * p.effective_mass * kContactStiffness >
                                 kDeepSprings * p.impulse / part_s_;
}

void ContactConstraints::AddPoint(btManifoldPoint& point, double step_s,
                                  const StepParts& parts,
                                  const SolverBodyPair& pair) {
  CHECK(point.m_contactPointFlags == 0);
  const LaneVector3 arms =
      Pair(point.getPositionWorldOnA(), point.getPositionWorldOnB()) -
      pair.origins;
  Pressure& pressure = pressures_.emplace_back();
  pressure.direction = pair.Along(point.m_normalWorldOnB, arms);
  pressure.effective_mass = pair.EffectiveMass(pressure.direction);
  pressure.distance_m = point.getDistance();
  pressure.impulse = point.m_appliedImpulse / parts.count;
  points_.push_back(&point);

  const double restitution = point.m_combinedRestitution;
  if (restitution == 0.0) return;
  const double speed = VelocityAlong(pressure.direction, pair.velocity);
  if (speed >= 0.0) return;
  // Where the two meet, which is before or behind this step's beginning.
  const Lanes gain = Dot(pressure.direction.linear, pair.gain.linear);
  const double acceleration = (LaneA(gain) + LaneB(gain)) / step_s;
  const double impact_squared =
      speed * speed - 2.0 * acceleration * pressure.distance_m;
  if (impact_squared < kBounceSpeedMin * kBounceSpeedMin) return;
  bouncing_.push_back(
      {.point = static_cast<uint32_t>(points_.size() - 1),
       .group = static_cast<uint32_t>(groups_.size()),
       .speed_squared = restitution * restitution * impact_squared,
       .acceleration = acceleration});
}

void ContactConstraints::AddRubbing(const SolverBodyPair& pair, Group& group) {
  const std::span<btManifoldPoint* const> points = PointsOf(group);
  const ManifoldFrame& frame = frames_.emplace_back(FrameOf(points));
  const LaneVector3 arms = Pair(frame.middle_a, frame.middle_b) - pair.origins;
  const btManifoldPoint& first = *points[0];
  Rubbing& rubbing = rubbings_.emplace_back();
  rubbing.friction = first.m_combinedFriction;
  for (int i = 0; i < 2; ++i) {
    rubbing.across[i] = pair.Along(frame.across[i], arms);
    rubbing.across_masses[i] = pair.EffectiveMass(rubbing.across[i]);
  }
  rubbing.spin_lever_m = first.m_combinedFriction * frame.spread_m +
                         first.m_combinedSpinningFriction;
  if (rubbing.spin_lever_m > 0.0) {
    rubbing.around = pair.Around(frame.normal);
    rubbing.around_mass = pair.EffectiveMass(rubbing.around);
  }
  // What pressed more, or looked elsewhere, rubs no more than this now.
  rubbing.impulses = SumFriction(points, frame, 1.0 / part_count_);
  const double pressure = PressureOf(group);
  LimitTo(rubbing.friction * pressure, rubbing.impulses.across);
  LimitTo(rubbing.spin_lever_m * pressure, rubbing.impulses.around);
  if (first.m_combinedRollingFriction > 0.0) {
    group.rolling = static_cast<int32_t>(rollings_.size());
    Rolling& rolling = rollings_.emplace_back();
    rolling.lever_m = first.m_combinedRollingFriction;
    for (int i = 0; i < 2; ++i) {
      rolling.axes[i] = pair.Around(frame.across[i]);
      rolling.masses[i] = pair.EffectiveMass(rolling.axes[i]);
    }
  }
}

void ContactConstraints::WarmStart(std::span<BodyVelocity> velocities) const {
  for (size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    LaneVelocity velocity = Load(group.pair, velocities);
    for (uint32_t i = group.begin; i < group.end; ++i) {
      Apply(pressures_[i].direction, group.pair, pressures_[i].impulse,
            velocity);
    }
    const Rubbing& rubbing = rubbings_[g];
    for (int i = 0; i < 2; ++i) {
      Apply(rubbing.across[i], group.pair, rubbing.impulses.across[i],
            velocity);
    }
    Apply(rubbing.around, group.pair, rubbing.impulses.around, velocity);
    if (group.rolling >= 0) {
      const Rolling& rolling = rollings_[static_cast<size_t>(group.rolling)];
      for (int i = 0; i < 2; ++i) {
        Apply(rolling.axes[i], group.pair, rolling.impulses[i], velocity);
      }
    }
    Store(velocity, group.pair, velocities);
  }
}

double ContactConstraints::PressureOf(const Group& group) const {
  double sum = 0.0;
  for (uint32_t i = group.begin; i < group.end; ++i) {
    sum += pressures_[i].impulse;
  }
  return sum;
}

void ContactConstraints::SolveRubbing(const Group& group, Rubbing& rubbing,
                                      double pressure, LaneVelocity& velocity) {
  if (rubbing.spin_lever_m > 0.0) {
    StopWithin(rubbing.spin_lever_m * pressure, rubbing.around,
               rubbing.around_mass, group.pair, rubbing.impulses.around,
               velocity);
  }
  StopWithin(rubbing.friction * pressure, rubbing.across, rubbing.across_masses,
             group.pair, rubbing.impulses.across, velocity);
}

void ContactConstraints::SolveAcross(const Group& group, double pressure,
                                     LaneVelocity& velocity) {
  const auto index = static_cast<size_t>(&group - groups_.data());
  if (group.rolling >= 0) {
    Rolling& rolling = rollings_[static_cast<size_t>(group.rolling)];
    StopWithin(rolling.lever_m * pressure, rolling.axes, rolling.masses,
               group.pair, rolling.impulses, velocity);
  }
  SolveRubbing(group, rubbings_[index], pressure, velocity);
}

void ContactConstraints::Press(Order order, const Group& group,
                               const LaneVelocity& moved,
                               LaneVelocity& velocity) {
  const double parts_per_s = 1.0 / part_s_;
  ForEachIn(PressuresOf(group), order, [&](Pressure& p) {
    const double distance_m = p.distance_m + VelocityAlong(p.direction, moved);
    const double speed = VelocityAlong(p.direction, velocity);
    double missing = 0.0;
    if (distance_m > 0.0) {
      missing = -p.effective_mass * (speed + distance_m * parts_per_s);
    } else {
      const double bias =
          std::max(softness_.bias_rate * distance_m, -kPushSpeedMax);
      missing = -p.effective_mass * softness_.mass_scale * (speed + bias) -
                softness_.impulse_scale * p.impulse;
    }
    PushBy(missing, p.direction, group.pair, p.impulse, velocity);
  });
}

void ContactConstraints::Stop(Order order, const Group& group,
                              const LaneVelocity& moved,
                              LaneVelocity& velocity) {
  const double parts_per_s = 1.0 / part_s_;
  ForEachIn(PressuresOf(group), order, [&](Pressure& p) {
    const double distance_m = p.distance_m + VelocityAlong(p.direction, moved);
    const double allowed = std::max(distance_m, 0.0) * parts_per_s;
    const double speed = VelocityAlong(p.direction, velocity);
    PushBy(-p.effective_mass * (speed + allowed), p.direction, group.pair,
           p.impulse, velocity);
  });
}

void ContactConstraints::Push(Order order, const Group& group,
                              const LaneVelocity& moved,
                              const LaneVelocity& velocity,
                              std::span<BodyVelocity> pushes) {
  LaneVelocity push = Load(group.pair, pushes);
  ForEachIn(PressuresOf(group), order, [&](Pressure& p) {
    const double distance_m = p.distance_m + VelocityAlong(p.direction, moved);
    // What parts already is not pushed beside.
    const double parting = std::max(VelocityAlong(p.direction, velocity), 0.0);
    const double wanted =
        std::min(-softness_.bias_rate * distance_m, kPushSpeedMax) - parting;
    const double speed = VelocityAlong(p.direction, push);
    PushBy(p.effective_mass * (wanted - speed), p.direction, group.pair,
           pushing_[static_cast<size_t>(&p - pressures_.data())], push);
  });
  Store(push, group.pair, pushes);
}

void ContactConstraints::Solve(Order order, std::span<BodyVelocity> velocities,
                               std::span<const BodyVelocity> displacements,
                               std::span<BodyVelocity> pushes) {
  if (is_pushed_) pushing_.assign(pressures_.size(), 0.0);
  ForEachIn(groups_, order, [&](Group& group) {
    LaneVelocity velocity = Load(group.pair, velocities);
    const LaneVelocity moved = Load(group.pair, displacements);
    SolveAcross(group, PressureOf(group), velocity);
    const int rounds = group.meeting == Meeting::kBefore ? kMeetingRounds : 1;
    for (int i = 0; i < rounds; ++i) {
      if (group.is_deep) {
        Stop(order, group, moved, velocity);
      } else {
        Press(order, group, moved, velocity);
      }
    }
    if (group.is_deep) Push(order, group, moved, velocity, pushes);
    Store(velocity, group.pair, velocities);
  });
}

void ContactConstraints::Relax(Order order, std::span<BodyVelocity> velocities,
                               std::span<const BodyVelocity> displacements) {
  ForEachIn(groups_, order, [&](Group& group) {
    LaneVelocity velocity = Load(group.pair, velocities);
    const LaneVelocity moved = Load(group.pair, displacements);
    SolveAcross(group, PressureOf(group), velocity);
    const int rounds = group.meeting == Meeting::kBefore ? kMeetingRounds : 1;
    for (int i = 0; i < rounds; ++i) Stop(order, group, moved, velocity);
    Store(velocity, group.pair, velocities);
  });
  EndPart();
}

void ContactConstraints::EndPart() {
  for (size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    for (Pressure& p : PressuresOf(group)) p.impulse_sum += p.impulse;
    if (group.meeting == Meeting::kBehind || PressureOf(group) == 0.0) continue;
    // What stopped the bodies is not what holds them from here on.
    group.meeting = Meeting::kBehind;
    for (Pressure& p : PressuresOf(group)) p.impulse = 0.0;
    rubbings_[g].impulses = {};
  }
}

void ContactConstraints::Bounce(std::span<BodyVelocity> velocities,
                                std::span<const BodyVelocity> displacements) {
  // Where it is now it has the speed that it would have come here with. What
  // has not met, or not with this point, does not bounce.
  std::erase_if(bouncing_, [&](Bouncing& bouncing) {
    const Pressure& p = pressures_[bouncing.point];
    const BodyPair& pair = groups_[bouncing.group].pair;
    const double distance_m =
        p.distance_m + VelocityAlong(p.direction, Load(pair, displacements));
    bouncing.speed_squared += 2.0 * bouncing.acceleration * distance_m;
    return p.impulse_sum == 0.0 && distance_m > kMeetingM;
  });
  if (bouncing_.empty()) return;
  bool agree = false;
  for (int round = 0; round < kBounceRoundsMax && !agree; ++round) {
    agree = true;
    for (Bouncing& bouncing : bouncing_) {
      const Pressure& p = pressures_[bouncing.point];
      const BodyPair& pair = groups_[bouncing.group].pair;
      LaneVelocity velocity = Load(pair, velocities);
      const double wanted = Sqrt(std::max(bouncing.speed_squared, 0.0));
      const double before = bouncing.impulse;
      PushBy(p.effective_mass * (wanted - VelocityAlong(p.direction, velocity)),
             p.direction, pair, bouncing.impulse, velocity);
      agree = agree && Abs(bouncing.impulse - before) <=
                           kBounceAgreement * bouncing.impulse;
      Store(velocity, pair, velocities);
    }
  }
  // Who bounces rubs, too: each manifold by what it has pushed.
  for (size_t i = 0; i < bouncing_.size();) {
    const uint32_t group = bouncing_[i].group;
    double pressure = 0.0;
    for (; i < bouncing_.size() && bouncing_[i].group == group; ++i) {
      pressure += bouncing_[i].impulse;
      Pressure& p = pressures_[bouncing_[i].point];
      p.impulse_sum += bouncing_[i].impulse;
      p.impulse = 0.0;
    }
    Rubbing& rubbing = rubbings_[group];
    rubbing.impulses = {};
    LaneVelocity velocity = Load(groups_[group].pair, velocities);
    SolveRubbing(groups_[group], rubbing, pressure, velocity);
    Store(velocity, groups_[group].pair, velocities);
    // Nor does what stopped them across hold them from here on.
    rubbing.impulses = {};
  }
}

void ContactConstraints::WriteBack() const {
  for (size_t i = 0; i < points_.size(); ++i) {
    points_[i]->m_appliedImpulse = part_count_ * pressures_[i].impulse;
    points_[i]->m_appliedImpulseLateral1 = pressures_[i].impulse_sum;
  }
  for (size_t g = 0; g < groups_.size(); ++g) {
    ShareFriction(rubbings_[g].impulses, frames_[g], part_count_,
                  PointsOf(groups_[g]));
  }
}

}  // namespace reprise::sim
