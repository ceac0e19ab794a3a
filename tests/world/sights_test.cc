// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves from where and whither objects look: along the way that they go, from
// where their eyes are; and of random scenes that they see each other exactly
// where no box stands between, by distances of lines from boxes.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/geometry/vector3.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/table.h"
#include "sim/systems/senses/senses_rows.h"
#include "tests/world/testing_boxes.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;

// The names of those whom an object sees, in their order.
std::set<std::string> SeenBy(const Simulation& world, std::string_view name) {
  const Table& memories =
      world.state().table(*world.state().Find("senses", "memories"));
  std::set<std::string> seen;
  for (uint32_t row = 0; row < memories.row_count(); ++row) {
    const auto& memory = memories.Get<MemoryRow>(row);
    if (memory.is_seen == 0 || world.ObjectName(memory.object) != name) {
      continue;
    }
    seen.emplace(world.ObjectName(memory.subject));
  }
  return seen;
}

// A fox that goes three metres along x and, when it is told to turn, six along
// z; hares in either direction, and behind it where `forward` looks.
std::unique_ptr<Simulation> WalkingFox(std::string_view vision) {
  return WorldOf(
      Manifest({fmt::format("types {{ name: 'fox' navigator {{ space: "
                            "'meadow' speed: 6 }} senses {{ vision {{ of: "
                            "'hare' range: 20 angle_degrees: 60 forward {{ "
                            "z: -1 }} {} }} }} }}\n",
                            vision),
                R"(
navigation { grids { name: "meadow" columns: 10 row_count: 10 } }
types { name: "hare" }
objects { name: "fox" type: "fox" position { x: 0.5 z: 0.5 } set { property: "navigator.goal" to: "3.5 0 0.5" } set { property: "navigator.is_active" to: "1" } }
objects { name: "east" type: "hare" position { x: 8.5 z: 0.5 } }
objects { name: "south" type: "hare" position { x: 0.5 z: -5.5 } }
objects { name: "north" type: "hare" position { x: 3.5 z: 9.5 } }
players { actions { name: "turn" command { } } commands_per_tick_max: 1 }
connections { name: "turn" event: "turn" then { send { event: "navigate" object: "fox" with { argument: "x" to: "3.5" } with { argument: "z" to: "6.5" } } } }
)"}));
}

void Turn(Simulation& world) {
  InputFrame frame;
  frame.commands.push_back({.name = IdOf("turn"), .arguments = {}});
  world.Step(std::vector{frame}, nullptr);
}

TEST(SightsTest, AheadIsWhereOneGoes) {
  const auto world = WalkingFox("ahead: true");
  // It hasn't gone anywhere yet.
  StepTimes(*world, 1);
  EXPECT_THAT(SeenBy(*world, "fox"), ElementsAre("south"));
  StepTimes(*world, 10);
  EXPECT_THAT(SeenBy(*world, "fox"), ElementsAre("east"));
  // It stands, and looks where it went.
  StepTimes(*world, 60);
  EXPECT_NEAR(
      ValueOf(*world, "world", "places", "fox", "position.x")->AsDouble(), 3.5,
      0.11);
  EXPECT_THAT(SeenBy(*world, "fox"), ElementsAre("east"));
  Turn(*world);
  StepTimes(*world, 20);
  EXPECT_THAT(SeenBy(*world, "fox"), ElementsAre("north"));
}

TEST(SightsTest, WithoutThatOneLooksForward) {
  const auto world = WalkingFox("");
  StepTimes(*world, 11);
  EXPECT_THAT(SeenBy(*world, "fox"), ElementsAre("south"));
  StepTimes(*world, 60);
  EXPECT_THAT(SeenBy(*world, "fox"), ElementsAre("south"));
  Turn(*world);
  StepTimes(*world, 20);
  EXPECT_THAT(SeenBy(*world, "fox"), ElementsAre("south"));
}

// A fox at the origin, a hare 6 m away, and a fence that is 1 m high half way.
bool SeesOverAFence(std::string_view eyes, std::string_view rotation = "") {
  const auto world = WorldOf(Manifest({fmt::format(
      "types {{ name: 'fox' senses {{ vision {{ of: 'hare' range: 10 {} }} }} "
      "}}\n"
      "types {{ name: 'hare' }}\n"
      "types {{ name: 'fence' body {{ motion: MOTION_FIXED shapes {{ box {{ "
      "half_extents {{ x: 0.1 y: 1 z: 10 }} }} }} }} }}\n"
      "objects {{ name: 'fox' type: 'fox' {} }}\n"
      "objects {{ name: 'hare' type: 'hare' position {{ x: 6 }} }}\n"
      "objects {{ name: 'fence' type: 'fence' position {{ x: 3 }} }}\n",
      eyes, rotation)}));
  StepTimes(*world, 1);
  return !SeenBy(*world, "fox").empty();
}

// From eyes at height h the line passes the fence at h / 2.
TEST(SightsTest, EyesLookOverWhatIsLow) {
  EXPECT_FALSE(SeesOverAFence(""));
  EXPECT_FALSE(SeesOverAFence("eyes { y: 1.9 }"));
  EXPECT_TRUE(SeesOverAFence("eyes { y: 2.2 }"));
  EXPECT_TRUE(SeesOverAFence("eyes { y: -2.2 }"));
}

// Four metres along z, which a quarter about y makes four along x.
TEST(SightsTest, EyesTurnWithTheirObject) {
  EXPECT_FALSE(SeesOverAFence("eyes { z: 4 }"));
  EXPECT_TRUE(SeesOverAFence("eyes { z: 4 }", "rotation_degrees { y: 90 }"));
}

// Whether a line misses all boxes by more than the margin, or hits one that is
// smaller by it; neither is too close to tell.
enum class Line { kFree, kBroken, kClose };

Line LineThrough(const std::vector<Box>& boxes, Vector3 from, Vector3 to,
                 double margin) {
  Line line = Line::kFree;
  for (const Box& box : boxes) {
    const Box core = {.centre = box.centre,
                      .half = box.half - Vector3{margin, margin, margin}};
    if (DistanceBetween(core, from, to) < 1e-9) return Line::kBroken;
    if (DistanceBetween(box, from, to) < margin) line = Line::kClose;
  }
  return line;
}

TEST(SightsTest, OwlsSeeEachOtherWhereNoBoxStandsBetween) {
  RandomStream random = MakeRandomStream(25, IdOf("owls"));
  constexpr double kRange = 14.0;
  // Nearer than that to a bound nothing is asserted.
  constexpr double kMargin = 1e-3;
  int seen = 0;
  int hidden = 0;
  for (int scene = 0; scene < 12; ++scene) {
    std::vector<Box> boxes;
    for (int i = 0; i < 8; ++i) {
      const double x = Between(random, -8, 8);
      const double y = Between(random, -2, 2);
      const double z = Between(random, -8, 8);
      boxes.push_back({.centre = {x, y, z},
                       .half = {0.2 + 0.2 * (i % 4), 0.5 + 0.3 * (i % 5),
                                0.3 + 0.2 * (i % 3)}});
    }
    const Vector3 eyes = {0.0, scene % 3 == 0 ? 0.0 : Between(random, -2, 2),
                          scene % 2 == 0 ? 0.0 : Between(random, -2, 2)};
    std::string text = fmt::format(
        "types {{ name: 'owl' senses {{ memories_max: 64 vision {{ of: 'owl' "
        "range: {} eyes {{ y: {} z: {} }} }} }} }}\n",
        kRange, eyes.y, eyes.z);
    std::vector<Vector3> places;
    while (places.size() < 20) {
      const double x = Between(random, -9, 9);
      const double y = Between(random, -3, 3);
      const double z = Between(random, -9, 9);
      const Vector3 place = {x, y, z};
      const bool is_free = std::ranges::all_of(boxes, [&](const Box& box) {
        return DistanceTo(box, place) > 0.01 &&
               DistanceTo(box, place + eyes) > 0.01;
      });
      if (!is_free) continue;
      text += fmt::format(
          "objects {{ name: 'owl_{}' type: 'owl' position {{ x: {} y: {} z: "
          "{} }} }}\n",
          places.size(), x, y, z);
      places.push_back(place);
    }
    const auto world = WorldOf(Manifest({text, BoxesOf(boxes)}));
    StepTimes(*world, 1);
    for (size_t a = 0; a < places.size(); ++a) {
      const std::set<std::string> seen_by =
          SeenBy(*world, fmt::format("owl_{}", a));
      for (size_t b = 0; b < places.size(); ++b) {
        if (a == b) continue;
        const Vector3 from = places[a] + eyes;
        const double distance = Length(places[b] - from);
        const Line line = LineThrough(boxes, from, places[b], kMargin);
        if (line == Line::kClose || Abs(distance - kRange) < kMargin) continue;
        const bool is_seen = line == Line::kFree && distance < kRange;
        ASSERT_EQ(seen_by.contains(fmt::format("owl_{}", b)), is_seen)
            << "scene " << scene << ", " << a << " to " << b;
        ++(is_seen ? seen : hidden);
      }
    }
  }
  EXPECT_GT(seen, 300);
  EXPECT_GT(hidden, 300);
}

}  // namespace
}  // namespace reprise::sim
