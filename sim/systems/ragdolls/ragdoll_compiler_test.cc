// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that ragdolls of a manifest become what it says, and that every
// mistake in them is reported at its place.

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/ragdolls/ragdoll_definition.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kScene = R"(
types { name: "wall" body { motion: MOTION_FIXED shapes { sphere { radius: 1 } } } }
types { name: "crate" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } } }
types { name: "mark" }
objects { name: "wall_a" type: "wall" }
objects { name: "wall_b" type: "wall" position { x: 5 } }
objects { name: "crate_a" type: "crate" position { y: 3 } }
objects { name: "crate_b" type: "crate" position { x: 5 y: 3 } }
objects { name: "mark" type: "mark" }
)";

// A type that falls into two crates, with `more` in its ragdoll.
std::string WithRagdoll(std::string_view more) {
  return Manifest(
      {kScene,
       "types { name: \"walker\" extends: \"crate\" ragdoll { bones { name: "
       "\"chest\" type: \"crate\" position { y: 2 } } bones { name: \"hip\" "
       "type: \"crate\" } ",
       more, " } }\n"});
}

TEST(RagdollCompilerTest, BonesAndJointsAreCompiledAndInherited) {
  PackReport report;
  const auto world = CompilePack(
      PackOf(WithRagdoll("joints { name: \"waist\" object_a: \"chest\" "
                         "object_b: \"hip\" anchor { y: 1 } ball {} }") +
             "types { name: \"runner\" extends: \"walker\" }"),
      1, report);
  ASSERT_NE(world, nullptr) << report.ToStatus();
  for (const std::string_view name : {"walker", "runner"}) {
    const TypeDefinition& type = world->types[*world->FindType(IdOf(name))];
    const auto* const ragdoll = type.parts.Find<RagdollDefinition>();
    ASSERT_NE(ragdoll, nullptr) << name;
    EXPECT_EQ(ragdoll->bones[1].name, IdOf("walker.hip"));
    EXPECT_EQ(ragdoll->joints[0].bone_b, 1u);
  }
  ASSERT_EQ(world->physics.joint_templates.size(), 1u);
  const JointDefinition& waist = world->physics.joint_templates[0];
  EXPECT_EQ(waist.name, IdOf("walker.waist"));
  EXPECT_EQ(waist.frame_a.position, (Vector3{0.0, -1.0, 0.0}));
  EXPECT_EQ(waist.frame_b.position, (Vector3{0.0, 1.0, 0.0}));
  EXPECT_EQ(world->names.NameOf(waist.name), "walker.waist");
}

struct BadRagdoll {
  std::string name;
  std::string more;
  std::string problem;
};

class BadRagdollTest : public testing::TestWithParam<BadRagdoll> {};

TEST_P(BadRagdollTest, IsReportedAtItsPlace) {
  EXPECT_THAT(Problems(WithRagdoll(GetParam().more)),
              ElementsAre(HasSubstr(GetParam().problem)));
}

INSTANTIATE_TEST_SUITE_P(
    Ragdolls, BadRagdollTest,
    testing::Values(
        BadRagdoll{"SameBoneTwice", "bones { name: \"hip\" type: \"crate\" }",
                   "ragdoll.bones[2].name: 'hip' stands there twice"},
        BadRagdoll{"BoneOfNoType", "bones { name: \"arm\" type: \"x\" }",
                   "ragdoll.bones[2].type: there is no type"},
        BadRagdoll{"BoneThatNeverMoves",
                   "bones { name: \"arm\" type: \"wall\" }",
                   "ragdoll.bones[2].type: 'wall' has no dynamic body"},
        BadRagdoll{"BoneThatFallsApart",
                   "bones { name: \"arm\" type: \"walker\" }",
                   "ragdoll.bones[2].type: 'walker' has a ragdoll itself"},
        BadRagdoll{"BoneWithANanPlace",
                   "bones { name: \"arm\" type: \"crate\" position { z: nan } "
                   "}",
                   "ragdoll.bones[2].position.z: nan"},
        BadRagdoll{"JointToNoBone",
                   "joints { name: \"j\" object_a: \"hip\" object_b: \"x\" "
                   "ball {} }",
                   "ragdoll.joints[0].object_b: there is no bone 'x'"},
        BadRagdoll{"JointToItself",
                   "joints { name: \"j\" object_a: \"hip\" object_b: \"hip\" "
                   "ball {} }",
                   "ragdoll.joints[0].object_b: is object_a"}),
    [](const auto& info) { return info.param.name; });

TEST(RagdollCompilerTest, RagdollWithoutABodyOrBonesIsReported) {
  EXPECT_THAT(
      Problems(Manifest({"types { name: \"ghost\" ragdoll {} }"})),
      ElementsAre(HasSubstr("types[0].ragdoll: needs a body"),
                  HasSubstr("types[0].ragdoll.bones: 0 is not in 1..64")));
}

}  // namespace
}  // namespace reprise::sim
