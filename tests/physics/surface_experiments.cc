// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What slides and rolls, and what falls onto surfaces.

#include <algorithm>

#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/experiment.h"

namespace reprise::sim {
namespace {

constexpr double kDegree = kPi / 180.0;

// A floor, in a gravity as on a slope that falls towards x.
PhysicsDefinition MakeTilted(const Conditions& conditions, double angle_rad) {
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  definition.gravity_m_s2 = {kGravity * Sin(angle_rad),
                             -kGravity * Cos(angle_rad), 0.0};
  AddBody(definition, PlaneShape{}, Motion::kFixed, {}).kind.friction = 1.0;
  return definition;
}

// How a box with a friction of 0.5 slides within 2 s, m, on a slope that is
// `degrees` steeper than what holds it.
double SlideBeyond(const Conditions& conditions, double degrees) {
  const double angle = Atan2(0.5, 1.0) + degrees * kDegree;
  PhysicsDefinition definition = MakeTilted(conditions, angle);
  AddBody(definition, ShapeOf(BoxPrimitive{{0.5, 0.25, 0.5}}), Motion::kDynamic,
          {0.0, 0.25, 0.0})
      .kind.friction = 0.5;
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(1.0); ++i) engine->Step();
  const BodyMotion before = engine->motion(1);
  for (uint32_t i = 0; i < conditions.Ticks(2.0); ++i) engine->Step();
  const double way = engine->motion(1).position.x - before.position.x;
  return way - 2.0 * before.linear_velocity.x;
}

double ExpectedSlide(double degrees) {
  const double angle = Atan2(0.5, 1.0) + degrees * kDegree;
  return 2.0 * kGravity * (Sin(angle) - 0.5 * Cos(angle));
}

// The speed of a ball that rolls down 10 degrees for 2 s by 5/7 g sin a t.
double RollingDown(const Conditions& conditions) {
  PhysicsDefinition definition = MakeTilted(conditions, 10.0 * kDegree);
  AddBody(definition, ShapeOf(SpherePrimitive{0.3}), Motion::kDynamic,
          {0.0, 0.3, 0.0})
      .kind.friction = 0.8;
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(2.0); ++i) engine->Step();
  return engine->motion(1).linear_velocity.x /
         (5.0 / 7.0 * kGravity * Sin(10.0 * kDegree) * 2.0);
}

// What a ball of 1,000 kg loses by rolling friction in a second, by c g / (r (1
// + 2/5)).
double RollingFriction(const Conditions& conditions) {
  constexpr double kRadius = 0.25;
  constexpr double kCoefficient = 0.02;
  PhysicsDefinition definition = MakeTilted(conditions, 0.0);
  const AddedBody ball = AddBody(definition, ShapeOf(SpherePrimitive{kRadius}),
                                 Motion::kDynamic, {0.0, kRadius, 0.0});
  ball.kind.mass_kg = 1000.0;
  ball.kind.friction = 1.0;
  ball.kind.rolling_friction = kCoefficient;
  ball.placement.linear_velocity_m_s = {2.0, 0.0, 0.0};
  ball.placement.angular_velocity_rad_s = {0.0, 0.0, -2.0 / kRadius};
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(1.0); ++i) engine->Step();
  return (2.0 - engine->motion(1).linear_velocity.x) /
         (kCoefficient * kGravity / (kRadius * 1.4));
}

// A flat mesh whose corners lie anywhere within their cells.
MeshShape MakeFlatMesh() {
  constexpr uint32_t kSide = 40;
  RandomStream random = MakeRandomStream(1, IdOf("flat mesh"));
  MeshShape mesh;
  for (uint32_t z = 0; z <= kSide; ++z) {
    for (uint32_t x = 0; x <= kSide; ++x) {
      const double aside = 0.6 * NextUnit(random) - 0.3;
      const double along = 0.6 * NextUnit(random) - 0.3;
      mesh.vertices.push_back({x + aside - 2.0, 0.0, z + along - 20.0});
    }
  }
  for (uint32_t z = 0; z < kSide; ++z) {
    for (uint32_t x = 0; x < kSide; ++x) {
      const uint32_t i = z * (kSide + 1) + x;
      const uint32_t j = i + kSide + 1;
      if (NextUnit(random) < 0.5) {
        mesh.triangles.push_back({i, j, i + 1});
        mesh.triangles.push_back({i + 1, j, j + 1});
      } else {
        mesh.triangles.push_back({i, j, j + 1});
        mesh.triangles.push_back({i, j + 1, i + 1});
      }
    }
  }
  return mesh;
}

// The largest speed upwards of something that slides over it with 8 m/s, as a
// share of that, once it has settled.
double Snagging(const Conditions& conditions, const Solid& solid,
                Quaternion rotation, double height_m) {
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  AddBody(definition, MakeFlatMesh(), Motion::kFixed, {}).kind.friction = 0.0;
  const AddedBody body = AddBody(definition, ShapeOf(solid), Motion::kDynamic,
                                 {0.0, height_m, 0.0});
  body.kind.friction = 0.0;
  body.placement.rotation = rotation;
  body.placement.linear_velocity_m_s = {8.0, 0.0, 1.0};
  const auto engine = conditions.make(definition);
  double worst = 0.0;
  for (uint32_t i = 0; i < conditions.Ticks(4.0); ++i) {
    engine->Step();
    if (i < conditions.Ticks(0.5)) continue;
    worst = std::max(worst, Abs(engine->motion(1).linear_velocity.y) / 8.0);
  }
  return worst;
}

