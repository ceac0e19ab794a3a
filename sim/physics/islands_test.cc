// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Small islands are solved side by side and still don't know of each other:
// each comes to the same bits alone.

#include <cstdint>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/physics/bodies/body_rows.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

constexpr uint64_t kIslands = 30;
constexpr uint64_t kObjectsPerIsland = 10;

// Adds a body of an island, the `index`-th.
BodyKind& Add(uint64_t island, uint64_t index, ShapeDefinition shape,
              Motion motion, Vector3 position, PhysicsDefinition& definition) {
  position.x += 20.0 * static_cast<double>(island);
  const AddedBody added =
      AddBody(definition, std::move(shape), motion, position);
  added.placement.object = {1 + island * kObjectsPerIsland + index};
  return added.kind;
}

// On a floor of its own, what needs rounds of its own: a row of balls that
// bounce on each other, boxes that begin in each other, a needle, and a body
// that the game moves.
void AddIsland(uint64_t island, PhysicsDefinition& definition) {
  const ShapeDefinition ball = ShapeOf(SpherePrimitive{0.25});
  const ShapeDefinition box = ShapeOf(BoxPrimitive{{0.3, 0.3, 0.3}});
  const double shift = 0.01 * static_cast<double>(island);
  Add(island, 0, ShapeOf(BoxPrimitive{{4.0, 0.5, 4.0}}), Motion::kFixed,
      {0.0, -0.5, 0.0}, definition)
      .restitution = 1.0;
  for (uint64_t i = 0; i < 3; ++i) {
    const double height = 0.5 + shift + 0.6 * static_cast<double>(i);
    BodyKind& kind = Add(island, 1 + i, ball, Motion::kDynamic,
                         {-1.5 + shift, height, 0.0}, definition);
    kind.restitution = 0.3 * static_cast<double>(1 + (island + i) % 3);
    kind.rolling_friction = 0.02;
  }
  // Of every third one, so that there are islands in which nothing is pushed.
  const double apart = island % 3 == 0 ? 0.2 : 0.7;
  Add(island, 4, box, Motion::kDynamic, {1.0, 0.3, 0.0}, definition);
  Add(island, 5, box, Motion::kDynamic, {1.0, 0.3 + apart, 0.1}, definition);
  Add(island, 6, ShapeOf(CapsulePrimitive{0.02, 1.5}), Motion::kDynamic,
      {0.0, 0.5 + shift, 1.5}, definition);
  Add(island, 7, box, Motion::kKinematic, {1.0, 1.6, 0.0}, definition);
}

PhysicsDefinition MakeIslands(const std::vector<uint64_t>& islands) {
  PhysicsDefinition definition;
  for (const uint64_t island : islands) AddIsland(island, definition);
  return definition;
}

TEST(IslandsTest, ComeToTheSameBitsAlone) {
  std::vector<uint64_t> all;
  for (uint64_t i = 0; i < kIslands; ++i) all.push_back(i);
  TestingWorld together(MakeIslands(all));
  together.Step(240);

  uint32_t first = 0;
  for (const uint64_t island : all) {
    TestingWorld alone(MakeIslands({island}));
    const auto count = static_cast<uint32_t>(alone.definition()->bodies.size());
    alone.Step(240);
    for (uint32_t i = 0; i < count; ++i) {
      BodyRow row = together.body(first + i);
      row.kind = alone.body(i).kind;
      EXPECT_TRUE(SameBits(alone.body(i), row))
          << "island " << island << ", body " << i;
    }
    first += count;
  }
}

}  // namespace
}  // namespace reprise::sim
