// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that objects follow the paths of a pack: at their speed, to the end,
// round or to and fro, when they are told to; and that what rides on them comes
// along.

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kTypes = R"(
paths { name: "line" points { } points { x: 6 } }
paths { name: "ring" closed: true points { x: 1 } points { z: 1 } points { x: -1 } points { z: -1 } }
types { name: "ghost" components { component: "path_follower" } behaviours { behaviour: "follow_path" } }
types {
  name: "lift"
  extends: "ghost"
  body { motion: MOTION_KINEMATIC friction: 1 shapes { box { half_extents { x: 2 y: 0.5 z: 2 } } } }
}
types { name: "crate" body { motion: MOTION_DYNAMIC mass_kg: 5 friction: 1 shapes { box { half_extents { x: 0.5 y: 0.5 z: 0.5 } } } } }
)";

// An object that follows a path, with settings of "property: value".
std::string Follower(std::string_view type, std::string_view path,
                     std::initializer_list<std::string_view> settings,
                     std::string_view position = "") {
  std::string text = fmt::format(
      "objects {{ name: \"it\" type: \"{}\" position {{ {} }} components {{ "
      "component: \"path_follower\" set {{ property: \"path\" value {{ text: "
      "\"{}\" }} }}",
      type, position, path);
  for (const std::string_view setting : settings) {
    const size_t colon = setting.find(':');
    const std::string_view value = setting.substr(colon + 2);
    text += fmt::format(
        " set {{ property: \"{}\" value {{ {}: {} }} }}",
        setting.substr(0, colon),
        value.find('.') == std::string_view::npos ? "integer" : "number",
        value);
  }
  return text + " } }\n";
}

double Number(const Simulation& world, std::string_view room,
              std::string_view table, std::string_view object,
              std::string_view scalar) {
  const auto value = ValueOf(world, room, table, object, scalar);
  EXPECT_TRUE(value.has_value()) << scalar;
  return value.has_value() ? value->AsNumber() : 0.0;
}

double PlaceOf(const Simulation& world, std::string_view axis) {
  return Number(world, "world", "places", "it",
                fmt::format("position.{}", axis));
}

double BodyOf(const Simulation& world, std::string_view object,
              std::string_view scalar) {
  return Number(world, "physics", "bodies", object, scalar);
}

TEST(PathFollowerTest, GoesAtItsSpeedAndStopsAtTheEnd) {
  const auto world =
      WorldOf(Manifest({kTypes, Follower("ghost", "line", {"speed: 3.0"})}));
  StepTimes(*world, 60);
  EXPECT_NEAR(PlaceOf(*world, "x"), 3.0, 1e-9);
  StepTimes(*world, 59);
  EXPECT_TRUE(EventsOf(*world, "path_ended").empty());
  StepTimes(*world, 60);
  EXPECT_EQ(PlaceOf(*world, "x"), 6.0);
  const std::vector<Event> ended = EventsOf(*world, "path_ended");
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(world->ObjectName(ended[0].object), "it");
  EXPECT_EQ(ended[0].arguments[0].value, FieldValue::OfId(IdOf("line")));
}

TEST(PathFollowerTest, TurnsBackAtBothEnds) {
  const auto world = WorldOf(
      Manifest({kTypes, Follower("ghost", "line", {"speed: 6.0", "mode: 2"})}));
  StepTimes(*world, 90);
  EXPECT_NEAR(PlaceOf(*world, "x"), 3.0, 0.11);
  StepTimes(*world, 60);
  EXPECT_NEAR(PlaceOf(*world, "x"), 3.0, 0.21);
  EXPECT_EQ(EventsOf(*world, "path_ended").size(), 2u);
}

TEST(PathFollowerTest, GoesRoundAClosedPathAndLooksAhead) {
  const auto world = WorldOf(
      Manifest({kTypes, Follower("ghost", "ring",
                                 {"speed: 2.0", "mode: 1", "faces_travel: 1"},
                                 "x: 1")}));
  for (int i = 0; i < 400; ++i) {
    StepTimes(*world, 1);
    const double x = PlaceOf(*world, "x");
    const double z = PlaceOf(*world, "z");
    // The curve is flatter between its points.
    ASSERT_NEAR(x * x + z * z, 1.0, 0.23);
  }
  EXPECT_EQ(EventsOf(*world, "path_ended").size(), 2u);  // of 13.3 m
  // It turned about y alone, as the path is level.
  EXPECT_NEAR(Number(*world, "world", "places", "it", "rotation.x"), 0.0,
              1e-12);
}

