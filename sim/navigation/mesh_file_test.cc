// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a mesh comes back from its file, and that no damage to one is
// taken for a mesh: each byte in turn, each length, and what a hand may write.

#include "sim/navigation/mesh_file.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/navigation/testing_meshes.h"

namespace reprise::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

MeshFile RandomFile(uint64_t seed) {
  RandomStream stream = MakeRandomStream(seed, IdOf("files"));
  return {.made_of = {NextUint64(stream)},
          .data = RandomLevel(4, 3, 20, 5, stream)};
}

MeshFile RandomFileWithSurfaces(uint64_t seed) {
  MeshFile file = RandomFile(seed);
  RandomStream stream = MakeRandomStream(seed, IdOf("surfaces"));
  AddSurfaces(stream, file.data);
  return file;
}

// A file with these contents, whose digest fits.
std::string Sealed(std::string_view contents) {
  return fmt::format(
      "reprise navigation mesh 1\nmade_of {:016x}\ncontents {}\n{}", 7,
      FormatDigest(DigestOf(std::as_bytes(std::span(contents)))), contents);
}

std::string ProblemWith(std::string_view text) {
  const absl::StatusOr<MeshFile> file = DecodeMeshFile(text);
  if (file.ok()) return "";
  EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(file.status().message());
}

TEST(MeshFileTest, MeshesComeBack) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const MeshFile file = RandomFile(seed);
    const std::string text = EncodeMeshFile(file);
    const absl::StatusOr<MeshFile> again = DecodeMeshFile(text);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(*again, file);
    EXPECT_EQ(EncodeMeshFile(*again), text);
    const MeshFile hilly = RandomFileWithSurfaces(seed);
    EXPECT_NE(hilly.data, file.data);
    EXPECT_EQ(*DecodeMeshFile(EncodeMeshFile(hilly)), hilly);
  }
  EXPECT_EQ(DecodeMeshFile(EncodeMeshFile(MeshFile()))->data,
            NavigationMeshData());
}

void ExpectDamageIsFound(const MeshFile& file) {
  const std::string text = EncodeMeshFile(file);
  for (size_t at = 0; at < text.size(); ++at) {
    for (const char flip : {'\x01', '\x10', '\x7f'}) {
      std::string damaged = text;
      damaged[at] ^= flip;
      const absl::StatusOr<MeshFile> read = DecodeMeshFile(damaged);
      // Of the digest of the level another one may stand there.
      if (read.ok()) {
        EXPECT_EQ(read->data, file.data);
        EXPECT_NE(read->made_of, file.made_of);
      }
    }
    EXPECT_FALSE(DecodeMeshFile(text.substr(0, at)).ok());
  }
  EXPECT_FALSE(DecodeMeshFile(text + "\n").ok());
}

TEST(MeshFileTest, EachDamagedByteIsFound) {
  ExpectDamageIsFound(RandomFile(1));
  ExpectDamageIsFound(RandomFileWithSurfaces(1));
}

TEST(MeshFileTest, SurfacesThatCanNotBeHaveTheirLine) {
  const auto expect = [](std::string_view surfaces, std::string_view problem) {
    std::string text =
        Sealed(fmt::format("origin 0 0 0\nvertices 3\n0 0 0\n9 0 0\n0 0 9\n"
                           "polygons 1\n0 0 1 2\n{}",
                           surfaces));
    text[text.find('\n') - 1] = '2';
    EXPECT_THAT(ProblemWith(text), HasSubstr(problem)) << surfaces;
  };
  expect("points 1\n0 256 7 256\ntriangles 1\n0 0 1 3\n", "");
  expect("", "line 11: expected 'points '");
  expect("points 0\ntriangles 0\n", "no points");
  expect("points 1\n0 256 7\n", "line 12: a point is");
  expect("points 1\n0 256 65536 256\n", "line 12: a point is");
  expect("points 1\n0 256 7 256\n", "line 13: expected 'triangles '");
  expect("points 1\n1 256 7 256\ntriangles 0\n", "point 0 is of polygon 1");
  expect("points 1\n0 256 7 256\ntriangles 1\n0 0 1 4\n",
         "triangle 0 has the corner 4 of 4");
  expect("points 1\n0 256 7 256\ntriangles 1\n1 0 1 3\n",
         "triangle 0 is of polygon 1");
  expect("points 1\n0 256 7 256\ntriangles 1\n0 0 1\n",
         "line 14: a triangle is");
}

TEST(MeshFileTest, WhatIsWrongHasItsLine) {
  EXPECT_THAT(ProblemWith(""), StartsWith("line 1: a mesh begins with"));
  EXPECT_THAT(ProblemWith("reprise navigation mesh 1\nmade_of x\n"),
              StartsWith("line 2: expected 'made_of '"));
  EXPECT_THAT(ProblemWith(Sealed("origin 0 0\n")),
              StartsWith("line 4: expected 'origin '"));
  EXPECT_THAT(ProblemWith(Sealed("origin 0 0 0\nvertices 65536\n")),
              StartsWith("line 5: expected 'vertices '"));
  const std::string_view head =
      "origin 0 0 0\nvertices 3\n0 0 0\n9 0 0\n0 0 9\n";
  EXPECT_THAT(ProblemWith(Sealed(fmt::format("{}polygons 1\n0 0 1 2\n", head))),
              "");
  const auto expect = [&](std::string_view polygons, std::string_view problem) {
    EXPECT_THAT(ProblemWith(Sealed(fmt::format("{}{}", head, polygons))),
                HasSubstr(problem));
  };
  expect("polygons 1\n", "line 10: a polygon is");
  expect("polygons 1\n0 0 1\n", "line 10: a polygon is");
  expect("polygons 1\n63 0 1 2\n", "line 10: a polygon is");
  expect("polygons 1\n0 0 1 2 0 1 2 0\n", "line 10: a polygon is");
  expect("polygons 1\n0 00 1 2\n", "line 10: a polygon is");
  expect("polygons 1\n0  0 1 2\n", "line 10: a polygon is");
  expect("polygons 1\n0 +0 1 2\n", "line 10: a polygon is");
  expect("polygons 1\n0 0 1 3\n", "polygon 0 has the corner 3 of 3");
  expect("polygons 1\n0 0 2 1\n", "polygon 0 isn't convex");
  expect("polygons 0\n0 0 1 2\n", "line 9: more than the polygons");
}

}  // namespace
}  // namespace reprise::sim
