// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what queries find: in small scenes where it is known, in a pile
// against looking at every primitive on its own, and that answers depend on the
// rows at the last look and on nothing that was asked or simulated before.

#include "sim/physics/queries/physics_queries.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/state/state_codec.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A sweep stops up to a millimetre early.
constexpr double kSweepToleranceM = 0.0011;
constexpr double kSweepRoundingM = 1e-5;

// A floor (object 1) with its top at 0; a box (2) and a ball (3), both half a
// metre to each side; a trigger (4) between them; two balls as one body (5).
// Bottoms are at a height of 1, and places 3 m apart along x.
PhysicsDefinition MakeScene() {
  PhysicsDefinition definition;
  AddBody(definition, PlaneShape{}, Motion::kFixed, {});
  AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kFixed, {0.0, 1.5, 0.0});
  AddBody(definition, ShapeOf(SpherePrimitive{}), Motion::kDynamic,
          {6.0, 1.5, 0.0})
      .kind.layers = 2;
  AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kFixed, {3.0, 1.5, 0.0})
      .kind.is_trigger = true;
  SolidShape pair;
  for (const double x : {-0.5, 0.5}) {
    pair.primitives.push_back({.solid = SpherePrimitive{0.5},
                               .position = {x, 0.0, 0.0},
                               .rotation = {}});
  }
  AddBody(definition, pair, Motion::kKinematic, {9.0, 1.5, 0.0});
  return definition;
}

class PhysicsQueriesTest : public testing::Test {
 protected:
  PhysicsQueriesTest() { queries_.Look(world_.state()); }

  // Along x through the middle of everything.
  static constexpr RayQuery kThrough = {{-10.0, 1.5, 0.0}, {20.0, 1.5, 0.0}};
  static constexpr RayQuery kDown = {{30.0, 5.0, 0.0}, {30.0, -5.0, 0.0}};

  static std::vector<PrimitiveKey> KeysOf(const std::vector<QueryHit>& hits) {
    std::vector<PrimitiveKey> keys;
    for (const QueryHit& hit : hits) keys.push_back(hit.what);
    return keys;
  }

  TestingWorld world_{MakeScene()};
  PhysicsQueries queries_{world_.definition(), world_.tables()};
};

TEST_F(PhysicsQueriesTest, RayHitsTheFirst) {
  const std::optional<QueryHit> hit = queries_.CastRay(kThrough);
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->what, (PrimitiveKey{{2}, 0}));
  EXPECT_NEAR(hit->fraction, 9.5 / 30.0, 1e-15);
  EXPECT_NEAR(hit->point.x, -0.5, 1e-12);
  EXPECT_EQ(hit->normal, (Vector3{-1.0, 0.0, 0.0}));
}

TEST_F(PhysicsQueriesTest, RayThroughHitsAllInOrder) {
  EXPECT_THAT(KeysOf(queries_.CastRayThrough(kThrough)),
              ElementsAre(PrimitiveKey{{2}, 0}, PrimitiveKey{{3}, 0},
                          PrimitiveKey{{5}, 0}, PrimitiveKey{{5}, 1}));
}

TEST_F(PhysicsQueriesTest, RayHitsAPlane) {
  const std::optional<QueryHit> hit = queries_.CastRay(kDown);
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->what, (PrimitiveKey{{1}, 0}));
  EXPECT_EQ(hit->fraction, 0.5);
  EXPECT_EQ(hit->normal, (Vector3{0.0, 1.0, 0.0}));
  EXPECT_FALSE(queries_.CastRay({kDown.to, kDown.from}).has_value());
}

TEST_F(PhysicsQueriesTest, FiltersLeaveBodiesOut) {
  EXPECT_THAT(KeysOf(queries_.CastRayThrough(kThrough, {.layers = 2})),
              ElementsAre(PrimitiveKey{{3}, 0}));
  EXPECT_THAT(KeysOf(queries_.CastRayThrough(
                  kThrough, {.includes_triggers = true, .ignored = {5}})),
              ElementsAre(PrimitiveKey{{2}, 0}, PrimitiveKey{{4}, 0},
                          PrimitiveKey{{3}, 0}));
}

