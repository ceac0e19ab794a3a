// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in a pack is reported with its file, line and
// field, by manifests with one mistake each, and that the order of a manifest
// is nothing.

#include "sim/compiler/pack_compiler.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A pack without mistakes: two crates and a fixed floor.
constexpr std::string_view kFloorType = R"(
types {
  name: "floor"
  body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } }
}
)";
constexpr std::string_view kCrateType = R"(
types {
  name: "crate"
  body {
    motion: MOTION_DYNAMIC
    mass_kg: 1
    shapes { box { half_extents { x: 1 y: 1 z: 1 } } }
  }
}
)";
constexpr std::string_view kCrateA = R"(
objects { name: "crate_a" type: "crate" position { y: 3 } }
)";
constexpr std::string_view kCrateB = R"(
objects { name: "crate_b" type: "crate" position { y: 6 } }
)";

TEST(PackCompilerTest, PackWithoutMistakesCompiles) {
  EXPECT_THAT(Problems(Manifest({kFloorType, kCrateType, kCrateA, kCrateB})),
              ElementsAre());
}

TEST(PackCompilerTest, UnknownFieldIsReportedWithItsLine) {
  EXPECT_THAT(Problems("name: \"test\"\ncolour: 3\n"),
              ElementsAre(HasSubstr("pack.txtpb:2:")));
}

TEST(PackCompilerTest, ValueOfAnotherTypeIsReportedWithItsLine) {
  EXPECT_THAT(Problems("name: \"test\"\n\ntick_rate: \"fast\"\n"),
              ElementsAre(HasSubstr("pack.txtpb:3:12")));
}

TEST(PackCompilerTest, MissingManifestIsReported) {
  PackReport report;
  EXPECT_EQ(CompilePack(PackArchive(), 1, report), nullptr);
  EXPECT_THAT(FormatProblem(report.problems()[0]),
              "pack.txtpb: the pack has no such file");
}

TEST(PackCompilerTest, TwoObjectsOfOneNameAreReported) {
  EXPECT_THAT(Problems(Manifest({kCrateType, kCrateA, kCrateA})),
              ElementsAre(HasSubstr(
                  "objects[1].name: there are two objects 'crate_a'")));
}

TEST(PackCompilerTest, TwoTypesOfOneNameAreReported) {
  EXPECT_THAT(Problems(Manifest({kCrateType, kCrateType})),
              ElementsAre(HasSubstr("types[1].name: there are two types")));
}

TEST(PackCompilerTest, UnknownTypeIsReportedWithLineAndField) {
  EXPECT_THAT(
      Problems("name: \"test\"\nobjects {\n  name: \"a\"\n  type: \"b\"\n}\n"),
      ElementsAre("pack.txtpb:4:3: objects[0].type: there is no type or "
                  "archetype 'b'"));
}

TEST(PackCompilerTest, SeveralMistakesAreReportedAtOnce) {
  EXPECT_THAT(Problems("name: \"Test\"\ntick_rate: 5000\n"),
              ElementsAre(HasSubstr("pack.txtpb:1:1: name: 'Test'"),
                          HasSubstr("pack.txtpb:2:1: tick_rate: 5000")));
}

TEST(PackCompilerTest, MassesOutOfBoundsAreReported) {
  for (const char* mass : {"0", "-1", "nan", "inf", "1e30"}) {
    const std::string type = std::string(
                                 "types {\n name: \"t\"\n body {\n  motion: "
                                 "MOTION_DYNAMIC\n  mass_kg: ") +
                             mass +
                             "\n  shapes { sphere { radius: 1 } }\n }\n}\n";
    EXPECT_THAT(Problems(Manifest({type})),
                ElementsAre(HasSubstr("types[0].body.mass_kg")))
        << mass;
  }
}

TEST(PackCompilerTest, SizesOutOfBoundsAreReported) {
  for (const char* radius : {"0", "-1", "nan", "inf", "1e9"}) {
    const std::string type =
        std::string(
            "types { name: \"t\" body { motion: MOTION_FIXED shapes { "
            "sphere { radius: ") +
        radius + " } } } }\n";
    EXPECT_THAT(Problems(Manifest({type})),
                ElementsAre(HasSubstr("types[0].body.shapes[0].sphere.radius")))
        << radius;
  }
}

TEST(PackCompilerTest, PositionThatIsNotFiniteIsReported) {
  const std::string object =
      "objects { name: \"x\" type: \"crate\" position { x: nan } }";
  EXPECT_THAT(Problems(Manifest({kCrateType, object})),
              ElementsAre(HasSubstr("objects[0].position")));
}

TEST(PackCompilerTest, DynamicPlaneIsReported) {
  const std::string type =
      "types { name: \"t\" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { "
      "plane { normal { y: 1 } } } } }";
  EXPECT_THAT(Problems(Manifest({type})),
              ElementsAre(HasSubstr("a plane can't move")));
}

