// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what characters and vehicles can't live with is refused with its
// place in the manifest: each test changes one field of a type that is in
// order.

#include "sim/systems/movers/mover_compiler.h"

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

TEST(MoverCompilerTest, CharacterInOrderHasNoProblems) {
  EXPECT_THAT(Problems(Walker("speed: 3 acceleration: 30")), IsEmpty());
  EXPECT_THAT(
      Problems(Walker("speed: 3 acceleration: 30 control { action_x: \"a\" "
                      "action_z: \"a\" action_jump: \"b\" }")),
      IsEmpty());
}

TEST(MoverCompilerTest, MistakesOfCharactersHaveTheirPlace) {
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

TEST(MoverCompilerTest, CharactersNeedAnUprightCapsuleOfTheirSize) {
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

constexpr std::string_view kWheel =
    "radius: 0.3 travel: 0.2 stiffness: 20000 damping_compression: 1000 "
    "damping_rebound: 1000 force_max_n: 20000";

// A type of a vehicle whose wheels stand on lines 6 and 7, with some fields of
// the second one and of itself instead of the usual ones.
std::string Car(std::string_view wheel, std::string_view fields,
                std::string_view rest = "") {
  return Manifest(
      {kBegin,
       fmt::format("types {{ name: \"car\" body {{ motion: MOTION_DYNAMIC "
                   "mass_kg: 500 shapes {{ box {{ half_extents {{ x: 1 y: 0.3 "
                   "z: 1 }} }} }} }} vehicle {{ {}\n"
                   "  wheels {{ position {{ z: 1 }} {} }}\n"
                   "  wheels {{ {} }}\n"
                   "}} }}\n{}",
                   fields, kWheel, wheel, rest)});
}

TEST(MoverCompilerTest, VehicleInOrderHasNoProblems) {
  EXPECT_THAT(Problems(Car(kWheel, "")), IsEmpty());
}

TEST(MoverCompilerTest, MistakesOfWheelsHaveTheirPlace) {
  struct Case {
    std::string_view wheel;
    std::string_view field;
  };
  for (const Case& each :
       std::vector<Case>{{"radius: 0", "radius"},
                         {"radius: nan", "radius"},
                         {"radius: 1 travel: -1", "travel"},
                         {"radius: 1 travel: 1000", "travel"},
                         {"stiffness: 0", "stiffness"},
                         {"stiffness: -5", "stiffness"},
                         {"stiffness: inf", "stiffness"},
                         {"damping_compression: -1", "damping_compression"},
                         {"damping_rebound: nan", "damping_rebound"},
                         {"force_max_n: 0", "force_max_n"},
                         {"friction: 11", "friction"},
                         {"rolling_resistance: 2", "rolling_resistance"},
                         {"position { x: 1e8 }", "position"}}) {
    EXPECT_THAT(Problems(Car(each.wheel, "")),
                Contains(testing::AllOf(
                    testing::StartsWith("pack.txtpb:6:"),
                    HasSubstr(fmt::format("types[0].vehicle.wheels[1].{}:",
                                          each.field)))))
        << each.wheel;
  }
}

TEST(MoverCompilerTest, MistakesOfVehiclesHaveTheirPlace) {
  struct Case {
    std::string_view fields;
    std::string_view field;
  };
  for (const Case& each : std::vector<Case>{
           {"engine_force_n: -1", "vehicle.engine_force_n"},
           {"engine_power_w: nan", "vehicle.engine_power_w"},
           {"brake_force_n: 1e10", "vehicle.brake_force_n"},
           {"handbrake_force_n: nan", "vehicle.handbrake_force_n"},
           {"steering_max_degrees: 90", "vehicle.steering_max_degrees"},
           {"steering_rate_degrees: -1", "vehicle.steering_rate_degrees"},
           {"anti_roll_bars { wheel_b: 2 stiffness: 1 }",
            "vehicle.anti_roll_bars[0].wheel_b"},
           {"anti_roll_bars { wheel_b: 0 stiffness: 1 }",
            "vehicle.anti_roll_bars[0].wheel_b"},
           {"anti_roll_bars { wheel_b: 1 }",
            "vehicle.anti_roll_bars[0].stiffness"},
           {"control { action_throttle: \"b\" action_steer: \"a\" }",
            "vehicle.control.action_throttle"}}) {
    EXPECT_THAT(Problems(Car(kWheel, each.fields)),
                Contains(testing::AllOf(
                    testing::StartsWith("pack.txtpb:4:"),
                    HasSubstr(fmt::format("types[0].{}:", each.field)))))
        << each.fields;
  }
}

TEST(MoverCompilerTest, WheelsAreTwoToSixteen) {
  std::string wheels;
  for (int i = 0; i < 15; ++i) {
    wheels += fmt::format(" wheels {{ {} }}", kWheel);
  }
  EXPECT_THAT(Problems(Car(kWheel, wheels)),
              Contains(HasSubstr("types[0].vehicle.wheels: 17")));
}

TEST(MoverCompilerTest, SpringsThatDoNotFitTheBodyAreRefused) {
  constexpr std::string_view kStiff =
      "radius: 0.3 travel: 0.2 stiffness: 1e7 force_max_n: 1e6";
  EXPECT_THAT(Problems(Car(kStiff, "")),
              Contains(HasSubstr("types[0].vehicle: springs and dampers are "
                                 "too stiff for ticks of")));
  EXPECT_THAT(
      Problems(Manifest(
          {kBegin,
           "types { name: \"car\" body { motion: MOTION_DYNAMIC mass_kg: 5000 "
           "shapes { box { half_extents { x: 1 y: 1 z: 1 } } } } vehicle {",
           fmt::format(" wheels {{ {} }} wheels {{ {} }} }} }}", kWheel,
                       kWheel)})),
      Contains(HasSubstr("types[0].vehicle: springs carry 8000 N at most")));
}

TEST(MoverCompilerTest, WheelsThatBeginInTheGroundAreRefused) {
  constexpr std::string_view kGround =
      "types { name: \"ground\" body { motion: MOTION_FIXED shapes { plane { "
      "normal { y: 1 } } } } }\n"
      "objects { name: \"ground\" type: \"ground\" }\n";
  const auto problems = [&](std::string_view height) {
    return Problems(
        Car(kWheel, "",
            fmt::format("{}objects {{ name: \"car\" type: \"car\" position {{ "
                        "y: {} }} }}\n",
                        kGround, height)));
  };
  EXPECT_THAT(problems("1"), IsEmpty());
  EXPECT_THAT(problems("-0.1"),
              Contains(HasSubstr("objects[1].position: wheel 0 of 'car' begins "
                                 "inside of something")));
}

}  // namespace
}  // namespace reprise::sim
