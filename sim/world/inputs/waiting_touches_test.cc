// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every finger that comes and goes is found once, whatever steps
// there are between: by strings of what one finger does, and against buttons.

#include "sim/world/inputs/waiting_touches.h"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/world/inputs/waiting_buttons.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kPhases = "?bheE";  // by their numbers

class WaitingTouchesTest : public testing::Test {
 protected:
  void Give(const std::vector<Touch>& touches) {
    GatherTouches(found_, touches, waiting_);
  }
  void Step() { FindTouches(waiting_, found_); }

  // Letters: the finger is at that place; `-`: it is up; `|`: a step, of which
  // the result has the phase (b, h, e; `.`: there is no finger) and the place.
  std::string StepsOf(std::string_view story) {
    std::string steps;
    for (const char each : story) {
      if (each == '-') {
        Give({});
      } else if (each != '|') {
        Give({{.id = 7, .x = static_cast<uint16_t>(each)}});
      } else {
        Step();
        steps += steps.empty() ? "" : " ";
        if (found_.empty()) steps += '.';
        for (const TouchRow& row : found_) {
          EXPECT_EQ(row.touch, 7u);
          steps += kPhases[static_cast<size_t>(row.phase)];
          steps += static_cast<char>(row.x);
        }
      }
    }
    return steps;
  }

  std::vector<TouchRow> found_;
  std::vector<TouchRow> waiting_;
};

TEST_F(WaitingTouchesTest, StepForEachTickFindsWhatIsThere) {
  EXPECT_EQ(StepsOf("P|Q|R|-|-|S|"), "bP hQ hR eR . bS");
}

TEST_F(WaitingTouchesTest, SecondStepOfATickHoldsAndForgets) {
  EXPECT_EQ(StepsOf("P||-|||"), "bP hP eP . .");
}

TEST_F(WaitingTouchesTest, FingerThatCameWaitsWhereItIsByNow) {
  EXPECT_EQ(StepsOf("PQR|S|"), "bR hS");
}

TEST_F(WaitingTouchesTest, TapBetweenStepsBeginsAndEnds) {
  EXPECT_EQ(StepsOf("P-|||"), "bP eP .");
  EXPECT_EQ(StepsOf("PQ--|-|-|"), "bQ eQ .");
}

TEST_F(WaitingTouchesTest, EndsWhereItWasLast) {
  EXPECT_EQ(StepsOf("P|QR-|"), "bP eR");
}

TEST_F(WaitingTouchesTest, ComingAgainIsAnotherTouch) {
  EXPECT_EQ(StepsOf("P|-Z|Z|Z|"), "bP eP bZ hZ");
  EXPECT_EQ(StepsOf("-|"), "eZ");
  EXPECT_EQ(StepsOf("P|Q-Z-||||"), "bP eP bZ eZ .");
}

TEST_F(WaitingTouchesTest, TapsThatWaitAreBounded) {
  for (uint16_t id = 100; id-- > 0;) {
    Give({{.id = id}});
    Give({});
  }
  EXPECT_EQ(waiting_.size(), kWaitingTapsMax);
  Step();
  ASSERT_EQ(found_.size(), kWaitingTapsMax);
  EXPECT_EQ(found_.back().touch, 99u) << "the first that came";
  Step();
  EXPECT_EQ(found_.front().phase, TouchPhase::kEnded);
  EXPECT_TRUE(waiting_.empty());
}

// Fingers come, go and are found as buttons are.
TEST_F(WaitingTouchesTest, FindsWhatButtonsFind) {
  std::minstd_rand random(6);
  FoundButtons<uint32_t> buttons;
  WaitingButtons<uint32_t> held;
  for (int i = 0; i < 20'000; ++i) {
    if (random() % 2 == 0) {
      const uint32_t fingers = random() % 16;
      std::vector<Touch> touches;
      for (uint16_t id = 0; id < 4; ++id) {
        if ((fingers >> id & 1) != 0) touches.push_back({.id = id});
      }
      Give(touches);
      GatherButtons(buttons, fingers, held);
    } else {
      Step();
      FindButtons(held, buttons);
    }
    uint32_t now = 0;
    uint32_t began = 0;
    uint32_t ended = 0;
    for (const TouchRow& row : found_) {
      const uint32_t bit = 1u << row.touch;
      now |= row.phase == TouchPhase::kEnded ? 0 : bit;
      began |= row.phase == TouchPhase::kBegan ? bit : 0;
      ended |= row.phase == TouchPhase::kEnded ? bit : 0;
    }
    ASSERT_EQ(now, buttons.now) << i;
    ASSERT_EQ(began, buttons.now & ~buttons.before) << i;
    ASSERT_EQ(ended, buttons.before & ~buttons.now) << i;
    ASSERT_EQ(waiting_ == WaitingTouchesOf(found_),
              held.held == buttons.now && held.again == 0)
        << i;
  }
}

}  // namespace
}  // namespace reprise::sim