TEST(PackCompilerTest, JointToNothingAndToItselfAreReported) {
  const std::string nothing =
      "joints { name: \"j\" object_a: \"crate_z\" ball {} }";
  const std::string itself =
      "joints { name: \"j\" object_a: \"crate_a\" object_b: \"crate_a\" "
      "ball {} }";
  EXPECT_THAT(Problems(Manifest({kCrateType, kCrateA, nothing})),
              ElementsAre(HasSubstr("joints[0].object_a: there is no object")));
  EXPECT_THAT(Problems(Manifest({kCrateType, kCrateA, itself})),
              ElementsAre(HasSubstr("joints[0].object_b: is object_a")));
}

TEST(PackCompilerTest, GridBeyondTheLimitIsReported) {
  const std::string object =
      "objects { name: \"x\" type: \"crate\" grid { count_x: 4000000000 "
      "count_y: 4000000000 count_z: 4000000000 } }";
  EXPECT_FALSE(Problems(Manifest({kCrateType, object})).empty());
}

TEST(PackCompilerTest, GridOfBodiesInOnePlaceIsReported) {
  const auto problems = [](std::string_view grid) {
    return Problems(Manifest({kCrateType, "types { name: \"mark\" }\n",
                              "objects { name: \"x\" ", grid, " } }"}));
  };
  EXPECT_THAT(problems("type: \"crate\" grid { count_x: 10000"),
              ElementsAre(HasSubstr(
                  "objects[0].grid.spacing: 0 along x: 10000 bodies")));
  EXPECT_THAT(problems("type: \"crate\" grid { count_x: 2 count_z: 3 spacing { "
                       "x: 1 y: 1 }"),
              ElementsAre(HasSubstr("objects[0].grid.spacing: 0 along z")));
  EXPECT_THAT(problems("type: \"crate\" grid { count_x: 9 jitter { y: 4 }"),
              IsEmpty());
  EXPECT_THAT(problems("type: \"mark\" grid { count_x: 9"), IsEmpty());
}

TEST(PackCompilerTest, TooManyObjectsAreReportedWhereTheLimitIsPassed) {
  std::string objects;
  for (int i = 0; i < 6; ++i) {
    objects += fmt::format(
        "objects {{ name: \"m{}\" type: \"mark\" grid {{ count_x: 10000 }} "
        "}}\n",
        i);
  }
  const std::string_view type = "types { name: \"mark\" }\n";
  EXPECT_THAT(Problems(Manifest({type, objects})), IsEmpty());
  EXPECT_THAT(
      Problems(Manifest(
          {type, objects, "objects { name: \"one\" type: \"mark\" }"})),
      ElementsAre(AllOf(HasSubstr("pack.txtpb:9:"),
                        HasSubstr("objects[6].name: more than 60000"))));
}

TEST(PackCompilerTest, GravityThatNothingCanBearIsReported) {
  EXPECT_THAT(
      Problems(Manifest({"physics { gravity { y: -1e5 } }\n"})),
      ElementsAre(HasSubstr("pack.txtpb:2:21: physics.gravity.y: -100000 "
                            "is not within +-10000")));
}

TEST(PackCompilerTest, RollerWithoutItsActionIsReported) {
  const std::string type =
      "types { name: \"t\" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { "
      "sphere { radius: 1 } } } roller { action_x: \"x\" action_z: \"z\" "
      "force_n: 1 } }";
  EXPECT_THAT(Problems(Manifest({type})),
              ElementsAre(HasSubstr("no axis action 'x'"),
                          HasSubstr("no axis action 'z'")));
}

TEST(PackCompilerTest, OrderOfTheManifestIsNothing) {
  const auto digest = [](const std::string& manifest) {
    const auto world = CreateWorld(PackOf(manifest), 1);
    EXPECT_TRUE(world.ok()) << world.status();
    for (int tick = 0; tick < 50; ++tick) (*world)->Step({}, nullptr);
    return (*world)->state().ComputeRootDigest();
  };
  EXPECT_EQ(digest(Manifest({kFloorType, kCrateType, kCrateA, kCrateB})),
            digest(Manifest({kCrateB, kCrateA, kCrateType, kFloorType})));
}

TEST(PackCompilerTest, GridIsDrawnFromTheSeed) {
  const std::string manifest = Manifest(
      {kCrateType,
       "objects { name: \"x\" type: \"crate\" grid { count_x: 3 spacing { x: 3 "
       "} jitter { x: 0.5 } random_rotation: true } }"});
  const auto root = [&](uint64_t seed) {
    return (*CreateWorld(PackOf(manifest), seed))->state().ComputeRootDigest();
  };
  EXPECT_EQ(root(1), root(1));
  EXPECT_NE(root(1), root(2));
}

TEST(ManifestTest, SimulationIsReadFromAManifestWithFieldsOfItsOwn) {
  const PackArchive pack =
      PackOf("name: \"a\"\nsimulation: \"my_game\"\nsteps { width: 3 }\n");
  const auto simulation = SimulationOf(pack);
  ASSERT_TRUE(simulation.ok()) << simulation.status();
  EXPECT_EQ(*simulation, "my_game");
}

TEST(ManifestTest, NestingIsBounded) {
  std::string deep = "name: \"test\"\n";
  for (int i = 0; i < 100000; ++i) deep += "types { body { shapes {";
  PackReport report;
  EXPECT_EQ(ParseManifest(PackOf(deep), report), nullptr);
  EXPECT_FALSE(report.ok());
}

}  // namespace
}  // namespace reprise::sim
