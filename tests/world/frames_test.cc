// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that frames draw what bodies are: cones, hulls, meshes and height
// fields by their own shapes, the triangles of which are told once.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/frame.h"
#include "sim/geometry/vector3.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kScene = R"(
types { name: "cone" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { cone { radius: 0.3 height: 1.2 } position { y: 0.5 } } } }
types { name: "gem" body { motion: MOTION_DYNAMIC mass_kg: 1
  shapes { box { half_extents { x: 1 y: 1 z: 1 } } }
  shapes { hull { points { x: 1 } points { x: -1 } points { y: 1 } points { y: -1 } points { z: 1 } points { z: -1 } points { x: 0.1 } } position { y: 3 } }
  shapes { hull { points { x: 1 } points { y: 1 } points { z: 1 } points { } } position { y: -3 } }
} }
types { name: "wall" body { motion: MOTION_FIXED shapes { mesh { vertices { } vertices { x: 4 } vertices { y: 5 } indices: [ 0, 1, 2 ] } position { z: 7 } } } }
types { name: "ground" body { motion: MOTION_FIXED shapes { height_field { columns: 3 rows: 2 cell_size: 2 heights: [ 0, 1, 2, 3, 4, 5 ] } } } }
objects { name: "cone" type: "cone" position { y: 90 } }
objects { name: "gem" type: "gem" position { y: 50 } }
objects { name: "gem_too" type: "gem" position { y: 70 } }
objects { name: "ground" type: "ground" }
objects { name: "wall" type: "wall" position { x: 30 } }
)";

class FramesTest : public testing::Test {
 protected:
  FramesTest()
      : world_(WorldOf(Manifest({kScene}))),
        frame_(world_->ProduceFrame()),
        meshes_(world_->FrameMeshes()) {}

  const std::vector<FrameShape>& ShapesOf(std::string_view name) const {
    for (const FrameObject& object : frame_.objects) {
      if (object.name == name) return object.shapes;
    }
    ADD_FAILURE() << name;
    return frame_.objects[0].shapes;
  }

  std::unique_ptr<Simulation> world_;
  Frame frame_;
  std::vector<FrameMesh> meshes_;
};

TEST_F(FramesTest, ConesHaveTheirRadiusAndHeight) {
  const FrameShape& cone = ShapesOf("cone").at(0);
  EXPECT_EQ(cone.kind, FrameShape::Kind::kCone);
  EXPECT_EQ(cone.size, (Vector3{0.3, 0.6, 0.0}));
  EXPECT_EQ(cone.position, (Vector3{0.0, 0.5, 0.0}));
}

TEST_F(FramesTest, EachHullOfACompoundHasItsOwnTriangles) {
  const std::vector<FrameShape>& gem = ShapesOf("gem");
  ASSERT_EQ(gem.size(), 3u);
  EXPECT_EQ(gem[0].kind, FrameShape::Kind::kBox);
  EXPECT_EQ(gem[1].kind, FrameShape::Kind::kHull);
  EXPECT_EQ(gem[2].kind, FrameShape::Kind::kHull);
  EXPECT_EQ(gem[1].position, (Vector3{0.0, 3.0, 0.0}));
  EXPECT_EQ(meshes_.at(gem[1].mesh).triangles.size(), 8u);
  EXPECT_EQ(meshes_.at(gem[2].mesh).triangles.size(), 4u);
  // Corners alone: the point inside is none.
  EXPECT_EQ(meshes_.at(gem[1].mesh).vertices.size(), 6u);
}

TEST_F(FramesTest, ObjectsOfOneShapeShareItsTriangles) {
  EXPECT_EQ(ShapesOf("gem")[1].mesh, ShapesOf("gem_too")[1].mesh);
  EXPECT_EQ(meshes_.size(), 4u);
}

// Every edge belongs to two triangles, once each way round.
TEST_F(FramesTest, HullsAreClosedAndFaceOutwards) {
  for (const size_t shape : {1u, 2u}) {
    const FrameMesh& mesh = meshes_.at(ShapesOf("gem").at(shape).mesh);
    std::map<std::pair<uint32_t, uint32_t>, int> edges;
    double volume = 0.0;
    for (const std::array<uint32_t, 3>& corners : mesh.triangles) {
      for (size_t i = 0; i < 3; ++i) {
        ++edges[{corners[i], corners[(i + 1) % 3]}];
      }
      volume +=
          Dot(mesh.vertices[corners[0]],
              Cross(mesh.vertices[corners[1]], mesh.vertices[corners[2]])) /
          6.0;
    }
    for (const auto& [edge, count] : edges) {
      EXPECT_EQ(count, 1);
      EXPECT_TRUE(edges.contains({edge.second, edge.first}));
    }
    EXPECT_NEAR(volume, shape == 1 ? 4.0 / 3.0 : 1.0 / 6.0, 1e-12);
  }
}

TEST_F(FramesTest, MeshesAreDrawnByTheirTriangles) {
  const FrameShape& wall = ShapesOf("wall").at(0);
  EXPECT_EQ(wall.kind, FrameShape::Kind::kMesh);
  const FrameMesh& mesh = meshes_.at(wall.mesh);
  ASSERT_EQ(mesh.triangles.size(), 1u);
  EXPECT_EQ(wall.position + mesh.vertices[mesh.triangles[0][1]],
            (Vector3{4.0, 0.0, 7.0}));
}

TEST_F(FramesTest, HeightFieldsAreDrawnByTwoTrianglesACell) {
  const FrameShape& ground = ShapesOf("ground").at(0);
  EXPECT_EQ(ground.kind, FrameShape::Kind::kMesh);
  const FrameMesh& mesh = meshes_.at(ground.mesh);
  EXPECT_EQ(mesh.vertices.size(), 6u);
  ASSERT_EQ(mesh.triangles.size(), 4u);
  EXPECT_EQ(mesh.vertices[4], (Vector3{0.0, 4.0, 1.0}));
  for (const std::array<uint32_t, 3>& corners : mesh.triangles) {
    const Vector3 a = mesh.vertices[corners[0]];
    EXPECT_GT(
        Cross(mesh.vertices[corners[1]] - a, mesh.vertices[corners[2]] - a).y,
        0.0);
  }
}

}  // namespace
}  // namespace reprise::sim
