// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What moves or turns by more than its size in a tick.

#include "sim/base/math.h"
#include "sim/physics/definition/solid_mass.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/experiment.h"

namespace reprise::sim {
namespace {

PhysicsDefinition MakeSpace(const Conditions& conditions) {
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  definition.gravity_m_s2 = {};
  return definition;
}

void MakeBouncing(BodyKind& kind) {
  kind.is_continuous = true;
  kind.friction = 0.0;
  kind.restitution = 1.0;
  kind.restitution_rule = CombinationRule::kMaximum;
}

// Continuous balls of 4 cm that fly at a wall of 2 cm with up to 1,000 m/s: how
// many of eight come through.
double ThroughAWall(const Conditions& conditions) {
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  definition.gravity_m_s2 = {};
  AddBody(definition, ShapeOf(BoxPrimitive{{0.01, 5.0, 5.0}}), Motion::kFixed,
          {});
  for (uint32_t i = 0; i < 8; ++i) {
    const AddedBody ball =
        AddBody(definition, ShapeOf(SpherePrimitive{0.02}), Motion::kDynamic,
                {-3.0, 0.5 * i - 2.0, 0.0});
    ball.kind.is_continuous = true;
    ball.placement.linear_velocity_m_s = {125.0 * (i + 1), 0.0, 0.0};
  }
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(1.0); ++i) engine->Step();
  double through = 0.0;
  for (uint32_t i = 1; i <= 8; ++i) {
    if (engine->motion(i).position.x > 0.0) through += 1.0;
  }
  return through;
}

// The same balls, each at one that comes as fast: how many of eight pairs pass
// each other.
double PastEachOther(const Conditions& conditions) {
  PhysicsDefinition definition = MakeSpace(conditions);
  for (uint32_t i = 0; i < 8; ++i) {
    for (const double side : {-1.0, 1.0}) {
      const AddedBody ball =
          AddBody(definition, ShapeOf(SpherePrimitive{0.02}), Motion::kDynamic,
                  {side * 3.0, 0.5 * i - 2.0, 0.0});
      ball.kind.is_continuous = true;
      ball.placement.linear_velocity_m_s = {-side * 125.0 * (i + 1), 0.0, 0.0};
    }
  }
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(1.0); ++i) engine->Step();
  double passed = 0.0;
  for (uint32_t i = 0; i < 16; i += 2) {
    if (engine->motion(i).position.x > engine->motion(i + 1).position.x) {
      passed += 1.0;
    }
  }
  return passed;
}

// How far a ball is, after half a second between two walls, from where its
// bounces should have taken it: 25 ways of 2 m.
double BetweenWalls(const Conditions& conditions) {
  PhysicsDefinition definition = MakeSpace(conditions);
  for (const double side : {-1.0, 1.0}) {
    AddBody(definition, ShapeOf(BoxPrimitive{{0.5, 2.0, 2.0}}), Motion::kFixed,
            {side * 1.6, 0.0, 0.0});
  }
  const AddedBody ball = AddBody(definition, ShapeOf(SpherePrimitive{0.1}),
                                 Motion::kDynamic, {0.0, 0.0, 0.0});
  MakeBouncing(ball.kind);
  ball.placement.linear_velocity_m_s = {100.0, 0.0, 0.0};
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(0.5); ++i) engine->Step();
  return engine->motion(2).position.x;
}

// A rod that spins strikes a post with its end: with which share of its spin it
// turns afterwards.
constexpr double kRodM = 0.02;    // its radius
constexpr double kPostM = 0.01;   // as above
constexpr double kPlaceM = 0.8;   // of the post, from the rod's middle
constexpr double kSpin = 60.0;    // rad/s
constexpr double kTurnRad = 1.0;  // until it is there

ShapeDefinition RodShape() { return ShapeOf(CapsulePrimitive{kRodM, 2.0}); }

double SpinAfterPost(const Conditions& conditions) {
  PhysicsDefinition definition = MakeSpace(conditions);
  const AddedBody rod = AddBody(definition, RodShape(), Motion::kDynamic, {});
  MakeBouncing(rod.kind);
  rod.placement.rotation = FromAxisAngle({0.0, 0.0, 1.0}, 0.5 * kPi);
  rod.placement.angular_velocity_rad_s = {0.0, kSpin, 0.0};
  AddBody(definition, ShapeOf(CapsulePrimitive{kPostM, 1.0}), Motion::kFixed,
          {kPlaceM * Cos(kTurnRad), 0.0, -kPlaceM * Sin(kTurnRad)});
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(0.1); ++i) engine->Step();
  return engine->motion(0).angular_velocity.y / kSpin;
}

// 1 - 2 m l^2 / (I + m l^2) at the lever l of the place where they touch.
double ExpectedSpin() {
  const double apart = kRodM + kPostM;
  const double lever_squared = kPlaceM * kPlaceM - apart * apart;
  return 1.0 -
         2.0 * lever_squared / (UnitInertiaOf(RodShape()).x + lever_squared);
}

}  // namespace

std::vector<Experiment> FastExperiments() {
  return {
      {.name = "8 continuous balls of 4 cm at 125 to 1,000 m/s, a wall of 2 cm",
       .measured = "how many come through",
       .expected = 0.0,
       .tolerance = 0.0,
       .reason = "all or none",
       .run = ThroughAWall},
      {.name = "the same, each at one that comes as fast",
       .measured = "how many pass each other",
       .expected = 0.0,
       .tolerance = 0.0,
       .reason = "all or none",
       .run = PastEachOther},
      {.name = "continuous ball between walls, 100 m/s, e = 1, 0.5 s",
       .measured = "error of its place, m",
       .expected = 0.0,
       .tolerance = 5e-3,
       .reason = "25 walls are met up to 0.1 mm early",
       .run = BetweenWalls},
      {.name = "continuous rod of 2 m at 60 rad/s, a post at 0.8 m, e = 1",
       .measured = "spin afterwards, share",
       .expected = ExpectedSpin(),
       .tolerance = 1e-3,
       .reason = "they meet up to 0.1 mm early",
       .run = SpinAfterPost},
  };
}

}  // namespace reprise::sim
