// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in a shape, a material or a collision layer is
// reported with its place; what density, locks and layers make of bodies; and
// that the order of declarations is nothing.

#include "sim/compiler/bodies/body_compiler.h"

#include <memory>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A type with a body of the given motion, fields and shapes.
std::string TypeOf(const std::string& motion, const std::string& fields) {
  return fmt::format(
      "types {{ name: \"t\" body {{ motion: MOTION_{} {} }} }}\n", motion,
      fields);
}

std::vector<std::string> ProblemsOf(const std::string& motion,
                                    const std::string& fields) {
  return Problems(Manifest({TypeOf(motion, fields)}));
}

// The physics of a pack without mistakes.
PhysicsDefinition PhysicsOf(const PackArchive& pack) {
  PackReport report;
  const auto world = CompilePack(pack, 1, report);
  EXPECT_TRUE(report.ok()) << report.ToStatus();
  return world == nullptr ? PhysicsDefinition() : world->physics;
}

PhysicsDefinition PhysicsOf(const std::string& parts) {
  return PhysicsOf(PackOf(Manifest({parts})));
}

constexpr std::string_view kTetrahedron =
    "points {} points { x: 1 } points { y: 1 } points { z: 1 }";
constexpr std::string_view kTriangle =
    "vertices {} vertices { x: 1 } vertices { z: 1 }";
constexpr std::string_view kField =
    "columns: 2 rows: 2 cell_size: 1 heights: [0, 0, 1, 0]";

std::string Hull(std::string_view fields) {
  return fmt::format("shapes {{ hull {{ {} }} }}", fields);
}
std::string Mesh(std::string_view fields) {
  return fmt::format("shapes {{ mesh {{ {} }} }}", fields);
}
std::string Field(std::string_view fields) {
  return fmt::format("shapes {{ height_field {{ {} }} }}", fields);
}

TEST(BodyCompilerTest, EveryShapeCompiles) {
  EXPECT_THAT(ProblemsOf("DYNAMIC", fmt::format("mass_kg: 1 shapes {{ cone {{ "
                                                "radius: 1 height: 2 }} }} {}",
                                                Hull(kTetrahedron))),
              IsEmpty());
  EXPECT_THAT(ProblemsOf("KINEMATIC",
                         Mesh(fmt::format("{} indices: [0, 1, 2]", kTriangle))),
              IsEmpty());
  EXPECT_THAT(ProblemsOf("FIXED", Field(kField)), IsEmpty());
}

TEST(BodyCompilerTest, BadHullsAreReported) {
  for (const char* points :
       {"", "points {} points { x: 1 } points { y: 1 }",
        "points {} points { x: 1 } points { y: 1 } points { x: 1 y: 1 }",
        "points {} points { x: 1 } points { x: 2 } points { x: 3 }",
        "points {} points {} points {} points {} points {}",
        "points {} points {} points {} points { y: 1e9 } points { z: nan }"}) {
    EXPECT_THAT(ProblemsOf("FIXED", Hull(points)),
                ElementsAre(HasSubstr("types[0].body.shapes[0].hull.points")))
        << points;
  }
}

TEST(BodyCompilerTest, BadPointsAreToldByTheirCoordinate) {
  EXPECT_THAT(
      ProblemsOf("FIXED", Hull("points {} points { x: 1 } points { y: 1 } "
                               "points { z: nan } points { x: 1e9 }")),
      ElementsAre(HasSubstr("hull.points[3].z: nan is not within")));
  EXPECT_THAT(ProblemsOf("FIXED", Mesh("vertices {} vertices { x: 1 } "
                                       "vertices { z: inf } indices: [0, 1, "
                                       "2]")),
              ElementsAre(HasSubstr("mesh.vertices[2].z: vertex 2: inf")));
  EXPECT_THAT(ProblemsOf("FIXED", Mesh("vertices {} vertices { x: 1 } "
                                       "vertices { z: 1 } indices: [0, 1, 3]")),
              ElementsAre(HasSubstr("mesh.indices: triangle 0: ")));
}

