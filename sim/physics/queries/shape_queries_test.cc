// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that rays, sweeps, overlaps and closest points find on surfaces, cones
// and hulls what looking at every triangle finds, on a body that is turned and
// moved, and that answers are in order.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/definition/solid_geometry.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/physics/shapes/triangle_surface.h"
#include "sim/physics/testing/shape_scene.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

// A sweep stops up to a millimetre early.
constexpr double kSweepToleranceM = 0.0011;

// Makes the bowl of a kind the only body, turned and moved.
class ShapeQueriesTest : public testing::TestWithParam<Ground> {
 protected:
  ShapeQueriesTest() { queries_.Look(world_.state()); }

  static PhysicsDefinition MakeDefinition() {
    PhysicsDefinition definition;
    AddBody(definition,
            GetParam() == Ground::kMesh ? ShapeDefinition(MakeBowlMesh())
                                        : ShapeDefinition(MakeBowlField()),
            Motion::kFixed, {0.5, 1.0, -0.7})
        .placement.rotation = FromAxisAngle({0.6, 0.0, 0.8}, 0.4);
    return definition;
  }

  Vector3 DrawPoint(double reach) {
    Vector3 point;
    point.x = reach * (2.0 * NextUnit(random_) - 1.0);
    point.y = reach * (2.0 * NextUnit(random_) - 1.0);
    point.z = reach * (2.0 * NextUnit(random_) - 1.0);
    return point;
  }

  // All triangles, in the world.
  std::vector<Triangle> Triangles() const {
    const BodyRow& body = world_.body(0);
    const TriangleSurface surface(world_.definition()->shapes[0]);
    std::vector<Triangle> triangles;
    for (uint32_t i = 0; i < surface.triangle_count(); ++i) {
      const Triangle local = surface.triangle(i);
      triangles.push_back({body.position + body.basis * local.a,
                           body.position + body.basis * local.b,
                           body.position + body.basis * local.c});
    }
    return triangles;
  }

  double DistanceTo(const std::vector<Triangle>& triangles,
                    Vector3 point) const {
    double distance = 1e9;
    for (const Triangle& triangle : triangles) {
      distance =
          std::min(distance, Length(ClosestPoint(triangle, point) - point));
    }
    return distance;
  }

  TestingWorld world_{MakeDefinition()};
  PhysicsQueries queries_{world_.definition(), world_.tables()};
  RandomStream random_ = MakeRandomStream(1, IdOf("queries"));
};

INSTANTIATE_TEST_SUITE_P(Grounds, ShapeQueriesTest,
                         testing::Values(Ground::kMesh, Ground::kHeightField));

TEST_P(ShapeQueriesTest, NearIsEachTriangleWithinReach) {
  constexpr double kRadiusM = 0.3;
  constexpr double kReachM = 0.4;
  const std::vector<Triangle> triangles = Triangles();
  size_t found_count = 0;
  for (int i = 0; i < 200; ++i) {
    const Vector3 point = DrawPoint(3.0);
    // Of what is inside the ball the distance isn't exact.
    if (DistanceTo(triangles, point) < kRadiusM) continue;
    std::vector<uint32_t> expected;
    for (uint32_t k = 0; k < triangles.size(); ++k) {
      const double distance =
          Length(ClosestPoint(triangles[k], point) - point) - kRadiusM;
      if (distance <= kReachM) expected.push_back(k);
    }
    std::vector<uint32_t> found;
    for (const NearPrimitive& near :
         queries_.FindNear({.solid = SpherePrimitive{kRadiusM},
         .position = point,
         .rotation = {}},
                           kReachM, {})) {
      found.push_back(near.what.primitive);
    }
    EXPECT_EQ(found, expected);
    found_count += found.size();
  }
  EXPECT_GT(found_count, 100u);
}

TEST_P(ShapeQueriesTest, RaysHitTheTrianglesThatTheyEnter) {
  const std::vector<Triangle> triangles = Triangles();
  uint32_t hit_count = 0;
  for (int i = 0; i < 300; ++i) {
    const RayQuery ray = {DrawPoint(7.0), DrawPoint(7.0)};
    std::vector<double> expected;
    for (const Triangle& triangle : triangles) {
      const auto entry = EnterTriangle(triangle, ray.from, ray.to - ray.from);
      if (entry.has_value()) expected.push_back(entry->fraction);
    }
    std::sort(expected.begin(), expected.end());
    const std::vector<QueryHit> all = queries_.CastRayThrough(ray);
    ASSERT_EQ(all.size(), expected.size()) << "ray " << i;
    for (size_t j = 0; j < all.size(); ++j) {
      EXPECT_NEAR(all[j].fraction, expected[j], 1e-12);
      EXPECT_LT(Dot(all[j].normal, ray.to - ray.from), 0.0);
      EXPECT_TRUE(j == 0 || ComesBefore(all[j - 1], all[j]));
    }
    const std::optional<QueryHit> first = queries_.CastRay(ray);
    ASSERT_EQ(first.has_value(), !all.empty());
    if (all.empty()) continue;
    EXPECT_EQ(*first, all[0]);
    ++hit_count;
  }
  EXPECT_GT(hit_count, 50u);
}

TEST_P(ShapeQueriesTest, ClosestPointIsThatOfTheClosestTriangle) {
  const std::vector<Triangle> triangles = Triangles();
  for (int i = 0; i < 200; ++i) {
    const Vector3 point = DrawPoint(7.0);
    const double expected = DistanceTo(triangles, point);
    const auto found = queries_.FindClosestPoint(point, 3.0);
    ASSERT_EQ(found.has_value(), expected <= 3.0);
    if (!found.has_value()) continue;
    EXPECT_NEAR(found->distance_m, expected, 1e-12);
  }
}