TEST_F(PhysicsQueriesTest, EqualFractionsComeInOrderOfObjects) {
  PhysicsDefinition definition;
  for (int i = 0; i < 20; ++i) {
    AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kFixed, {});
  }
  TestingWorld world(definition);
  PhysicsQueries queries(world.definition(), world.tables());
  queries.Look(world.state());

  EXPECT_TRUE(queries.CastRay({{-3.0, 0.0, 0.0}, {3.0, 0.0, 0.0}})->what ==
              (PrimitiveKey{{1}, 0}));
  const auto all = queries.CastRayThrough({{-3.0, 0.0, 0.0}, {3.0, 0.0, 0.0}});
  ASSERT_THAT(all, SizeIs(20));
  for (uint32_t i = 0; i < 20; ++i) EXPECT_EQ(all[i].what.object.serial, i + 1);
}

TEST_F(PhysicsQueriesTest, RaysAreAnsweredInTheirOrder) {
  const std::vector<RayQuery> rays = {
      kDown, {{0.0, 9.0, 9.0}, {1.0, 9.0, 9.0}}, kThrough};
  EXPECT_THAT(queries_.CastRays(rays),
              ElementsAre(queries_.CastRay(kDown), std::nullopt,
                          queries_.CastRay(kThrough)));
}

TEST_F(PhysicsQueriesTest, BatchesAreAnsweredInTheirOrder) {
  const Solid ball = SpherePrimitive{0.25};
  const RayQuery above = {{0.0, 9.0, 9.0}, {1.0, 9.0, 9.0}};
  const std::vector<SolidSweep> sweeps = {{.solid = ball, .way = kDown},
                                          {.solid = ball, .way = above},
                                          {.solid = ball, .way = kThrough}};
  EXPECT_THAT(queries_.CastSolids(sweeps),
              ElementsAre(queries_.CastSolid(sweeps[0]), std::nullopt,
                          queries_.CastSolid(sweeps[2])));
  EXPECT_THAT(queries_.CastSolids(sweeps, {.layers = 2}),
              ElementsAre(std::nullopt, std::nullopt,
                          queries_.CastSolid(sweeps[2], {.layers = 2})));

  const std::vector<PlacedSolid> solids = {
      {.solid = SpherePrimitive{1.0}, .position = {9.0, 1.5, 0.0}},
      {.solid = ball, .position = {0.0, 9.0, 9.0}},
      {.solid = ball, .position = {0.0, 1.5, 0.0}}};
  EXPECT_THAT(
      queries_.FindOverlapsOfEach(solids),
      ElementsAre(ElementsAre(PrimitiveKey{{5}, 0}, PrimitiveKey{{5}, 1}),
                  IsEmpty(), ElementsAre(PrimitiveKey{{2}, 0})));

  const std::vector<Vector3> points = {{6.0, 2.5, 0.0}, {0.0, 9.0, 9.0}};
  const auto closest = queries_.FindClosestPoints(points, 1.0);
  ASSERT_THAT(closest, SizeIs(2));
  EXPECT_EQ(closest[0], queries_.FindClosestPoint(points[0], 1.0));
  EXPECT_EQ(closest[0]->what, (PrimitiveKey{{3}, 0}));
  EXPECT_EQ(closest[1], std::nullopt);
}

TEST_F(PhysicsQueriesTest, SweptSolidsTouchWhereTheyMeet) {
  struct Case {
    Solid solid;
    double half_width_m;
  };
  for (const Case& one : {Case{SpherePrimitive{0.25}, 0.25},
                          Case{BoxPrimitive{{0.3, 0.1, 0.2}}, 0.3},
                          Case{CapsulePrimitive{0.2, 0.4}, 0.2},
                          Case{CylinderPrimitive{0.35, 0.4}, 0.35}}) {
    const std::optional<QueryHit> hit =
        queries_.CastSolid({.solid = one.solid, .way = kThrough});
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->what, (PrimitiveKey{{2}, 0}));
    EXPECT_NEAR(hit->fraction * 30.0, 9.5 - one.half_width_m, kSweepToleranceM);
    EXPECT_NEAR(hit->point.x, -0.5, kSweepToleranceM);
    EXPECT_NEAR(hit->normal.x, -1.0, 1e-6);
    EXPECT_THAT(KeysOf(queries_.CastSolidThrough(
                    {.solid = one.solid, .way = kThrough})),
                ElementsAre(PrimitiveKey{{2}, 0}, PrimitiveKey{{3}, 0},
                            PrimitiveKey{{5}, 0}, PrimitiveKey{{5}, 1}));
  }
}

