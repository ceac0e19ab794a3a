// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in a navigation mesh is reported once, with its
// line and field; and that a file that isn't there, is damaged or was made of
// another level is refused, with what makes it anew.

#include "sim/systems/navigation/mesh_compiler.h"

#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/systems/navigation/testing_mesh_packs.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::string_view kFloor =
    "types { name: 'floor' body { motion: MOTION_FIXED shapes { box { "
    "half_extents { x: 10 y: 0.5 z: 3 } } } } }\n";

std::string Floor(std::string_view name, double x) {
  return fmt::format(
      "objects {{ name: '{}' type: 'floor' position {{ x: {} y: -0.5 z: 3 }} "
      "}}\n",
      name, x);
}

// The pack of two rooms, with more in the mesh from line 8 on, and behind it.
std::string Rooms(std::string_view mesh, std::string_view more) {
  return Manifest({"navigation {", kRoomsMesh, mesh, "\n} }\n", kFloor, more});
}

std::vector<std::string> ProblemsOf(const PackArchive& pack) {
  PackReport report;
  const auto definition = CompilePack(pack, 1, report);
  EXPECT_EQ(definition == nullptr, !report.ok());
  std::vector<std::string> lines;
  for (const PackProblem& problem : report.problems()) {
    lines.push_back(FormatProblem(problem));
  }
  return lines;
}

std::vector<std::string> ProblemsWith(std::string_view mesh) {
  const std::string manifest = Rooms(mesh, Floor("floor", 10));
  return ProblemsOf(
      PackOf(manifest, "house.mesh", BakedAs(manifest, TwoRooms())));
}

TEST(MeshCompilerTest, WhatWasBakedIsTaken) {
  EXPECT_THAT(ProblemsWith(""), IsEmpty());
  EXPECT_THAT(
      ProblemsWith("links { name: 'ferry' from { x: 10.5 z: 3 } to { x: "
                   "15.5 z: 3 } weight: 2 jump: true }"),
      IsEmpty());
}

TEST(MeshCompilerTest, OrderAndNamesOfBodiesAreNothing) {
  const std::string before =
      Rooms("", Floor("a", 10) + Floor("b", 11) + Floor("c", 12));
  const std::string after =
      Rooms("", Floor("x", 12) + Floor("a", 11) + Floor("y", 10));
  EXPECT_EQ(BakedAs(before, TwoRooms()), BakedAs(after, TwoRooms()));
}

TEST(MeshCompilerTest, WhatIsStaleIsRefused) {
  const std::string baked = BakedAs(Rooms("", Floor("floor", 10)), TwoRooms());
  const auto expect = [&](const std::string& manifest) {
    EXPECT_THAT(
        ProblemsOf(PackOf(manifest, "house.mesh", baked)),
        ElementsAre(AllOf(StartsWith("pack.txtpb:4:"),
                          HasSubstr("navigation.meshes[0].file: 'house.mesh' "
                                    "was made of other bodies"),
                          HasSubstr("reprise pack build --bake"))));
  };
  expect(Rooms("", Floor("floor", 10.25)));
  expect(Rooms("", Floor("floor", 10) + Floor("floor_2", 10)));
  expect(Rooms("", ""));
  expect(Rooms("agent { radius: 0.5 }", Floor("floor", 10)));
  expect(Rooms("agent { slope_degrees: 44 }", Floor("floor", 10)));
  expect(
      Rooms("areas { name: 'mud' minimum { x: 1 } maximum { x: 2 y: 1 z: 1 "
            "} }",
            Floor("floor", 10)));
  // What isn't made of the level is no part of it: links, reach and weights.
  EXPECT_THAT(ProblemsOf(PackOf(
                  Rooms("reach: 2 links { name: 'a' from { x: 1 z: 1 } to "
                        "{ x: 15.5 z: 3 } }",
                        Floor("floor", 10)),
                  "house.mesh", baked)),
              IsEmpty());
  // What is out of bounds, too.
  EXPECT_THAT(
      ProblemsOf(PackOf(Rooms("", Floor("floor", 10) + Floor("far", 100)),
                        "house.mesh", baked)),
      IsEmpty());
}

TEST(MeshCompilerTest, WhatIsMissingOrDamagedIsRefused) {
  const std::string manifest = Rooms("", Floor("floor", 10));
  EXPECT_THAT(ProblemsOf(PackOf(manifest)),
              ElementsAre(HasSubstr("meshes[0].file: there is no file "
                                    "'house.mesh'; `reprise pack build "
                                    "--bake` makes it")));
  std::string baked = BakedAs(manifest, TwoRooms());
  baked[baked.size() - 2] ^= 1;
  EXPECT_THAT(ProblemsOf(PackOf(manifest, "house.mesh", baked)),
              ElementsAre(HasSubstr("'house.mesh' is damaged, in line 3: what "
                                    "follows isn't what was written")));
  NavigationMeshData data = TwoRooms();
  data.polygons[0].area = 2;
  EXPECT_THAT(
      ProblemsOf(PackOf(manifest, "house.mesh", BakedAs(manifest, data))),
      ElementsAre(HasSubstr("has areas that there aren't")));
}

