// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that Pong, which is data and Lua alone, is a game: its rules hold, no
// script fails whatever players do, and a snapshot of every single tick goes on
// as the game did.

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

std::unique_ptr<Simulation> Pong() {
  auto world = CreateWorld(BatteryPack("pong"), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

struct Count {
  int serves = 0;
  int points = 0;
  int failures = 0;
};

Count Play(Simulation& world, int ticks, uint64_t seed) {
  RandomInputSource inputs(world.info().inputs, seed);
  Count count;
  for (int tick = 0; tick < ticks; ++tick) {
    world.Step(inputs.Next(), nullptr);
    for (const Event& event : world.DrainEvents()) {
      if (event.type == IdOf("serve")) ++count.serves;
      if (event.type == IdOf("point")) ++count.points;
      if (event.type == IdOf("script_failed") ||
          event.type == IdOf("property_refused")) {
        ++count.failures;
      }
    }
  }
  return count;
}

TEST(PongTest, EachServeEndsWithAPoint) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const auto world = Pong();
    const Count count = Play(*world, 1800, seed);
    EXPECT_GT(count.points, 3) << seed;
    EXPECT_EQ(count.failures, 0) << seed;
    EXPECT_GE(count.serves, count.points) << seed;
    EXPECT_LE(count.serves, count.points + 1) << seed;
  }
}

TEST(PongTest, SnapshotOfEveryTickGoesOnAsTheGameDid) {
  const auto world = Pong();
  const auto other = Pong();
  RandomInputSource inputs(world->info().inputs, 7);
  for (int tick = 0; tick < 400; ++tick) {
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
