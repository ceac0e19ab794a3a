// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what a pack needs is baked, that the pack runs with it and is
// refused without, and that who finds a way there goes through the door.

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/systems/navigation/navigation_rows.h"
#include "tests/world/testing_worlds.h"
#include "tools/reprise/baking/pack_baker.h"

namespace reprise::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Two rooms behind each other, with a gap of 1 m at x = 0 and an area in it.
std::string House(std::string_view door_weight) {
  return Manifest({R"(
navigation {
  meshes {
    name: "house" file: "level/house.mesh" cell_size: 0.1 cell_height: 0.05
    areas { name: "door" minimum { x: -0.6 y: -1 z: -1 } maximum { x: 0.6 y: 2 z: 1 } weight: )",
                   door_weight, R"( }
  }
}
types { name: "floor" body { motion: MOTION_FIXED shapes { box { half_extents { x: 6 y: 0.5 z: 3 } } } } }
types { name: "wall" body { motion: MOTION_FIXED shapes { box { half_extents { x: 0.2 y: 1.5 z: 1.25 } } } } }
types { name: "walker" navigator { space: "house" speed: 6 } }
objects { name: "floor" type: "floor" position { y: -0.5 } }
objects { name: "wall_a" type: "wall" position { y: 1.5 z: -1.75 } }
objects { name: "wall_b" type: "wall" position { y: 1.5 z: 1.75 } }
objects {
  name: "anna" type: "walker" position { x: -4 z: 2 }
  set { property: "navigator.goal" to: "4 0 2" }
  set { property: "navigator.is_active" to: "1" }
}
)"});
}

PackArchive With(const std::string& manifest,
                 const std::vector<tools::BakedFile>& files) {
  PackArchive pack = PackOf(manifest);
  for (const tools::BakedFile& file : files) {
    EXPECT_TRUE(pack.Add(file.path, file.contents).ok());
  }
  return pack;
}

TEST(PackBakerTest, PacksRunWithWhatIsBakedAndNotWithout) {
  const std::string manifest = House("1");
  EXPECT_THAT(Problems(manifest), SizeIs(1));
  const auto baked = tools::BakePack(PackOf(manifest));
  ASSERT_TRUE(baked.ok()) << baked.status();
  ASSERT_THAT(*baked, SizeIs(1));
  EXPECT_EQ(baked->front().path, "level/house.mesh");
  EXPECT_GT(baked->front().polygon_count, 3u);
  EXPECT_TRUE(baked->front().is_changed);
  const PackArchive pack = With(manifest, *baked);
  EXPECT_TRUE(CreateWorld(pack, 1).ok());
  // Again it is the same.
  const auto again = tools::BakePack(pack);
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again->front().is_changed);
  EXPECT_EQ(again->front().contents, baked->front().contents);
}

TEST(PackBakerTest, WhatIsDamagedIsBakedAnew) {
  PackArchive pack = PackOf(House("1"));
  ASSERT_TRUE(pack.Add("level/house.mesh", "no mesh").ok());
  EXPECT_FALSE(CreateWorld(pack, 1).ok());
  const auto baked = tools::BakePack(pack);
  ASSERT_TRUE(baked.ok()) << baked.status();
  EXPECT_TRUE(baked->front().is_changed);
}

TEST(PackBakerTest, OtherMistakesStayMistakes) {
  const auto baked = tools::BakePack(PackOf(House("1001")));
  EXPECT_THAT(std::string(baked.status().message()),
              HasSubstr("areas[0].weight: 1001 is not"));
}

TEST(PackBakerTest, PacksWithoutMeshesNeedNothing) {
  const auto baked = tools::BakePack(PackOf(Manifest({})));
  ASSERT_TRUE(baked.ok()) << baked.status();
  EXPECT_THAT(*baked, IsEmpty());
}

TEST(PackBakerTest, WaysLeadThroughTheDoor) {
  const std::string manifest = House("1");
  const auto baked = tools::BakePack(PackOf(manifest));
  ASSERT_TRUE(baked.ok()) << baked.status();
  auto world = *CreateWorld(With(manifest, *baked), 1);
  bool is_through = false;
  for (int tick = 0; tick < 400; ++tick) {
    StepTimes(*world, 1);
    const auto at = [&](std::string_view scalar) {
      return ValueOf(*world, "world", "places", "anna", scalar)->AsDouble();
    };
    // The gap is from -0.5 to 0.5 m, and she keeps 0.4 m from its sides but for
    // a voxel.
    if (Abs(at("position.x")) > 0.2) continue;
    is_through = true;
    EXPECT_NEAR(at("position.z"), 0.0, 0.1 + 0.1);
  }
  EXPECT_TRUE(is_through);
  EXPECT_EQ(ValueOf(*world, "components", "navigator", "anna", "status")->bits,
            static_cast<uint64_t>(kNavigatorArrived));
}

}  // namespace
}  // namespace reprise::sim
