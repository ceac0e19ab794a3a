// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that an object goes limp and stands up as its type says: its bones
// come with its place and velocity, joined, under readable names, all or none;
// and that a world restored before, while and after goes on to the bit.

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/geometry/vector3.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kDummy = R"(
types { name: "ground" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
types { name: "trunk" body { motion: MOTION_DYNAMIC mass_kg: 16 shapes { box { half_extents { x: 0.1 y: 0.15 z: 0.2 } } } } }
types { name: "limb" body { motion: MOTION_DYNAMIC mass_kg: 6 shapes { capsule { radius: 0.07 half_length: 0.14 } } } }
types {
  name: "dummy"
  body { motion: MOTION_DYNAMIC mass_kg: 70 shapes { cylinder { radius: 0.3 half_length: 0.9 } } }
  ragdoll {
    bones { name: "pelvis" type: "trunk" }
    bones { name: "chest" type: "trunk" position { y: 0.34 } }
    bones { name: "arm" type: "limb" position { y: 0.3 z: 0.3 } }
    joints { name: "waist" object_a: "chest" object_b: "pelvis" anchor { y: 0.17 } cone_twist { axis { y: 1 } swing_degrees: 40 twist_degrees: 30 } }
    joints { name: "shoulder" object_a: "arm" object_b: "chest" anchor { y: 0.44 z: 0.25 } hinge { axis { z: 1 } lower_degrees: -90 upper_degrees: 90 motor { velocity_degrees: 90 impulse_max_nms: 0.05 } } }
  }
}
objects { name: "ground" type: "ground" }
)";

constexpr std::string_view kOne =
    "objects { name: \"dummy\" type: \"dummy\" position { y: 1 } }\n";

// Sends `event` to `target` after so many ticks: a thing that does it once.
std::string After(int ticks, std::string_view event, std::string_view target) {
  return fmt::format(
      "types {{ name: \"fuse_{0}_{1}\" timers {{ name: \"fuse\" event: "
      "\"fired_{0}_{1}\" delay_s: {2} }} }}\n"
      "objects {{ name: \"fuse_{0}_{1}\" type: \"fuse_{0}_{1}\" }}\n"
      "connections {{ name: \"on_{0}_{1}\" event: \"fired_{0}_{1}\" source: "
      "\"fuse_{0}_{1}\" target: \"{3}\" send: \"{1}\" }}\n",
      ticks, event, ticks / 60.0, target);
}

Vector3 VectorOf(const Simulation& world, std::string_view object,
                 std::string_view field) {
  const auto scalar = [&](std::string_view axis) {
    const auto value = ValueOf(world, "physics", "bodies", object,
                               fmt::format("{}.{}", field, axis));
    EXPECT_TRUE(value.has_value()) << object;
    return value.value_or(FieldValue::OfDouble(0.0)).AsDouble();
  };
  return {scalar("x"), scalar("y"), scalar("z")};
}

bool HasBody(const Simulation& world, std::string_view object) {
  return ValueOf(world, "physics", "bodies", object, "kind").has_value();
}

// Steps until the dummy's bones have come; at most 100 ticks.
void StepUntilLimp(Simulation& world) {
  for (int i = 0; i < 100 && !HasBody(world, "dummy.chest"); ++i) {
    StepTimes(world, 1);
  }
  ASSERT_TRUE(HasBody(world, "dummy.chest"));
}

void ExpectNear(Vector3 a, Vector3 b, double tolerance) {
  EXPECT_LT(Length(a - b), tolerance)
      << a.x << " " << a.y << " " << a.z << " | " << b.x << " " << b.y << " "
      << b.z;
}

