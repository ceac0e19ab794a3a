// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what vehicles can't live with is refused with its place in the
// manifest: each test changes one field of a type that is in order.

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

TEST(VehicleCompilerTest, VehicleInOrderHasNoProblems) {
  EXPECT_THAT(Problems(Car(kWheel, "")), IsEmpty());
}

TEST(VehicleCompilerTest, MistakesOfWheelsHaveTheirPlace) {
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

TEST(VehicleCompilerTest, MistakesOfVehiclesHaveTheirPlace) {
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

TEST(VehicleCompilerTest, WheelsAreTwoToSixteen) {
  std::string wheels;
  for (int i = 0; i < 15; ++i) {
    wheels += fmt::format(" wheels {{ {} }}", kWheel);
  }
  EXPECT_THAT(Problems(Car(kWheel, wheels)),
              Contains(HasSubstr("types[0].vehicle.wheels: 17")));
}

TEST(VehicleCompilerTest, SpringsThatDoNotFitTheBodyAreRefused) {
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

TEST(VehicleCompilerTest, WheelsThatBeginInTheGroundAreRefused) {
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
