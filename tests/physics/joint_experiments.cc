// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What joints hold: pendulums, tops, levers, ropes and bridges.

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/base/math.h"
#include "sim/physics/definition/solid_mass.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/experiment.h"

namespace reprise::sim {
namespace {

constexpr double kArm = 1.0;        // m
constexpr double kBobRadius = 0.1;  // m

// A bob on a light arm of a metre, let go at rest at 90 degrees.
double PendulumPeriod(const Conditions& conditions) {
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  AddAnchor(definition, {});
  AddBody(definition, ShapeOf(SpherePrimitive{kBobRadius}), Motion::kDynamic,
          {kArm, 0.0, 0.0});
  AddJoint(definition, 1, {}, 2, {-kArm, 0.0, 0.0}).kind = HingeJoint{};
  const auto engine = conditions.make(definition);
  double before = kArm;
  double first_s = 0.0;
  double last_s = 0.0;
  int passages = 0;
  for (uint32_t i = 1; i <= conditions.Ticks(20.0); ++i) {
    engine->Step();
    const double now = engine->motion(1).position.x;
    if (before * now < 0.0) {
      last_s = conditions.tick_s * (i - 1 + before / (before - now));
      if (passages++ == 0) first_s = last_s;
    }
    before = now;
  }
  return passages > 1 ? 2.0 * (last_s - first_s) / (passages - 1) : 0.0;
}

// With the integral by the arithmetic and geometric mean, of 1 and cos 45.
double ExpectedPendulumPeriod() {
  double a = 1.0;
  double g = Sqrt(0.5);
  for (int i = 0; i < 40; ++i) {
    const double mean = 0.5 * (a + g);
    g = Sqrt(a * g);
    a = mean;
  }
  const double length = kArm + 0.4 * kBobRadius * kBobRadius / kArm;
  return 2.0 * kPi * Sqrt(length / kGravity) / a;
}

// Two bobs, one below the other, on arms of a metre by ball joints, let go
// level.
PhysicsDefinition MakeDoublePendulum(double tick_s) {
  PhysicsDefinition definition;
  definition.tick_s = tick_s;
  AddAnchor(definition, {});
  for (uint32_t i = 1; i <= 2; ++i) {
    AddBody(definition, ShapeOf(SpherePrimitive{kBobRadius}), Motion::kDynamic,
            {i * kArm, 0.0, 0.0});
    AddJoint(definition, i, {}, i + 1, {-kArm, 0.0, 0.0}).kind = HingeJoint{};
  }
  return definition;
}

// The largest gain or loss of energy in 10 s, by that of the fall of both by
// their arms.
double DoublePendulumEnergyChange(const Conditions& conditions) {
  const PhysicsDefinition definition = MakeDoublePendulum(conditions.tick_s);
  const auto engine = conditions.make(definition);
  double worst = 0.0;
  for (uint32_t i = 0; i < conditions.Ticks(10.0); ++i) {
    engine->Step();
    worst = std::max(worst, Abs(EnergyOf(definition, *engine)));
  }
  return worst / (3.0 * kGravity * kArm);
}

// Angles from level, downwards, and their speeds, of both arms.
using Angles = std::array<double, 4>;

// By Lagrange's equations of two rigid arms, each with its bob's own inertia.
Angles DerivativeOf(const Angles& s) {
  constexpr double kOwn = 0.4 * kBobRadius * kBobRadius;
  const double difference = s[0] - s[1];
  const double coupling = kArm * kArm * Cos(difference);
  const double m11 = 2.0 * kArm * kArm + kOwn;
  const double m22 = kArm * kArm + kOwn;
  const double sine = kArm * kArm * Sin(difference);
  const double q1 = 2.0 * kGravity * kArm * Cos(s[0]) - sine * s[3] * s[3];
  const double q2 = kGravity * kArm * Cos(s[1]) + sine * s[2] * s[2];
  const double determinant = m11 * m22 - coupling * coupling;
  return {s[2], s[3], (m22 * q1 - coupling * q2) / determinant,
          (m11 * q2 - coupling * q1) / determinant};
}

Angles Plus(const Angles& a, const Angles& b, double factor) {
  Angles sum;
  for (size_t i = 0; i < sum.size(); ++i) sum[i] = a[i] + factor * b[i];
  return sum;
}

// How far the lower bob is from where it should be after 1.5 s, m.
double DoublePendulumError(const Conditions& conditions) {
  constexpr double kSeconds = 1.5;
  constexpr int kSteps = 15000;
  constexpr double kStep = kSeconds / kSteps;
  Angles s = {};
  for (int i = 0; i < kSteps; ++i) {
    const Angles k1 = DerivativeOf(s);
    const Angles k2 = DerivativeOf(Plus(s, k1, 0.5 * kStep));
    const Angles k3 = DerivativeOf(Plus(s, k2, 0.5 * kStep));
    const Angles k4 = DerivativeOf(Plus(s, k3, kStep));
    s = Plus(s, k1, kStep / 6.0);
    s = Plus(s, k2, kStep / 3.0);
    s = Plus(s, k3, kStep / 3.0);
    s = Plus(s, k4, kStep / 6.0);
  }
  const Vector3 expected = {kArm * (Cos(s[0]) + Cos(s[1])),
                            -kArm * (Sin(s[0]) + Sin(s[1])), 0.0};
  const auto engine = conditions.make(MakeDoublePendulum(conditions.tick_s));
  for (uint32_t i = 0; i < conditions.Ticks(kSeconds); ++i) engine->Step();
  return Length(engine->motion(2).position - expected);
}

// A wheel on a level axle whose end is held, that turns around the vertical:
// steadily by m g l / (I omega) where the axle is level.
constexpr double kAxle = 0.3;
constexpr double kWheelSpin = 60.0;  // rad/s
constexpr CylinderPrimitive kWheel = {0.2, 0.05};

double ExpectedPrecession() {
  return kGravity * kAxle / (UnitInertiaOf(Solid(kWheel)).y * kWheelSpin);
}

// The speed with which it goes around, over five seconds.
double Precession(const Conditions& conditions) {
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  AddAnchor(definition, {});
  const double rate = ExpectedPrecession();
  const AddedBody wheel =
      AddBody(definition, ShapeOf(kWheel), Motion::kDynamic, {kAxle, 0.0, 0.0});
  // Its own axis, y, along the axle.
  wheel.placement.rotation = FromAxisAngle({0.0, 0.0, 1.0}, -0.5 * kPi);
  wheel.placement.angular_velocity_rad_s = {kWheelSpin, rate, 0.0};
  wheel.placement.linear_velocity_m_s = {0.0, 0.0, -rate * kAxle};
  AddJoint(definition, 1, {}, 2, {0.0, -kAxle, 0.0}).kind = BallJoint{};
  const auto engine = conditions.make(definition);
  double turned = 0.0;
  double before = 0.0;
  const uint32_t ticks = conditions.Ticks(5.0);
  for (uint32_t i = 0; i < ticks; ++i) {
    engine->Step();
    const Vector3 place = engine->motion(1).position;
    const double now = Atan2(-place.z, place.x);
    double change = now - before;
    if (change < -kPi) change += 2.0 * kPi;
    if (change > kPi) change -= 2.0 * kPi;
    turned += change;
    before = now;
  }
  return turned / (ticks * conditions.tick_s);
}

// A beam on a hinge at its middle, with 3 kg a metre to one side and 1 kg three
// metres to the other: how far it has turned after five seconds, rad.
double LeverTurn(const Conditions& conditions) {
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  AddAnchor(definition, {});
  AddBody(definition, ShapeOf(BoxPrimitive{{3.2, 0.1, 0.3}}), Motion::kDynamic,
          {0.0, 0.0, 0.0})
      .kind.mass_kg = 2.0;
  AddJoint(definition, 1, {}, 2, {}).kind = HingeJoint{};
  AddBody(definition, ShapeOf(BoxPrimitive{{0.1, 0.1, 0.1}}), Motion::kDynamic,
          {-1.0, 0.2, 0.0})
      .kind.mass_kg = 3.0;
  AddBody(definition, ShapeOf(BoxPrimitive{{0.1, 0.1, 0.1}}), Motion::kDynamic,
          {3.0, 0.2, 0.0})
      .kind.mass_kg = 1.0;
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(1.0); ++i) engine->Step();
  const Vector3 axis = Transposed(engine->motion(1).basis).rows[0];
  return Abs(Atan2(axis.y, axis.x));
}

// A door of 2 kg that gravity pulls level from rest, around its edge: the speed
// after a short while by that which its inertia gives it.
double LeverAcceleration(const Conditions& conditions) {
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  definition.gravity_m_s2 = {0.0, 0.0, -0.1};
  const BoxPrimitive door = {{0.5, 1.0, 0.03}};
  AddAnchor(definition, {});
  AddBody(definition, ShapeOf(door), Motion::kDynamic, {0.5, 0.0, 0.0})
      .kind.mass_kg = 2.0;
  JointDefinition& hinge = AddJoint(definition, 1, {}, 2, {-0.5, 0.0, 0.0});
  hinge.kind = HingeJoint{};
  hinge.frame_a.rotation = FromAxisAngle({1.0, 0.0, 0.0}, -0.5 * kPi);
  hinge.frame_b.rotation = hinge.frame_a.rotation;
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(1.0); ++i) engine->Step();
  const double inertia = UnitInertiaOf(Solid(door)).y + 0.25;
  return engine->motion(1).angular_velocity.y / (0.1 * 0.5 / inertia);
}