TEST(RagdollTest, BonesComeWithPlaceAndVelocityAndTheBodyGoes) {
  const auto world = WorldOf(Manifest(
      {kDummy, "physics { gravity {} }",
       "objects { name: \"dummy\" type: \"dummy\" position { y: 5 } "
       "linear_velocity { x: 3 } angular_velocity_degrees { z: 90 } }\n",
       After(20, "ragdoll", "dummy")}));
  Vector3 before;
  while (HasBody(*world, "dummy")) {
    before = VectorOf(*world, "dummy", "position");
    StepTimes(*world, 1);
    ASSERT_LT(world->tick(), 100u);
  }
  // In the same tick: no tick without either.
  const Vector3 pelvis = VectorOf(*world, "dummy.pelvis", "position");
  ExpectNear(pelvis, before + Vector3{3.0 / 60.0, 0.0, 0.0}, 1e-9);
  const Vector3 speed = VectorOf(*world, "dummy.pelvis", "linear_velocity");
  ExpectNear(speed, {3.0, 0.0, 0.0}, 1e-9);
  for (const std::string_view bone : {"dummy.chest", "dummy.arm"}) {
    const Vector3 arm = VectorOf(*world, bone, "position") - pelvis;
    const Vector3 spin = VectorOf(*world, bone, "angular_velocity");
    EXPECT_GT(Length(arm), 0.3);
    EXPECT_GT(spin.z, 1.0);
    ExpectNear(VectorOf(*world, bone, "linear_velocity"),
               speed + Cross(spin, arm), 1e-9);
  }
  EXPECT_EQ(RowCount(*world, "physics", "spawned_joints"), 2u);
}

TEST(RagdollTest, BonesHangTogetherAndFall) {
  const auto world =
      WorldOf(Manifest({kDummy, kOne, After(20, "ragdoll", "dummy")}));
  StepUntilLimp(*world);
  StepTimes(*world, 300);
  const Vector3 pelvis = VectorOf(*world, "dummy.pelvis", "position");
  EXPECT_LT(pelvis.y, 0.4);
  EXPECT_LT(Length(VectorOf(*world, "dummy.chest", "position") - pelvis), 0.4);
}

TEST(RagdollTest, StandsUpUprightWhereItsFirstBoneLies) {
  for (const std::string_view event : {"ragdoll_off", "wake"}) {
    const auto world = WorldOf(
        Manifest({kDummy, "physics { gravity { x: 1 y: -9.81 } }", kOne,
                  After(20, "ragdoll", "dummy"), After(120, event, "dummy")}));
    StepUntilLimp(*world);
    Vector3 pelvis;
    while (!HasBody(*world, "dummy")) {
      pelvis = VectorOf(*world, "dummy.pelvis", "position");
      StepTimes(*world, 1);
      ASSERT_LT(world->tick(), 200u) << event;
    }
    ExpectNear(VectorOf(*world, "dummy", "position"), pelvis, 0.1);
    EXPECT_EQ(
        ValueOf(*world, "physics", "bodies", "dummy", "basis.yy")->AsDouble(),
        1.0);
    EXPECT_FALSE(HasBody(*world, "dummy.pelvis"));
    EXPECT_EQ(RowCount(*world, "physics", "spawned_joints"), 0u);
  }
}

TEST(RagdollTest, AskedForTwiceIsOnce) {
  const auto world = WorldOf(
      Manifest({kDummy, kOne, After(20, "ragdoll", "dummy"),
                "connections { name: \"again\" event: \"fired_20_ragdoll\" "
                "target: \"dummy\" send: \"ragdoll\" }\n"}));
  StepTimes(*world, 60);
  EXPECT_TRUE(HasBody(*world, "dummy.chest"));
  EXPECT_EQ(RowCount(*world, "physics", "bodies"), 1u + 3u);
}

TEST(RagdollTest, BonesStayWhenTheirOwnerEnds) {
  const auto world =
      WorldOf(Manifest({kDummy, kOne, After(20, "ragdoll", "dummy"),
                        After(60, "destroy", "dummy")}));
  StepUntilLimp(*world);
  const uint32_t bodies = RowCount(*world, "physics", "bodies");
  StepTimes(*world, 60);
  EXPECT_EQ(RowCount(*world, "physics", "bodies"), bodies);
  EXPECT_EQ(RowCount(*world, "physics", "spawned_joints"), 2u);
  std::set<std::string> names;
  for (const FrameObject& object : world->ProduceFrame().objects) {
    names.insert(object.name);
  }
  EXPECT_TRUE(names.contains("dummy.chest#6"))
      << fmt::format("{}", fmt::join(names, " "));
}

