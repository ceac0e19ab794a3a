// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what characters can't live with is refused with its place in the
// manifest: each test changes one field of a type that is in order.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kBegin = R"(
players { actions { name: "a" axis: 0 } actions { name: "b" button: 0 } }
)";

// A type of a character on line 5 with some fields of it and of its capsule
// instead of the usual ones.
std::string Walker(std::string_view fields,
                   std::string_view capsule = "radius: 0.3 half_length: 0.6",
                   std::string_view motion = "MOTION_KINEMATIC",
                   std::string_view place = "") {
  return Manifest(
      {kBegin, fmt::format("types {{ name: \"walker\" body {{ motion: {} "
                           "shapes {{ capsule {{ {} }} {} }} }}\n"
                           "  character {{ {} }} }}\n",
                           motion, capsule, place, fields)});
}

TEST(CharacterCompilerTest, CharacterInOrderHasNoProblems) {
  EXPECT_THAT(Problems(Walker("speed: 3 acceleration: 30")), IsEmpty());
  EXPECT_THAT(
      Problems(Walker("speed: 3 acceleration: 30 control { action_x: \"a\" "
                      "action_z: \"a\" action_jump: \"b\" }")),
      IsEmpty());
}

TEST(CharacterCompilerTest, MistakesOfCharactersHaveTheirPlace) {
  struct Case {
    std::string_view fields;
    std::string_view problem;
  };
  for (const Case& each : std::vector<Case>{
           {"speed: 0 acceleration: 1", "character.speed"},
           {"speed: nan acceleration: 1", "character.speed"},
           {"speed: -1 acceleration: 1", "character.speed"},
           {"speed: 1001 acceleration: 1", "character.speed"},
           {"speed: inf acceleration: 1", "character.speed"},
           {"speed: 1", "character.acceleration"},
           {"speed: 1 acceleration: 1 air_acceleration: -1",
            "character.air_acceleration"},
           {"speed: 1 acceleration: 1 jump_speed: nan", "character.jump_speed"},
           {"speed: 1 acceleration: 1 step_height: -0.1",
            "character.step_height"},
           {"speed: 1 acceleration: 1 step_height: 2", "character"},
           {"speed: 1 acceleration: 1 slope_max_degrees: 81",
            "character.slope_max_degrees"},
           {"speed: 1 acceleration: 1 slope_max_degrees: nan",
            "character.slope_max_degrees"},
           {"speed: 1 acceleration: 1 fall_speed_max: -1",
            "character.fall_speed_max"},
           {"speed: 1 acceleration: 1 mass_kg: 1e10", "character.mass_kg"},
           {"speed: 1 acceleration: 1 push_force_n: -1",
            "character.push_force_n"},
           {"speed: 1 acceleration: 1 coyote_s: -1", "character.coyote_s"},
           {"speed: 1 acceleration: 1 coyote_s: 17", "character.coyote_s"},
           {"speed: 1 acceleration: 1 jump_buffer_s: nan",
            "character.jump_buffer_s"},
           {"speed: 1 acceleration: 1 control { action_x: \"b\" action_z: "
            "\"a\" }",
            "character.control.action_x"},
           {"speed: 1 acceleration: 1 control { player: 1 action_x: \"a\" "
            "action_z: \"a\" }",
            "character.control.player"}}) {
    EXPECT_THAT(Problems(Walker(each.fields)),
                Contains(testing::AllOf(
                    testing::StartsWith("pack.txtpb:5:"),
                    HasSubstr(fmt::format("types[0].{}:", each.problem)))))
        << each.fields;
  }
}

TEST(CharacterCompilerTest, CharactersNeedAnUprightCapsuleOfTheirSize) {
  constexpr std::string_view kFields = "speed: 1 acceleration: 1";
  const auto has_problem = [](const std::string& manifest) {
    const std::vector<std::string> problems = Problems(manifest);
    return std::ranges::any_of(problems, [](const std::string& problem) {
      return problem.find("types[0].character: ") != std::string::npos;
    });
  };
  EXPECT_TRUE(has_problem(Walker(kFields, "radius: 0.04 half_length: 1")));
  EXPECT_TRUE(has_problem(Walker(kFields, "radius: 60 half_length: 1")));
  EXPECT_TRUE(has_problem(Walker(kFields, "radius: 1e5 half_length: 1e5")));
  EXPECT_TRUE(has_problem(
      Walker(kFields, "radius: 0.3 half_length: 1", "MOTION_FIXED")));
  EXPECT_TRUE(has_problem(Walker(kFields, "radius: 0.3 half_length: 1",
                                 "MOTION_KINEMATIC", "position { x: 1 }")));
  EXPECT_TRUE(
      has_problem(Walker(kFields, "radius: 0.3 half_length: 1",
                         "MOTION_KINEMATIC", "rotation_degrees { x: 90 }")));
}

}  // namespace
}  // namespace reprise::sim
