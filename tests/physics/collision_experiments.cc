// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bodies that meet: energy and momentum of collisions.

#include <algorithm>

#include "sim/base/math.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/experiment.h"

namespace reprise::sim {
namespace {

// How high a ball comes back that was let go at 1.07 m, as a share of it.
double ReturnOf(const Conditions& conditions, double restitution) {
  constexpr double kRadius = 0.15;
  constexpr double kHeight = 1.07;
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  AddBody(definition, PlaneShape{}, Motion::kFixed, {}).kind.restitution = 1.0;
  AddBody(definition, ShapeOf(SpherePrimitive{kRadius}), Motion::kDynamic,
          {0.0, kRadius + kHeight, 0.0})
      .kind.restitution = restitution;
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(2.0); ++i) {
    engine->Step();
    const BodyMotion motion = engine->motion(1);
    const double speed = motion.linear_velocity.y;
    if (speed <= 0.0) continue;
    return (motion.position.y - kRadius + 0.5 * speed * speed / kGravity) /
           kHeight;
  }
  return 0.0;
}

// Adds a smooth ball of 1 kg that loses nothing.
AddedBody AddElasticBall(PhysicsDefinition& definition, double radius_m,
                         Vector3 position, Vector3 velocity) {
  const AddedBody ball = AddBody(definition, ShapeOf(SpherePrimitive{radius_m}),
                                 Motion::kDynamic, position);
  ball.kind.restitution = 1.0;
  ball.kind.friction = 0.0;
  ball.placement.linear_velocity_m_s = velocity;
  return ball;
}

// Five balls in a row, a centimetre apart, of which the first comes with 2 m/s.
// The last one's share of its speed, or what of it the others keep.
double CradleOf(const Conditions& conditions, bool is_last) {
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  definition.gravity_m_s2 = {};
  AddElasticBall(definition, 0.1, {-0.8, 0.0, 0.0}, {2.0, 0.0, 0.0});
  for (uint32_t i = 1; i < 5; ++i) {
    AddElasticBall(definition, 0.1, {0.21 * i, 0.0, 0.0}, {});
  }
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(2.0); ++i) engine->Step();
  if (is_last) return engine->motion(4).linear_velocity.x / 2.0;
  double most = 0.0;
  for (uint32_t i = 0; i < 4; ++i) {
    most = std::max(most, Length(engine->motion(i).linear_velocity) / 2.0);
  }
  return most;
}

// 6 x 6 x 6 balls that a heavy one flies into, without friction and loss; as in
// SimBenchmark's elastic collisions.
PhysicsDefinition MakeElasticBalls(double tick_s) {
  PhysicsDefinition definition;
  definition.tick_s = tick_s;
  definition.gravity_m_s2 = {};
  for (uint32_t i = 0; i < 216; ++i) {
    const uint32_t layer = i / 36;
    const Vector3 place = {0.3 * (i % 6), 0.3 * (i / 6 % 6), 0.3 * layer};
    AddElasticBall(definition, 0.12, place, {});
  }
  AddElasticBall(definition, 0.4, {-1.5, 0.7, 0.8}, {8.0, 0.2, -0.1})
      .kind.mass_kg = 20.0;
  return definition;
}

double ElasticEnergyChange(const Conditions& conditions) {
  const PhysicsDefinition definition = MakeElasticBalls(conditions.tick_s);
  const auto engine = conditions.make(definition);
  const double before = EnergyOf(definition, *engine);
  for (uint32_t i = 0; i < conditions.Ticks(2.0); ++i) engine->Step();
  return EnergyOf(definition, *engine) / before - 1.0;
}

double ElasticMomentumChange(const Conditions& conditions) {
  const PhysicsDefinition definition = MakeElasticBalls(conditions.tick_s);
  const auto engine = conditions.make(definition);
  const Vector3 before = MomentumOf(definition, *engine);
  for (uint32_t i = 0; i < conditions.Ticks(2.0); ++i) engine->Step();
  return Length(MomentumOf(definition, *engine) - before) / Length(before);
}

// Two rough boxes that hit each other off their middles, in space.
PhysicsDefinition MakeGlancingBoxes(double tick_s) {
  PhysicsDefinition definition;
  definition.tick_s = tick_s;
  definition.gravity_m_s2 = {};
  for (const double side : {-1.0, 1.0}) {
    const AddedBody box =
        AddBody(definition, ShapeOf(BoxPrimitive{{0.5, 0.3, 0.4}}),
                Motion::kDynamic, {side * 1.2, side * 0.2, side * 0.1});
    box.kind.restitution = 0.7;
    box.kind.friction = 0.6;
    box.kind.mass_kg = side < 0.0 ? 2.0 : 5.0;
    box.placement.linear_velocity_m_s = {-side * 3.0, 0.0, 0.0};
    box.placement.angular_velocity_rad_s = {0.0, side * 2.0, 1.0};
  }
  return definition;
}

