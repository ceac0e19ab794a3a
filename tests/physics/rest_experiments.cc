// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What stands, leans and topples: towers, cards, an arch, a wall, dominoes.

#include <algorithm>
#include <vector>

#include "sim/base/math.h"
#include "sim/physics/definition/convex_hull.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/experiment.h"

namespace reprise::sim {
namespace {

PhysicsDefinition MakeGround(const Conditions& conditions) {
  PhysicsDefinition definition = MakeFloor();
  definition.tick_s = conditions.tick_s;
  definition.kinds[0].friction = 1.0;
  return definition;
}

// A box of `half` extents that is as rough as the floor.
AddedBody AddBox(PhysicsDefinition& definition, Vector3 half, Vector3 position,
                 double mass_kg, double friction) {
  const AddedBody box = AddBody(definition, ShapeOf(BoxPrimitive{half}),
                                Motion::kDynamic, position);
  box.kind.mass_kg = mass_kg;
  box.kind.friction = friction;
  box.kind.friction_rule = CombinationRule::kMinimum;
  return box;
}

// How far the body that moved most has gone from where it was, m.
double MostMoved(const PhysicsDefinition& definition, const Engine& engine) {
  double most = 0.0;
  for (uint32_t i = 0; i < definition.bodies.size(); ++i) {
    most = std::max(most, Length(engine.motion(i).position -
                                 definition.bodies[i].position));
  }
  return most;
}

double MovedAfter(const Conditions& conditions,
                  const PhysicsDefinition& definition, double seconds) {
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(seconds); ++i) engine->Step();
  return MostMoved(definition, *engine);
}

double TowerMoved(const Conditions& conditions) {
  PhysicsDefinition definition = MakeGround(conditions);
  for (uint32_t i = 0; i < 20; ++i) {
    AddBox(definition, {0.5, 0.5, 0.5}, {0.0, i + 0.5, 0.0}, 1.0, 0.7);
  }
  return MovedAfter(conditions, definition, 10.0);
}

// Four boxes, each with seven times the mass of the one below, or above it:
// 1:50 and more over two of them.
double RatioTowerMoved(const Conditions& conditions, bool grows) {
  PhysicsDefinition definition = MakeGround(conditions);
  double mass_kg = grows ? 1.0 : 343.0;
  for (uint32_t i = 0; i < 4; ++i) {
    AddBox(definition, {0.5, 0.5, 0.5}, {0.0, i + 0.5, 0.0}, mass_kg, 0.7);
    mass_kg *= grows ? 7.0 : 1.0 / 7.0;
  }
  return MovedAfter(conditions, definition, 10.0);
}

// 50 kg upon 1 kg.
double HeavyOnLightMoved(const Conditions& conditions) {
  PhysicsDefinition definition = MakeGround(conditions);
  AddBox(definition, {0.5, 0.5, 0.5}, {0.0, 0.5, 0.0}, 1.0, 0.7);
  AddBox(definition, {0.5, 0.5, 0.5}, {0.0, 1.5, 0.0}, 50.0, 0.7);
  return MovedAfter(conditions, definition, 10.0);
}

// Two pairs of cards that lean on each other at 20 degrees from upright, with a
// card across.
double CardHouseMoved(const Conditions& conditions) {
  constexpr double kLean = 20.0 * kPi / 180.0;
  constexpr double kHalf = 0.5;
  constexpr double kThin = 0.01;
  PhysicsDefinition definition = MakeGround(conditions);
  const double height = kHalf * Cos(kLean) + kThin * Sin(kLean);
  const double aside = kHalf * Sin(kLean) + kThin * Cos(kLean);
  for (const double middle : {-0.45, 0.45}) {
    for (const double side : {-1.0, 1.0}) {
      const AddedBody card =
          AddBox(definition, {kThin, kHalf, 0.35},
                 {middle + side * aside, height, 0.0}, 0.1, 0.9);
      card.placement.rotation = FromAxisAngle({0.0, 0.0, 1.0}, side * kLean);
    }
  }
  AddBox(definition, {0.8, kThin, 0.35}, {0.0, 2.0 * height + kThin, 0.0}, 0.1,
         0.9);
  return MovedAfter(conditions, definition, 10.0);
}

// A half circle of nine stones, wedges that meet on their faces.
double ArchMoved(const Conditions& conditions) {
  constexpr uint32_t kStones = 9;
  constexpr double kInner = 1.6;
  constexpr double kOuter = 2.2;
  // Hulls are rounded outwards by as much.
  constexpr double kRounding = 0.005;
  PhysicsDefinition definition = MakeGround(conditions);
  for (uint32_t i = 0; i < kStones; ++i) {
    const double from = kPi * i / kStones;
    const double to = kPi * (i + 1) / kStones;
    const double middle = 0.5 * (from + to);
    const Vector3 place = {1.9 * Cos(middle), 1.9 * Sin(middle), 0.0};
    std::vector<Vector3> corners;
    for (const double angle : {from, to}) {
      for (const double radius : {kInner, kOuter}) {
        for (const double z : {-0.4, 0.4}) {
          const double inwards = angle == from ? kRounding : -kRounding;
          corners.push_back(Vector3{radius * Cos(angle) - inwards * Sin(angle),
                                    radius * Sin(angle) + inwards * Cos(angle),
                                    z} -
                            place);
        }
      }
    }
    const AddedBody stone = AddBody(definition, ShapeOf(*MakeHull(corners)),
                                    Motion::kDynamic, place);
    stone.kind.mass_kg = 20.0;
    stone.kind.friction = 0.8;
  }
  return MovedAfter(conditions, definition, 10.0);
}

// A wall of 8 rows of bricks; every other row begins and ends with half a one.
double WallMoved(const Conditions& conditions) {
  PhysicsDefinition definition = MakeGround(conditions);
  for (uint32_t row = 0; row < 8; ++row) {
    const double height = 0.25 * row + 0.125;
    const bool is_shifted = row % 2 == 1;
    for (uint32_t i = 0; i < (is_shifted ? 5 : 6); ++i) {
      AddBox(definition, {0.25, 0.125, 0.125},
             {0.51 * i + (is_shifted ? 0.255 : 0.0), height, 0.0}, 4.0, 0.7);
    }
    for (const double x : {-0.13, 2.68}) {
      if (!is_shifted) continue;
      AddBox(definition, {0.125, 0.125, 0.125}, {x, height, 0.0}, 2.0, 0.7);
    }
  }
  return MovedAfter(conditions, definition, 10.0);
}

// Fifteen dominoes, the first of them pushed: how many lie after five seconds.
double DominoesFallen(const Conditions& conditions) {
  PhysicsDefinition definition = MakeGround(conditions);
  for (uint32_t i = 0; i < 15; ++i) {
    const AddedBody domino = AddBox(definition, {0.05, 0.3, 0.15},
                                    {0.3 * i - 2.0, 0.3, 0.0}, 1.0, 0.5);
    if (i == 0) {
      domino.placement.linear_velocity_m_s = {0.6, 0.0, 0.0};
      domino.placement.angular_velocity_rad_s = {0.0, 0.0, -2.0};
    }
  }
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(5.0); ++i) engine->Step();
  double fallen = 0.0;
  for (uint32_t i = 1; i <= 15; ++i) {
    if (engine->motion(i).basis.rows[1].y < 0.7) fallen += 1.0;
  }
  return fallen;
}