// 1 kg on an arm of a metre, hanging: how far it droops, m.
double Droop(const Conditions& conditions) {
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  AddAnchor(definition, {});
  AddBody(definition, ShapeOf(SpherePrimitive{kBobRadius}), Motion::kDynamic,
          {0.0, -kArm, 0.0});
  AddJoint(definition, 1, {}, 2, {0.0, kArm, 0.0}).kind = BallJoint{};
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(5.0); ++i) engine->Step();
  return -kArm - engine->motion(1).position.y;
}

// A chain of `count` links of 0.1 m and 0.1 kg, hanging, with `load_kg` at its
// end: by what share it is too long after ten seconds.
double Stretch(const Conditions& conditions, uint32_t count, double load_kg) {
  constexpr double kLink = 0.1;
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  AddAnchor(definition, {});
  for (uint32_t i = 0; i < count; ++i) {
    BodyKind& kind = AddBody(definition, ShapeOf(CapsulePrimitive{0.02, 0.05}),
                             Motion::kDynamic, {0.0, -kLink * (i + 0.5), 0.0})
                         .kind;
    kind.mass_kg = i + 1 == count ? load_kg : 0.1;
    kind.collides_with = 0;
    AddJoint(definition, i + 1, {0.0, i == 0 ? 0.0 : -0.5 * kLink, 0.0}, i + 2,
             {0.0, 0.5 * kLink, 0.0})
        .kind = BallJoint{};
  }
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(10.0); ++i) engine->Step();
  const double length = kLink * (count - 0.5);
  return Length(engine->motion(count).position) / length - 1.0;
}