TEST(BodyCompilerTest, BadMeshesAreReported) {
  for (const char* fields :
       {"", "indices: [0, 1, 2]", "vertices {} indices: [0, 0, 0]",
        "vertices {} vertices { x: 1 } vertices { x: 2 } indices: [0, 1, 2]"}) {
    EXPECT_THAT(ProblemsOf("FIXED", Mesh(fields)),
                ElementsAre(HasSubstr("types[0].body.shapes[0].mesh.")))
        << fields;
  }
  EXPECT_THAT(ProblemsOf("FIXED", Mesh(fmt::format("{} indices: [0, 1, 2, 0]",
                                                   kTriangle))),
              ElementsAre(HasSubstr("shapes[0].mesh.indices")));
}

// A tetrahedron of kTetrahedron's corners, its first faces as given.
std::string ClosedMesh(std::string_view indices) {
  return Mesh(
      fmt::format("vertices {{}} vertices {{ x: 1 }} vertices {{ y: 1 "
                  "}} vertices {{ z: 1 }} closed: true indices: [{}]",
                  indices));
}

TEST(BodyCompilerTest, ClosedMeshesAreClosed) {
  constexpr std::string_view kAll = "0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3";
  EXPECT_THAT(ProblemsOf("FIXED", ClosedMesh(kAll)), IsEmpty());
  EXPECT_TRUE(std::get<MeshShape>(
                  PhysicsOf(TypeOf("FIXED", ClosedMesh(kAll))).shapes[0])
                  .is_closed);
  const struct {
    std::string_view indices;
    const char* problem;
  } cases[] = {
      {"0, 2, 1, 0, 1, 3, 0, 3, 2",
       "the edge from vertex 1 (1, 0, 0) to vertex 2 (0, 1, 0) is of 1 "
       "triangle, not of two"},
      {"0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 3, 2",
       "the edge from vertex 1 (1, 0, 0) to vertex 2 (0, 1, 0) is of the "
       "triangles 0 and 3, which look to different sides"},
      {"0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 0, 1, 2",
       "the edge from vertex 0 (0, 0, 0) to vertex 1 (1, 0, 0) is of 3 "
       "triangles, not of two"},
      {"0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2",
       "its triangles look inwards: what they enclose has a volume of "
       "-0.166667 m^3"}};
  for (const auto& [indices, problem] : cases) {
    EXPECT_THAT(
        ProblemsOf("FIXED", ClosedMesh(indices)),
        ElementsAre(AllOf(HasSubstr("types[0].body.shapes[0].mesh.closed"),
                          HasSubstr(problem))));
  }
}

