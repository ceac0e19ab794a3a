// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/contact_batch.h"

#include <cstddef>

#include "sim/physics/solver/wide.h"

namespace reprise::sim {
namespace {

// And no faster than this, m/s, is pushed apart what overlaps, however deep.
constexpr double kPushSpeedMax = 3.0;

// By so many rounds the points of a manifold share what stops a body.
constexpr int kMeetingRounds = 8;

template <int kWidth>
struct Velocities {
  WideVelocity<kWidth> a;
  WideVelocity<kWidth> b;
};

template <int kWidth>
REPRISE_INLINE WideVelocity<kWidth> GatherBodies(
    const uint32_t* bodies, const BodyVelocity* velocities) {
  std::array<const btVector3*, kWidth> linear;
  std::array<const btVector3*, kWidth> angular;
  for (int i = 0; i < kWidth; ++i) {
    linear[i] = &velocities[bodies[i]].linear;
    angular[i] = &velocities[bodies[i]].angular;
  }
  return {Gather(linear), Gather(angular)};
}

template <int kWidth>
REPRISE_INLINE void ScatterBodies(const WideVelocity<kWidth>& velocity,
                                  const uint32_t* bodies, const bool* moves,
                                  BodyVelocity* velocities) {
  // What doesn't move isn't written: else all that touches the ground would
  // wait for each other.
  BodyVelocity unused;
  std::array<btVector3*, kWidth> linear;
  std::array<btVector3*, kWidth> angular;
  for (int i = 0; i < kWidth; ++i) {
    BodyVelocity* const to = moves[i] ? &velocities[bodies[i]] : &unused;
    linear[i] = &to->linear;
    angular[i] = &to->angular;
  }
  Scatter(velocity.linear, linear);
  Scatter(velocity.angular, angular);
}

// `kWidth` manifolds of a batch.
template <int kWidth>
struct Slice {
  const ContactBatch& batch;
  int first = 0;

  REPRISE_INLINE Wide<kWidth> At(const Quad& quad) const {
    return Read<kWidth>(quad, first);
  }
  REPRISE_INLINE WideVector3<kWidth> At(const QuadVector3& quad) const {
    return Read<kWidth>(quad, first);
  }
  REPRISE_INLINE Velocities<kWidth> Gather(
      std::span<const BodyVelocity> velocities) const {
    return {GatherBodies<kWidth>(&batch.a[first], velocities.data()),
            GatherBodies<kWidth>(&batch.b[first], velocities.data())};
  }
  REPRISE_INLINE void Scatter(const Velocities<kWidth>& v,
                              std::span<BodyVelocity> velocities) const {
    ScatterBodies<kWidth>(v.a, &batch.a[first], &batch.moves_a[first],
                          velocities.data());
    ScatterBodies<kWidth>(v.b, &batch.b[first], &batch.moves_b[first],
                          velocities.data());
  }

  REPRISE_INLINE Wide<kWidth> SpeedAlong(const QuadDirection& direction,
                                         const Velocities<kWidth>& v) const {
    const Wide<kWidth> a = Dot(At(direction.linear_a), v.a.linear) +
                           Dot(At(direction.turn.angular_a), v.a.angular);
    const Wide<kWidth> b = Dot(At(direction.linear_b), v.b.linear) +
                           Dot(At(direction.turn.angular_b), v.b.angular);
    return a + b;
  }
  REPRISE_INLINE Wide<kWidth> SpeedAlong(const QuadTurn& turn,
                                         const Velocities<kWidth>& v) const {
    // Of nothing along a line, which may be a negative zero.
    const WideVector3<kWidth> none = {};
    const Wide<kWidth> a =
        Dot(none, v.a.linear) + Dot(At(turn.angular_a), v.a.angular);
    const Wide<kWidth> b =
        Dot(none, v.b.linear) + Dot(At(turn.angular_b), v.b.angular);
    return a + b;
  }

