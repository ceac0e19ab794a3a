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

// What overlaps by more than this, m, and by more than what it bears presses a
// spring together, and a bit, did not get there by its weight. Nor did what
// bears nothing and isn't on its way in, from half of that on.
constexpr double kDeepM = 0.02;
constexpr double kDeepSprings = 1.2;
constexpr double kIdleDeepM = 0.01;
constexpr double kIdleSpeedMax = 0.01;

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
  places_.Reset(static_cast<uint32_t>(bodies.velocities().size()));
  contacts_.batches.clear();
  contacts_.rubbings.clear();
  contacts_.rollings.clear();
  contacts_.pressures.clear();
  groups_.clear();
  frames_.clear();
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
  island_ = std::max(manifold.getBody0()->getIslandTag(),
                     manifold.getBody1()->getIslandTag());
  const auto count = static_cast<uint32_t>(manifold.getNumContacts());
  Group group = {.begin = static_cast<uint32_t>(points_.size())};
  std::array<Pressure, MANIFOLD_CACHE_SIZE> all;
  const std::span<Pressure> pressures = std::span(all).first(count);
  double pressure_sum = 0.0;
  bool is_deep = false;
  for (uint32_t i = 0; i < count; ++i) {
    btManifoldPoint& point = manifold.getContactPoint(static_cast<int>(i));
    pressures[i] = PressureOf(point, parts, pair);
    points_.push_back(&point);
    AddBouncing(point, pressures[i], step_s, pair);
    pressure_sum += pressures[i].impulse;
    is_deep = is_deep || IsDeep(pressures[i], pair);
  }
  is_pushed_ = is_pushed_ || is_deep;
  group.end = static_cast<uint32_t>(points_.size());
  const Rubbing rubbing = RubbingOf(pair, PointsOf(group), pressure_sum);
  group.place = places_.Add(pair.pair, {.point_count = count,
                                        .rolls = rubbing.rolling_lever_m > 0.0,
                                        .spins = rubbing.spin_lever_m > 0.0,
                                        .is_deep = is_deep});
  if (group.place.lane == 0) {
    ContactBatch& batch = contacts_.batches.emplace_back();
    batch.kind = {.point_count = count,
                  .rolls = rubbing.rolling_lever_m > 0.0,
                  .spins = rubbing.spin_lever_m > 0.0,
                  .is_deep = is_deep};
    batch.pressures_begin = static_cast<uint32_t>(contacts_.pressures.size());
    contacts_.pressures.resize(contacts_.pressures.size() + count);
    contacts_.rubbings.emplace_back();
    batch.rolling = static_cast<uint32_t>(contacts_.rollings.size());
    if (batch.kind.rolls) contacts_.rollings.emplace_back();
  }
  Place(pair, pressures, rubbing, /*is_before=*/!(pressure_sum > 0.0),
        group.place);
  groups_.push_back(group);
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

ContactConstraints::Pressure ContactConstraints::PressureOf(
    const btManifoldPoint& point, const StepParts& parts,
    const SolverBodyPair& pair) const {
  CHECK(point.m_contactPointFlags == 0);
  const LaneVector3 arms =
      Pair(point.getPositionWorldOnA(), point.getPositionWorldOnB()) -
      pair.origins;
  Pressure pressure;
  pressure.direction = pair.Along(point.m_normalWorldOnB, arms);
  pressure.effective_mass = pair.EffectiveMass(pressure.direction);
  pressure.distance_m = point.getDistance();
  pressure.impulse = point.m_appliedImpulse / parts.count;
  return pressure;
}

void ContactConstraints::AddBouncing(const btManifoldPoint& point,
                                     const Pressure& pressure, double step_s,
                                     const SolverBodyPair& pair) {
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
       .island = island_,
       .speed_squared = restitution * restitution * impact_squared,
       .acceleration = acceleration,
       .direction = pressure.direction,
       .effective_mass = pressure.effective_mass,
       .pair = pair.pair});
}