TEST(PathFollowerTest, StartAndStopAreEvents) {
  constexpr std::string_view kBells = R"(
types { name: "bell" timers { name: "go" event: "rung" delay_s: 0.5 } timers { name: "halt" event: "rung_twice" delay_s: 1 } }
objects { name: "bell" type: "bell" }
connections { name: "go" event: "rung" source: "bell" target: "it" send: "start" }
connections { name: "halt" event: "rung_twice" source: "bell" target: "it" send: "stop" }
)";
  const auto world = WorldOf(
      Manifest({kTypes, kBells,
                Follower("ghost", "line", {"speed: 1.0", "is_active: 0"})}));
  StepTimes(*world, 29);
  EXPECT_EQ(PlaceOf(*world, "x"), 0.0);
  StepTimes(*world, 100);
  EXPECT_NEAR(PlaceOf(*world, "x"), 0.5, 0.02);
}

TEST(PathFollowerTest, ComesToItsPathAtItsSpeed) {
  const auto world = WorldOf(
      Manifest({kTypes, Follower("lift", "line", {"speed: 2.0"}, "y: -2")}));
  StepTimes(*world, 30);
  EXPECT_NEAR(BodyOf(*world, "it", "position.y"), -1.0, 1e-9);
  StepTimes(*world, 90);
  EXPECT_NEAR(BodyOf(*world, "it", "position.x"), 2.0, 0.05);
}

// Until friction has brought it to the lift's speed, what stands on it lags
// behind by v^2 / (2 mu g).
TEST(PathFollowerTest, LiftsCarryWhatStandsOnThem) {
  constexpr double kLag = 1.5 * 1.5 / (2.0 * 9.81);
  const auto world = WorldOf(Manifest(
      {kTypes, Follower("lift", "line", {"speed: 1.5"}),
       "objects { name: \"crate\" type: \"crate\" position { y: 1 } }\n"}));
  StepTimes(*world, 180);
  EXPECT_NEAR(BodyOf(*world, "it", "position.x"), 4.5, 1e-9);
  // It lies on it with all its weight after some parts of a tick.
  EXPECT_NEAR(BodyOf(*world, "crate", "position.x"), 4.5 - kLag, 0.02);
}

TEST(PathFollowerTest, PathsThatThePackLacksHaveTheirPlace) {
  EXPECT_THAT(
      Problems(Manifest({kTypes, Follower("ghost", "lime", {})})),
      ElementsAre(HasSubstr("objects[0].components[0].set[0].value: there "
                            "is no path 'lime'; did you mean 'line'?")));
  EXPECT_THAT(
      Problems(
          Manifest({kTypes,
                    "objects { name: \"it\" type: \"ghost\" set { property: "
                    "\"path_follower.path\" to: \"lime\" } }"})),
      ElementsAre(HasSubstr("objects[0].set[0].to: 'path_follower.path': "
                            "there is no path 'lime'; did you mean 'line'?")));
  EXPECT_THAT(
      Problems(Manifest({kTypes, Follower("ghost", "line", {"speed: -1.0"})})),
      ElementsAre(HasSubstr("objects[0].components[0].set[1].value")));
  EXPECT_THAT(
      Problems(Manifest({kTypes, Follower("ghost", "line", {"mode: 3"})})),
      ElementsAre(HasSubstr("objects[0].components[0].set[1].value")));
}

TEST(PathFollowerTest, WithoutAPathItSaysSoOnce) {
  const auto world =
      WorldOf(Manifest({kTypes, "objects { name: \"it\" type: \"ghost\" }\n"}));
  StepTimes(*world, 10);
  EXPECT_EQ(EventsOf(*world, "property_refused").size(), 1u);
}

}  // namespace
}  // namespace reprise::sim