TEST_F(PhysicsQueriesTest, SweptSolidIsTurned) {
  const std::optional<QueryHit> hit = queries_.CastSolid(
      {.solid = CapsulePrimitive{0.2, 0.4},
       .way = kDown,
       .rotation = FromAxisAngle({0.0, 0.0, 1.0}, 0.5 * kPi)});
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->fraction * 10.0, 4.8, kSweepToleranceM);
  EXPECT_NEAR(hit->normal.y, 1.0, 1e-9);
}

TEST_F(PhysicsQueriesTest, SweepThatBeginsInsideLeadsInOrOut) {
  const Vector3 inside = {-0.6, 1.5, 0.0};
  const SpherePrimitive ball{0.25};
  const std::optional<QueryHit> in =
      queries_.CastSolid({.solid = ball, .way = {inside, {1.0, 1.5, 0.0}}});
  ASSERT_TRUE(in.has_value());
  EXPECT_EQ(in->fraction, 0.0);
  EXPECT_FALSE(
      queries_.CastSolid({.solid = ball, .way = {inside, {-2.0, 1.5, 0.0}}})
          .has_value());
}

TEST_F(PhysicsQueriesTest, OverlapsAreThoseThatShareAPoint) {
  const auto overlaps = [this](const Solid& solid, Vector3 position) {
    return queries_.FindOverlaps({.solid = solid, .position = position},
                                 {.includes_triggers = true});
  };
  const PrimitiveKey floor = {{1}, 0};
  const PrimitiveKey box = {{2}, 0};
  const PrimitiveKey trigger = {{4}, 0};
  EXPECT_THAT(overlaps(SpherePrimitive{1.1}, {1.5, 1.5, 0.0}),
              ElementsAre(box, trigger));
  EXPECT_THAT(overlaps(SpherePrimitive{0.9}, {1.5, 1.5, 0.0}), IsEmpty());
  EXPECT_THAT(overlaps(BoxPrimitive{{1.1, 0.1, 0.1}}, {1.5, 1.5, 0.0}),
              ElementsAre(box, trigger));
  EXPECT_THAT(overlaps(BoxPrimitive{{0.9, 0.1, 0.1}}, {1.5, 1.5, 0.0}),
              IsEmpty());
  EXPECT_THAT(overlaps(BoxPrimitive{{0.1, 0.4, 0.1}}, {20.0, 0.3, 0.0}),
              ElementsAre(floor));
  EXPECT_THAT(overlaps(SpherePrimitive{0.2}, {9.0, 1.5, 0.0}),
              ElementsAre(PrimitiveKey{{5}, 0}, PrimitiveKey{{5}, 1}));
  EXPECT_THAT(overlaps(CylinderPrimitive{0.1, 0.4}, {9.4, 1.5, 0.0}),
              ElementsAre(PrimitiveKey{{5}, 1}));
}

TEST_F(PhysicsQueriesTest, NearPrimitivesSayHowFarAndWhichWay) {
  // Over the box's face; it and the floor are within reach.
  const CapsulePrimitive capsule = {.radius_m = 0.2, .height_m = 0.6};
  const auto near = [&](Vector3 position, double distance_max_m) {
    return queries_.FindNear({.solid = capsule, .position = position},
                             distance_max_m);
  };
  const std::vector<NearPrimitive> over = near({0.1, 2.6, 0.0}, 2.2);
  ASSERT_THAT(over, SizeIs(2));
  EXPECT_EQ(over[0].what, (PrimitiveKey{{1}, 0}));
  EXPECT_NEAR(over[0].distance_m, 2.1, 1e-12);
  EXPECT_EQ(over[1].what, (PrimitiveKey{{2}, 0}));
  EXPECT_NEAR(over[1].distance_m, 0.1, 1e-9);
  EXPECT_NEAR(over[1].normal.y, 1.0, 1e-9);
  EXPECT_NEAR(over[1].point.y, 2.0, 1e-9);
  EXPECT_THAT(near({0.1, 2.6, 0.0}, 0.09), IsEmpty());
  // A tenth inside of a side: that way out.
  const std::vector<NearPrimitive> inside = near({0.6, 1.5, 0.0}, 0.0);
  ASSERT_THAT(inside, SizeIs(1));
  EXPECT_NEAR(inside[0].distance_m, -0.1, 1e-9);
  EXPECT_NEAR(inside[0].normal.x, 1.0, 1e-9);
}

