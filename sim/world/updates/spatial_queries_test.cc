// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that each query finds exactly the objects whose shapes meet what is
// asked about, in the stated order, with every index: against a loop over all
// objects, in thousands of random scenes with shapes that touch, that have no
// size, that are alike, or that lie outside the index's bounds; and that the
// indexes agree to the bit.

#include "sim/world/updates/spatial_queries.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/geometry/spatial/quadtree.h"
#include "sim/geometry/spatial/uniform_grid.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Aabb kBounds = {{-10.0, -5.0, -10.0}, {10.0, 5.0, 10.0}};

std::vector<std::unique_ptr<SpatialIndex>> MakeIndexes() {
  std::vector<std::unique_ptr<SpatialIndex>> indexes;
  indexes.push_back(std::make_unique<SpatialList>());
  indexes.push_back(std::make_unique<UniformGrid>(
      UniformGridOptions{.bounds = kBounds, .cell_size = 2.0}));
  indexes.push_back(std::make_unique<Quadtree>(
      QuadtreeOptions{.bounds = kBounds, .leaf_capacity = 4}));
  indexes.push_back(
      std::make_unique<Quadtree>(QuadtreeOptions{.leaf_capacity = 4}));
  return indexes;
}

// Draws objects and questions; in half of the scenes from whole numbers.
class Scene {
 public:
  explicit Scene(uint64_t seed)
      : random_(MakeRandomStream(seed, IdOf("scene"))),
        has_lattice_(seed % 2 == 0) {}

  uint64_t Below(uint64_t bound) { return NextBelow(random_, bound); }

  double DrawBetween(double low, double high) {
    const double value = low + NextUnit(random_) * (high - low);
    return has_lattice_ ? Floor(value) : value;
  }

  Vector3 DrawVector(double size) {
    const double x = DrawBetween(-size, size);
    const double y = DrawBetween(-size, size);
    const double z = DrawBetween(-size, size);
    return {x, y, z};
  }

  Vector3 DrawExtents(double size) {
    const double x = DrawBetween(0.0, size);
    const double y = DrawBetween(0.0, size);
    const double z = DrawBetween(0.0, size);
    return {x, y, z};
  }

  Sphere DrawSphere() {
    const Vector3 center = DrawVector(12.0);
    return {.center = center, .radius = DrawBetween(0.0, 4.0)};
  }

  Aabb DrawAabb() {
    const Vector3 corner = DrawVector(12.0);
    return {corner, corner + DrawExtents(5.0)};
  }

  OrientedBox DrawOrientedBox() {
    OrientedBox box;
    box.center = DrawVector(12.0);
    box.half_extents = DrawExtents(3.0);
    const Vector3 axis = DrawVector(3.0);
    box.rotation = FromAxisAngle(axis, NextUnit(random_) * kPi);
    return box;
  }

  Cone DrawCone() {
    Cone cone;
    cone.apex = DrawVector(12.0);
    cone.axis = Normalized(DrawVector(9.0) + Vector3{0.0, 0.0, 0.5});
    cone.half_angle_rad = 0.01 + NextUnit(random_) * 1.4;
    cone.length = DrawBetween(0.0, 12.0);
    return cone;
  }

  Segment DrawSegment() {
    const Vector3 start = DrawVector(12.0);
    return {.start = start, .end = Below(10) == 0 ? start : DrawVector(12.0)};
  }

  SpatialShape DrawShape() {
    switch (Below(4)) {
      case 0:
        return DrawSphere();
      case 1:
        return DrawAabb();
      case 2:
        return DrawOrientedBox();
      default:
        return Sphere{.center = DrawVector(12.0)};
    }
  }

  std::vector<SpatialObject> DrawObjects(uint64_t count) {
    std::vector<SpatialObject> objects;
    uint64_t serial = 0;
    for (uint64_t i = 0; i < count; ++i) {
      serial += 1 + Below(3);
      objects.push_back({.object = {serial}, .shape = DrawShape()});
    }
    return objects;
  }

 private:
  RandomStream random_;
  bool has_lattice_;
};

// Two of three objects.
bool IsWanted(ObjectId object) { return object.serial % 3 != 0; }

// What queries must answer: the objects one after the other, without bounds or
// an index.
class Expected {
 public:
  explicit Expected(std::vector<SpatialObject> objects)
      : objects_(std::move(objects)) {
    std::erase_if(objects_,
                  [](const auto& each) { return !IsWanted(each.object); });
  }

  template <typename Shape>
  std::vector<ObjectId> In(const Shape& shape) const {
    std::vector<ObjectId> found;
    for (const auto& each : objects_) {
      if (Overlaps(each.shape, shape)) found.push_back(each.object);
    }
    return found;
  }