  REPRISE_INLINE void ApplyTurn(const QuadTurn& turn,
                                const Wide<kWidth>& impulse,
                                Velocities<kWidth>& v) const {
    AddTimes<kWidth>(At(turn.response_a), impulse, v.a.angular);
    AddTimes<kWidth>(At(turn.response_b), impulse, v.b.angular);
  }
  REPRISE_INLINE void ApplyLine(const QuadVector3& line,
                                const QuadVector3& inverse_mass,
                                const Wide<kWidth>& impulse,
                                WideVector3<kWidth>& linear) const {
    const WideVector3<kWidth> response = {At(line.x) * At(inverse_mass.x),
                                          At(line.y) * At(inverse_mass.y),
                                          At(line.z) * At(inverse_mass.z)};
    AddTimes<kWidth>(response, impulse, linear);
  }
  REPRISE_INLINE void Apply(const QuadDirection& direction,
                            const Wide<kWidth>& impulse,
                            Velocities<kWidth>& v) const {
    ApplyLine(direction.linear_a, batch.inverse_mass_a, impulse, v.a.linear);
    ApplyLine(direction.linear_b, batch.inverse_mass_b, impulse, v.b.linear);
    ApplyTurn(direction.turn, impulse, v);
  }
  REPRISE_INLINE void Apply(const QuadTurn& turn, const Wide<kWidth>& impulse,
                            Velocities<kWidth>& v) const {
    const Wide<kWidth> none = impulse * Wide<kWidth>{};
    v.a.linear.x += none;
    v.a.linear.y += none;
    v.a.linear.z += none;
    v.b.linear.x += none;
    v.b.linear.y += none;
    v.b.linear.z += none;
    ApplyTurn(turn, impulse, v);
  }

  REPRISE_INLINE Wide<kWidth> SumOf(const QuadPressure* pressures) const {
    Wide<kWidth> sum = {};
    for (uint32_t i = 0; i < batch.kind.point_count; ++i) {
      sum += At(pressures[i].impulse);
    }
    return sum;
  }

  // Changes an impulse that may only push, and the velocity, by what is
  // missing. Returns where it has changed.
  REPRISE_INLINE WideMask<kWidth> PushBy(const Wide<kWidth>& missing,
                                         const QuadDirection& direction,
                                         Quad& impulse,
                                         Velocities<kWidth>& v) const {
    const Wide<kWidth> before = At(impulse);
    const Wide<kWidth> after = Max<kWidth>(before + missing, Wide<kWidth>{});
    Write<kWidth>(after, first, impulse);
    Apply(direction, after - before, v);
    return after != before;
  }

  // Stops what moves along either direction, by impulses whose sum of squares
  // is at most that of `bound`.
  template <typename Directions>
  REPRISE_INLINE void StopWithin(const Wide<kWidth>& bound,
                                 const Directions& directions,
                                 const std::array<Quad, 2>& masses,
                                 std::array<Quad, 2>& impulses,
                                 Velocities<kWidth>& v) const {
    const Wide<kWidth> before_0 = At(impulses[0]);
    const Wide<kWidth> before_1 = At(impulses[1]);
    Wide<kWidth> wanted_0 =
        before_0 - At(masses[0]) * SpeedAlong(directions[0], v);
    Wide<kWidth> wanted_1 =
        before_1 - At(masses[1]) * SpeedAlong(directions[1], v);
    const Wide<kWidth> square = wanted_0 * wanted_0 + wanted_1 * wanted_1;
    const WideMask<kWidth> is_within = square <= bound * bound;
    if (AnyOf(~is_within)) {
      const Wide<kWidth> scale =
          Choose<kWidth>(is_within, All<kWidth>(1.0), bound / RootOf(square));
      wanted_0 *= scale;
      wanted_1 *= scale;
    }
    Write<kWidth>(wanted_0, first, impulses[0]);
    Write<kWidth>(wanted_1, first, impulses[1]);
    Apply(directions[0], wanted_0 - before_0, v);
    Apply(directions[1], wanted_1 - before_1, v);
  }
  REPRISE_INLINE void StopWithin(const Wide<kWidth>& bound,
                                 const QuadTurn& turn, const Quad& mass,
                                 Quad& impulse, Velocities<kWidth>& v) const {
    const Wide<kWidth> before = At(impulse);
    const Wide<kWidth> wanted =
        Clamp<kWidth>(before - At(mass) * SpeedAlong(turn, v), -bound, bound);
    Write<kWidth>(wanted, first, impulse);
    Apply(turn, wanted - before, v);
  }

  // Friction, by what the points press with.
  REPRISE_INLINE void SolveAcross(const Wide<kWidth>& pressure,
                                  QuadRubbing& rubbing, QuadRolling* rolling,
                                  Velocities<kWidth>& v) const {
    if (batch.kind.rolls) {
      StopWithin(At(rolling->lever_m) * pressure, rolling->axes,
                 rolling->masses, rolling->impulses, v);
    }
    if (batch.kind.spins) {
      StopWithin(At(rubbing.spin_lever_m) * pressure, rubbing.around,
                 rubbing.around_mass, rubbing.around_impulse, v);
    }
    StopWithin(At(rubbing.friction) * pressure, rubbing.across,
               rubbing.across_masses, rubbing.across_impulses, v);
  }