TEST_F(PhysicsQueriesTest, MasksAndASecondObjectLeaveBodiesOut) {
  EXPECT_THAT(KeysOf(queries_.CastRayThrough(
                  kThrough, {.ignored = {5}, .ignored_too = {2}})),
              ElementsAre(PrimitiveKey{{3}, 0}));
  PhysicsDefinition definition = MakeScene();
  definition.kinds[1].collides_with = 4;
  TestingWorld world(definition);
  PhysicsQueries queries(world.definition(), world.tables());
  queries.Look(world.state());
  EXPECT_EQ(queries.CastRay(kThrough, {.layers_of_asker = 4})->what.object,
            ObjectId{2});
  EXPECT_EQ(queries.CastRay(kThrough, {.layers_of_asker = 3})->what.object,
            ObjectId{3});
}

TEST_F(PhysicsQueriesTest, ClosestPointIsOnTheClosestBody) {
  const std::optional<ClosestBodyPoint> closest =
      queries_.FindClosestPoint({0.0, 4.0, 0.0}, 10.0);
  ASSERT_TRUE(closest.has_value());
  EXPECT_EQ(closest->what, (PrimitiveKey{{2}, 0}));
  EXPECT_EQ(closest->point, (Vector3{0.0, 2.0, 0.0}));
  EXPECT_EQ(closest->distance_m, 2.0);
  EXPECT_FALSE(queries_.FindClosestPoint({0.0, 4.0, 0.0}, 1.9).has_value());
  EXPECT_EQ(queries_.FindClosestPoint({0.1, 1.6, 0.0}, 10.0)->distance_m, 0.0);
  EXPECT_EQ(queries_.FindClosestPoint({50.0, 3.0, 0.0}, 10.0)->point,
            (Vector3{50.0, 0.0, 0.0}));
}

TEST_F(PhysicsQueriesTest, SeesWhatWasWrittenBeforeTheLook) {
  world_.mutable_body(1).position = {0.0, 1.5, 5.0};
  ASSERT_EQ(
      RemoveBody(world_.state(), world_.tables(), *world_.definition(), {3}),
      absl::OkStatus());
  BodyPlacement added = world_.definition()->bodies[2];
  added.object = {70};
  added.position = {12.0, 1.5, 0.0};
  ASSERT_EQ(
      AddBody(world_.state(), world_.tables(), *world_.definition(), added),
      absl::OkStatus());
  const PrimitiveKey left = {{5}, 0};
  const PrimitiveKey right = {{5}, 1};
  EXPECT_THAT(
      KeysOf(queries_.CastRayThrough(kThrough)),
      ElementsAre(PrimitiveKey{{2}, 0}, PrimitiveKey{{3}, 0}, left, right));

  queries_.Look(world_.state());

  EXPECT_THAT(KeysOf(queries_.CastRayThrough(kThrough)),
              ElementsAre(left, right, PrimitiveKey{{70}, 0}));
}

TEST_F(PhysicsQueriesTest, OneBodyAloneCanBeAskedAbout) {
  EXPECT_THAT(KeysOf(queries_.CastRayThrough(kThrough, {.only = {3}})),
              ElementsAre(PrimitiveKey{{3}, 0}));
  EXPECT_EQ(
      queries_.FindClosestPoint({0.0, 9.0, 0.0}, 10.0, {.only = {1}})->point,
      Vector3{});
}