TEST(RagdollTest, WithoutRoomForAllBonesNothingHappens) {
  const auto world = WorldOf(Manifest({"limits { objects_max: 5 }\n", kDummy,
                                       kOne, After(20, "ragdoll", "dummy")}));
  StepTimes(*world, 60);
  const std::vector<Event> refused = EventsOf(*world, "spawn_refused");
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(world->ObjectName(refused[0].object), "dummy");
  EXPECT_TRUE(HasBody(*world, "dummy"));
  EXPECT_EQ(RowCount(*world, "world", "objects"), 3u);
}

// A dummy behind `links` parents, each the child of the one before: it runs in
// the bucket of that number.
std::string Chain(int links) {
  std::string chain = "types { name: \"link\" }\n";
  for (int i = 0; i < links; ++i) {
    chain +=
        fmt::format("objects {{ name: \"link_{}\" type: \"link\" {}}}\n", i,
                    i == 0 ? "" : fmt::format("parent: \"link_{}\" ", i - 1));
  }
  return chain +
         fmt::format(
             "objects {{ name: \"dummy\" type: \"dummy\" position {{ y: 1 }} "
             "parent: \"link_{}\" }}\n",
             links - 1);
}

// Bones run behind their owner, and nothing runs behind the last bucket.
TEST(RagdollTest, AtTheEndOfTheLongestChainItStaysAsItIs) {
  for (const int links : {62, 63}) {
    const std::string manifest =
        Manifest({kDummy, Chain(links), After(20, "ragdoll", "dummy")});
    const auto world = WorldOf(manifest);
    StepTimes(*world, 60);
    const bool has_room = links == 62;
    EXPECT_EQ(HasBody(*world, "dummy"), !has_room);
    EXPECT_EQ(HasBody(*world, "dummy.chest"), has_room);
    const std::vector<Event> refused = EventsOf(*world, "spawn_refused");
    ASSERT_EQ(refused.size(), has_room ? 0u : 1u);
    if (!has_room) {
      EXPECT_EQ(world->ObjectName(refused[0].object), "dummy");
      EXPECT_EQ(RowCount(*world, "world", "objects"), 66u);
    }
    const auto restored = WorldOf(manifest);
    ASSERT_EQ(restored->Restore(world->state()), absl::OkStatus());
    StepTimes(*world, 60);
    StepTimes(*restored, 60);
    EXPECT_EQ(restored->state().ComputeRootDigest(),
              world->state().ComputeRootDigest());
  }
}

// Nothing of the object runs while it is limp, but its bones do, and what they
// don't handle goes to it.
TEST(RagdollTest, TimerOfABoneHasItStandUpSoLongAfterItsFall) {
  std::string dummy(kDummy);
  constexpr std::string_view kPelvis = "name: \"pelvis\" type: \"trunk\"";
  dummy.replace(dummy.find(kPelvis), kPelvis.size(),
                "name: \"pelvis\" type: \"basin\"");
  const auto world = WorldOf(Manifest({dummy, R"(
types { name: "basin" extends: "trunk" timers { name: "up" event: "ragdoll_off" delay_s: 2 } }
)",
                                       kOne, After(20, "ragdoll", "dummy"),
                                       After(200, "ragdoll", "dummy")}));
  const auto standing = [&] { return HasBody(*world, "dummy"); };
  StepTimes(*world, 21);
  EXPECT_FALSE(standing());
  StepTimes(*world, 119);
  EXPECT_FALSE(standing());
  StepTimes(*world, 1);  // that of tick 140
  EXPECT_TRUE(standing());
  StepTimes(*world, 60);
  EXPECT_FALSE(standing());
  StepTimes(*world, 119);
  EXPECT_FALSE(standing());
  StepTimes(*world, 1);
  EXPECT_TRUE(standing());
}

TEST(RagdollTest, AsleepItDoesNotGoLimpButWakes) {
  const auto world = WorldOf(Manifest(
      {kDummy,
       "objects { name: \"dummy\" type: \"dummy\" position { y: 1 } dormant: "
       "true }\n",
       After(20, "ragdoll", "dummy"), After(40, "wake", "dummy")}));
  StepTimes(*world, 30);
  EXPECT_FALSE(HasBody(*world, "dummy"));
  EXPECT_FALSE(HasBody(*world, "dummy.chest"));
  StepTimes(*world, 30);
  EXPECT_TRUE(HasBody(*world, "dummy"));
}