  template <typename Shape>
  std::vector<NearObject> InFrom(const Shape& shape, Vector3 from) const {
    std::vector<NearObject> found;
    for (const auto& [object, exact] : objects_) {
      if (!Overlaps(exact, shape)) continue;
      found.push_back({.distance = Distance(exact, from), .object = object});
    }
    std::ranges::sort(found);
    return found;
  }

  std::vector<NearObject> Nearest(Vector3 point, uint32_t count) const {
    std::vector<NearObject> all;
    for (const auto& [object, exact] : objects_) {
      all.push_back({.distance = Distance(exact, point), .object = object});
    }
    std::ranges::sort(all);
    if (all.size() > count) all.resize(count);
    return all;
  }

  std::vector<std::pair<double, ObjectId>> Along(const Segment& segment) const {
    std::vector<std::pair<double, ObjectId>> found;
    for (const auto& [object, exact] : objects_) {
      const auto hit = Cast(segment, exact);
      if (hit.has_value()) found.emplace_back(hit->t, object);
    }
    std::ranges::sort(found);
    return found;
  }

 private:
  std::vector<SpatialObject> objects_;
};

std::vector<std::pair<double, ObjectId>> FractionsOf(
    const std::vector<SpatialHit>& hits) {
  std::vector<std::pair<double, ObjectId>> fractions;
  for (const auto& [object, hit] : hits) fractions.emplace_back(hit.t, object);
  return fractions;
}

void ExpectAllAnswersRight(const SpatialQueries& queries,
                           const std::vector<SpatialObject>& objects,
                           Scene& scene) {
  const Expected expected(objects);
  const Sphere sphere = scene.DrawSphere();
  ASSERT_EQ(queries.FindInSphere(sphere, IsWanted),
            expected.InFrom(sphere, sphere.center));
  const Cone cone = scene.DrawCone();
  ASSERT_EQ(queries.FindInCone(cone, IsWanted),
            expected.InFrom(cone, cone.apex));
  const Aabb box = scene.DrawAabb();
  ASSERT_EQ(queries.FindInBox(box, IsWanted), expected.In(box));
  const OrientedBox oriented = scene.DrawOrientedBox();
  ASSERT_EQ(queries.FindInBox(oriented, IsWanted), expected.In(oriented));
  const Vector3 point = scene.DrawVector(15.0);
  const auto count = static_cast<uint32_t>(scene.Below(10));
  ASSERT_EQ(queries.FindNearest(point, count, IsWanted),
            expected.Nearest(point, count));

  const Segment segment = scene.DrawSegment();
  const auto along = expected.Along(segment);
  ASSERT_EQ(FractionsOf(queries.FindAlong(segment, IsWanted)), along);
  const auto first = queries.FindFirstAlong(segment, IsWanted);
  ASSERT_EQ(first.has_value(), !along.empty());
  if (first.has_value()) {
    ASSERT_EQ(std::pair(first->hit.t, first->object), along.front());
  }
  ASSERT_EQ(queries.HasLineOfSight(segment.start, segment.end, IsWanted),
            along.empty());
}

TEST(SpatialQueriesTest, AnswersWhatALoopOverAllObjectsAnswers) {
  for (auto& index : MakeIndexes()) {
    SpatialQueries queries(std::move(index));
    for (uint64_t seed = 0; seed < 1'500; ++seed) {
      SCOPED_TRACE(seed);
      Scene scene(seed);
      const auto objects = scene.DrawObjects(scene.Below(80));
      queries.Build(objects);
      for (int i = 0; i < 4; ++i) {
        ASSERT_NO_FATAL_FAILURE(ExpectAllAnswersRight(queries, objects, scene));
      }
    }
  }
}

TEST(SpatialQueriesTest, StaysRightWhileObjectsComeMoveAndGo) {
  for (auto& index : MakeIndexes()) {
    SpatialQueries queries(std::move(index));
    Scene scene(7);
    auto objects = scene.DrawObjects(60);
    queries.Build(objects);
    for (int change = 0; change < 1'000; ++change) {
      const ObjectId object = {1 + scene.Below(150)};
      const auto place =
          std::ranges::lower_bound(objects, object, {}, &SpatialObject::object);
      const bool exists = place != objects.end() && place->object == object;
      if (scene.Below(2) == 0) {
        if (exists) objects.erase(place);
        ASSERT_EQ(queries.Remove(object), exists);
      } else {
        const SpatialObject put = {.object = object,
                                   .shape = scene.DrawShape()};
        if (exists) {
          *place = put;
        } else {
          objects.insert(place, put);
        }
        queries.Put(put);
      }
      ASSERT_EQ(queries.size(), objects.size());
      ASSERT_NO_FATAL_FAILURE(ExpectAllAnswersRight(queries, objects, scene));
    }
  }
}