// A look at bodies that are where they were takes no work; that one of them is
// another kind, or comes back from nowhere, is seen all the same.
TEST_F(PhysicsQueriesTest, SeesBodiesOfAnotherKindInTheSamePlace) {
  BodyRow& ball = world_.mutable_body(2);
  ball.kind = world_.body(1).kind;
  queries_.Look(world_.state());
  const std::vector<QueryHit> as_box =
      queries_.CastRayThrough(kThrough, {.only = {3}});
  ASSERT_THAT(as_box, SizeIs(1));
  EXPECT_EQ(as_box[0].normal, (Vector3{-1.0, 0.0, 0.0}));
  ball.position.x = std::numeric_limits<double>::infinity();
  queries_.Look(world_.state());
  EXPECT_THAT(queries_.CastRayThrough(kThrough, {.only = {3}}), IsEmpty());
  ball.position.x = 6.0;
  queries_.Look(world_.state());
  EXPECT_THAT(queries_.CastRayThrough(kThrough, {.only = {3}}), SizeIs(1));
}

TEST_F(PhysicsQueriesTest, BodiesThatAreNotFiniteAreLeftOut) {
  world_.mutable_body(1).position.x = std::numeric_limits<double>::quiet_NaN();
  queries_.Look(world_.state());
  EXPECT_EQ(queries_.CastRay(kThrough)->what, (PrimitiveKey{{3}, 0}));
}

// Everything that can be asked, at random places in a pile.
struct Answers {
  std::vector<std::optional<QueryHit>> rays;
  std::vector<std::vector<QueryHit>> rays_through;
  std::vector<std::optional<QueryHit>> sweeps;
  std::vector<std::vector<QueryHit>> sweeps_through;
  std::vector<std::vector<PrimitiveKey>> overlaps;
  std::vector<std::optional<ClosestBodyPoint>> closest;

  friend bool operator==(const Answers&, const Answers&) = default;
};

Vector3 DrawPoint(RandomStream& random) {
  Vector3 point;
  point.x = 12.0 * NextUnit(random) - 6.0;
  point.y = 6.0 * NextUnit(random) - 1.0;
  point.z = 12.0 * NextUnit(random) - 6.0;
  return point;
}

Answers AskAll(const PhysicsQueries& queries, const QueryFilter& filter) {
  RandomStream random = MakeRandomStream(4, IdOf("questions"));
  const std::vector<Solid> solids = {SpherePrimitive{0.3},
                                     BoxPrimitive{{0.2, 0.3, 0.4}},
                                     CapsulePrimitive{0.2, 0.5}};
  Answers answers;
  for (int i = 0; i < 150; ++i) {
    const Vector3 from = DrawPoint(random);
    const Vector3 to = DrawPoint(random);
    const RayQuery way = {from, to};
    const Solid& solid = solids[i % 3];
    const Quaternion rotation = FromAxisAngle({1.0, 2.0, 3.0}, 0.1 * i);
    answers.rays.push_back(queries.CastRay(way, filter));
    answers.rays_through.push_back(queries.CastRayThrough(way, filter));
    answers.sweeps.push_back(queries.CastSolid({solid, way, rotation}, filter));
    answers.sweeps_through.push_back(
        queries.CastSolidThrough({solid, way, rotation}, filter));
    answers.overlaps.push_back(
        queries.FindOverlaps({solid, from, rotation}, filter));
    answers.closest.push_back(queries.FindClosestPoint(from, 1.0, filter));
  }
  return answers;
}

class PileQueriesTest : public testing::Test {
 protected:
  PileQueriesTest() { world_.Step(200); }

  TestingWorld world_{MakePile({.body_count = 120})};
};

TEST_F(PileQueriesTest, AnswersAreAFunctionOfTheRows) {
  PhysicsQueries used(world_.definition(), world_.tables());
  for (int i = 0; i < 5; ++i) {
    world_.Step(7);
    used.Look(world_.state());
    AskAll(used, {});
  }
  const std::string bytes = EncodeState(world_.state());
  const auto restored = DecodeState(
      std::as_bytes(std::span(bytes.data(), bytes.size())), world_.state());
  ASSERT_TRUE(restored.ok());
  PhysicsQueries fresh(world_.definition(), world_.tables());

  fresh.Look(*restored);

  EXPECT_EQ(AskAll(used, {}), AskAll(fresh, {}));
}