// Boxes that fall 10 m onto a height field of hills, some of them thrown: how
// far the lowest of those that are not beyond its rim is below its ground in
// the end, m.
double BelowHeightField(const Conditions& conditions, double scale,
                        double speed_down) {
  constexpr uint32_t kSide = 21;
  HeightFieldShape field = {.columns = kSide,
                            .rows = kSide,
                            .cell_size_m = 1.0,
                            .heights_m = {},
                            .position = {}};
  for (uint32_t z = 0; z < kSide; ++z) {
    for (uint32_t x = 0; x < kSide; ++x) {
      const double away_x = Abs(x - 10.0);
      const double away_z = Abs(z - 10.0);
      // Within a rim.
      const bool is_rim = std::max(away_x, away_z) > 8.5;
      field.heights_m.push_back(is_rim ? 4.0 : 0.4 * ((x * 7 + z * 3) % 4));
    }
  }
  PhysicsDefinition definition;
  definition.tick_s = conditions.tick_s;
  AddBody(definition, field, Motion::kFixed, {});
  for (uint32_t i = 0; i < 25; ++i) {
    const uint32_t row = i / 5;
    AddBody(definition, ShapeOf(BoxPrimitive{scale * Vector3{0.15, 0.1, 0.2}}),
            Motion::kDynamic,
            {2.3 * (i % 5) - 4.6, 10.0 + 0.1 * i, 2.3 * row - 4.6})
        .placement.linear_velocity_m_s = {0.0, -speed_down, 0.0};
  }
  const auto engine = conditions.make(definition);
  for (uint32_t i = 0; i < conditions.Ticks(5.0); ++i) engine->Step();
  double lowest = 0.0;
  for (uint32_t i = 1; i <= 25; ++i) {
    const Vector3 place = engine->motion(i).position;
    // What comes down at 100 m/s may hop over the rim.
    if (std::max(Abs(place.x), Abs(place.z)) > 0.5 * (kSide - 1)) continue;
    lowest = std::max(lowest, -place.y);
  }
  return lowest;
}

}  // namespace

std::vector<Experiment> SurfaceExperiments() {
  const auto snagging = [](const char* name, const Solid& solid,
                           Quaternion rotation, double height_m, Rates holds) {
    return Experiment{.name = name,
                      .measured = "largest speed along the normal, share",
                      .expected = 0.0,
                      .tolerance = 1e-3,
                      .reason = "edges within a plane are none",
                      .holds = holds,
                      .run = [=](const Conditions& c) {
                        return Snagging(c, solid, rotation, height_m);
                      }};
  };
  return {
      {.name = "slope half a degree below atan(0.5)",
       .measured = "slide within 2 s, m",
       .expected = 0.0,
       .tolerance = 1e-3,
       .reason = "it holds",
       .run = [](const Conditions& c) { return SlideBeyond(c, -0.5); }},
      {.name = "slope two degrees above it",
       .measured = "slide within 2 s, m",
       .expected = ExpectedSlide(2.0),
       .tolerance = 0.02 * ExpectedSlide(2.0),
       .reason = "it slides from the first part of a step on",
       .run = [](const Conditions& c) { return SlideBeyond(c, 2.0); }},
      {.name = "ball that rolls down 10 degrees",
       .measured = "speed by 5/7 g sin a t",
       .expected = 1.0,
       .tolerance = 2e-3,
       .reason = "it slips for a part of a step",
       .run = RollingDown},
      {.name = "ball of 1,000 kg with rolling friction",
       .measured = "speed lost by c g t / (7/5 r)",
       .expected = 1.0,
       .tolerance = 0.01,
       .reason = "as above",
       .run = RollingFriction},
      snagging("ball over a flat mesh, 8 m/s", SpherePrimitive{0.2}, {}, 0.2,
               {30, 60}),
      snagging("box over the same", BoxPrimitive{{0.3, 0.2, 0.25}}, {}, 0.2,
               {30, 240}),
      snagging("capsule that lies over the same", CapsulePrimitive{0.2, 0.4},
               FromAxisAngle({1.0, 0.0, 0.0}, 0.5 * kPi), 0.2, {30, 30}),
      {.name = "25 boxes fall 10 m onto a height field",
       .measured = "how far the lowest is below it, m",
       .expected = 0.0,
       .tolerance = 0.0,
       .reason = "all or none",
       .run =
           [](const Conditions& c) { return BelowHeightField(c, 1.0, 0.0); }},
      {.name = "25 boxes a tenth of that size, thrown down at 100 m/s",
       .measured = "how far the lowest is below it, m",
       .expected = 0.0,
       .tolerance = 0.0,
       .reason = "all or none",
       .run =
           [](const Conditions& c) { return BelowHeightField(c, 0.1, 100.0); }},
  };
}

}  // namespace reprise::sim