  // A point's round, with a spring where it overlaps.
  REPRISE_INLINE WideMask<kWidth> Press(const ContactRounds& rounds,
                                        QuadPressure& p,
                                        Velocities<kWidth>& v) const {
    const double parts_per_s = 1.0 / rounds.part_s;
    const Softness& softness = rounds.softness;
    const Wide<kWidth> gap = At(p.gap_m);
    const Wide<kWidth> mass = At(p.effective_mass);
    const Wide<kWidth> speed = SpeedAlong(p.direction, v);
    const Wide<kWidth> bias =
        Max<kWidth>(softness.bias_rate * gap, All<kWidth>(-kPushSpeedMax));
    const Wide<kWidth> apart = -mass * (speed + gap * parts_per_s);
    const Wide<kWidth> overlapping =
        -mass * softness.mass_scale * (speed + bias) -
        softness.impulse_scale * At(p.impulse);
    return PushBy(Choose<kWidth>(gap > Wide<kWidth>{}, apart, overlapping),
                  p.direction, p.impulse, v);
  }
  // The same without.
  REPRISE_INLINE WideMask<kWidth> Stop(const ContactRounds& rounds,
                                       QuadPressure& p,
                                       Velocities<kWidth>& v) const {
    const double parts_per_s = 1.0 / rounds.part_s;
    const Wide<kWidth> allowed =
        Max<kWidth>(At(p.gap_m), Wide<kWidth>{}) * parts_per_s;
    const Wide<kWidth> speed = SpeedAlong(p.direction, v);
    return PushBy(-At(p.effective_mass) * (speed + allowed), p.direction,
                  p.impulse, v);
  }

  template <bool kIsSoft>
  REPRISE_INLINE WideMask<kWidth> Round(Order order,
                                        const ContactRounds& rounds,
                                        QuadPressure* pressures,
                                        Velocities<kWidth>& v) const {
    WideMask<kWidth> changed = {};
    const uint32_t count = batch.kind.point_count;
    for (uint32_t i = 0; i < count; ++i) {
      QuadPressure& p = pressures[order == Order::kForth ? i : count - 1 - i];
      if constexpr (kIsSoft) {
        changed |= Press(rounds, p, v);
      } else {
        changed |= Stop(rounds, p, v);
      }
    }
    return changed;
  }

  // One round, and more of what has not pressed before. A round that changes no
  // impulse leaves all as it is, and so would those behind it.
  template <bool kIsSoft>
  REPRISE_INLINE void SolvePressures(Order order, const ContactRounds& rounds,
                                     QuadPressure* pressures,
                                     Velocities<kWidth>& v) const {
    WideMask<kWidth> goes_on = Round<kIsSoft>(order, rounds, pressures, v) &
                               Read<kWidth>(batch.is_before, first);
    for (int i = 1; i < kMeetingRounds && AnyOf(goes_on); ++i) {
      Velocities<kWidth> next = v;
      Wide<kWidth> before[kPointsMax] = {};
      const uint32_t count = batch.kind.point_count;
      for (uint32_t k = 0; k < count; ++k) before[k] = At(pressures[k].impulse);
      const WideMask<kWidth> changed =
          Round<kIsSoft>(order, rounds, pressures, next);
      for (uint32_t k = 0; k < count; ++k) {
        Quad& impulse = pressures[k].impulse;
        Write<kWidth>(Choose<kWidth>(goes_on, At(impulse), before[k]), first,
                      impulse);
      }
      Choose<kWidth>(goes_on, next.a.linear, v.a.linear);
      Choose<kWidth>(goes_on, next.a.angular, v.a.angular);
      Choose<kWidth>(goes_on, next.b.linear, v.b.linear);
      Choose<kWidth>(goes_on, next.b.angular, v.b.angular);
      goes_on &= changed;
    }
  }

