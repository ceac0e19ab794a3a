// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a crowd with more pairs of bodies than are looked at goes on to
// the bit from its rows alone, whatever this world has seen before.

#include <cstdint>

#include "gtest/gtest.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/state/state.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kBodies = 600;

// Balls in a row along z, far from each other.
PhysicsDefinition MakeRow() {
  PhysicsDefinition definition;
  definition.gravity_m_s2 = {};
  definition.shapes = {ShapeOf(SpherePrimitive{.radius_m = 2.0})};
  definition.kinds = {{.shape = 0, .motion = Motion::kDynamic}};
  for (uint32_t i = 0; i < kBodies; ++i) {
    definition.bodies.push_back(
        {.object = {i + 1}, .kind = 0, .position = {0.0, 0.0, 10.0 * i}});
  }
  return definition;
}

// Puts all where each meets all others, somewhat more spread along x than z.
void Crowd(TestingWorld& world) {
  RandomStream random = MakeRandomStream(7, IdOf("crowd"));
  for (uint32_t i = 0; i < kBodies; ++i) {
    BodyRow& body = world.mutable_body(i);
    body.position.x = 0.4 * NextUnit(random);
    body.position.y = 0.2 * NextUnit(random);
    body.position.z = 0.35 * NextUnit(random);
  }
}

// A world that begins with these rows.
class Restored {
 public:
  explicit Restored(const TestingWorld& of)
      : state_(of.state()), world_(of.definition(), of.tables()) {
    CHECK(world_.Load(state_).ok());
  }

  Digest StepOnce() {
    world_.Step(state_);
    return state_.ComputeRootDigest();
  }

 private:
  State state_;
  PhysicsWorld world_;
};

TEST(CrowdRestoreTest, RowsAloneSayWhoIsLookedAt) {
  TestingWorld live(MakeRow());
  live.Step();
  EXPECT_EQ(live.world().bounded_pair_count(), 0u);
  Crowd(live);
  for (int tick = 0; tick < 4; ++tick) {
    Restored restored(live);
    live.Step();
    // Then they have burst apart.
    if (tick < 2) {
      ASSERT_EQ(live.world().bounded_pair_count(), 1u << 17);
    }
    ASSERT_EQ(restored.StepOnce(), live.digest()) << tick;
  }
}

}  // namespace
}  // namespace reprise::sim