// Two boxes of a metre that are half in each other, in space: the speed with
// which they come apart.
double SpeedOutOfOverlap(const Conditions& conditions) {
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  definition.gravity_m_s2 = {};
  AddBox(definition, {0.5, 0.5, 0.5}, {0.0, 0.0, 0.0}, 1.0, 0.5);
  AddBox(definition, {0.5, 0.5, 0.5}, {0.5, 0.1, 0.1}, 1.0, 0.5);
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(2.0); ++i) engine->Step();
  const BodyMotion a = engine->motion(0);
  const BodyMotion b = engine->motion(1);
  return Length(b.linear_velocity - a.linear_velocity);
}

// By how much the energy of a scene gets larger than it was, J.
double EnergyGained(const Conditions& conditions,
                    const PhysicsDefinition& definition, double seconds) {
  const auto engine = conditions.make(definition);
  const double before = EnergyOf(definition, *engine);
  double most = before;
  for (uint32_t i = 0; i < conditions.Ticks(seconds); ++i) {
    engine->Step();
    most = std::max(most, EnergyOf(definition, *engine));
  }
  return most - before;
}

// Needles and plates of 2 mm that fall on each other.
double ThinThingsGain(const Conditions& conditions) {
  PhysicsDefinition definition = MakeGround(conditions);
  for (uint32_t i = 0; i < 20; ++i) {
    const Vector3 half =
        i % 2 == 1 ? Vector3{0.5, 0.001, 0.5} : Vector3{0.001, 0.5, 0.001};
    const uint32_t column = i % 3;
    const uint32_t row = i % 4;
    AddBox(definition, half, {0.3 * column - 0.3, 1.0 + 0.15 * i, 0.2 * row},
           1.0, 0.5)
        .placement.rotation =
        FromAxisAngle(Normalized(Vector3{0.6, 0.3, 0.1 * i}), 0.5 + 0.15 * i);
  }
  return EnergyGained(conditions, definition, 5.0);
}

