// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the belfry goes as its scripts' states say: bells are rung in
// turn, ravens fly up and come back to where they came from, no script fails
// whatever the player does, and a snapshot of every single tick, in the middle
// of any step, goes on as the game did.

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/state_codec.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/random_input_source.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

std::unique_ptr<Simulation> Belfry() {
  auto world = CreateWorld(BatteryPack("belfry"), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

TEST(BelfryTest, BellsRingInTurnAndRavensFly) {
  const auto world = Belfry();
  std::vector<std::string> struck;
  int startled = 0;
  for (int tick = 0; tick < 2400; ++tick) {
    world->Step({}, nullptr);
    for (const Event& event : world->DrainEvents()) {
      if (event.type == IdOf("struck")) {
        struck.push_back(world->ObjectName(event.object));
      }
      if (event.type == IdOf("startled")) ++startled;
      EXPECT_NE(event.type, IdOf("script_failed"));
      EXPECT_NE(event.type, IdOf("property_refused"));
    }
  }
  // Each is struck twice before the next.
  ASSERT_GE(struck.size(), 12u);
  const std::vector<std::string> round = {"bell_1", "bell_1", "bell_2",
                                          "bell_2", "bell_3", "bell_3"};
  for (size_t i = 0; i < struck.size(); ++i) {
    EXPECT_EQ(struck[i], round[i % round.size()]) << i;
  }
  EXPECT_GT(startled, 10);
}

// A raven is told what is right below it a little after it asked, and settles
// when that is no bell.
TEST(BelfryTest, RavensLookDownBeforeTheySettle) {
  const auto world = Belfry();
  int bells = 0;
  int clear = 0;
  for (int tick = 0; tick < 2400; ++tick) {
    world->Step({}, nullptr);
    for (const Event& event : world->DrainEvents()) {
      if (event.type != IdOf("looked_down")) continue;
      const auto hit = std::ranges::find(event.arguments, IdOf("object"),
                                         &EventArgument::name);
      if (hit == event.arguments.end()) {
        ++clear;
        continue;
      }
      ++bells;
      EXPECT_TRUE(
          world->ObjectName(ObjectId{hit->value.bits}).starts_with("bell_"));
    }
  }
  EXPECT_GT(bells, 0);
  EXPECT_GT(clear, 10);
}

TEST(BelfryTest, NoScriptFailsWhateverThePlayerDoes) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const auto world = Belfry();
    RandomInputSource inputs(world->info().inputs, seed);
    for (int tick = 0; tick < 1200; ++tick) {
      world->Step(inputs.Next(), nullptr);
      for (const Event& event : world->DrainEvents()) {
        ASSERT_NE(event.type, IdOf("script_failed")) << seed << ", " << tick;
      }
    }
  }
}

// A player who gives the ravens another source at two ticks.
std::vector<InputFrame> ReloadsAt(int tick) {
  if (tick != 200 && tick != 350) return {};
  std::string source(*BatteryPack("belfry").Find("scripts/raven.lua"));
  if (tick == 200) {
    // They dare to come back at once, and more slowly.
    const std::string_view wait = "{ wait = 60 },";
    source.replace(source.find(wait), wait.size(), "");
    const std::string_view speed = "speed = 5";
    source.replace(source.find(speed), speed.size(), "speed = 2");
  }
  return {{.player = 0,
           .commands = {{.name = IdOf("reload"),
                         .arguments = {"scripts/raven.lua", source}}}}};
}

TEST(BelfryTest, SnapshotOfEveryTickGoesOnAsTheGameDid) {
  const auto world = Belfry();
  const auto other = Belfry();
  RandomInputSource inputs(world->info().inputs, 7);
  for (int tick = 0; tick < 600; ++tick) {
    const std::string bytes = EncodeState(world->state());
    const auto state =
        DecodeState(std::as_bytes(std::span(bytes)), other->state());
    ASSERT_TRUE(state.ok()) << state.status();
    ASSERT_TRUE(other->Restore(*state).ok()) << tick;
    std::vector<InputFrame> frames = inputs.Next();
    if (const auto reload = ReloadsAt(tick); !reload.empty()) frames = reload;
    world->Step(frames, nullptr);
    other->Step(frames, nullptr);
    for (const Event& event : world->DrainEvents()) {
      ASSERT_NE(event.type, IdOf("script_reload_refused")) << tick;
      ASSERT_NE(event.type, IdOf("script_failed")) << tick;
    }
    ASSERT_EQ(other->state().ComputeRootDigest(),
              world->state().ComputeRootDigest())
        << tick;
  }
}

}  // namespace
}  // namespace reprise::sim
