// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What nothing touches: free fall, and bodies that tumble.

#include <algorithm>
#include <utility>

#include "sim/base/math.h"
#include "sim/physics/definition/solid_mass.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/experiment.h"

namespace reprise::sim {
namespace {

double HeightLostInFreeFall(const Conditions& conditions) {
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  AddBody(definition, ShapeOf(SpherePrimitive{0.1}), Motion::kDynamic,
          {0.0, 100.0, 0.0});
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(4.0); ++i) engine->Step();
  return 100.0 - engine->motion(0).position.y;
}

// A brick with three moments of inertia, in space, turning around the one in
// the middle but for a little.
constexpr Vector3 kBrick = {0.1, 0.2, 0.4};
constexpr Vector3 kBrickSpin = {0.5, 6.0, 0.0};  // rad/s; y is the middle one

PhysicsDefinition MakeBrick(double tick_s) {
  PhysicsDefinition definition;
  definition.tick_s = tick_s;
  definition.gravity_m_s2 = {};
  AddBody(definition, ShapeOf(BoxPrimitive{kBrick}), Motion::kDynamic, {})
      .placement.angular_velocity_rad_s = kBrickSpin;
  return definition;
}

// The largest change of energy, or of angular momentum, within a minute.
double TumblingEnergyChange(const Conditions& conditions) {
  const PhysicsDefinition definition = MakeBrick(conditions.tick_s);
  const auto engine = conditions.make(definition);
  const double before = EnergyOf(definition, *engine);
  double worst = 0.0;
  for (uint32_t i = 0; i < conditions.Ticks(60.0); ++i) {
    engine->Step();
    worst = std::max(worst, Abs(EnergyOf(definition, *engine) / before - 1.0));
  }
  return worst;
}

double TumblingMomentumChange(const Conditions& conditions) {
  const PhysicsDefinition definition = MakeBrick(conditions.tick_s);
  const auto engine = conditions.make(definition);
  const Vector3 before = AngularMomentumOf(definition, *engine);
  double worst = 0.0;
  for (uint32_t i = 0; i < conditions.Ticks(60.0); ++i) {
    engine->Step();
    const Vector3 change = AngularMomentumOf(definition, *engine) - before;
    worst = std::max(worst, Length(change) / Length(before));
  }
  return worst;
}

// The time between two flips, from the first to the last of a minute; 0 where
// there are none.
double FlipTime(const Conditions& conditions) {
  const auto engine = conditions.make(MakeBrick(conditions.tick_s));
  double before = kBrickSpin.y;
  double first_s = 0.0;
  double last_s = 0.0;
  int flips = 0;
  for (uint32_t i = 1; i <= conditions.Ticks(60.0); ++i) {
    engine->Step();
    const BodyMotion motion = engine->motion(0);
    const double now = (Transposed(motion.basis) * motion.angular_velocity).y;
    if (before * now < 0.0) {
      last_s = conditions.tick_s * (i - 1 + before / (before - now));
      if (flips++ == 0) first_s = last_s;
    }
    before = now;
  }
  return flips > 1 ? (last_s - first_s) / (flips - 1) : 0.0;
}

// By Euler's equations: half the period of Jacobi's elliptic functions, their
// integral by the arithmetic and geometric mean. Source: Landau and Lifshitz,
// "Mechanics", section 37.
double ExpectedFlipTime() {
  const Vector3 inertia = UnitInertiaOf(Solid(BoxPrimitive{kBrick}));
  double i1 = inertia.z;
  const double i2 = inertia.y;
  double i3 = inertia.x;
  double w1 = kBrickSpin.z;
  double w3 = kBrickSpin.x;
  const double w2 = kBrickSpin.y;
  const double energy = i1 * w1 * w1 + i2 * w2 * w2 + i3 * w3 * w3;  // twice
  const double momentum_squared =
      i1 * i1 * w1 * w1 + i2 * i2 * w2 * w2 + i3 * i3 * w3 * w3;
  // The formula is for a momentum above that of the middle axis.
  if (momentum_squared < energy * i2) {
    std::swap(i1, i3);
    std::swap(w1, w3);
  }
  const double upper = (i3 - i2) * (momentum_squared - energy * i1);
  const double rate = Sqrt(Abs(upper) / Abs(i1 * i2 * i3));
  const double k_squared = ((i2 - i1) * (energy * i3 - momentum_squared)) /
                           ((i3 - i2) * (momentum_squared - energy * i1));
  double a = 1.0;
  double g = Sqrt(1.0 - k_squared);
  for (int i = 0; i < 40; ++i) {
    const double mean = 0.5 * (a + g);
    g = Sqrt(a * g);
    a = mean;
  }
  const double quarter = kPi / (2.0 * a);
  return 2.0 * quarter / rate;
}

}  // namespace

std::vector<Experiment> FlightExperiments() {
  return {
      {.name = "free fall for 4 s",
       .measured = "height lost, m",
       .expected = 0.5 * kGravity * 16.0,
       .tolerance = 1e-9,
       .reason = "exact but for rounding",
       .run = HeightLostInFreeFall},
      {.name = "brick that tumbles for a minute",
       .measured = "largest change of energy, share",
       .expected = 0.0,
       .tolerance = 1e-3,
       .reason = "second order, without drift",
       .run = TumblingEnergyChange},
      {.name = "the same",
       .measured = "largest change of angular momentum, share",
       .expected = 0.0,
       .tolerance = 1e-9,
       .reason = "kept but for rounding",
       .run = TumblingMomentumChange},
      {.name = "the same, around its middle axis",
       .measured = "time between flips, s",
       .expected = ExpectedFlipTime(),
       .tolerance = 0.02 * ExpectedFlipTime(),
       .reason = "errors of its energy decide when it leaves the axis",
       .run = FlipTime},
  };
}

}  // namespace reprise::sim
