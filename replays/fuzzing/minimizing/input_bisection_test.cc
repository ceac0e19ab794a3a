// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that of all inputs in which two runs differ those are named, and no
// others, that make the good one fail as the bad one does.

#include "replays/fuzzing/minimizing/input_bisection.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/inputs/played_inputs.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

using testing::HasSubstr;

std::unique_ptr<sim::Simulation> MakeTiny() {
  return *TinySimulation::Create(MakeTinyPack(), /*seed=*/1);
}

// The runner gets no further than this: 31 ticks at full deflection.
FuzzRules Near() {
  return *FuzzRules::Create(
      {.always = {{.name = "near", .text = "pieces.x < 3"}}}, *MakeTiny());
}

// What the runner's axis and the drifter's button are from a tick on.
struct Held {
  sim::Tick tick = 0;
  int16_t axis = 0;
  uint64_t buttons = 0;
};

PlayedInputs RunOf(const std::vector<Held>& changes, sim::Tick tick_count) {
  PlayedInputs run{.ticks = {}, .tick_count = tick_count};
  for (const Held& held : changes) {
    sim::InputFrame frame{.player = 0};
    frame.device.axes[0] = held.axis;
    frame.device.buttons = held.buttons;
    run.ticks.push_back({.tick = held.tick, .frames = {frame}});
  }
  return run;
}

TEST(InputBisectionTest, TheOneInputThatMakesItFailIsNamed) {
  const PlayedInputs good =
      RunOf({{2, 100, 0}, {10, 0, 1}, {11, 0, 0}, {30, 300, 0}}, 200);
  const PlayedInputs bad =
      RunOf({{2, 150, 0}, {10, 0, 0}, {20, sim::kAxisMax, 0}, {90, 0, 1}}, 200);
  const auto culprits = BisectInputs(*MakeTiny(), Near(), good, bad);
  ASSERT_TRUE(culprits.ok()) << culprits.status();
  EXPECT_EQ(culprits->failure.signature, "always near");
  EXPECT_GT(culprits->difference_count, 2u);
  // Held from tick 20 on; the good run lets go at tick 30, which may not be.
  ASSERT_EQ(culprits->differences.size(), 2u);
  EXPECT_EQ(culprits->differences[0].tick, 20u);
  EXPECT_EQ(culprits->differences[1].tick, 30u);
  EXPECT_TRUE(culprits->differences[0].good.empty());
  ASSERT_EQ(culprits->differences[0].bad.size(), 1u);
  EXPECT_EQ(culprits->differences[0].bad[0].value.numbers[0], sim::kAxisMax);
  EXPECT_EQ(culprits->first_tick, 21u);
  EXPECT_FALSE(culprits->first_field.empty());
}

TEST(InputBisectionTest, RunsThatDoNotFailOrBothDoAreRefused) {
  const PlayedInputs idle = RunOf({}, 100);
  const PlayedInputs fails = RunOf({{0, sim::kAxisMax, 0}}, 100);
  const PlayedInputs later = RunOf({{3, sim::kAxisMax, 0}}, 100);
  const auto right = BisectInputs(*MakeTiny(), Near(), fails, idle);
  EXPECT_EQ(right.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(right.status().message()),
              HasSubstr("the run doesn't fail"));
  const auto both = BisectInputs(*MakeTiny(), Near(), fails, later);
  EXPECT_EQ(both.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(both.status().message()),
              HasSubstr("the good run fails in the same way, at tick "));
}

TEST(InputBisectionTest, GoodRunThatEndsBeforeIsIdleFromThereOn) {
  const auto culprits =
      BisectInputs(*MakeTiny(), Near(), RunOf({}, 5),
                   RunOf({{0, 0, 1}, {1, 0, 0}, {8, sim::kAxisMax, 0}}, 100));
  ASSERT_TRUE(culprits.ok()) << culprits.status();
  ASSERT_EQ(culprits->differences.size(), 1u);
  EXPECT_EQ(culprits->differences[0].tick, 8u);
}

}  // namespace
}  // namespace reprise::replays