// The largest change of what `quantity` is of the two, by the sum of what each
// of them has.
template <typename Quantity>
double GlancingChange(const Conditions& conditions, double scale,
                      const Quantity& quantity) {
  const PhysicsDefinition definition = MakeGlancingBoxes(conditions.tick_s);
  const auto engine = conditions.make(definition);
  const Vector3 before = quantity(definition, *engine);
  double worst = 0.0;
  for (uint32_t i = 0; i < conditions.Ticks(2.0); ++i) {
    engine->Step();
    worst =
        std::max(worst, Length(quantity(definition, *engine) - before) / scale);
  }
  return worst;
}

// The largest energy, as a share of that before.
double GlancingEnergyMost(const Conditions& conditions) {
  const PhysicsDefinition definition = MakeGlancingBoxes(conditions.tick_s);
  const auto engine = conditions.make(definition);
  const double before = EnergyOf(definition, *engine);
  double most = 0.0;
  for (uint32_t i = 0; i < conditions.Ticks(2.0); ++i) {
    engine->Step();
    most = std::max(most, EnergyOf(definition, *engine) / before - 1.0);
  }
  return std::max(most, 0.0);
}

// 6 x 6 x 6 balls that fall onto a floor and each other: how deep the deepest
// pair is in each other after five seconds, as a share of the radius.
double PileDepth(const Conditions& conditions) {
  constexpr double kRadius = 0.1;
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  AddBody(definition, PlaneShape{}, Motion::kFixed, {}).kind.friction = 1.0;
  for (uint32_t i = 0; i < 216; ++i) {
    const uint32_t layer = i / 36;
    const double aside = 0.01 * (layer % 2);
    AddBody(definition, ShapeOf(SpherePrimitive{kRadius}), Motion::kDynamic,
            {0.22 * (i % 6) + aside, 0.2 + 0.22 * layer,
             0.22 * (i / 6 % 6) + aside})
        .kind.friction = 0.8;
  }
  const auto engine = conditions.make(definition);
  double deepest = 0.0;
  for (uint32_t i = 0; i < conditions.Ticks(5.0); ++i) {
    engine->Step();
    if (i % conditions.Ticks(0.5) != 0) continue;
    for (uint32_t a = 1; a <= 216; ++a) {
      const Vector3 place = engine->motion(a).position;
      deepest = std::max(deepest, kRadius - place.y);
      for (uint32_t b = a + 1; b <= 216; ++b) {
        deepest =
            std::max(deepest, 2.0 * kRadius -
                                  Length(engine->motion(b).position - place));
      }
    }
  }
  return deepest / kRadius;
}

}  // namespace

std::vector<Experiment> CollisionExperiments() {
  return {
      {.name = "ball dropped from 1.07 m, e = 1",
       .measured = "height of return, share",
       .expected = 1.0,
       .tolerance = 0.01,
       .reason = "half a part of 1/480 s",
       .run = [](const Conditions& c) { return ReturnOf(c, 1.0); }},
      {.name = "the same, e = 0.5",
       .measured = "height of return, share",
       .expected = 0.25,
       .tolerance = 0.0025,
       .reason = "as above",
       .run = [](const Conditions& c) { return ReturnOf(c, 0.5); }},
      {.name = "five balls in a row, 2 m/s",
       .measured = "speed of the last, share",
       .expected = 1.0,
       .tolerance = 1e-3,
       .reason = "rounds until the impulses agree",
       .run = [](const Conditions& c) { return CradleOf(c, true); }},
      {.name = "the same",
       .measured = "largest speed of the others, share",
       .expected = 0.0,
       .tolerance = 1e-3,
       .reason = "as above",
       .run = [](const Conditions& c) { return CradleOf(c, false); }},
      {.name = "a heavy ball into 6 x 6 x 6, e = 1",
       .measured = "change of energy, share",
       .expected = 0.0,
       .tolerance = 0.02,
       .reason = "of balls that several meet within one part",
       .run = ElasticEnergyChange},
      {.name = "the same",
       .measured = "change of momentum, share",
       .expected = 0.0,
       .tolerance = 1e-9,
       .reason = "impulses are opposite",
       .run = ElasticMomentumChange},
      {.name = "two boxes hit off their middles",
       .measured = "change of momentum, share",
       .expected = 0.0,
       .tolerance = 1e-9,
       .reason = "impulses are opposite",
       .run =
           [](const Conditions& c) {
             return GlancingChange(c, 21.0, MomentumOf);
           }},
      {.name = "the same",
       .measured = "change of angular momentum, share",
       .expected = 0.0,
       .tolerance = 0.01,
       .reason = "bodies move within a step, points of contact don't",
       .holds = {240, 240},
       .run =
           [](const Conditions& c) {
             return GlancingChange(c, 4.2, AngularMomentumOf);
           }},
      {.name = "the same",
       .measured = "gain of energy, share",
       .expected = 0.0,
       .tolerance = 1e-3,
       .reason = "collisions take energy",
       .run = GlancingEnergyMost},
      {.name = "6 x 6 x 6 balls fall",
       .measured = "deepest overlap, share of the radius",
       .expected = 0.0,
       .tolerance = 0.1,
       .reason = "of the fall: what is too deep goes in some parts",
       .holds = {120, 240},
       .run = PileDepth},
  };
}

}  // namespace reprise::sim