TEST_F(PileQueriesTest, FirstHitsAreTheFirstOfAll) {
  PhysicsQueries queries(world_.definition(), world_.tables());
  queries.Look(world_.state());
  const Answers answers = AskAll(queries, {});
  int hits = 0;
  for (size_t i = 0; i < answers.rays.size(); ++i) {
    const auto first = [](const std::vector<QueryHit>& all) {
      return all.empty() ? std::nullopt : std::optional(all[0]);
    };
    EXPECT_EQ(answers.rays[i], first(answers.rays_through[i]));
    EXPECT_EQ(answers.sweeps[i], first(answers.sweeps_through[i]));
    if (answers.rays[i].has_value()) ++hits;
  }
  EXPECT_GT(hits, 50);
}

// The solid overlaps nothing before its first hit, and what it hits soon after.
TEST_F(PileQueriesTest, SweepsStopWhereOverlapsBegin) {
  PhysicsQueries queries(world_.definition(), world_.tables());
  queries.Look(world_.state());
  RandomStream random = MakeRandomStream(8, IdOf("sweeps"));
  int hits = 0;
  for (int i = 0; i < 300; ++i) {
    SolidSweep sweep = {
        .solid = i % 2 == 0 ? Solid(SpherePrimitive{0.15})
                            : Solid(BoxPrimitive{{0.1, 0.2, 0.15}}),
        .way = {.from = DrawPoint(random), .to = DrawPoint(random)},
        .rotation = FromAxisAngle({3.0, 1.0, 2.0}, 0.1 * i)};
    const Vector3 motion = sweep.way.to - sweep.way.from;
    const auto overlaps_at = [&](double fraction) {
      return queries.FindOverlaps(
          {sweep.solid, sweep.way.from + fraction * motion, sweep.rotation});
    };
    if (!overlaps_at(0.0).empty()) continue;
    const std::optional<QueryHit> hit = queries.CastSolid(sweep);
    // It may stop with a touch that is deeper by rounding.
    const double free = (hit.has_value() ? hit->fraction : 1.0) -
                        kSweepRoundingM / Length(motion);
    for (int step = 0; step <= 20; ++step) {
      ASSERT_THAT(overlaps_at(free * step / 20.0), IsEmpty()) << "sweep " << i;
    }
    if (!hit.has_value()) continue;
    ++hits;
    // Against the normal it has at most the millimetre left.
    const double speed = -Dot(motion, hit->normal);
    if (speed < 0.2 * Length(motion)) continue;  // it may only graze
    EXPECT_THAT(overlaps_at(hit->fraction + 0.002 / speed),
                testing::Contains(hit->what))
        << "sweep " << i;
  }
  EXPECT_GT(hits, 60);
}

// A scene of one body can't miss what a tree over all of them might.
TEST_F(PileQueriesTest, TreeMissesNothing) {
  PhysicsQueries queries(world_.definition(), world_.tables());
  queries.Look(world_.state());
  const Answers together = AskAll(queries, {});
  Answers one_by_one;
  const Table& bodies = world_.state().table(world_.tables().bodies);
  for (uint32_t row = 0; row < bodies.row_count(); ++row) {
    State alone = world_.state();
    Table& table = alone.mutable_table(world_.tables().bodies);
    table.Resize(1);
    table.Mutable<BodyRow>(0) = bodies.Get<BodyRow>(row);
    queries.Look(alone);
    const Answers of_one = AskAll(queries, {});
    one_by_one.rays_through.resize(of_one.rays_through.size());
    one_by_one.sweeps_through.resize(of_one.rays_through.size());
    one_by_one.overlaps.resize(of_one.rays_through.size());
    for (size_t i = 0; i < of_one.rays_through.size(); ++i) {
      const auto append = [i](const auto& from, auto& to) {
        to[i].insert(to[i].end(), from[i].begin(), from[i].end());
      };
      append(of_one.rays_through, one_by_one.rays_through);
      append(of_one.sweeps_through, one_by_one.sweeps_through);
      append(of_one.overlaps, one_by_one.overlaps);
    }
  }
  for (auto* hits : {&one_by_one.rays_through, &one_by_one.sweeps_through}) {
    for (auto& of_one : *hits) {
      std::sort(of_one.begin(), of_one.end(), ComesBefore);
    }
  }
  EXPECT_EQ(together.rays_through, one_by_one.rays_through);
  EXPECT_EQ(together.sweeps_through, one_by_one.sweeps_through);
  EXPECT_EQ(together.overlaps, one_by_one.overlaps);
}

}  // namespace
}  // namespace reprise::sim