  // What overlaps too deeply for a spring is pushed apart by velocities of its
  // own.
  REPRISE_INLINE void Push(Order order, const ContactRounds& rounds,
                           const QuadPressure* pressures,
                           const Velocities<kWidth>& v,
                           std::span<BodyVelocity> pushes) const {
    Velocities<kWidth> push = Gather(pushes);
    const uint32_t count = batch.kind.point_count;
    for (uint32_t i = 0; i < count; ++i) {
      const QuadPressure& p =
          pressures[order == Order::kForth ? i : count - 1 - i];
      // What parts already is not pushed beside.
      const Wide<kWidth> parting =
          Max<kWidth>(SpeedAlong(p.direction, v), Wide<kWidth>{});
      const Wide<kWidth> wanted =
          Min<kWidth>(-rounds.softness.bias_rate * At(p.gap_m),
                      All<kWidth>(kPushSpeedMax)) -
          parting;
      const Wide<kWidth> speed = SpeedAlong(p.direction, push);
      Quad impulse;  // of this part, begun anew
      PushBy(At(p.effective_mass) * (wanted - speed), p.direction, impulse,
             push);
    }
    Scatter(push, pushes);
  }

  // Where bodies have come to.
  REPRISE_INLINE void Measure(std::span<const BodyVelocity> displacements,
                              QuadPressure* pressures) const {
    const Velocities<kWidth> moved = Gather(displacements);
    for (uint32_t i = 0; i < batch.kind.point_count; ++i) {
      QuadPressure& p = pressures[i];
      Write<kWidth>(At(p.distance_m) + SpeedAlong(p.direction, moved), first,
                    p.gap_m);
    }
  }

  // Sums up, and tells what the next part begins with.
  REPRISE_INLINE void EndPart(QuadPressure* pressures, QuadRubbing& rubbing,
                              QuadMask& is_before) const {
    const uint32_t count = batch.kind.point_count;
    for (uint32_t i = 0; i < count; ++i) {
      QuadPressure& p = pressures[i];
      Write<kWidth>(At(p.impulse_sum) + At(p.impulse), first, p.impulse_sum);
    }
    const WideMask<kWidth> before = Read<kWidth>(is_before, first);
    if (!AnyOf(before)) return;
    const WideMask<kWidth> meets =
        before & (SumOf(pressures) != Wide<kWidth>{});
    if (!AnyOf(meets)) return;
    // What stopped the bodies is not what holds them from here on.
    Write<kWidth>(before & ~meets, first, is_before);
    const auto forget = [&](Quad& impulse) REPRISE_LAMBDA_INLINE {
      Write<kWidth>(Choose<kWidth>(meets, Wide<kWidth>{}, At(impulse)), first,
                    impulse);
    };
    for (uint32_t i = 0; i < count; ++i) forget(pressures[i].impulse);
    forget(rubbing.across_impulses[0]);
    forget(rubbing.across_impulses[1]);
    forget(rubbing.around_impulse);
  }

