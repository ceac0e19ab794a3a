// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that searches find every triangle that looking at all of them finds,
// and few more, in ascending order, for meshes and height fields.

#include "sim/physics/shapes/triangle_surface.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/geometry/closest_points.h"
#include "sim/physics/testing/shape_scene.h"

namespace reprise::sim {
namespace {

class TriangleSurfaceTest : public testing::TestWithParam<Ground> {
 protected:
  Vector3 DrawPoint() {
    Vector3 point;
    point.x = 16.0 * NextUnit(random_) - 8.0;
    point.y = 8.0 * NextUnit(random_) - 2.0;
    point.z = 16.0 * NextUnit(random_) - 8.0;
    return point;
  }

  const ShapeDefinition shape_ = GetParam() == Ground::kMesh
                                     ? ShapeDefinition(MakeBowlMesh())
                                     : ShapeDefinition(MakeBowlField());
  const TriangleSurface surface_{shape_};
  RandomStream random_ = MakeRandomStream(1, IdOf("surface"));
};

INSTANTIATE_TEST_SUITE_P(Grounds, TriangleSurfaceTest,
                         testing::Values(Ground::kMesh, Ground::kHeightField));

TEST_P(TriangleSurfaceTest, BoxesFindWhatTheyMeet) {
  for (int i = 0; i < 500; ++i) {
    const Vector3 low = DrawPoint();
    const double size = 4.0 * NextUnit(random_);
    const AxisAlignedBox box = {low, low + Vector3{size, size, size}};
    std::vector<uint32_t> expected;
    for (uint32_t j = 0; j < surface_.triangle_count(); ++j) {
      if (Meet(BoxAround(surface_.triangle(j)), box)) expected.push_back(j);
    }
    std::vector<uint32_t> found;
    surface_.Find(box, found);
    EXPECT_EQ(found, expected);
  }
}

TEST_P(TriangleSurfaceTest, WaysFindAllThatTheyComeNear) {
  constexpr int kPlaces = 64;
  size_t near_count = 0;
  size_t found_count = 0;
  for (int i = 0; i < 500; ++i) {
    const Vector3 from = DrawPoint();
    const Vector3 motion =
        i % 5 == 0 ? Vector3{0.0, -9.0, 0.0} : DrawPoint() - from;
    const double reach = i % 2 == 0 ? 0.0 : 0.5 * NextUnit(random_);
    std::vector<uint32_t> found;
    surface_.FindAlong(from, motion, reach, found);
    found_count += found.size();
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
    for (uint32_t j = 0; j < surface_.triangle_count(); ++j) {
      const Triangle triangle = surface_.triangle(j);
      // Between two places looked at, the way is nearer by half of what lies
      // between them at most.
      const double between = 0.5 * Length(motion) / kPlaces;
      bool is_near = false;
      bool may_be_near = false;
      for (int place = 0; place <= kPlaces; ++place) {
        const double distance = Distance(
            triangle, from + (static_cast<double>(place) / kPlaces) * motion);
        is_near = is_near || distance <= reach;
        may_be_near = may_be_near || distance <= reach + between;
      }
      near_count += may_be_near ? 1 : 0;
      if (is_near) {
        EXPECT_TRUE(std::binary_search(found.begin(), found.end(), j));
      }
    }
  }
  // What only passes a corner may be found; with boxes alone it were 2.2 times.
  EXPECT_LE(found_count, near_count + 3 * near_count / 4);
}

TEST_P(TriangleSurfaceTest, ColumnsKnowTheirTriangle) {
  ASSERT_EQ(surface_.is_solid(), GetParam() == Ground::kHeightField);
  if (!surface_.is_solid()) return;
  for (int i = 0; i < 500; ++i) {
    const Vector3 point = DrawPoint();
    // The box of a point meets the boxes of a cell's two triangles.
    const AxisAlignedBox column = {{point.x, -100.0, point.z},
                                   {point.x, 100.0, point.z}};
    std::vector<uint32_t> found;
    surface_.Find(column, found);
    const std::optional<uint32_t> index = surface_.TriangleAt(point.x, point.z);
    ASSERT_EQ(index.has_value(), !found.empty());
    if (!index.has_value()) continue;
    const Triangle triangle = surface_.triangle(*index);
    // On the inner side of all three edges, as seen from above.
    const Vector3 ring[] = {triangle.a, triangle.b, triangle.c, triangle.a};
    for (int edge = 0; edge < 3; ++edge) {
      EXPECT_GE(Cross(ring[edge + 1] - ring[edge], point - ring[edge]).y,
                -1e-9);
    }
  }
}

TEST_P(TriangleSurfaceTest, FieldAndMeshOfTheSameGroundAreTheSame) {
  const ShapeDefinition mesh = MakeBowlMesh();
  const TriangleSurface other(mesh);
  ASSERT_EQ(surface_.triangle_count(), other.triangle_count());
  for (uint32_t i = 0; i < other.triangle_count(); ++i) {
    EXPECT_EQ(surface_.triangle(i).a, other.triangle(i).a);
    EXPECT_EQ(surface_.triangle(i).b, other.triangle(i).b);
    EXPECT_EQ(surface_.triangle(i).c, other.triangle(i).c);
  }
}

}  // namespace
}  // namespace reprise::sim