ContactConstraints::Rubbing ContactConstraints::RubbingOf(
    const SolverBodyPair& pair, std::span<btManifoldPoint* const> points,
    double pressure_sum) {
  const ManifoldFrame& frame = frames_.emplace_back(FrameOf(points));
  const LaneVector3 arms = Pair(frame.middle_a, frame.middle_b) - pair.origins;
  const btManifoldPoint& first = *points[0];
  Rubbing rubbing;
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
  LimitTo(rubbing.friction * pressure_sum, rubbing.impulses.across);
  LimitTo(rubbing.spin_lever_m * pressure_sum, rubbing.impulses.around);
  rubbing.rolling_lever_m = first.m_combinedRollingFriction;
  if (rubbing.rolling_lever_m > 0.0) {
    for (int i = 0; i < 2; ++i) {
      rubbing.axes[i] = pair.Around(frame.across[i]);
      rubbing.axis_masses[i] = pair.EffectiveMass(rubbing.axes[i]);
    }
  }
  return rubbing;
}

void ContactConstraints::Place(const SolverBodyPair& pair,
                               std::span<const Pressure> pressures,
                               const Rubbing& rubbing, bool is_before,
                               BatchPlace place) {
  const int lane = place.lane;
  ContactBatch& batch = contacts_.batches[place.batch];
  batch.lane_count = static_cast<uint32_t>(lane) + 1;
  batch.a[lane] = pair.pair.a;
  batch.b[lane] = pair.pair.b;
  batch.moves_a[lane] = pair.pair.moves_a;
  batch.moves_b[lane] = pair.pair.moves_b;
  batch.inverse_mass_a.set_lane(lane, LaneA(pair.pair.inverse_mass));
  batch.inverse_mass_b.set_lane(lane, LaneB(pair.pair.inverse_mass));
  batch.is_before.lanes[lane] = is_before ? -1 : 0;
  for (size_t i = 0; i < pressures.size(); ++i) {
    const Pressure& from = pressures[i];
    QuadPressure& to = contacts_.pressures[batch.pressures_begin + i];
    to.direction.set_lane(lane, from.direction);
    to.effective_mass.lanes[lane] = from.effective_mass;
    to.distance_m.lanes[lane] = from.distance_m;
    to.gap_m.lanes[lane] =
        from.distance_m + VelocityAlong(from.direction, LaneVelocity{});
    to.impulse.lanes[lane] = from.impulse;
  }
  QuadRubbing& to = contacts_.rubbings[place.batch];
  for (int i = 0; i < 2; ++i) {
    to.across[i].set_lane(lane, rubbing.across[i]);
    to.across_masses[i].lanes[lane] = rubbing.across_masses[i];
    to.across_impulses[i].lanes[lane] = rubbing.impulses.across[i];
  }
  to.around.set_lane(lane, rubbing.around);
  to.around_mass.lanes[lane] = rubbing.around_mass;
  to.around_impulse.lanes[lane] = rubbing.impulses.around;
  to.friction.lanes[lane] = rubbing.friction;
  to.spin_lever_m.lanes[lane] = rubbing.spin_lever_m;
  if (!batch.kind.rolls) return;
  QuadRolling& rolling = contacts_.rollings[batch.rolling];
  for (int i = 0; i < 2; ++i) {
    rolling.axes[i].set_lane(lane, rubbing.axes[i]);
    rolling.masses[i].lanes[lane] = rubbing.axis_masses[i];
  }
  rolling.lever_m.lanes[lane] = rubbing.rolling_lever_m;
}

void ContactConstraints::WarmStart(std::span<BodyVelocity> velocities) const {
  sim::WarmStart(width_, RoundsOf(velocities), contacts_);
}

void ContactConstraints::Solve(Order order, std::span<BodyVelocity> velocities,
                               std::span<BodyVelocity> pushes) {
  sim::Solve(width_, order, RoundsOf(velocities), pushes, contacts_);
}

void ContactConstraints::Relax(Order order, std::span<BodyVelocity> velocities,
                               std::span<const BodyVelocity> displacements) {
  sim::Relax(width_, order, RoundsOf(velocities), displacements, contacts_);
}