// A bridge of 20 planks between two posts with 50 kg on its middle: the largest
// gap between the edges of two planks after ten seconds, m.
double BridgeGap(const Conditions& conditions) {
  constexpr uint32_t kPlanks = 20;
  constexpr double kLength = 0.5;
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  // Laid as it hangs: from 0.2 rad downwards to as much upwards.
  AddAnchor(definition, {});
  Vector3 edge = {};
  for (uint32_t i = 0; i < kPlanks; ++i) {
    const double angle = 0.4 * (i + 0.5) / kPlanks - 0.2;
    const Vector3 along = {kLength * Cos(angle), kLength * Sin(angle), 0.0};
    const AddedBody plank =
        AddBody(definition, ShapeOf(BoxPrimitive{{0.24, 0.05, 0.5}}),
                Motion::kDynamic, edge + 0.5 * along);
    plank.kind.mass_kg = 5.0;
    plank.placement.rotation = FromAxisAngle({0.0, 0.0, 1.0}, angle);
    edge = edge + along;
  }
  AddAnchor(definition, edge);
  for (uint32_t i = 0; i <= kPlanks; ++i) {
    AddJoint(definition, i + 1, {i == 0 ? 0.0 : 0.5 * kLength, 0.0, 0.0}, i + 2,
             {i == kPlanks ? 0.0 : -0.5 * kLength, 0.0, 0.0})
        .kind = HingeJoint{};
  }
  AddBody(definition, ShapeOf(BoxPrimitive{{0.3, 0.3, 0.3}}), Motion::kDynamic,
          {0.5 * edge.x, 0.0, 0.0})
      .kind.mass_kg = 50.0;
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(10.0); ++i) engine->Step();
  double widest = 0.0;
  for (uint32_t i = 1; i < kPlanks; ++i) {
    const BodyMotion a = engine->motion(i);
    const BodyMotion b = engine->motion(i + 1);
    const Vector3 end_a =
        a.position + a.basis * Vector3{0.5 * kLength, 0.0, 0.0};
    const Vector3 end_b =
        b.position + b.basis * Vector3{-0.5 * kLength, 0.0, 0.0};
    widest = std::max(widest, Length(end_a - end_b));
  }
  return widest;
}

}  // namespace

