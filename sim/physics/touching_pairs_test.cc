// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what counts as a touch: one entry a pair however many points it has,
// in order, and no entry for points that are merely close.

#include "sim/physics/bodies/touching_pairs.h"

#include <cstdint>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/physics/physics_world.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TouchingPairsTest : public testing::Test {
 protected:
  void AddPoint(uint64_t a, uint64_t b, uint64_t slot, double distance) {
    Table& table = state_.mutable_table(tables_.contact_points);
    table.Resize(table.row_count() + 1);
    auto& row = table.Mutable<ContactPointRow>(table.row_count() - 1);
    row.object_a = {a};
    row.object_b = {b};
    row.slot = slot;
    row.distance = distance;
  }

  State state_;
  PhysicsTables tables_ = PhysicsWorld::AddTables(state_);
};

TEST_F(TouchingPairsTest, PairsComeOnceAndInOrder) {
  AddPoint(1, 2, 0, -0.01);
  AddPoint(1, 2, 1, -0.02);
  AddPoint(1, 3, 0, 0.0);
  AddPoint(2, 3, 0, -0.01);
  EXPECT_THAT(CollectTouchingPairs(state_, tables_),
              ElementsAre(TouchingPair{{1}, {2}}, TouchingPair{{1}, {3}},
                          TouchingPair{{2}, {3}}));
}

TEST_F(TouchingPairsTest, OnePointThatTouchesIsEnough) {
  AddPoint(1, 2, 0, 0.01);
  AddPoint(1, 2, 1, -0.01);
  EXPECT_THAT(CollectTouchingPairs(state_, tables_),
              ElementsAre(TouchingPair{{1}, {2}}));
}

TEST_F(TouchingPairsTest, ClosePointsDontTouch) {
  AddPoint(1, 2, 0, 0.01);
  EXPECT_THAT(CollectTouchingPairs(state_, tables_), IsEmpty());
}

}  // namespace
}  // namespace reprise::sim