void ContactConstraints::Bounce(std::span<BodyVelocity> velocities) {
  // Where it is now it has the speed that it would have come here with. What
  // has not met, or not with this point, does not bounce.
  std::erase_if(bouncing_, [&](Bouncing& bouncing) {
    const Group& group = groups_[bouncing.group];
    const QuadPressure& p = PressureAt(group, bouncing.point);
    const double distance_m = p.gap_m.lanes[group.place.lane];
    bouncing.speed_squared += 2.0 * bouncing.acceleration * distance_m;
    return p.impulse_sum.lanes[group.place.lane] == 0.0 &&
           distance_m > kMeetingM;
  });
  // An island at a time: how many rounds one takes is its own affair.
  for (size_t begin = 0; begin < bouncing_.size();) {
    size_t end = begin + 1;
    while (end < bouncing_.size() &&
           bouncing_[end].island == bouncing_[begin].island) {
      ++end;
    }
    BounceTogether(std::span(bouncing_).subspan(begin, end - begin),
                   velocities);
    begin = end;
  }
}

void ContactConstraints::BounceTogether(std::span<Bouncing> island,
                                        std::span<BodyVelocity> velocities) {
  bool agree = false;
  for (int round = 0; round < kBounceRoundsMax && !agree; ++round) {
    agree = true;
    for (Bouncing& bouncing : island) {
      LaneVelocity velocity = Load(bouncing.pair, velocities);
      const double wanted = Sqrt(std::max(bouncing.speed_squared, 0.0));
      const double before = bouncing.impulse;
      PushBy(bouncing.effective_mass *
                 (wanted - VelocityAlong(bouncing.direction, velocity)),
             bouncing.direction, bouncing.pair, bouncing.impulse, velocity);
      agree = agree && Abs(bouncing.impulse - before) <=
                           kBounceAgreement * bouncing.impulse;
      Store(velocity, bouncing.pair, velocities);
    }
  }
  // Who bounces rubs, too: each manifold by what it has pushed.
  for (size_t i = 0; i < island.size();) {
    const Group& group = groups_[island[i].group];
    const uint32_t index = island[i].group;
    double pressure = 0.0;
    for (; i < island.size() && island[i].group == index; ++i) {
      pressure += island[i].impulse;
      QuadPressure& p = PressureAt(group, island[i].point);
      p.impulse_sum.lanes[group.place.lane] += island[i].impulse;
      p.impulse.lanes[group.place.lane] = 0.0;
    }
    RubBounced(group, pressure, velocities);
  }
}

void ContactConstraints::RubBounced(const Group& group, double pressure,
                                    std::span<BodyVelocity> velocities) {
  const int lane = group.place.lane;
  const ContactBatch& batch = contacts_.batches[group.place.batch];
  QuadRubbing& rubbing = contacts_.rubbings[group.place.batch];
  const BodyPair pair = batch.pair(lane);
  LaneVelocity velocity = Load(pair, velocities);
  ManifoldFriction impulses;
  if (batch.kind.spins) {
    StopWithin(rubbing.spin_lever_m.lanes[lane] * pressure,
               rubbing.around.lane(lane), rubbing.around_mass.lanes[lane], pair,
               impulses.around, velocity);
  }
  StopWithin(
      rubbing.friction.lanes[lane] * pressure,
      std::array{rubbing.across[0].lane(lane), rubbing.across[1].lane(lane)},
      std::array{rubbing.across_masses[0].lanes[lane],
                 rubbing.across_masses[1].lanes[lane]},
      pair, impulses.across, velocity);
  Store(velocity, pair, velocities);
  // What stopped them across does not hold them from here on.
  rubbing.across_impulses[0].lanes[lane] = 0.0;
  rubbing.across_impulses[1].lanes[lane] = 0.0;
  rubbing.around_impulse.lanes[lane] = 0.0;
}

void ContactConstraints::WriteBack() const {
  for (const Group& group : groups_) {
    const int lane = group.place.lane;
    const ContactBatch& batch = contacts_.batches[group.place.batch];
    const QuadPressure* p = &contacts_.pressures[batch.pressures_begin];
    for (btManifoldPoint* point : PointsOf(group)) {
      point->m_appliedImpulse = part_count_ * p->impulse.lanes[lane];
      point->m_appliedImpulseLateral1 = p->impulse_sum.lanes[lane];
      ++p;
    }
    const QuadRubbing& rubbing = contacts_.rubbings[group.place.batch];
    const ManifoldFriction friction = {
        .across = {rubbing.across_impulses[0].lanes[lane],
                   rubbing.across_impulses[1].lanes[lane]},
        .around = rubbing.around_impulse.lanes[lane]};
    ShareFriction(friction, frames_[&group - groups_.data()], part_count_,
                  PointsOf(group));
  }
}

}  // namespace reprise::sim