TEST_P(ShapeQueriesTest, OverlapsAreTheTrianglesThatTheSolidMeets) {
  const std::vector<Triangle> triangles = Triangles();
  for (int i = 0; i < 100; ++i) {
    const Vector3 point = DrawPoint(5.0);
    std::vector<PrimitiveKey> expected;
    for (uint32_t j = 0; j < triangles.size(); ++j) {
      if (Length(ClosestPoint(triangles[j], point) - point) <= 0.8) {
        expected.push_back({{1}, j});
      }
    }
    EXPECT_EQ(queries_.FindOverlaps({SpherePrimitive{0.8}, point, {}}),
              expected);
    // A box around the ball meets at least as much.
    const auto boxed =
        queries_.FindOverlaps({BoxPrimitive{{0.81, 0.81, 0.81}}, point, {}});
    EXPECT_TRUE(std::includes(boxed.begin(), boxed.end(), expected.begin(),
                              expected.end()));
  }
}

TEST_P(ShapeQueriesTest, SweptBallsStopAtTheSurface) {
  const std::vector<Triangle> triangles = Triangles();
  uint32_t hit_count = 0;
  for (int i = 0; i < 100; ++i) {
    const RayQuery way = {DrawPoint(7.0), DrawPoint(3.0)};
    if (DistanceTo(triangles, way.from) < 0.3) continue;
    const auto hit = queries_.CastSolid({SpherePrimitive{0.25}, way, {}});
    const double end = hit.has_value() ? hit->fraction : 1.0;
    const Vector3 motion = way.to - way.from;
    for (double share = 0.0; share < 1.0; share += 0.02) {
      EXPECT_GT(DistanceTo(triangles, way.from + share * end * motion),
                0.25 - 1e-5);
    }
    if (!hit.has_value()) continue;
    ++hit_count;
    EXPECT_NEAR(DistanceTo(triangles, way.from + end * motion), 0.25,
                kSweepToleranceM);
  }
  EXPECT_GT(hit_count, 20u);
}

// A cone (object 1) and a rock (2) three metres apart along x.
TEST(SolidQueriesTest, ConesAndHullsAnswerAndAsk) {
  PhysicsDefinition definition;
  AddBody(definition, ShapeOf(ConePrimitive{.radius_m = 1.0, .height_m = 2.0}),
          Motion::kFixed, {});
  AddBody(definition, ShapeOf(MakeRock()), Motion::kFixed, {3.0, 0.0, 0.0});
  TestingWorld world(std::move(definition));
  PhysicsQueries queries(world.definition(), world.tables());
  queries.Look(world.state());

  const RayQuery through = {{-4.0, 0.0, 0.0}, {6.0, 0.0, 0.0}};
  const std::vector<QueryHit> hits = queries.CastRayThrough(through);
  ASSERT_EQ(hits.size(), 2u);
  // At the height of its centre of mass a cone has 3/4 of its radius.
  EXPECT_NEAR(hits[0].fraction, (4.0 - 0.75) / 10.0, 1e-12);
  EXPECT_EQ(hits[1].what, (PrimitiveKey{{2}, 0}));

  EXPECT_NEAR(queries.FindClosestPoint({0.0, 2.5, 0.0}, 5.0)->distance_m, 1.0,
              1e-12);
  for (const Solid& solid :
       {Solid(ConePrimitive{0.2, 0.4}), Solid(MakeRock())}) {
    EXPECT_EQ(queries.FindOverlaps({solid, {3.0, 0.0, 0.0}, {}}),
              (std::vector<PrimitiveKey>{{{2}, 0}}));
    const auto hit =
        queries.CastSolid({solid, {{0.0, 5.0, 0.0}, {0.0, -5.0, 0.0}}, {}});
    ASSERT_TRUE(hit.has_value());
    // The tip, 1.5 m up, meets the bottom of what comes.
    const Vector3 centre = {0.0, 5.0 - 10.0 * hit->fraction, 0.0};
    const Vector3 tip = {0.0, 1.5, 0.0};
    EXPECT_NEAR(Length(ClosestPointOf(solid, tip - centre) - (tip - centre)),
                0.0, 2.0 * kSweepToleranceM);
  }
}

// Queries see cones without the rounded edges of their contacts.
TEST(SolidQueriesTest, ConesAreSharp) {
  PhysicsDefinition definition;
  AddBody(definition, ShapeOf(ConePrimitive{.radius_m = 1.0, .height_m = 2.0}),
          Motion::kFixed, {});
  TestingWorld world(std::move(definition));
  PhysicsQueries queries(world.definition(), world.tables());
  queries.Look(world.state());

  const RayQuery just_under_the_tip = {{-4.0, 1.49, 0.0}, {4.0, 1.49, 0.0}};
  EXPECT_TRUE(queries.CastRay(just_under_the_tip).has_value());
  const Solid ball = SpherePrimitive{0.25};
  const auto on_tip =
      queries.CastSolid({ball, {{0.0, 5.0, 0.0}, {0.0, -5.0, 0.0}}, {}});
  ASSERT_TRUE(on_tip.has_value());
  EXPECT_NEAR(5.0 - 10.0 * on_tip->fraction, 1.75, 2.0 * kSweepToleranceM);
  const auto on_edge =
      queries.CastSolid({ball, {{5.0, -0.5, 0.0}, {-5.0, -0.5, 0.0}}, {}});
  ASSERT_TRUE(on_edge.has_value());
  EXPECT_NEAR(5.0 - 10.0 * on_edge->fraction, 1.25, 2.0 * kSweepToleranceM);
}

}  // namespace
}  // namespace reprise::sim
