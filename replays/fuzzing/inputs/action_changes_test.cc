// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that frames become changes and changes the same frames again, of every
// kind of input, and what becomes of changes that a tick can't hold.

#include "replays/fuzzing/inputs/action_changes.h"

#include "gtest/gtest.h"
#include "sim/input/random_input_source.h"
#include "sim/input/testing_grammar.h"

namespace reprise::replays {
namespace {

const sim::InputGrammar& Grammar() {
  static const sim::InputGrammar grammar = sim::EveryInputGrammar();
  return grammar;
}

std::vector<TickInputs> RandomTicks(uint64_t seed, sim::Tick tick_count) {
  sim::RandomInputSource source(Grammar(), seed);
  std::vector<TickInputs> ticks;
  for (sim::Tick tick = 0; tick < tick_count; ++tick) {
    TickInputs inputs{.tick = tick, .frames = source.Next()};
    if (!inputs.frames.empty()) ticks.push_back(std::move(inputs));
  }
  return ticks;
}

TEST(ActionChangesTest, FramesComeBackTheSame) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<TickInputs> ticks = RandomTicks(seed, 300);
    HeldDevices held(2);
    const std::vector<ActionChange> changes = ToChanges(Grammar(), ticks, held);
    HeldDevices held_again(2);
    EXPECT_EQ(ToTickInputs(Grammar(), changes, held_again), ticks);
    EXPECT_EQ(held_again, held);
  }
}

TEST(ActionChangesTest, EachActionOfAFrameIsAChange) {
  const std::vector<TickInputs> ticks = {
      {.tick = 7, .frames = {sim::EveryInputFrame(1)}}};
  HeldDevices held(2);
  const std::vector<ActionChange> changes = ToChanges(Grammar(), ticks, held);
  ASSERT_EQ(changes.size(), Grammar().actions.size());
  EXPECT_EQ(FormatChange(Grammar(), changes[0]), "tick 7, player 1: jump = 1");
  EXPECT_EQ(FormatChange(Grammar(), changes[1]),
            "tick 7, player 1: lean = -32767");
  EXPECT_EQ(held[1], sim::EveryInputFrame(1).device);
}

TEST(ActionChangesTest, WhatIsHeldAlreadyIsNoFrame) {
  const std::vector<ActionChange> press = {
      {.tick = 3, .player = 0, .action = 0, .value = {.numbers = {1}}}};
  HeldDevices held(2);
  EXPECT_EQ(ToTickInputs(Grammar(), press, held).size(), 1);
  EXPECT_EQ(ToTickInputs(Grammar(), press, held).size(), 0);
}

TEST(ActionChangesTest, CommandsBeyondThePacksBoundAreLeftOut) {
  const std::vector<ActionChange> commands(
      5, {.tick = 0, .player = 0, .action = 2, .value = {.arguments = {3}}});
  HeldDevices held(2);
  const std::vector<TickInputs> ticks = ToTickInputs(Grammar(), commands, held);
  ASSERT_EQ(ticks.size(), 1);
  EXPECT_EQ(ticks[0].frames[0].commands.size(), 3);
  EXPECT_TRUE(sim::ValidateInputs(Grammar(), ticks[0].frames).ok());
}

}  // namespace
}  // namespace reprise::replays