double FiftyInOnePlaceGain(const Conditions& conditions) {
  PhysicsDefinition definition = MakeGround(conditions);
  for (uint32_t i = 0; i < 50; ++i) {
    AddBox(definition, {0.5, 0.5, 0.5}, {0.0, 0.5, 0.0}, 1.0, 0.5);
  }
  return EnergyGained(conditions, definition, 2.0);
}

}  // namespace

std::vector<Experiment> RestExperiments() {
  return {
      {.name = "tower of 20 boxes, 10 s",
       .measured = "most that one moved, m",
       .expected = 0.0,
       .tolerance = 0.06,
       .reason = "springs of 60 Hz under what lies on them, as in stack_test",
       .run = TowerMoved},
      {.name = "50 kg on 1 kg, 10 s",
       .measured = "most that one moved, m",
       .expected = 0.0,
       .tolerance = 0.02,
       .reason = "a spring between unequal bodies is that of the lighter",
       .run = HeavyOnLightMoved},
      {.name = "four boxes, each 7 times that above, 10 s",
       .measured = "most that one moved, m",
       .expected = 0.0,
       .tolerance = 0.005,
       .reason = "as above",
       .run = [](const Conditions& c) { return RatioTowerMoved(c, false); }},
      {.name = "four boxes, each 7 times that below, 10 s",
       .measured = "most that one moved, m",
       .expected = 0.0,
       .tolerance = 0.1,
       .reason = "as above",
       .run = [](const Conditions& c) { return RatioTowerMoved(c, true); }},
      {.name = "house of five cards, 10 s",
       .measured = "most that one moved, m",
       .expected = 0.0,
       .tolerance = 0.03,
       .reason = "cards settle onto their edges",
       .run = CardHouseMoved},
      {.name = "arch of nine stones, 10 s",
       .measured = "most that one moved, m",
       .expected = 0.0,
       .tolerance = 0.03,
       .reason = "stones settle onto their faces",
       .run = ArchMoved},
      {.name = "wall of 52 bricks, 10 s",
       .measured = "most that one moved, m",
       .expected = 0.0,
       .tolerance = 0.015,
       .reason = "springs under what lies on them",
       .run = WallMoved},
      {.name = "15 dominoes, the first pushed",
       .measured = "how many fall",
       .expected = 15.0,
       .tolerance = 0.0,
       .reason = "all or not",
       .run = DominoesFallen},
      {.name = "boxes half in each other",
       .measured = "speed when they are apart, m/s",
       .expected = 0.0,
       .tolerance = 0.05,
       .reason = "what mends overlaps leaves no speed",
       .run = SpeedOutOfOverlap},
      {.name = "20 needles and plates of 2 mm and 1 kg fall on each other",
       .measured = "gain of energy, J",
       .expected = 0.0,
       .tolerance = 1.0,
       .reason = "what lifts all of them by half a centimetre",
       .run = ThinThingsGain},
      {.name = "50 boxes of 1 kg in one place",
       .measured = "gain of energy, J",
       .expected = 0.0,
       .tolerance = kGravity * 50.0 * 49.0 / 2.0,
       .reason = "of a tower of them, the highest they can come to stand",
       .run = FiftyInOnePlaceGain},
  };
}

}  // namespace reprise::sim