TEST(BodyCompilerTest, AFilesOpenEdgeIsReportedByItsLines) {
  PackArchive pack = PackOf(Manifest({TypeOf(
      "FIXED", "shapes { mesh { file: \"rock.obj\" closed: true } }")}));
  ASSERT_TRUE(pack.Add("rock.obj",
                       "# a rock\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                       "f 1 3 2\nf 1 2 4\nf 1 4 3\n")
                  .ok());
  PackReport report;
  EXPECT_EQ(CompilePack(pack, 1, report), nullptr);
  EXPECT_THAT(report.ToStatus().message(),
              AllOf(HasSubstr("mesh.closed"),
                    HasSubstr("rock.obj: lines 3 and 4: the edge from")));
}

TEST(BodyCompilerTest, BadHeightFieldsAreReported) {
  const struct {
    const char* fields;
    const char* place;
  } cases[] = {
      {"columns: 1 rows: 2 cell_size: 1 heights: [0, 0]", "columns"},
      {"columns: 2 rows: 2000 cell_size: 1", "rows"},
      {"columns: 2 rows: 2 heights: [0, 0, 0, 0]", "cell_size"},
      {"columns: 2 rows: 2 cell_size: 1 heights: [0, 0, 0]", "heights"},
      {"columns: 2 rows: 2 cell_size: 1 heights: [0, 0, 0, nan]", "heights"}};
  for (const auto& [fields, place] : cases) {
    EXPECT_THAT(ProblemsOf("FIXED", Field(fields)),
                Contains(HasSubstr(fmt::format(
                    "types[0].body.shapes[0].height_field.{}", place))))
        << fields;
  }
}

TEST(BodyCompilerTest, SurfacesOnBodiesThatCantHaveThemAreReported) {
  const std::string mesh =
      Mesh(fmt::format("{} indices: [0, 1, 2]", kTriangle));
  for (const char* motion : {"DYNAMIC", "TRIGGER"}) {
    const std::string mass = motion[0] == 'D' ? "mass_kg: 1 " : "";
    EXPECT_THAT(ProblemsOf(motion, mass + mesh),
                ElementsAre(HasSubstr("types[0].body.motion")));
    EXPECT_THAT(ProblemsOf(motion, mass + Field(kField)),
                ElementsAre(HasSubstr("types[0].body.motion")));
  }
  EXPECT_THAT(ProblemsOf("KINEMATIC", Field(kField)),
              ElementsAre(HasSubstr("types[0].body.motion")));
  EXPECT_THAT(ProblemsOf("FIXED", mesh + mesh),
              ElementsAre(HasSubstr("shapes[0].mesh: a mesh stands alone"),
                          HasSubstr("shapes[1].mesh: a mesh stands alone")));
}

TEST(BodyCompilerTest, MeshComesFromAFileOfThePack) {
  PackArchive pack =
      PackOf(Manifest({TypeOf("FIXED", Mesh("file: \"ramp.obj\""))}));
  ASSERT_TRUE(
      pack.Add("ramp.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n").ok());
  const PhysicsDefinition physics = PhysicsOf(pack);
  ASSERT_EQ(physics.shapes.size(), 1u);
  EXPECT_EQ(PrimitiveCount(physics.shapes[0]), 1u);
}

TEST(BodyCompilerTest, BadMeshFilesAreReportedWithTheirLine) {
  PackArchive pack =
      PackOf(Manifest({TypeOf("FIXED", Mesh("file: \"ramp.obj\""))}));
  ASSERT_TRUE(pack.Add("ramp.obj", "v 0 0 0\nf 1 2 3\n").ok());
  PackReport report;
  EXPECT_EQ(CompilePack(pack, 1, report), nullptr);
  EXPECT_THAT(FormatProblem(report.problems()[0]),
              HasSubstr("mesh.file: ramp.obj: line 2"));
  EXPECT_THAT(ProblemsOf("FIXED", Mesh("file: \"no.obj\"")),
              Contains(HasSubstr("there is no file 'no.obj'")));
}

TEST(BodyCompilerTest, WhatNoMeshCanHaveIsReportedWithItsLineInTheFile) {
  const struct {
    const char* file;
    const char* problem;
  } cases[] = {
      {"v 0 0 0\n# far\nv 1e30 0 0\nv 0 0 1\nf 1 2 3\n",
       "mesh.file: ramp.obj: line 3: vertex 1: 1e+30 is not within"},
      {"v 0 0 0\nv 1 nan 0\nv 0 0 1\nf 1 2 3\n",
       "mesh.file: ramp.obj: line 2: vertex 1: nan"},
      {"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n\nf 1 2 2\n",
       "mesh.file: ramp.obj: line 6: triangle 1 is degenerate"},
      {"v 0 0 0\n", "mesh.file: ramp.obj: 1 vertices and 0 triangles"},
      {"v 0 0 0\nf 1 2 3\n", "mesh.file: ramp.obj: line 2"},
  };
  for (const auto& [file, problem] : cases) {
    PackArchive pack =
        PackOf(Manifest({TypeOf("FIXED", Mesh("file: \"ramp.obj\""))}));
    ASSERT_TRUE(pack.Add("ramp.obj", file).ok());
    PackReport report;
    EXPECT_EQ(CompilePack(pack, 1, report), nullptr);
    ASSERT_EQ(report.problems().size(), 1u);
    EXPECT_THAT(FormatProblem(report.problems()[0]), HasSubstr(problem));
  }
}

TEST(BodyCompilerTest, ShapesTooFarFromTheirBodyAreReported) {
  for (const char* position : {"x: 1e5", "y: -1e8"}) {
    EXPECT_THAT(
        ProblemsOf("FIXED", fmt::format("shapes {{ sphere {{ radius: 1 }} "
                                        "position {{ {} }} }}",
                                        position)),
        ElementsAre(AllOf(HasSubstr("pack.txtpb:2:"),
                          HasSubstr("types[0].body.shapes[0].position"),
                          HasSubstr("is not within +-10000"))));
  }
  EXPECT_THAT(ProblemsOf("FIXED",
                         "shapes { plane { normal { y: 2 } } position "
                         "{ y: -1e8 } }"),
              ElementsAre(HasSubstr("shapes[0].position: the plane is "
                                    "100000000 m from")));
  // A plane goes on for ever: along it any point is one of it.
  EXPECT_THAT(ProblemsOf("FIXED",
                         "shapes { plane { normal { y: 2 } } position "
                         "{ x: 1e8 } }"),
              IsEmpty());
}

constexpr std::string_view kBall = "shapes { sphere { radius: 0.5 } }";

TEST(BodyCompilerTest, MaterialsMistakesAreReported) {
  EXPECT_THAT(ProblemsOf("FIXED", fmt::format("material: \"ice\" {}", kBall)),
              ElementsAre(HasSubstr("types[0].body.material")));
  EXPECT_THAT(Problems(Manifest({"materials { name: \"a\" friction: -1 }\n"
                                 "materials { name: \"a\" density: nan }"})),
              ElementsAre(HasSubstr("materials[0].friction"),
                          HasSubstr("materials[1].density"),
                          HasSubstr("materials[1].name")));
}

// The body says none of these.
TEST(BodyCompilerTest, AMaterialsMistakesAreNotThoseOfItsBodies) {
  for (const char* mistake :
       {"friction: -1", "rolling_friction: nan", "restitution: 2",
        "density: -1", "density: 1e30", "density: nan"}) {
    const std::string material =
        fmt::format("materials {{ name: \"bad\" {} }}\n", mistake);
    const std::string mass = mistake[0] == 'd' ? "" : "mass_kg: 1";
    const std::string body =
        fmt::format("material: \"bad\" {} {}", mass, kBall);
    EXPECT_THAT(Problems(Manifest({material, TypeOf("DYNAMIC", body)})),
                ElementsAre(HasSubstr("materials[0].")))
        << mistake;
  }
}

TEST(BodyCompilerTest, MassIsDensityTimesVolumeUnlessTheBodySaysIt) {
  const std::string material = "materials { name: \"oak\" density: 700 }\n";
  const std::string shape =
      "material: \"oak\" shapes { box { half_extents { x: 1 y: 1 z: 1 } } }";
  EXPECT_EQ(PhysicsOf(material + TypeOf("DYNAMIC", shape)).kinds[0].mass_kg,
            5600.0);
  EXPECT_EQ(PhysicsOf(material + TypeOf("DYNAMIC", "mass_kg: 3 " + shape))
                .kinds[0]
                .mass_kg,
            3.0);
}

TEST(BodyCompilerTest, ADynamicBodyWithoutMassAndDensityIsToldWhatItNeeds) {
  const auto needs = ElementsAre(
      HasSubstr("types[0].body.mass_kg: a dynamic body needs one, or a "
                "material with a density"));
  EXPECT_THAT(ProblemsOf("DYNAMIC", std::string(kBall)), needs);
  EXPECT_THAT(
      Problems(Manifest(
          {"materials { name: \"air\" friction: 1 }\n",
           TypeOf("DYNAMIC", fmt::format("material: \"air\" {}", kBall))})),
      needs);
}

TEST(BodyCompilerTest, WhatTheBodySaysComesInThePlaceOfTheMaterials) {
  const PhysicsDefinition physics = PhysicsOf(
      "materials { name: \"rubber\" friction: 2 restitution: 0.8 "
      "restitution_rule: COMBINATION_RULE_MAXIMUM }\n" +
      TypeOf("FIXED",
             fmt::format("material: \"rubber\" restitution: 0.1 {}", kBall)));
  EXPECT_EQ(physics.kinds[0].friction, 2.0);
  EXPECT_EQ(physics.kinds[0].restitution, 0.1);
  EXPECT_EQ(physics.kinds[0].restitution_rule, CombinationRule::kMaximum);
}

TEST(BodyCompilerTest, LocksGravityAndContinuityAreTakenOver) {
  const BodyKind kind =
      PhysicsOf(TypeOf("DYNAMIC",
                       fmt::format("mass_kg: 1 gravity_scale: 0 continuous: "
                                   "true locked_position {{ z: true }} "
                                   "locked_rotation {{ x: true }} {}",
                                   kBall)))
          .kinds[0];
  EXPECT_EQ(kind.gravity_scale, 0.0);
  EXPECT_TRUE(kind.is_continuous);
  EXPECT_TRUE(kind.locked_position.z && !kind.locked_position.x);
  EXPECT_TRUE(kind.locked_rotation.x && !kind.locked_rotation.y);
}

TEST(BodyCompilerTest, ContinuousBodiesThatCantBeAreReported) {
  EXPECT_THAT(ProblemsOf("FIXED", fmt::format("continuous: true {}", kBall)),
              ElementsAre(HasSubstr("types[0].body.continuous")));
}

TEST(BodyCompilerTest, WhatABodyLeavesUnsetOfSleepIsAsThePackSays) {
  const std::string fields = fmt::format(
      "mass_kg: 1 sleep {{ never: false linear_speed: 0.2 }} {}", kBall);
  const SleepRule rule =
      PhysicsOf(
          "physics { sleep { never: true angular_speed: 0 seconds: 5 } }" +
          TypeOf("DYNAMIC", fields))
          .kinds[0]
          .sleep;
  EXPECT_FALSE(rule.never);
  EXPECT_EQ(rule.linear_speed_m_s, 0.2);
  EXPECT_EQ(rule.angular_speed_rad_s, 0.0);
  EXPECT_EQ(rule.seconds, 5.0);
}

TEST(BodyCompilerTest, WhereNobodySaysItSleepIsAsItWas) {
  for (const SleepRule& rule :
       {PhysicsOf(TypeOf("DYNAMIC", fmt::format("mass_kg: 1 {}", kBall)))
            .kinds[0]
            .sleep,
        // What the game moves sleeps as ever.
        PhysicsOf("physics { sleep { never: true seconds: 1 } }" +
                  TypeOf("KINEMATIC", std::string(kBall)))
            .kinds[0]
            .sleep}) {
    EXPECT_FALSE(rule.never);
    EXPECT_EQ(rule.linear_speed_m_s, 0.05);
    EXPECT_EQ(rule.angular_speed_rad_s, 0.1);
    EXPECT_EQ(rule.seconds, 2.0);
  }
}

TEST(BodyCompilerTest, BadSleepIsReported) {
  for (const char* const field : {"linear_speed", "angular_speed", "seconds"}) {
    for (const char* const value : {"-0.1", "nan", "inf", "3600.5"}) {
      const std::string sleep = fmt::format("sleep {{ {}: {} }}", field, value);
      EXPECT_THAT(
          ProblemsOf("DYNAMIC", fmt::format("mass_kg: 1 {} {}", sleep, kBall)),
          ElementsAre(HasSubstr(fmt::format("types[0].body.sleep.{}", field))))
          << value;
      EXPECT_THAT(
          Problems(Manifest({fmt::format("physics {{ {} }}", sleep)})),
          ElementsAre(HasSubstr(fmt::format("physics.sleep.{}", field))))
          << value;
    }
  }
  EXPECT_THAT(ProblemsOf("KINEMATIC", fmt::format("sleep {{}} {}", kBall)),
              ElementsAre(HasSubstr("types[0].body.sleep: only a dynamic")));
}

constexpr std::string_view kLayers =
    "collision_layers { name: \"walls\" collides_with: \"default\" }\n"
    "collision_layers { name: \"hits\" collides_with: \"shots\" }\n"
    "collision_layers { name: \"shots\" }\n";

TEST(BodyCompilerTest, LayersMeetWhenEitherNamesTheOther) {
  const PhysicsDefinition physics = PhysicsOf(fmt::format(
      "{}"
      "types {{ name: \"a\" body {{ motion: MOTION_FIXED layers: \"walls\" {} "
      "}} }}\n"
      "types {{ name: \"b\" body {{ motion: MOTION_FIXED {} shapes {{ sphere "
      "{{ "
      "radius: 1 }} layers: \"hits\" }} }} }}\n"
      "types {{ name: \"c\" body {{ motion: MOTION_FIXED layers: \"shots\" {} "
      "}} }}\n",
      kLayers, kBall, kBall, kBall));
  const auto filter = [&](int kind, uint32_t primitive) {
    return FilterOf(physics.kinds[kind],
                    physics.shapes[physics.kinds[kind].shape], primitive);
  };
  // Walls hold what is on no layer; shots meet hits, and nothing else.
  EXPECT_TRUE(CanMeet(filter(0, 0), filter(1, 0)));
  EXPECT_FALSE(CanMeet(filter(0, 0), filter(1, 1)));
  EXPECT_FALSE(CanMeet(filter(2, 0), filter(0, 0)));
  EXPECT_FALSE(CanMeet(filter(2, 0), filter(1, 0)));
  EXPECT_TRUE(CanMeet(filter(2, 0), filter(1, 1)));
  EXPECT_FALSE(CanMeet(filter(2, 0), filter(2, 0)));
  EXPECT_TRUE(CanMeet(filter(1, 0), filter(1, 0)));
}

TEST(BodyCompilerTest, LayersMistakesAreReported) {
  EXPECT_THAT(ProblemsOf("FIXED", fmt::format("layers: \"sky\" {}", kBall)),
              ElementsAre(HasSubstr("types[0].body.layers")));
  EXPECT_THAT(
      Problems(Manifest({"collision_layers { name: \"a\" collides_with: \"b\" }"
                         "\ncollision_layers { name: \"a\" }"})),
      ElementsAre(HasSubstr("collision_layers[1].name"),
                  HasSubstr("collision_layers[0].collides_with")));
  std::string many;
  for (int i = 0; i < 32; ++i) {
    many += fmt::format("collision_layers {{ name: \"layer_{}\" }}\n", i);
  }
  EXPECT_THAT(Problems(Manifest({many})),
              ElementsAre(HasSubstr("collision_layers: 32 layers")));
}

TEST(BodyCompilerTest, OrderOfDeclarationsIsNothing) {
  const std::vector<std::string> parts = {
      "materials { name: \"a\" friction: 0.9 density: 500 }\n",
      "materials { name: \"b\" friction: 0.1 friction_rule: "
      "COMBINATION_RULE_MINIMUM }\n",
      "collision_layers { name: \"x\" collides_with: \"y\" }\n",
      "collision_layers { name: \"y\" collides_with: \"default\" }\n",
      "types { name: \"ground\" body { motion: MOTION_FIXED material: \"b\" "
      "layers: \"y\" " +
          Field(kField) + " } }\n",
      "types { name: \"rock\" body { motion: MOTION_DYNAMIC material: \"a\" "
      "layers: \"x\" " +
          Hull(kTetrahedron) + " } }\n",
      "objects { name: \"ground\" type: \"ground\" }\n",
      "objects { name: \"rock\" type: \"rock\" position { y: 2 } }\n"};
  std::string forwards;
  std::string backwards;
  for (const std::string& part : parts) {
    forwards += part;
    backwards = part + backwards;
  }
  const auto one = WorldOf(Manifest({forwards}));
  const auto two = WorldOf(Manifest({backwards}));
  for (int tick = 0; tick < 200; ++tick) {
    one->Step({}, nullptr);
    two->Step({}, nullptr);
    ASSERT_EQ(one->state().ComputeRootDigest(),
              two->state().ComputeRootDigest())
        << "tick " << tick;
  }
}

}  // namespace
}  // namespace reprise::sim
