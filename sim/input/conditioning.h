// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is made of the numbers that sticks and axes report before a game uses
// them: noise at rest is taken off, the rest is stretched over the whole range,
// and what jitters is smoothed.

#ifndef REPRISE_SIM_INPUT_CONDITIONING_H_
#define REPRISE_SIM_INPUT_CONDITIONING_H_

#include <cstdint>
#include <optional>

#include "sim/geometry/vector2.h"

namespace reprise::sim {

// Below `dead` there is nothing, from `reach` on there is the full value.
// 0 <= dead < reach <= 1.
struct AxisRange {
  double dead = 0.0;
  double reach = 1.0;

  friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

// An axis of -1 to 1: 0 within the dead zone, then growing evenly to 1 at the
// reach.
double InRange(double value, const AxisRange& range);

// A stick, whose dead zone and reach are circles: its direction stays, and its
// length is that of InRange. So a diagonal reaches no farther than an axis, and
// no direction has a larger dead zone than another.
Vector2 InRange(Vector2 stick, const AxisRange& range);

// One step of a low-pass filter of the first order: `factor` of the way from
// `smoothed` to `value`. 0 < factor <= 1.
double Smooth(double smoothed, double value, double factor);

// The factor with which, after `time_constant` steps, 1/e of a change is left.
// REQUIRES: time_constant > 0.
double SmoothingFactor(double time_constant);

// The eight ways that a stick points, counter-clockwise from the right.
enum class StickDirection : uint32_t {
  kNeutral = 0,
  kRight = 1,
  kUpRight = 2,
  kUp = 3,
  kUpLeft = 4,
  kLeft = 5,
  kDownLeft = 6,
  kDown = 7,
  kDownRight = 8,
};

// Which of them `stick` points to, by sectors of 45 degrees about each; neutral
// below half of the way out. y points up.
StickDirection DirectionOf(Vector2 stick);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_CONDITIONING_H_
