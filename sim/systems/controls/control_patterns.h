// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds patterns in what controls do: holds, taps, double taps, chords and
// sequences. Each is a function of the controls of this step, of the one before
// and of a row.

#ifndef REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_PATTERNS_H_
#define REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_PATTERNS_H_

#include <cstdint>
#include <span>

#include "sim/base/tick.h"
#include "sim/geometry/vector2.h"
#include "sim/systems/controls/control_definition.h"
#include "sim/systems/controls/control_rows.h"

namespace reprise::sim {

// A control in this step, and when a button last went down or up before it.
struct ControlValue {
  Vector2 value;
  bool is_down = false;
  bool was_down = false;
  Tick changed_before = 0;

  bool is_pressed() const { return is_down && !was_down; }
  bool is_released() const { return !is_down && was_down; }
  // Since when it is as it is. REQUIRES: `now` is this step.
  Tick changed_at(Tick now) const {
    return is_down != was_down ? now : changed_before;
  }
};

// Whether the pattern's button is down in the step `now`; `row` goes on, where
// the pattern has one. REQUIRES: `pattern` is one; `controls` has those that it
// names.
bool FollowPattern(const ControlPattern& pattern,
                   std::span<const ControlValue> controls, Tick now,
                   PatternRow& row);

// Whether the pattern remembers anything in its row.
bool HasPatternRow(const ControlPattern& pattern);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_PATTERNS_H_
