// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/controls/control_patterns.h"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "sim/input/conditioning.h"

namespace reprise::sim {
namespace {

// Whether what was `done`, as PatternRow has it, is at most `ticks` ago.
bool WasWithin(uint64_t done, Tick ticks, Tick now) {
  return done != 0 && done - 1 <= now && now - (done - 1) <= ticks;
}

class Follower {
 public:
  Follower(std::span<const ControlValue> controls, Tick now, PatternRow& row)
      : controls_(controls), now_(now), row_(row) {}

  bool operator()(const std::monostate& /*no pattern*/) const { return false; }

  bool operator()(const HoldPattern& hold) const {
    const ControlValue& control = controls_[hold.control];
    return control.is_down && now_ - control.changed_at(now_) >= hold.ticks;
  }

  bool operator()(const TapPattern& tap) const {
    const ControlValue& control = controls_[tap.control];
    return control.is_released() && now_ - control.changed_before <= tap.ticks;
  }

  bool operator()(const DoubleTapPattern& tap) const {
    if (!controls_[tap.control].is_pressed()) return false;
    if (WasWithin(row_.done[0], tap.ticks, now_)) {
      row_.done[0] = 0;  // a third press begins anew
      return true;
    }
    row_.done[0] = now_ + 1;
    return false;
  }

  bool operator()(const ChordPattern& chord) const {
    Tick first = now_;
    Tick last = 0;
    for (const uint32_t index : chord.controls) {
      if (!controls_[index].is_down) return false;
      const Tick pressed = controls_[index].changed_at(now_);
      first = std::min(first, pressed);
      last = std::max(last, pressed);
    }
    return last - first <= chord.ticks;
  }

  // For each step when it was last done, behind those before it. The latest is
  // all that counts, since no window reaches farther than one step back; and as
  // steps are looked at from the last one on, each takes a tick of its own.
  bool operator()(const SequencePattern& sequence) const {
    const StickDirection direction =
        sequence.stick == kNoIndex
            ? StickDirection::kNeutral
            : DirectionOf(controls_[sequence.stick].value);
    bool is_complete = false;
    for (size_t i = sequence.steps.size(); i-- > 0;) {
      const SequenceStep& step = sequence.steps[i];
      if (i > 0 && !WasWithin(row_.done[i - 1], step.ticks, now_)) continue;
      if (!IsDone(step, direction)) continue;
      row_.done[i] = now_ + 1;
      is_complete |= i + 1 == sequence.steps.size();
    }
    // What is complete doesn't count again.
    if (is_complete) row_.done = {};
    if (row_.direction != static_cast<uint64_t>(direction)) {
      row_.direction = static_cast<uint64_t>(direction);
      row_.direction_since = now_;
    }
    return is_complete;
  }

 private:
  bool IsDone(const SequenceStep& step, StickDirection direction) const {
    const auto before = static_cast<StickDirection>(row_.direction);
    if (step.held_ticks > 0) {
      return before == *step.direction && direction != before &&
             now_ - row_.direction_since >= step.held_ticks;
    }
    if (step.press.empty()) {
      return direction == *step.direction && direction != before;
    }
    if (step.direction.has_value() && direction != *step.direction) {
      return false;
    }
    bool is_pressed = false;
    for (const uint32_t index : step.press) {
      if (!controls_[index].is_down) return false;
      is_pressed |= controls_[index].is_pressed();
    }
    return is_pressed;
  }

  std::span<const ControlValue> controls_;
  Tick now_;
  PatternRow& row_;
};

}  // namespace

bool FollowPattern(const ControlPattern& pattern,
                   std::span<const ControlValue> controls, Tick now,
                   PatternRow& row) {
  return std::visit(Follower(controls, now, row), pattern);
}

bool HasPatternRow(const ControlPattern& pattern) {
  return std::holds_alternative<DoubleTapPattern>(pattern) ||
         std::holds_alternative<SequencePattern>(pattern);
}

}  // namespace reprise::sim