std::vector<Experiment> JointExperiments() {
  return {
      {.name = "pendulum let go at 90 degrees",
       .measured = "period, s",
       .expected = ExpectedPendulumPeriod(),
       .tolerance = 0.001 * ExpectedPendulumPeriod(),
       .reason = "sections of 1/120 s are of the second order",
       .run = PendulumPeriod},
      {.name = "double pendulum let go level, 10 s",
       .measured = "largest change of energy, share",
       .expected = 0.0,
       .tolerance = 2e-3,
       .reason = "as above",
       .run = DoublePendulumEnergyChange},
      {.name = "the same, after 1.5 s",
       .measured = "error of the lower bob's place, m",
       .expected = 0.0,
       .tolerance = 1e-3,
       .reason = "as above",
       .run = DoublePendulumError},
      {.name = "wheel on a level axle held at its end",
       .measured = "precession, rad/s",
       .expected = ExpectedPrecession(),
       .tolerance = 0.02 * ExpectedPrecession(),
       .reason = "as above",
       .holds = {},
       .run = Precession},
      {.name = "beam with 3 kg at 1 m and 1 kg at 3 m",
       .measured = "turn within 1 s, rad",
       .expected = 0.0,
       .tolerance = 1e-3,
       .reason = "contacts share the load in some rounds",
       .run = LeverTurn},
      {.name = "door pulled for a second",
       .measured = "speed by that of a lever",
       .expected = 1.0,
       .tolerance = 0.01,
       .reason = "it turns a little out of the pull",
       .run = LeverAcceleration},
      {.name = "1 kg on 1 m, hanging",
       .measured = "droop, m",
       .expected = 0.0,
       .tolerance = 1e-5,
       .reason = "what a solution leaves, the next one takes",
       .run = Droop},
      {.name = "chain of 100 links, 10 s",
       .measured = "stretch, share",
       .expected = 0.0,
       .tolerance = 1e-3,
       .reason = "as above, of a thousandth in each",
       .run = [](const Conditions& c) { return Stretch(c, 100, 0.1); }},
      {.name = "chain of 100 links with 100 times the mass of one",
       .measured = "stretch, share",
       .expected = 0.0,
       .tolerance = 2e-3,
       .reason = "as above",
       .run = [](const Conditions& c) { return Stretch(c, 100, 10.0); }},
      {.name = "bridge of 20 planks of 5 kg under 50 kg",
       .measured = "widest gap, m",
       .expected = 0.0,
       .tolerance = 1e-3,
       .reason = "as above",
       .run = BridgeGap},
  };
}

}  // namespace reprise::sim