// A row of things on the x axis, in every kind of index.
class SpatialQueriesRowTest : public testing::TestWithParam<int> {
 protected:
  SpatialQueriesRowTest() {
    queries_.Build(std::vector<SpatialObject>{
        {{1}, Sphere{{4.0, 0.0, 0.0}, 1.0}},
        {{2}, Aabb{{-5.0, -1.0, -1.0}, {-3.0, 1.0, 1.0}}},
        {{3}, OrientedBox{{8.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, {}}},
        {{4}, Sphere{{4.0, 0.0, 0.0}, 1.0}}});
  }

  SpatialQueries queries_{std::move(MakeIndexes()[GetParam()])};
};

TEST_P(SpatialQueriesRowTest, AProjectileHitsFromNearToFarAndTiesByObject) {
  const auto hits =
      queries_.FindAlong({.start = {0.0, 0.0, 0.0}, .end = {16.0, 0.0, 0.0}});
  ASSERT_EQ(hits.size(), 3u);
  EXPECT_EQ(hits[0].object, ObjectId{1});
  EXPECT_EQ(hits[0].hit.t, 0.1875);
  EXPECT_EQ(hits[0].hit.normal, (Vector3{-1.0, 0.0, 0.0}));
  EXPECT_EQ(hits[1].object, ObjectId{4});
  EXPECT_EQ(hits[1].hit.t, 0.1875);
  EXPECT_EQ(hits[2].object, ObjectId{3});
  EXPECT_EQ(hits[2].hit.t, 0.4375);
}

TEST_P(SpatialQueriesRowTest, ABlastFindsObjectsByDistance) {
  EXPECT_THAT(queries_.FindInSphere({.center = {0.0, 0.0, 0.0}, .radius = 3.0}),
              ElementsAre(NearObject{3.0, {1}}, NearObject{3.0, {2}},
                          NearObject{3.0, {4}}));
  EXPECT_THAT(queries_.FindInSphere({.center = {0.0, 0.0, 0.0}, .radius = 2.9}),
              IsEmpty());
}

TEST_P(SpatialQueriesRowTest, AGuardSeesWhatIsInItsCone) {
  const Cone view = {.apex = {0.0, 0.0, 0.0},
                     .axis = {1.0, 0.0, 0.0},
                     .half_angle_rad = 0.5,
                     .length = 7.0};
  EXPECT_THAT(queries_.FindInCone(view),
              ElementsAre(NearObject{3.0, {1}}, NearObject{3.0, {4}},
                          NearObject{7.0, {3}}));
}

TEST_P(SpatialQueriesRowTest, LineOfSightLeavesOutWhoLooksAndWhoIsLookedAt) {
  const Vector3 from = {-4.0, 0.0, 0.0};
  const Vector3 to = {8.0, 0.0, 0.0};
  const auto others = [](ObjectId object) {
    return object != ObjectId{2} && object != ObjectId{3};
  };
  EXPECT_FALSE(queries_.HasLineOfSight(from, to, others));
  queries_.Remove({1});
  EXPECT_FALSE(queries_.HasLineOfSight(from, to, others));
  queries_.Remove({4});
  EXPECT_TRUE(queries_.HasLineOfSight(from, to, others));
  EXPECT_FALSE(queries_.HasLineOfSight(from, to));
}

TEST_P(SpatialQueriesRowTest, ABatchAnswersInTheOrderOfItsRays) {
  std::vector<Segment> rays;
  for (int i = 0; i < 100; ++i) {
    // Every other one goes the other way; the last 50 pass overhead.
    const double end = i % 2 == 0 ? 10.0 : -10.0;
    const double height = i < 50 ? 0.0 : 3.0;
    rays.push_back({.start = {0.0, height, 0.0}, .end = {end, height, 0.0}});
  }
  const auto hits = queries_.FindFirstAlongEach(rays);
  ASSERT_EQ(hits.size(), 100u);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(hits[i].has_value());
    EXPECT_EQ(hits[i]->object, (i % 2 == 0 ? ObjectId{1} : ObjectId{2}));
    EXPECT_FALSE(hits[i + 50].has_value());
  }
}

INSTANTIATE_TEST_SUITE_P(AllIndexes, SpatialQueriesRowTest,
                         testing::Values(0, 1, 2, 3));

TEST(SpatialQueriesDeathTest, RefusesWhatCallersMustNotGive) {
  SpatialQueries queries(std::make_unique<SpatialList>());
  const SpatialObject negative = {.object = {1},
                                  .shape = Sphere{.radius = -1.0}};
  EXPECT_DEATH(queries.Put(negative), "object 1");
  const Segment far = {.start = {}, .end = {1e60, 0.0, 0.0}};
  EXPECT_DEATH(queries.FindAlong(far), "IsWithinReach");
}

}  // namespace
}  // namespace reprise::sim