TEST(MeshCompilerTest, MistakesOfMeshesHaveTheirPlace) {
  const auto expect = [](std::string_view text, std::string_view problem) {
    const std::string manifest =
        Manifest({"navigation {\nmeshes { name: 'a' ", text, " }\n}\n"});
    EXPECT_THAT(
        ProblemsOf(PackOf(manifest)),
        ElementsAre(AllOf(StartsWith("pack.txtpb:3:"), HasSubstr(problem))));
  };
  constexpr std::string_view kBox = "minimum { } maximum { x: 1 y: 1 z: 1 }";
  expect(kBox, "meshes[0].file: has to be a path");
  expect("file: 'a.lua'", "meshes[0].file: has to be a path");
  expect("file: '../a.mesh'", "meshes[0].file: has to be a path");
  const auto expect_in = [&](std::string_view text, std::string_view problem) {
    expect(fmt::format("file: 'a.mesh' {}", text), problem);
  };
  expect_in("cell_size: 0.001", "cell_size: 0.001 is not");
  expect_in("cell_height: nan", "cell_height: nan is not");
  expect_in("reach: -1", "reach: -1 is not");
  expect_in("agent { radius: 101 }", "agent.radius: 101 is not");
  expect_in("agent { height: 0.01 }", "agent.height: 0.01 is not");
  expect_in("agent { slope_degrees: 81 }", "agent.slope_degrees: 81 is not");
  expect_in("agent { step: 2 }", "agent.step: 2 m is higher than the agent");
  expect_in("minimum { }", "maximum: needs minimum");
  expect_in("minimum { } maximum { x: 1 y: 1 }", "maximum: has to be beyond");
  expect_in("areas { name: 'p' maximum { x: 1 y: 1 z: 1 } weight: 1001 }",
            "areas[0].weight: 1001 is not");
  expect_in("areas { name: 'p' }", "areas[0].maximum: has to be beyond");
  expect_in("links { name: 'p' weight: 0.5 }", "links[0].weight: 0.5 is not");
  expect_in("links { name: 'p' from { x: inf } }", "links[0].from");
  expect_in("links { name: 'p' } links { name: 'p' }",
            "links[1].name: there are two links 'p'");
  // What is found out once the bodies are there.
  expect_in("", "meshes[0].minimum: there is no fixed body but planes");
  expect_in("minimum { } maximum { x: 1e6 y: 1 z: 1 }",
            "meshes[0].minimum: from 0 to 1e+06 m along x are");
}

TEST(MeshCompilerTest, LinksBeginAndEndOnTheMesh) {
  EXPECT_THAT(
      ProblemsWith("links { name: 'a' from { x: 1 z: 1 } to { x: 13 z: 3 } }"),
      ElementsAre(HasSubstr("links[0].to: is farther from the mesh than its "
                            "reach, 0.4 m")));
  EXPECT_THAT(ProblemsWith("links { name: 'a' from { x: 1 y: 3 z: 1 } to { x: "
                           "15.5 z: 3 } }"),
              ElementsAre(HasSubstr("links[0].from: is farther")));
}

TEST(MeshCompilerTest, MeshesHaveFilesOfTheirOwn) {
  EXPECT_THAT(
      Problems(Manifest({"navigation {\nmeshes { name: 'a' file: 'a.mesh' }\n"
                         "meshes { name: 'b' file: 'a.mesh' }\n}\n"})),
      ElementsAre(HasSubstr("meshes[1].file: another mesh has 'a.mesh', too")));
}

TEST(MeshCompilerTest, NavigatorsOfMeshesAreChecked) {
  const auto problems = [](std::string_view navigator) {
    const std::string manifest = Manifest(
        {"navigation {", kRoomsMesh, "\n} }\ntypes { name: 'w' navigator { ",
         navigator, " } }\n"});
    return ProblemsOf(PackOf(manifest));
  };
  EXPECT_THAT(problems("space: 'house' speed: 1 heuristic: HEURISTIC_OCTILE"),
              ElementsAre(HasSubstr("heuristic: on a mesh there is")));
  EXPECT_THAT(problems("space: 'house' speed: 1 above_ground: 101"),
              ElementsAre(HasSubstr("above_ground: 101 is not")));
  EXPECT_THAT(problems("space: 'hous' speed: 1"),
              ElementsAre(HasSubstr("there is no grid, graph or mesh 'hous'")));
}

}  // namespace
}  // namespace reprise::sim
