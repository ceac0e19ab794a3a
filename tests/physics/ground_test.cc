// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A height field is solid: what comes down on it ends above it, however fast,
// small or large it is, what is below comes up, and each tick of that can be
// begun in another world.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/testing_ground.h"
#include "tests/physics/testing_rates.h"

namespace reprise::sim {
namespace {

// Level ground of 2 km, so that nothing gets beyond it.
HeightFieldShape MakeLevelGround() {
  HeightFieldShape field;
  field.cell_size_m = 50.0;
  field.columns = kHillsSide;
  field.rows = kHillsSide;
  field.heights_m.assign(kHillsSide * kHillsSide, 0.0);
  return field;
}

class GroundTest : public RateTest {
 protected:
  // One thing of 1 kg above hills, the hills being the pair's first body or its
  // second.
  static PhysicsDefinition MakeScene(const Thing& thing, double height_m,
                                     double speed_down, bool hills_first,
                                     const HeightFieldShape& hills) {
    PhysicsDefinition definition;
    definition.tick_s = tick_s();
    const auto add_hills = [&] {
      AddBody(definition, hills, Motion::kFixed, {}).kind.friction = 0.7;
    };
    if (hills_first) add_hills();
    const AddedBody body = AddBody(definition, ShapeOf(thing.solid),
                                   Motion::kDynamic, {1.3, height_m, -2.2});
    body.kind.friction = 0.7;
    body.kind.rolling_friction = 0.01;
    body.placement.rotation = FromAxisAngle({0.6, 0.0, 0.8}, 0.4);
    body.placement.linear_velocity_m_s = {0.0, -speed_down, 0.0};
    if (!hills_first) add_hills();
    return definition;
  }
};

TEST_P(GroundTest, WhatFallsOntoItEndsAboveIt) {
  for (const Thing& thing : Things()) {
    for (const double speed : {0.0, 30.0}) {
      for (const bool hills_first : {true, false}) {
        TestingWorld world(
            MakeScene(thing, 10.0, speed, hills_first, MakeHills()));
        const uint32_t body = hills_first ? 1 : 0;
        world.Step(Ticks(8.0));
        // What lies on it gives way by a millimetre.
        EXPECT_GT(AboveGround(world.body(body)), -1e-3)
            << thing.name << " at " << speed << (hills_first ? ", first" : "");
      }
    }
  }
}

TEST_P(GroundTest, WhatIsShotAtItEndsAboveIt) {
  for (const Thing& thing : Things()) {
    for (const double speed : {300.0, 3000.0}) {
      TestingWorld world(
          MakeScene(thing, 10.0, speed, true, MakeLevelGround()));
      // A way of 100 m into the ground, of a tick of 1/30 s, takes 33 s to come
      // out at 3 m/s.
      world.Step(Ticks(speed == 3000.0 ? 45.0 : 8.0));
      const Vector3& place = world.body(1).position;
      EXPECT_GT(place.y, 0.0) << thing.name << " at " << speed;
      EXPECT_LT(Length(Vector3{place.x, 0.0, place.z}), 1000.0) << thing.name;
    }
  }
}

TEST_P(GroundTest, WhatIsBelowComesUpAndNotFast) {
  for (const Thing& thing : Things()) {
    TestingWorld world(
        MakeScene(thing, -3.0, 0.0, /*hills_first=*/true, MakeHills()));
    double lowest = 0.0;
    double fastest = 0.0;
    for (uint32_t i = 0; i < Ticks(5.0); ++i) {
      world.Step();
      lowest = std::min(lowest, world.body(1).position.y);
      fastest = std::max(fastest, Length(world.body(1).linear_velocity));
    }
    EXPECT_GT(AboveGround(world.body(1)), -1e-3) << thing.name;
    EXPECT_GT(lowest, -3.1) << thing.name;
    // It is moved up, not thrown: what it has then is from sliding down.
    EXPECT_LT(fastest, 4.0) << thing.name;
  }
}

TEST_P(GroundTest, WhatIsBesideItFallsPast) {
  PhysicsDefinition definition;
  definition.tick_s = tick_s();
  AddBody(definition, MakeHills(), Motion::kFixed, {});
  AddBody(definition, ShapeOf(SpherePrimitive{0.3}), Motion::kDynamic,
          {21.0, 20.0, 0.0});
  TestingWorld world(definition);
  world.Step(Ticks(4.0));
  EXPECT_NEAR(world.body(1).position.y, 20.0 - 0.5 * kGravity * 16.0, 1e-6);
}

TEST_P(GroundTest, OtherLayersFallThrough) {
  PhysicsDefinition definition =
      MakeScene(Things()[0], 1.0, 0.0, true, MakeHills());
  definition.kinds[1].layers = 2;
  definition.kinds[1].collides_with = 2;
  TestingWorld world(definition);
  world.Step(Ticks(2.0));
  EXPECT_NEAR(world.body(1).position.y, 1.0 - 0.5 * kGravity * 4.0, 1e-6);
}

TEST_P(GroundTest, EachTickCanBeginInAnotherWorld) {
  for (const Thing& thing : Things()) {
    ExpectEachTickCanBeginInAnotherWorld(
        MakeScene(thing, 3.0, 30.0, false, MakeHills()), Ticks(0.5),
        thing.name);
  }
}

REPRISE_AT_ALL_RATES(GroundTest);

}  // namespace
}  // namespace reprise::sim
