// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves patterns of controls against their definitions: what is found step by
// step is what a look at the whole past finds.

#include "sim/systems/controls/control_patterns.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/tick.h"
#include "sim/geometry/vector2.h"

namespace reprise::sim {
namespace {

// What buttons do, one string each, '#' for each step in which it is down, and
// in which steps a pattern of them is down.
std::string Follow(const ControlPattern& pattern,
                   const std::vector<std::string>& buttons,
                   const std::vector<Vector2>& stick = {}) {
  std::vector<ControlValue> controls(buttons.size() + 1);
  PatternRow row;
  std::string found;
  for (Tick now = 0; now < buttons[0].size(); ++now) {
    for (size_t i = 0; i < buttons.size(); ++i) {
      ControlValue& control = controls[i];
      control.changed_before = control.changed_at(now == 0 ? 0 : now - 1);
      control.was_down = control.is_down;
      control.is_down = buttons[i][now] == '#';
    }
    if (!stick.empty()) controls.back().value = stick[now];
    found += FollowPattern(pattern, controls, now, row) ? '#' : '.';
  }
  return found;
}

TEST(ControlPatternsTest, HoldIsDownFromItsTimeOn) {
  const HoldPattern hold = {.control = 0, .ticks = 3};
  EXPECT_EQ(Follow(hold, {".##..####...#####."}),  //
            "........#......##.");
}

TEST(ControlPatternsTest, TapIsLetGoSoon) {
  const TapPattern tap = {.control = 0, .ticks = 2};
  EXPECT_EQ(Follow(tap, {".#..##..###..#."}),  //
            "..#...#.......#");
}

TEST(ControlPatternsTest, DoubleTapIsASecondPressSoon) {
  const DoubleTapPattern tap = {.control = 0, .ticks = 4};
  EXPECT_EQ(Follow(tap, {".#.#..#.#.#.....#.....#..#"}),  //
            "...#....#................#");
}

TEST(ControlPatternsTest, ChordIsDownWhileAllAreThatCameTogether) {
  const ChordPattern chord = {.controls = {0, 1, 2}, .ticks = 2};
  EXPECT_EQ(Follow(chord, {".####..######.####",  //
                           "..###....####..###",  //
                           "...##.....####.###"}),
            "...##..........###");
}

// Where the digits of a number pad point to; 5 is neutral.
Vector2 OfPad(char digit) {
  const int place = digit - '1';
  const int row = place / 3;
  return {static_cast<double>(place % 3 - 1), static_cast<double>(row - 1)};
}

std::vector<Vector2> Stick(std::string_view pad) {
  std::vector<Vector2> stick;
  for (const char digit : pad) stick.push_back(OfPad(digit));
  return stick;
}

// Down, down and forward, forward, and a punch, each within four ticks.
const SequencePattern kFireball = {
    .stick = 1,
    .steps = {{.direction = StickDirection::kDown, .ticks = 4},
              {.direction = StickDirection::kDownRight, .ticks = 4},
              {.direction = StickDirection::kRight, .press = {0}, .ticks = 4}}};

TEST(ControlPatternsTest, SequenceIsDoneWithItsLastStep) {
  struct Case {
    std::string_view what, stick, punch, found;
  };
  for (const Case& each : {
           Case{"quickly", "5236", "...#", "...#"},
           Case{"slowly", "522233336666", "..........#.", "............"},
           Case{"with the punch late", "5223366666", "......#...",
                "......#..."},
           Case{"with the punch too late", "5223366666", ".........#",
                ".........."},
           Case{"in another order", "5326", "...#", "...."},
           Case{"with something in between", "525236", ".....#", ".....#"},
           Case{"with the punch held before", "5236", "####", "...."},
           Case{"the punch before the direction", "52336", "...##", "....."},
           Case{"twice with one way round", "5236665", "...#.#.", "...#..."},
           Case{"twice", "52365236", "...#...#", "...#...#"},
       }) {
    EXPECT_EQ(Follow(kFireball, {std::string(each.punch)}, Stick(each.stick)),
              each.found)
        << each.what;
  }
}

TEST(ControlPatternsTest, DirectionIsHeldBeforeItIsLeft) {
  const SequencePattern charge = {
      .stick = 1,
      .steps = {
          {.direction = StickDirection::kLeft, .held_ticks = 3},
          {.direction = StickDirection::kRight, .press = {0}, .ticks = 2}}};
  EXPECT_EQ(Follow(charge, {".....#.....#"}, Stick("544466544655")),
            ".....#......");
}

// Whether `steps`, the last of them at tick `last`, were all done after
// `after`.
bool WasDone(const std::vector<std::vector<bool>>& done,
             const SequencePattern& sequence, size_t step, int64_t tick,
             int64_t after) {
  if (tick <= after || !done[step][static_cast<size_t>(tick)]) return false;
  if (step == 0) return true;
  for (int64_t before = tick - 1;
       before >= 0 &&
       tick - before <= static_cast<int64_t>(sequence.steps[step].ticks);
       --before) {
    if (WasDone(done, sequence, step - 1, before, after)) return true;
  }
  return false;
}

TEST(ControlPatternsTest, SequencesAreFoundAsALookAtThePastFindsThem) {
  constexpr int kTicks = 400;
  int found_count = 0;
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    std::minstd_rand random(seed);
    std::string pad;
    std::string punch;
    while (pad.size() < kTicks) {
      const char digit = "123695"[random() % 6];
      const char button = random() % 2 == 0 ? '#' : '.';
      const size_t length = 1 + random() % 4;
      pad.append(length, digit);
      punch.append(length, button);
    }
    const std::string found = Follow(kFireball, {punch}, Stick(pad));
    std::vector<std::vector<bool>> done(3, std::vector<bool>(pad.size()));
    for (size_t i = 1; i < pad.size(); ++i) {
      done[0][i] = pad[i] == '2' && pad[i - 1] != '2';
      done[1][i] = pad[i] == '3' && pad[i - 1] != '3';
      done[2][i] = pad[i] == '6' && punch[i] == '#' && punch[i - 1] != '#';
    }
    int64_t after = -1;
    for (size_t i = 1; i < pad.size(); ++i) {
      const bool is_done =
          WasDone(done, kFireball, 2, static_cast<int64_t>(i), after);
      ASSERT_EQ(found[i] == '#', is_done) << seed << " " << i;
      if (!is_done) continue;
      after = static_cast<int64_t>(i);
      ++found_count;
    }
  }
  EXPECT_GT(found_count, 50);
}

}  // namespace
}  // namespace reprise::sim
