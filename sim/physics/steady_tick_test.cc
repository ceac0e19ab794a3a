// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that ticks in which nothing comes or goes allocate nothing, by
// counting the calls of both allocators: C++'s and Bullet's.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "LinearMath/btAlignedAllocator.h"
#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/physics/bodies/kinematic_motion.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/testing_world.h"

namespace {

std::atomic<uint64_t> allocation_count = 0;

void* CountedAllocation(size_t size) {
  ++allocation_count;
  return std::malloc(size == 0 ? 1 : size);
}

void* CountedAlignedAllocation(size_t size, size_t alignment) {
  ++allocation_count;
  return std::aligned_alloc(alignment,
                            (size + alignment - 1) / alignment * alignment);
}

}  // namespace

void* operator new(size_t size) { return CountedAllocation(size); }
void* operator new(size_t size, std::align_val_t alignment) {
  return CountedAlignedAllocation(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace reprise::sim {
namespace {

constexpr double kTickS = 1.0 / 60.0;

// Boxes side by side on a kinematic platform that never stands still, so that
// nothing sleeps and every body has its contacts.
PhysicsDefinition MakePlatform() {
  PhysicsDefinition definition = MakeFloor();
  AddBody(definition, ShapeOf(BoxPrimitive{{9.0, 0.5, 9.0}}),
          Motion::kKinematic, {0.0, 0.5, 0.0});
  for (int z = 0; z < 8; ++z) {
    for (int x = 0; x < 8; ++x) {
      AddBody(definition, ShapeOf(BoxPrimitive{{0.25, 0.25, 0.25}}),
              Motion::kDynamic, {x - 4.0, 1.25, z - 4.0});
    }
  }
  return definition;
}

class SteadyTickTest : public testing::Test {
 protected:
  SteadyTickTest() {
    // Before any of Bullet's memory is asked for: what one allocates the other
    // must not free.
    btAlignedAllocSetCustomAligned(
        [](size_t size, int alignment) {
          return CountedAlignedAllocation(size, static_cast<size_t>(alignment));
        },
        [](void* memory) { std::free(memory); });
  }

  // Turns the platform to and fro for so many ticks.
  static void Run(TestingWorld& world, uint32_t ticks) {
    for (uint32_t tick = 0; tick < ticks; ++tick) {
      const double angle_rad = 0.001 * (tick % 2);
      MoveKinematic(world.state(), world.tables(), 1, {0.0, 0.5, 0.0},
                    FromAxisAngle({0.0, 1.0, 0.0}, angle_rad), kTickS);
      world.Step();
    }
  }
};

TEST_F(SteadyTickTest, CountsAllocations) {
  const uint64_t before = allocation_count;
  TestingWorld world(MakePlatform());
  EXPECT_GT(allocation_count, before + 100);
}

TEST_F(SteadyTickTest, AwakeBodiesAllocateNothing) {
  TestingWorld world(MakePlatform());
  Run(world, 120);
  const uint64_t before = allocation_count;

  Run(world, 120);

  EXPECT_EQ(allocation_count, before);
  EXPECT_EQ(world.body(2).activation, Activation::kAwake);
  EXPECT_EQ(world.contact_points().row_count(), 64u * 4);
}

TEST_F(SteadyTickTest, SteadinessComesBackAfterAChange) {
  TestingWorld world(MakePlatform());
  Run(world, 120);
  ASSERT_EQ(RemoveBody(world.state(), world.tables(), *world.definition(), {9}),
            absl::OkStatus());
  ASSERT_EQ(AddBody(world.state(), world.tables(), *world.definition(),
                    {.object = {900}, .kind = 5, .position = {0.5, 1.25, 0.5}}),
            absl::OkStatus());
  Run(world, 120);
  const uint64_t before = allocation_count;

  Run(world, 60);

  EXPECT_EQ(allocation_count, before);
}

TEST_F(SteadyTickTest, SettledPileAllocatesNothing) {
  TestingWorld world(MakePile({.body_count = 40, .has_joints = false}));
  world.Step(1500);
  const uint64_t before = allocation_count;

  world.Step(100);

  EXPECT_EQ(allocation_count, before);
}

TEST_F(SteadyTickTest, LooksAndFirstHitsAllocateNothing) {
  TestingWorld world(MakePlatform());
  PhysicsQueries queries(world.definition(), world.tables());
  queries.Look(world.state());
  const uint64_t before = allocation_count;

  queries.Look(world.state());
  const bool hit =
      queries.CastRay({{0.0, 9.0, 0.0}, {0.0, -9.0, 0.0}}).has_value();

  EXPECT_EQ(allocation_count, before);
  EXPECT_TRUE(hit);
}

}  // namespace
}  // namespace reprise::sim
