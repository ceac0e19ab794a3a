// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the inside of closed meshes is where counting crossings of a ray
// says it is, that depths are those to the nearest of all triangles, and those
// of a box where the mesh is one.

#include "sim/physics/shapes/closed_surface.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/physics/definition/closed_mesh.h"
#include "sim/physics/definition/shape_definition.h"
#include "sim/physics/shapes/triangle_surface.h"
#include "sim/physics/testing/closed_meshes.h"

namespace reprise::sim {
namespace {

// Spikes and pits on a block, whose edges look inwards and outwards; each place
// is said once for each triangle, as some files do.
MeshShape MakeSpikes() {
  constexpr uint32_t kSide = 9;
  RandomStream random = MakeRandomStream(1, IdOf("spikes"));
  MeshShape top;
  for (uint32_t row = 0; row < kSide; ++row) {
    for (uint32_t column = 0; column < kSide; ++column) {
      top.vertices.push_back({column - 4.0, 3.0 * NextUnit(random), row - 4.0});
    }
  }
  for (uint32_t row = 0; row + 1 < kSide; ++row) {
    for (uint32_t column = 0; column + 1 < kSide; ++column) {
      const uint32_t near = row * kSide + column;
      top.triangles.push_back({near, near + kSide, near + 1});
      top.triangles.push_back({near + 1, near + kSide, near + kSide + 1});
    }
  }
  const MeshShape solid = MakeSolidBelow(top, -1.0);
  MeshShape mesh = {.is_closed = true};
  for (const TriangleCorners& corners : solid.triangles) {
    TriangleCorners own;
    for (size_t i = 0; i < own.size(); ++i) {
      own[i] = static_cast<uint32_t>(mesh.vertices.size());
      mesh.vertices.push_back(solid.vertices[corners[i]]);
    }
    mesh.triangles.push_back(own);
  }
  return mesh;
}

// Whether a ray from `place` goes through a triangle.
bool Crosses(const Vector3& place, const Vector3& way, const Triangle& t) {
  const Vector3 ab = t.b - t.a;
  const Vector3 ac = t.c - t.a;
  const Vector3 across = Cross(way, ac);
  const double volume = Dot(ab, across);
  const Vector3 from = place - t.a;
  const double u = Dot(from, across) / volume;
  const double v = Dot(way, Cross(from, ab)) / volume;
  return u >= 0.0 && v >= 0.0 && u + v <= 1.0 &&
         Dot(ac, Cross(from, ab)) / volume > 0.0;
}

class ClosedSurfaceTest : public testing::Test {
 protected:
  Vector3 DrawPlace() {
    Vector3 place;
    place.x = 10.0 * NextUnit(random_) - 5.0;
    place.y = 6.0 * NextUnit(random_) - 2.0;
    place.z = 10.0 * NextUnit(random_) - 5.0;
    return place;
  }

  RandomStream random_ = MakeRandomStream(1, IdOf("places"));
};

TEST_F(ClosedSurfaceTest, InsideIsWhereRaysCrossAnOddNumberOfTimes) {
  const MeshShape mesh = MakeSpikes();
  ASSERT_EQ(FindOpening(mesh).problem, "");
  const ShapeDefinition shape = mesh;
  const TriangleSurface surface(shape);
  const Vector3 way = {0.123, 0.456, 0.789};
  int inside_count = 0;
  for (int i = 0; i < 5000; ++i) {
    const Vector3 place = DrawPlace();
    int crossings = 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (uint32_t k = 0; k < surface.triangle_count(); ++k) {
      const Triangle triangle = surface.triangle(k);
      if (Crosses(place, way, triangle)) ++crossings;
      nearest = std::min(nearest, NearestOf(triangle, place).squared);
    }
    const auto inside = surface.FindInside(place);
    ASSERT_EQ(inside.has_value(), crossings % 2 == 1) << i;
    if (!inside.has_value()) continue;
    ++inside_count;
    EXPECT_EQ(inside->depth_m, Sqrt(nearest)) << i;
    // Half way out it is half as deep.
    const double half_m = 0.5 * inside->depth_m;
    const auto half_way = surface.FindInside(place + half_m * inside->out);
    ASSERT_TRUE(half_way.has_value()) << i;
    EXPECT_NEAR(half_way->depth_m, half_m, 1e-9) << i;
  }
  EXPECT_GT(inside_count, 1000);
}

TEST_F(ClosedSurfaceTest, ABoxIsAsDeepAsABox) {
  const Vector3 half = {4.0, 1.5, 3.0};
  const ShapeDefinition shape = MakeBoxMesh(half);
  const TriangleSurface surface(shape);
  for (int i = 0; i < 2000; ++i) {
    const Vector3 place = DrawPlace();
    const double depth = std::min(
        {half.x - Abs(place.x), half.y - Abs(place.y), half.z - Abs(place.z)});
    const auto inside = surface.FindInside(place);
    ASSERT_EQ(inside.has_value(), depth > 0.0);
    if (!inside.has_value()) continue;
    EXPECT_NEAR(inside->depth_m, depth, 1e-12);
  }
}

// Where an edge or a corner is nearest, no single face says which side it is.
TEST_F(ClosedSurfaceTest, PlacesOffEdgesAndCornersAreOutside) {
  const ShapeDefinition shape = MakeBoxMesh({1.0, 1.0, 1.0});
  const TriangleSurface surface(shape);
  for (const double x : {-1.0, 0.0, 1.0}) {
    for (const double y : {-1.0, 0.0, 1.0}) {
      for (const double z : {-1.0, 0.0, 1.0}) {
        const Vector3 place = {x, y, z};
        if (place == Vector3{}) continue;
        EXPECT_FALSE(surface.FindInside(1.0001 * place).has_value());
        EXPECT_TRUE(surface.FindInside(0.9999 * place).has_value());
      }
    }
  }
}

}  // namespace
}  // namespace reprise::sim
