// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a run which goes on from a saved state is told from one that went
// on the same, by the field that differs.

#include "replays/fuzzing/checks/restore_check.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"
#include "sim/state/state_codec.h"
#include "sim/state/table.h"

namespace reprise::replays {
namespace {

std::unique_ptr<sim::Simulation> MakeTiny() {
  return *TinySimulation::Create(MakeTinyPack(), /*seed=*/1);
}

TEST(RestoreCheckTest, RestoredRunThatDiffersNamesTheField) {
  const auto one = MakeTiny();
  const auto other = one->Fork();
  EXPECT_FALSE(DescribeRestoredRun(0, one->state(), *other).has_value());
  const sim::TableIndex pieces = *one->state().Find("board", "pieces");
  const sim::ScalarPath path = *one->state().table(pieces).schema().Find("y");
  ASSERT_TRUE(other
                  ->Inject({.table = pieces, .row = 1, .scalar = path},
                           sim::FieldValue::OfDouble(0.5))
                  .ok());
  const auto failure = DescribeRestoredRun(0, one->state(), *other);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->signature, "restore board.pieces.y");
}

TEST(RestoreCheckTest, StateThatWasSavedGoesOnTheSame) {
  const auto tiny = MakeTiny();
  const std::string saved = sim::EncodeState(tiny->state());
  for (int tick = 0; tick < 50; ++tick) tiny->Step({}, nullptr);
  const auto other = tiny->Fork();
  EXPECT_FALSE(
      CheckRestoredRun(saved, 0, {}, tiny->state(), 50, *other).has_value());
}

}  // namespace
}  // namespace reprise::replays
