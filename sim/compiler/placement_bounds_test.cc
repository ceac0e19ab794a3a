// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that whatever brings a body into the world beyond the bounds of
// physics is refused with file, line and field, however late it comes.

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kTypes = R"(
types { name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } } }
types { name: "mark" }
types { name: "nest" components { component: "spawner" set { property: "archetype" value { text: "ball" } } } behaviours { behaviour: "spawn" } }
chunk_plan { chunks { name: "west" } }
)";

testing::Matcher<std::string> Refuses(std::string_view field) {
  return AllOf(HasSubstr("pack.txtpb:8"), HasSubstr(field),
               HasSubstr("is not within +-"));
}

// The problems of one object.
std::vector<std::string> ProblemsOf(std::string_view object) {
  return Problems(
      Manifest({kTypes, "\nobjects { name: \"it\" ", object, " }"}));
}

TEST(PlacementBoundsTest, BodiesWithinThemAreFine) {
  EXPECT_THAT(ProblemsOf("type: \"ball\" position { x: -1e6 } "
                         "linear_velocity { y: 1e4 }"),
              IsEmpty());
}

TEST(PlacementBoundsTest, BodiesOfTickZeroAreRefused) {
  EXPECT_THAT(ProblemsOf("type: \"ball\" position { y: -2e6 }"),
              ElementsAre(Refuses("objects[0].position: 2000000 m ('it')")));
}

TEST(PlacementBoundsTest, DormantBodiesAreRefused) {
  EXPECT_THAT(ProblemsOf("type: \"ball\" dormant: true position { y: -2e6 }"),
              ElementsAre(Refuses("objects[0].position")));
}

TEST(PlacementBoundsTest, BodiesOfChunksAreRefused) {
  EXPECT_THAT(ProblemsOf("type: \"ball\" chunk: \"west\" position { y: -2e6 }"),
              ElementsAre(Refuses("objects[0].position")));
}

TEST(PlacementBoundsTest, SpawnersAreRefused) {
  EXPECT_THAT(ProblemsOf("type: \"nest\" position { y: -2e6 }"),
              ElementsAre(Refuses("objects[0].position")));
}

TEST(PlacementBoundsTest, OneOfManyCopiesIsNamed) {
  EXPECT_THAT(ProblemsOf("type: \"ball\" grid { count_x: 9 spacing { x: 3e5 } "
                         "}"),
              ElementsAre(Refuses("objects[0].position: 1200000 m ('it_4')")));
}

TEST(PlacementBoundsTest, VelocitiesAreRefused) {
  EXPECT_THAT(
      ProblemsOf("type: \"ball\" dormant: true linear_velocity { x: 2e4 "
                 "} angular_velocity_degrees { z: 1e6 }"),
      ElementsAre(Refuses("objects[0].linear_velocity"),
                  Refuses("objects[0].angular_velocity_degrees")));
}

TEST(PlacementBoundsTest, ObjectsWithoutABodyMayBeAnywhere) {
  EXPECT_THAT(ProblemsOf("type: \"mark\" position { y: -2e6 }"), IsEmpty());
}

TEST(PlacementBoundsTest, DebrisAndBonesAreRefused) {
  EXPECT_THAT(
      Problems(Manifest(
          {kTypes,
           "types { name: \"vase\" body { motion: MOTION_DYNAMIC mass_kg: 1 "
           "shapes { "
           "sphere { radius: 1 } } } destructible { health: 1 debris { "
           "archetype: \"ball\" position { x: 2e6 } velocity { y: 2e4 } } } "
           "}"})),
      ElementsAre(HasSubstr("debris[0].position.x: 2000000 is not within"),
                  HasSubstr("debris[0].velocity.y: 20000 is not within")));
}

}  // namespace
}  // namespace reprise::sim