  static constexpr uint32_t kPointsMax = 4;
};

// Calls visit(slice, batch index) for all batches, `kWidth` manifolds at once.
template <int kWidth, typename Batches, typename Visit>
REPRISE_INLINE void ForEachSlice(Order order, Batches& batches,
                                 const Visit& visit) {
  const size_t count = batches.size();
  for (size_t i = 0; i < count; ++i) {
    const size_t index = order == Order::kForth ? i : count - 1 - i;
    auto& batch = batches[index];
    for (int first = 0; first < static_cast<int>(batch.lane_count);
         first += kWidth) {
      visit(Slice<kWidth>{batch, first}, index);
    }
  }
}

template <int kWidth>
REPRISE_INLINE void WarmStartBy(const ContactRounds& rounds,
                                const ContactBatches& contacts) {
  const auto visit = [&](const Slice<kWidth>& slice,
                         size_t index) REPRISE_LAMBDA_INLINE {
    const ContactBatch& batch = slice.batch;
    Velocities<kWidth> v = slice.Gather(rounds.velocities);
    const QuadPressure* const pressures =
        &contacts.pressures[batch.pressures_begin];
    for (uint32_t i = 0; i < batch.kind.point_count; ++i) {
      slice.Apply(pressures[i].direction, slice.At(pressures[i].impulse), v);
    }
    const QuadRubbing& rubbing = contacts.rubbings[index];
    for (int i = 0; i < 2; ++i) {
      slice.Apply(rubbing.across[i], slice.At(rubbing.across_impulses[i]), v);
    }
    slice.Apply(rubbing.around, slice.At(rubbing.around_impulse), v);
    if (batch.kind.rolls) {
      const QuadRolling& rolling = contacts.rollings[batch.rolling];
      for (int i = 0; i < 2; ++i) {
        slice.Apply(rolling.axes[i], slice.At(rolling.impulses[i]), v);
      }
    }
    slice.Scatter(v, rounds.velocities);
  };
  ForEachSlice<kWidth>(Order::kForth, contacts.batches, visit);
}

template <int kWidth>
REPRISE_INLINE void SolveBy(Order order, const ContactRounds& rounds,
                            std::span<BodyVelocity> pushes,
                            ContactBatches& contacts) {
  const auto visit = [&](const Slice<kWidth>& slice,
                         size_t index) REPRISE_LAMBDA_INLINE {
    const ContactBatch& batch = slice.batch;
    QuadPressure* const pressures = &contacts.pressures[batch.pressures_begin];
    QuadRolling* const rolling =
        batch.kind.rolls ? &contacts.rollings[batch.rolling] : nullptr;
    Velocities<kWidth> v = slice.Gather(rounds.velocities);
    slice.SolveAcross(slice.SumOf(pressures), contacts.rubbings[index], rolling,
                      v);
    if (batch.kind.is_deep) {
      slice.template SolvePressures<false>(order, rounds, pressures, v);
      slice.Push(order, rounds, pressures, v, pushes);
    } else {
      slice.template SolvePressures<true>(order, rounds, pressures, v);
    }
    slice.Scatter(v, rounds.velocities);
  };
  ForEachSlice<kWidth>(order, contacts.batches, visit);
}

template <int kWidth>
REPRISE_INLINE void RelaxBy(Order order, const ContactRounds& rounds,
                            std::span<const BodyVelocity> displacements,
                            ContactBatches& contacts) {
  const auto visit = [&](const Slice<kWidth>& slice,
                         size_t index) REPRISE_LAMBDA_INLINE {
    ContactBatch& batch = contacts.batches[index];
    QuadPressure* const pressures = &contacts.pressures[batch.pressures_begin];
    QuadRolling* const rolling =
        batch.kind.rolls ? &contacts.rollings[batch.rolling] : nullptr;
    QuadRubbing& rubbing = contacts.rubbings[index];
    slice.Measure(displacements, pressures);
    Velocities<kWidth> v = slice.Gather(rounds.velocities);
    slice.SolveAcross(slice.SumOf(pressures), rubbing, rolling, v);
    slice.template SolvePressures<false>(order, rounds, pressures, v);
    slice.Scatter(v, rounds.velocities);
    slice.EndPart(pressures, rubbing, batch.is_before);
  };
  ForEachSlice<kWidth>(order, contacts.batches, visit);
}

#if defined(__x86_64__)
#define REPRISE_FOUR_WIDE __attribute__((target("avx2")))
#else
#define REPRISE_FOUR_WIDE
#endif

REPRISE_FOUR_WIDE void WarmStartByFour(const ContactRounds& rounds,
                                       const ContactBatches& contacts) {
  WarmStartBy<4>(rounds, contacts);
}

REPRISE_FOUR_WIDE void SolveByFour(Order order, const ContactRounds& rounds,
                                   std::span<BodyVelocity> pushes,
                                   ContactBatches& contacts) {
  SolveBy<4>(order, rounds, pushes, contacts);
}

REPRISE_FOUR_WIDE void RelaxByFour(Order order, const ContactRounds& rounds,
                                   std::span<const BodyVelocity> displacements,
                                   ContactBatches& contacts) {
  RelaxBy<4>(order, rounds, displacements, contacts);
}

}  // namespace

VectorWidth WidestVectors() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") != 0 ? VectorWidth::kFour
                                             : VectorWidth::kTwo;
#else
  return VectorWidth::kTwo;
#endif
}

void WarmStart(VectorWidth width, const ContactRounds& rounds,
               const ContactBatches& contacts) {
  if (width == VectorWidth::kFour) return WarmStartByFour(rounds, contacts);
  WarmStartBy<2>(rounds, contacts);
}

void Solve(VectorWidth width, Order order, const ContactRounds& rounds,
           std::span<BodyVelocity> pushes, ContactBatches& contacts) {
  if (width == VectorWidth::kFour) {
    return SolveByFour(order, rounds, pushes, contacts);
  }
  SolveBy<2>(order, rounds, pushes, contacts);
}

void Relax(VectorWidth width, Order order, const ContactRounds& rounds,
           std::span<const BodyVelocity> displacements,
           ContactBatches& contacts) {
  if (width == VectorWidth::kFour) {
    return RelaxByFour(order, rounds, displacements, contacts);
  }
  RelaxBy<2>(order, rounds, displacements, contacts);
}

}  // namespace reprise::sim
