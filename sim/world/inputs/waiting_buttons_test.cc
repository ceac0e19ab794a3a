// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no press between steps is lost or found twice: by strings of what
// a player does and what steps find, and against a queue of changes.

#include "sim/world/inputs/waiting_buttons.h"

#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

constexpr uint64_t kButton = uint64_t{1} << 63;

// `d` and `u`: the player holds it down or up; `|`: a step, of which the result
// says 'D' down at last, 'd' still down, 'U' up at last, 'u' still up.
std::string StepsOf(std::string_view story) {
  FoundButtons<uint64_t> found;
  WaitingButtons<uint64_t> waiting;
  std::string steps;
  for (const char each : story) {
    if (each != '|') {
      GatherButtons(found, each == 'd' ? kButton : 0, waiting);
      continue;
    }
    FindButtons(waiting, found);
    const bool is_down = found.now != 0;
    const bool is_changed = found.now != found.before;
    steps += is_down ? (is_changed ? 'D' : 'd') : (is_changed ? 'U' : 'u');
  }
  return steps;
}

TEST(WaitingButtonsTest, StepForEachTickFindsWhatIsHeld) {
  EXPECT_EQ(StepsOf("|d|d|u|u|d|u|"), "uDdUuDU");
}

TEST(WaitingButtonsTest, SecondStepOfATickFindsNoPress) {
  EXPECT_EQ(StepsOf("d||u|||"), "DdUuu");
}

TEST(WaitingButtonsTest, TapBetweenStepsIsDownForOneStep) {
  EXPECT_EQ(StepsOf("du|||"), "DUu");
  EXPECT_EQ(StepsOf("ddduuu||"), "DU");
  EXPECT_EQ(StepsOf("|du|u|u|"), "uDUu");
}

TEST(WaitingButtonsTest, PressWaitsAndIsFoundOnce) {
  EXPECT_EQ(StepsOf("dddd|d|d"), "Dd");
  EXPECT_EQ(StepsOf("d|du||"), "DUu");
}

TEST(WaitingButtonsTest, LettingGoAndPressingAgainAreTwoSteps) {
  EXPECT_EQ(StepsOf("d|ud|d|d|"), "DUDd");
  EXPECT_EQ(StepsOf("d|udu||||"), "DUDUu");
  EXPECT_EQ(StepsOf("dud|||"), "DUD");
}

TEST(WaitingButtonsTest, MoreThanStepsCanFindIsOnePressLess) {
  EXPECT_EQ(StepsOf("dududu||||"), "DUuu");
  EXPECT_EQ(StepsOf("dududud||||"), "DUDd");
}

// Any number of steps after each change, and any number of changes.
TEST(WaitingButtonsTest, FindsWhatAQueueOfThreeChangesFinds) {
  std::minstd_rand random(5);
  FoundButtons<uint32_t> found;
  WaitingButtons<uint32_t> waiting;
  std::deque<bool> changes;
  bool is_held = false;
  bool was_down = false;
  for (int i = 0; i < 20'000; ++i) {
    if (random() % 2 == 0) {
      const bool holds = random() % 2 == 0;
      if (holds != is_held) changes.push_back(holds);
      if (changes.size() > 3) changes.resize(2);
      is_held = holds;
      GatherButtons(found, holds ? 4u : 0u, waiting);
      continue;
    }
    const bool before = was_down;
    if (!changes.empty()) {
      was_down = changes.front();
      changes.pop_front();
    }
    FindButtons(waiting, found);
    ASSERT_EQ(found.now, was_down ? 4u : 0u) << i;
    ASSERT_EQ(found.before, before ? 4u : 0u) << i;
    ASSERT_EQ(changes.empty(), waiting.again == 0 && waiting.held == found.now);
  }
}

}  // namespace
}  // namespace reprise::sim
