// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the house of the guards lives: every state is entered, plans are
// made and done, thieves are seen, heard, chased and caught; and that a
// snapshot of every single tick goes on as the game did.

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/random_input_source.h"
#include "sim/state/state.h"
#include "sim/state/state_codec.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

std::unique_ptr<Simulation> House() {
  auto world = CreateWorld(BatteryPack("guard"), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

TEST(GuardTest, EveryStateIsEnteredAndEveryEventHappens) {
  const auto world = House();
  RandomInputSource inputs(world->info().inputs, 3);
  std::set<std::string> states;
  std::set<std::string> goals;
  std::set<std::string> events;
  for (int tick = 0; tick < 7200; ++tick) {
    world->Step(inputs.Next(), nullptr);
    for (const Event& event : world->DrainEvents()) {
      events.insert(std::string(world->IdName(event.type)));
      for (const EventArgument& argument : event.arguments) {
        const auto name =
            std::string(argument.value.type == ScalarType::kId
                            ? world->IdName(Id{argument.value.bits})
                            : "");
        if (argument.name == IdOf("to")) states.insert(name);
        if (argument.name == IdOf("goal")) goals.insert(name);
      }
    }
  }
  for (const char* const state :
       {"patrol", "investigate", "alert", "attack", "search", "open", "shut",
        "unlocked", "shutting", "plan", "startled", "work"}) {
    EXPECT_TRUE(states.contains(state)) << state;
  }
  EXPECT_EQ(goals, (std::set<std::string>{"air", "light"}));
  for (const char* const event :
       {"saw", "heard_noise", "lost_sight_of", "forgot", "caught", "let_go",
        "unlock", "area_changed", "path_stale", "sight_budget_passed"}) {
    EXPECT_TRUE(events.contains(event)) << event;
  }
}

// A world at its start has other objects in its slots than the state it takes;
// searches outlive who asked for them.
TEST(GuardTest, WorldAtItsStartTakesTheStateOfEachTick) {
  for (const uint64_t seed : {1, 2}) {
    const auto world = House();
    RandomInputSource inputs(world->info().inputs, seed);
    for (int tick = 0; tick < 1200; ++tick) {
      const auto start = House();
      const absl::Status status = start->Restore(world->state());
      ASSERT_TRUE(status.ok()) << seed << " " << tick << ": " << status;
      world->Step(inputs.Next(), nullptr);
    }
  }
}

TEST(GuardTest, SnapshotOfEveryTickGoesOnAsTheGameDid) {
  const auto world = House();
  const auto other = House();
  RandomInputSource inputs(world->info().inputs, 7);
  for (int tick = 0; tick < 500; ++tick) {
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
