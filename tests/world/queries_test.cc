// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what behaviours find of a world: objects by type, value and place,
// what they see, and what rays answer that were asked for ticks before; and
// what spawners make.

#include <memory>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kTypes = R"(
types { name: "wall" body { motion: MOTION_FIXED shapes { box { half_extents { x: 0.5 y: 5 z: 5 } } } } }
types { name: "orc" components { component: "marker" set { property: "hits" value { integer: 3 } } } }
types { name: "chief" extends: "orc" }
types { name: "guard" components { component: "marker" set { property: "speed" value { integer: 10 } } }
        behaviours { behaviour: "testing_count_orcs" } }
types { name: "eye" components { component: "marker" } behaviours { behaviour: "testing_see" } }
types { name: "probe" components { component: "marker" } behaviours { behaviour: "testing_probe" } }
)";

TEST(QueriesTest, TypesThatExtendAndValuesCountAndDistanceToo) {
  const auto world = WorldOf(Manifest({kMarker, kTypes, R"(
objects { name: "guard" type: "guard" }
objects { name: "near" type: "orc" position { x: 10 } }
objects { name: "far" type: "orc" position { x: 10.001 } }
objects { name: "chief" type: "chief" position { z: -3 } }
objects { name: "weak" type: "orc" position { z: 3 }
          components { component: "marker" set { property: "hits" value { integer: 0 } } } }
objects { name: "sleeper" type: "orc" position { y: 2 } dormant: true }
)"}));
  StepTimes(*world, 1);
  EXPECT_EQ(HitsOf(*world, "guard"), 2);  // near, and the chief
}

TEST(QueriesTest, WallEndsTheLineOfSight) {
  const auto hits = [](std::string_view wall_x) {
    const auto world = WorldOf(Manifest(
        {kMarker, kTypes,
         "objects { name: \"orc\" type: \"orc\" position { x: 20 } }\n"
         "objects { name: \"eye\" type: \"eye\" components { component: "
         "\"marker\" set { property: \"friend\" value { text: \"orc\" } } } }\n"
         "objects { name: \"wall\" type: \"wall\" position { x: ",
         wall_x, " } }\n"}));
    StepTimes(*world, 3);
    return HitsOf(*world, "eye");
  };
  EXPECT_EQ(hits("10"), 0);
  EXPECT_EQ(hits("30"), 3);
}

TEST(QueriesTest, RayIsAnsweredExactlyWhenItIsDue) {
  const auto world = WorldOf(Manifest({kMarker, kTypes, R"(
objects { name: "probe" type: "probe" }
objects { name: "wall" type: "wall" position { x: 30 } }
)"}));
  StepTimes(*world, 3);
  EXPECT_EQ(HitsOf(*world, "probe"), 0);
  const auto fork = world->Fork();
  StepTimes(*world, 1);
  EXPECT_EQ(HitsOf(*world, "probe"), 1);
  EXPECT_NEAR(
      ValueOf(*world, "components", "marker", "probe", "speed")->AsDouble(),
      29.5, 1e-9);
  StepTimes(*world, 9);
  StepTimes(*fork, 10);
  EXPECT_EQ(HitsOf(*world, "probe"), 10);
  EXPECT_EQ(fork->state().ComputeRootDigest(),
            world->state().ComputeRootDigest());
}

constexpr std::string_view kNest = R"(
types { name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.5 } } }
        timers { name: "life" event: "destroy" delay_s: 0.5 } }
types { name: "floor" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
types { name: "nest" components { component: "spawner" set { property: "archetype" value { text: "ball" } } }
        behaviours { behaviour: "spawn" } }
objects { name: "floor" type: "floor" }
)";

std::string Nest(std::string_view settings) {
  return "objects { name: \"nest\" type: \"nest\" position { y: 3 } components "
         "{ component: \"spawner\" " +
         std::string(settings) + " } }\n";
}

TEST(SpawnerTest, MakesOneAtItsFirstTickAndNoMore) {
  const auto world = WorldOf(Manifest({kNest, Nest("")}));
  StepTimes(*world, 1);
  EXPECT_EQ(RowCount(*world, "physics", "bodies"), 2u);
  StepTimes(*world, 20);
  EXPECT_EQ(EventsOf(*world, "object_spawned").size(), 1u);
}

TEST(SpawnerTest, MakesOneEverySoOftenUpToItsCount) {
  const auto world = WorldOf(Manifest(
      {kNest, Nest("set { property: \"every_ticks\" value { integer: 10 } } "
                   "set { property: \"count_max\" value { integer: 4 } }")}));
  std::vector<Tick> ticks;
  for (int tick = 0; tick < 100; ++tick) {
    StepTimes(*world, 1);
    for (const Event& event : EventsOf(*world, "object_spawned")) {
      ticks.push_back(event.tick);
    }
  }
  EXPECT_EQ(ticks, (std::vector<Tick>{0, 10, 20, 30}));
  EXPECT_EQ(RowCount(*world, "physics", "bodies"), 1u);  // the floor
}

TEST(SpawnerTest, DormantOneWaitsForAnEvent) {
  const auto world = WorldOf(Manifest(
      {kNest, Nest("set { property: \"is_active\" value { integer: 0 } }"),
       R"(
types { name: "bell" timers { name: "ring" event: "rung" delay_s: 0.5 } }
objects { name: "bell" type: "bell" }
connections { name: "wire" source: "bell" event: "rung" target: "nest" send: "spawn" }
)"}));
  StepTimes(*world, 30);
  EXPECT_EQ(RowCount(*world, "physics", "bodies"), 1u);
  StepTimes(*world, 1);
  EXPECT_EQ(RowCount(*world, "physics", "bodies"), 2u);
}

TEST(SpawnerTest, WorldInWhichBodiesComeAndGoContinuesFromEveryTick) {
  const std::string manifest = Manifest(
      {kNest, Nest("set { property: \"every_ticks\" value { integer: 4 } }")});
  const auto plain = WorldOf(manifest);
  auto heavy = WorldOf(manifest);
  for (int tick = 0; tick < 150; ++tick) {
    const auto fresh = WorldOf(manifest);
    ASSERT_TRUE(fresh->Restore(heavy->state()).ok());
    StepTimes(*plain, 1);
    StepTimes(*heavy, 1);
    StepTimes(*fresh, 1);
    ASSERT_EQ(fresh->state().ComputeRootDigest(),
              plain->state().ComputeRootDigest())
        << tick;
    if (tick % 3 != 0) continue;
    ASSERT_TRUE(heavy->Restore(fresh->state()).ok());
  }
  EXPECT_GT(EventsOf(*plain, "object_destroyed").size(), 20u);
}

}  // namespace
}  // namespace reprise::sim
