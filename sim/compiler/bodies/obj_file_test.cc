// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what people export is read, and that a line that can't be is
// named.

#include "sim/compiler/bodies/obj_file.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;

constexpr std::string_view kSquare = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1e0\n";

absl::StatusOr<ObjMesh> ParseWithSquare(std::string_view lines) {
  return ParseObj(std::string(kSquare) + std::string(lines));
}

TEST(ObjFileTest, ReadsVerticesAndTriangles) {
  const absl::StatusOr<ObjMesh> obj =
      ParseWithSquare("vn 0 1 0\r\nusemtl grass\nf 1 2 3\r\nf  1/1/1 3//2 4/5");
  ASSERT_TRUE(obj.ok()) << obj.status();
  EXPECT_EQ(obj->mesh.vertices.size(), 4u);
  EXPECT_EQ(obj->mesh.vertices[2], (Vector3{1.0, 0.0, 1.0}));
  EXPECT_THAT(obj->mesh.triangles,
              ElementsAre(TriangleCorners{0, 1, 2}, TriangleCorners{0, 2, 3}));
}

TEST(ObjFileTest, LargerFacesAreFans) {
  EXPECT_THAT(ParseWithSquare("f 1 2 3 4")->mesh.triangles,
              ElementsAre(TriangleCorners{0, 1, 2}, TriangleCorners{0, 2, 3}));
}

TEST(ObjFileTest, NegativeCornersCountFromTheEnd) {
  EXPECT_THAT(ParseWithSquare("f -4 -3 -1")->mesh.triangles,
              ElementsAre(TriangleCorners{0, 1, 3}));
}

TEST(ObjFileTest, KnowsTheLinesOfItsParts) {
  const absl::StatusOr<ObjMesh> obj = ParseWithSquare("\nf 1 2 3 4\n\nf 1 2 3");
  EXPECT_THAT(obj->vertex_lines, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(obj->triangle_lines, ElementsAre(6, 6, 8));
}

TEST(ObjFileTest, LinesThatCantBeReadAreNamed) {
  for (const char* line : {"f 1 2", "f 1 2 5", "f 0 1 2", "f 1 2 x", "f -5 1 2",
                           "f 1 2 99999999999999999999", "v 1 2", "v 1 2 x"}) {
    const absl::Status status = ParseWithSquare(line).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << line;
    EXPECT_EQ(std::string(status.message()).substr(0, 7), "line 5:") << line;
  }
}

TEST(ObjFileTest, TooManyTrianglesAreRefused) {
  std::string face = "f";
  for (uint32_t i = 0; i < kMeshTrianglesMax + 3; ++i) face += " 1";
  EXPECT_EQ(ParseWithSquare(face).status().code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace reprise::sim
