// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the fighter, which is data and Lua alone, is a game: no script
// fails whatever players do, rounds follow each other until one has won, and a
// snapshot of every single tick goes on as the game did. What its moves do is
// proved in fighter_frames_test.cc.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/random_input_source.h"
#include "sim/state/state_codec.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

std::unique_ptr<Simulation> Fighter() {
  auto world = CreateWorld(BatteryPack("fighter"), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

struct Count {
  int blows = 0;
  int rounds = 1;
  int decisions = 0;
  int failures = 0;
};

Count Play(Simulation& world, int ticks, uint64_t seed) {
  RandomInputSource inputs(world.info().inputs, seed);
  Count count;
  for (int tick = 0; tick < ticks; ++tick) {
    world.Step(inputs.Next(), nullptr);
    for (const Event& event : world.DrainEvents()) {
      if (event.type == IdOf("struck")) ++count.blows;
      if (event.type == IdOf("round_begins")) ++count.rounds;
      if (event.type == IdOf("left_won") || event.type == IdOf("right_won") ||
          event.type == IdOf("nobody_won")) {
        ++count.decisions;
      }
      if (event.type == IdOf("script_failed") ||
          event.type == IdOf("property_refused")) {
        ++count.failures;
      }
    }
  }
  return count;
}

// Three rounds of 25 seconds, and what lies between them.
constexpr int kMatchTicks = 3 * (60 + 1500 + 120) + 10;

TEST(FighterTest, IsDecidedOnceWithinThreeRounds) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const auto world = Fighter();
    const Count count = Play(*world, kMatchTicks, seed);
    EXPECT_GT(count.blows, 5) << seed;
    EXPECT_GE(count.rounds, 2) << seed;
    EXPECT_LE(count.rounds, 3) << seed;
    EXPECT_EQ(count.decisions, 1) << seed;
    EXPECT_EQ(count.failures, 0) << seed;
  }
}

TEST(FighterTest, SnapshotOfEveryTickGoesOnAsTheGameDid) {
  const auto world = Fighter();
  const auto other = Fighter();
  RandomInputSource inputs(world->info().inputs, 7);
  for (int tick = 0; tick < 600; ++tick) {
    const std::string bytes = EncodeState(world->state());
    const auto state =
        DecodeState(std::as_bytes(std::span(bytes)), other->state());
    ASSERT_TRUE(state.ok()) << state.status();
    ASSERT_TRUE(other->Restore(*state).ok()) << tick;
    const std::vector<InputFrame> frames = inputs.Next();
    world->Step(frames, nullptr);
    other->Step(frames, nullptr);
    ASSERT_EQ(other->state().ComputeRootDigest(),
              world->state().ComputeRootDigest())
        << tick;
  }
}

}  // namespace
}  // namespace reprise::sim