TEST(RagdollTest, OfATypeWithoutARagdollItIsNotHandled) {
  const auto world = WorldOf(Manifest({kDummy, After(20, "ragdoll", "ground"),
                                       After(20, "ragdoll_off", "ground")}));
  StepTimes(*world, 60);
  EXPECT_TRUE(HasBody(*world, "ground"));
}

TEST(RagdollTest, FramesAndReportsCallBonesByTheirOwner) {
  const auto world =
      WorldOf(Manifest({kDummy, kOne, After(20, "ragdoll", "dummy")}));
  StepUntilLimp(*world);
  std::vector<std::string> drawn;
  for (const FrameObject& object : world->ProduceFrame().objects) {
    if (!object.shapes.empty()) drawn.push_back(object.name);
  }
  EXPECT_EQ(drawn, (std::vector<std::string>{"ground", "dummy.pelvis",
                                             "dummy.chest", "dummy.arm"}));
}

// Three that go limp and stand up again and again, out of step, on one heap.
std::unique_ptr<Simulation> MakeHeap() {
  return WorldOf(Manifest({kDummy, R"(
types { name: "clown" extends: "dummy" }
types { name: "slow_clown" extends: "dummy" }
types { name: "prompter"
  timers { name: "fall" event: "fall" delay_s: 0.5 period_s: 3 }
  timers { name: "rise" event: "rise" delay_s: 2 period_s: 3 }
  timers { name: "slow_fall" event: "slow_fall" delay_s: 0.8 period_s: 4.1 }
  timers { name: "slow_rise" event: "slow_rise" delay_s: 3.1 period_s: 4.1 } }
objects { name: "clown" type: "clown" position { y: 1 } grid { count_x: 2 spacing { x: 0.7 } } }
objects { name: "slow_clown" type: "slow_clown" position { x: 0.3 y: 3 } }
objects { name: "prompter" type: "prompter" }
connections { name: "fall_0" event: "fall" target: "clown_0" send: "ragdoll" }
connections { name: "fall_1" event: "fall" target: "clown_1" send: "ragdoll" }
connections { name: "rise_0" event: "rise" target: "clown_0" send: "ragdoll_off" }
connections { name: "rise_1" event: "rise" target: "clown_1" send: "ragdoll_off" }
connections { name: "slow_fall" event: "slow_fall" target: "slow_clown" send: "ragdoll" }
connections { name: "slow_rise" event: "slow_rise" target: "slow_clown" send: "wake" }
)"}));
}

TEST(RagdollTest, RestoredAtAnyTickItGoesOnExactly) {
  constexpr uint32_t kSaves = 25;
  constexpr uint32_t kTicksBetweenSaves = 13;
  constexpr uint32_t kTicksAfterSave = 1000;
  const auto live = MakeHeap();
  std::vector<Digest> digests;
  std::vector<State> saves;
  std::set<uint32_t> joint_counts;
  for (uint32_t tick = 0; tick < kSaves * kTicksBetweenSaves + kTicksAfterSave;
       ++tick) {
    digests.push_back(live->state().ComputeRootDigest());
    if (tick % kTicksBetweenSaves == 0 && saves.size() < kSaves) {
      saves.push_back(live->state());
      joint_counts.insert(RowCount(*live, "physics", "spawned_joints"));
    }
    StepTimes(*live, 1);
  }
  // Standing, in part limp, all limp.
  EXPECT_EQ(joint_counts, (std::set<uint32_t>{0, 2, 4, 6}));
  const auto used = MakeHeap();
  for (uint32_t i = 0; i < kSaves; ++i) {
    const auto fresh = MakeHeap();
    for (Simulation* const world : {fresh.get(), used.get()}) {
      ASSERT_EQ(world->Restore(saves[i]), absl::OkStatus());
      for (uint32_t made = 1; made < kTicksAfterSave; ++made) {
        StepTimes(*world, 1);
        ASSERT_EQ(world->state().ComputeRootDigest(),
                  digests[i * kTicksBetweenSaves + made])
            << "save " << i << ", tick " << made;
      }
    }
  }
}

}  // namespace
}  // namespace reprise::sim
