// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a type inherits field by field: of messages within messages,
// lists, vectors, choices and messages of a program's systems, over several
// types, and what a whole pack makes of it.

#include "sim/compiler/type_inheritance.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/compiler/testing_packs.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

v1::Type TypeOf(const std::string& text) {
  v1::Type type;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &type))
      << text;
  return type;
}

// Expects what a type says over its base.
void ExpectComplete(const std::string& base, const std::string& own,
                    const std::string& expected) {
  const v1::Type complete = CompleteMessages(TypeOf(base), TypeOf(own));
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(
      complete, TypeOf(expected)))
      << complete.DebugString();
}

TEST(TypeInheritanceTest, WhatIsNotSetIsInherited) {
  ExpectComplete("body { motion: MOTION_DYNAMIC mass_kg: 2 friction: 0.5 }",
                 "name: \"t\" body { mass_kg: 3 }",
                 "name: \"t\" body { motion: MOTION_DYNAMIC mass_kg: 3 "
                 "friction: 0.5 }");
}

TEST(TypeInheritanceTest, NothingThatIsSetIsSomethingToo) {
  ExpectComplete("body { friction: 0.5 }", "body { friction: 0 }",
                 "body { friction: 0 }");
}

TEST(TypeInheritanceTest, AMessageThatIsNotSetStaysUnset) {
  ExpectComplete("body { mass_kg: 2 } character { speed: 3 }",
                 "character { mass_kg: 60 }",
                 "character { speed: 3 mass_kg: 60 }");
}

TEST(TypeInheritanceTest, MessagesWithinMessagesAreMerged) {
  ExpectComplete("character { speed: 3 control { player: 1 action_x: \"x\" } }",
                 "character { control { action_z: \"z\" } }",
                 "character { speed: 3 control { player: 1 action_x: \"x\" "
                 "action_z: \"z\" } }");
}

TEST(TypeInheritanceTest, ListsAreTakenAsAWhole) {
  ExpectComplete(
      "body { layers: \"a\" layers: \"b\" shapes { sphere { radius: 1 } } "
      "shapes { sphere { radius: 2 } } }",
      "body { shapes { box { half_extents { x: 1 } } } }",
      "body { layers: \"a\" layers: \"b\" shapes { box { half_extents { x: 1 } "
      "} } }");
}

TEST(TypeInheritanceTest, AMessageOfASystemOfTheProgramIsMerged) {
  const std::string kOwn = "[type.googleapis.com/reprise.v1.Body]";
  ExpectComplete(
      "systems { " + kOwn +
          " { mass_kg: 2 friction: 0.5 } } systems { "
          "[type.googleapis.com/reprise.v1.Goal] { reason: \"won\" } }",
      "systems { " + kOwn + " { mass_kg: 3 } }",
      "systems { " + kOwn + " { mass_kg: 3 friction: 0.5 } }");
}

TEST(TypeInheritanceTest, AVectorIsTakenAsAWhole) {
  const std::string kOwn = "[type.googleapis.com/reprise.v1.Physics]";
  ExpectComplete(
      "systems { " + kOwn + " { gravity { x: 1 y: 2 } substeps_per_tick: 3 } }",
      "systems { " + kOwn + " { gravity { z: 4 } } }",
      "systems { " + kOwn + " { gravity { z: 4 } substeps_per_tick: 3 } }");
}

TEST(TypeInheritanceTest, ATypeHandsOnWhatItInherits) {
  const v1::Type base = TypeOf(
      "body { mass_kg: 2 } goal { reason: \"won\" } components { component: "
      "\"tag\" } ");
  const v1::Type middle = CompleteType(
      base, CompleteMessages(base, TypeOf("body { friction: 1 }")));
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(
      middle,
      TypeOf("body { mass_kg: 2 friction: 1 } goal { reason: \"won\" }")))
      << middle.DebugString();
}

constexpr char kCrates[] = R"(
types { name: "crate" body { motion: MOTION_DYNAMIC mass_kg: 2 friction: 0.25 restitution: 0.5 shapes { sphere { radius: 1 } } } }
types { name: "stone" extends: "pebble" body { mass_kg: 8 } }
types { name: "pebble" extends: "crate" body { restitution: 0.125 shapes { box { half_extents { x: 1 y: 1 z: 1 } } } } }
objects { name: "crate" type: "crate" }
objects { name: "stone" type: "stone" position { x: 5 } }
)";

TEST(TypeInheritanceTest, BodiesOfAPackAreMergedOverSeveralTypes) {
  PackReport report;
  const auto world = CompilePack(PackOf(Manifest({kCrates})), 1, report);
  ASSERT_NE(world, nullptr) << report.ToStatus();
  const auto kind_of = [&](std::string_view name) {
    const TypeDefinition& type = world->types[*world->FindType(IdOf(name))];
    return world->physics.kinds[*type.body_kind];
  };
  EXPECT_EQ(kind_of("crate").mass_kg, 2.0);
  EXPECT_EQ(kind_of("stone").mass_kg, 8.0);
  EXPECT_EQ(kind_of("stone").friction, 0.25);
  EXPECT_EQ(kind_of("stone").restitution, 0.125);
  EXPECT_EQ(kind_of("stone").motion, Motion::kDynamic);
}

TEST(TypeInheritanceTest, AMistakeIsToldWhereItStands) {
  EXPECT_THAT(
      Problems(Manifest({kCrates,
                         "types { name: \"t\" extends: \"crate\" body "
                         "{ friction: 20 } }"})),
      ElementsAre(HasSubstr("types[3].body.friction: 20 is not in 0..10")));
}

TEST(TypeInheritanceTest, TypesBehindTooManyOthersStayAsTheyAre) {
  constexpr size_t kTypes = 50000;
  v1::Pack pack;
  for (size_t i = 0; i < kTypes; ++i) {
    v1::Type& type = *pack.add_types();
    type.set_name("t" + std::to_string(i));
    type.set_extends("t" + std::to_string(i + 1));
    type.mutable_body();
  }
  // The last one's base isn't there.
  pack.mutable_types(kTypes - 1)->mutable_body()->set_mass_kg(2.0);
  CompleteTypes(pack);
  const auto mass_behind = [&](size_t bases) {
    return pack.types(kTypes - 1 - bases).body().mass_kg();
  };
  EXPECT_EQ(mass_behind(1), 2.0);
  EXPECT_EQ(mass_behind(kBasesMax), 2.0);
  EXPECT_EQ(mass_behind(kBasesMax + 1), 0.0);
  EXPECT_EQ(mass_behind(kTypes - 1), 0.0);
}

TEST(TypeInheritanceTest, TypesOfARingAndThoseThatLeadThereStayAsTheyAre) {
  v1::Pack pack;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "types { name: \"into\" extends: \"a\" body {} } "
      "types { name: \"a\" extends: \"b\" body { mass_kg: 2 } } "
      "types { name: \"b\" extends: \"a\" body {} }",
      &pack));
  const std::string before = pack.SerializeAsString();
  CompleteTypes(pack);
  EXPECT_EQ(pack.SerializeAsString(), before);
}

TEST(TypeInheritanceTest, ArchetypesCanStandInAnyOrder) {
  EXPECT_THAT(Problems(Manifest({R"(
components { name: "health" properties { name: "points" type: TYPE_INTEGER } }
types { name: "orc" components { component: "health" } }
archetypes { name: "c" of: "b" }
archetypes { name: "b" of: "a" set { property: "health.points" to: "3" } }
archetypes { name: "a" of: "orc" set { property: "health.points" to: "2" } }
)"})),
              IsEmpty());
}

}  // namespace
}  // namespace reprise::sim
