// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what a pack needs is baked, that the pack runs with it and is
// refused without, that who finds a way there goes through the door, and that
// who walks on hills is as high as they are.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/vector3.h"
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

// Where a mesh can't be baked, the manifest says which.
TEST(PackBakerTest, WhatCanNotBeBakedHasItsPlace) {
  std::string manifest = House("1");
  const std::string size = "cell_size: 0.1 cell_height: 0.05";
  manifest.replace(manifest.find(size), size.size(),
                   "agent { radius: 50 } cell_size: 0.02");
  const auto baked = tools::BakePack(PackOf(manifest));
  EXPECT_THAT(std::string(baked.status().message()),
              testing::MatchesRegex(
                  "pack.txtpb:4:.*: navigation.meshes.0.: 'level/house.mesh': "
                  "the agent's radius is .* voxels.*"));
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

// A wall with a door of 1 m at z = -1.5 and one of 2 m at z = 2, and a mesh for
// each of two sizes.
constexpr std::string_view kFarm = R"(
navigation {
  meshes { name: "narrow" file: "narrow.mesh" agent { radius: 0.3 } cell_size: 0.1 cell_height: 0.05 }
  meshes { name: "wide" file: "wide.mesh" agent { radius: 0.6 } cell_size: 0.1 cell_height: 0.05 }
}
types { name: "floor" body { motion: MOTION_FIXED shapes { box { half_extents { x: 6 y: 0.5 z: 3 } } } } }
types { name: "end" body { motion: MOTION_FIXED shapes { box { half_extents { x: 0.2 y: 1.5 z: 0.5 } } } } }
types { name: "middle" body { motion: MOTION_FIXED shapes { box { half_extents { x: 0.2 y: 1.5 z: 1 } } } } }
types { name: "chicken" navigator { space: "narrow" speed: 6 } }
types { name: "cow" navigator { space: "wide" speed: 6 } }
objects { name: "floor" type: "floor" position { y: -0.5 } }
objects { name: "end" type: "end" position { y: 1.5 z: -2.5 } }
objects { name: "middle" type: "middle" position { y: 1.5 } }
objects { name: "chicken" type: "chicken" position { x: -4 z: -1.5 } set { property: "navigator.goal" to: "4 0 -1.5" } set { property: "navigator.is_active" to: "1" } }
objects { name: "cow" type: "cow" position { x: -4 z: -1.5 } set { property: "navigator.goal" to: "4 0 -1.5" } set { property: "navigator.is_active" to: "1" } }
)";

TEST(PackBakerTest, EachSizeGoesThroughTheDoorsThatItFits) {
  const std::string manifest = Manifest({kFarm});
  const auto baked = tools::BakePack(PackOf(manifest));
  ASSERT_TRUE(baked.ok()) << baked.status();
  ASSERT_THAT(*baked, SizeIs(2));
  auto world = *CreateWorld(With(manifest, *baked), 1);
  // Where one is while it passes the wall.
  const auto note = [&](std::string_view name, std::vector<double>& passes) {
    const auto at = [&](std::string_view scalar) {
      return ValueOf(*world, "world", "places", name, scalar)->AsDouble();
    };
    if (Abs(at("position.x")) < 0.2) passes.push_back(at("position.z"));
  };
  std::vector<double> chicken;
  std::vector<double> cow;
  for (int tick = 0; tick < 400; ++tick) {
    StepTimes(*world, 1);
    note("chicken", chicken);
    note("cow", cow);
  }
  ASSERT_FALSE(chicken.empty());
  ASSERT_FALSE(cow.empty());
  // 0.3 m from the sides of the small door, 0.6 m from those of the large one,
  // but for two voxels.
  for (const double z : chicken) EXPECT_NEAR(z, -1.5, 0.2 + 0.2);
  for (const double z : cow) EXPECT_NEAR(z, 2.0, 0.4 + 0.2);
  for (const std::string_view name : {"chicken", "cow"}) {
    EXPECT_EQ(ValueOf(*world, "components", "navigator", name, "status")->bits,
              static_cast<uint64_t>(kNavigatorArrived));
  }
}

// Ground of 20 by 20 m, and who walks across it from one corner to the other.
struct Hills {
  std::string_view name;
  double (*height)(double x, double z);
};

double Slope(double x, double z) { return 0.3 * x + 0.1 * z; }
double Dome(double x, double z) { return 3.0 - (x * x + z * z) / 50.0; }
double Saddle(double x, double z) { return (x * x - z * z) / 40.0; }
double Waves(double x, double z) { return 0.5 * Sin(x) + 0.3 * Cos(0.8 * z); }

constexpr double kHillsCell = 0.25;
constexpr int kHillsSide = 81;

std::string HillsManifest(const Hills& hills, int tick_rate) {
  std::string heights;
  for (int row = 0; row < kHillsSide; ++row) {
    for (int column = 0; column < kHillsSide; ++column) {
      heights += fmt::format(
          "{:.17g}, ",
          hills.height(kHillsCell * column - 10.0, kHillsCell * row - 10.0));
    }
  }
  heights.resize(heights.size() - 2);
  return fmt::format(
      R"(name: "hills"
tick_rate: {}
navigation {{ meshes {{ name: "hills" file: "hills.mesh" agent {{ radius: 0.4 step: 0.4 }} cell_size: 0.1 cell_height: 0.05 }} }}
types {{ name: "ground" body {{ motion: MOTION_FIXED shapes {{ height_field {{ columns: {} rows: {} cell_size: {} heights: [ {} ] }} }} }} }}
types {{ name: "walker" navigator {{ space: "hills" speed: 3 above_ground: 0.9 }} }}
objects {{ name: "ground" type: "ground" }}
objects {{
  name: "anna" type: "walker" position {{ x: -8 y: {} z: -7 }}
  set {{ property: "navigator.goal" to: "8 {} 6" }} set {{ property: "navigator.is_active" to: "1" }}
}}
)",
      tick_rate, kHillsSide, kHillsSide, kHillsCell, heights,
      hills.height(-8, -7) + 0.9, hills.height(8, 6) + 0.9);
}

// Of ground: its steepest slope, by differences.
double Steepest(const Hills& hills) {
  double most = 0.0;
  for (double x = -9.0; x < 9.0; x += 0.25) {
    for (double z = -9.0; z < 9.0; z += 0.25) {
      const double along_x =
          (hills.height(x + 0.01, z) - hills.height(x - 0.01, z)) / 0.02;
      const double along_z =
          (hills.height(x, z + 0.01) - hills.height(x, z - 0.01)) / 0.02;
      most = std::max(most, Sqrt(along_x * along_x + along_z * along_z));
    }
  }
  return most;
}

TEST(PackBakerTest, WhoWalksOnHillsIsOnTheGround) {
  for (const Hills& hills : {Hills{"slope", Slope}, Hills{"dome", Dome},
                             Hills{"saddle", Saddle}, Hills{"waves", Waves}}) {
    for (const int tick_rate : {30, 120}) {
      const std::string manifest = HillsManifest(hills, tick_rate);
      const auto baked = tools::BakePack(PackOf(manifest));
      ASSERT_TRUE(baked.ok()) << baked.status();
      const PackArchive pack = With(manifest, *baked);
      const auto world = *CreateWorld(pack, 1);
      const auto other = *CreateWorld(pack, 1);
      // A voxel too high, and what the ground climbs across a voxel's diagonal;
      // and the surface is within a voxel's height of that.
      constexpr double kCell = 0.1;
      constexpr double kCellHeight = 0.05;
      const double error =
          2.0 * kCellHeight + Steepest(hills) * kCell * Sqrt(2.0);
      Vector3 before;
      int ticks = 0;
      for (; ticks < 20 * tick_rate; ++ticks) {
        ASSERT_EQ(other->Restore(world->state()), absl::OkStatus());
        StepTimes(*world, 1);
        StepTimes(*other, 1);
        ASSERT_EQ(other->state().ComputeRootDigest(),
                  world->state().ComputeRootDigest())
            << hills.name << " " << ticks;
        const auto at = [&](std::string_view scalar) {
          return ValueOf(*world, "world", "places", "anna", scalar)->AsDouble();
        };
        const Vector3 place = {at("position.x"), at("position.y"),
                               at("position.z")};
        const double ground = hills.height(place.x, place.z) + 0.9;
        EXPECT_GE(place.y, ground - error) << hills.name << " " << ticks;
        EXPECT_LE(place.y, ground + error) << hills.name << " " << ticks;
        // Along the ground it goes at its speed, but for steps of a voxel
        // where polygons meet.
        if (ticks > 2) {
          EXPECT_LE(Length(place - before), 3.0 / tick_rate * 1.5)
              << hills.name << " " << ticks;
        }
        before = place;
        const auto status =
            ValueOf(*world, "components", "navigator", "anna", "status")->bits;
        if (status == static_cast<uint64_t>(kNavigatorArrived)) break;
        ASSERT_NE(status, static_cast<uint64_t>(kNavigatorFailed));
      }
      EXPECT_LT(ticks, 20 * tick_rate) << hills.name;
    }
  }
}

}  // namespace
}  // namespace reprise::sim
