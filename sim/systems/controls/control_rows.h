// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rows of controls. Every player has one of each control, context, binding
// and pattern of the pack, in the order of their ids.

#ifndef REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_ROWS_H_
#define REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/systems/controls/control_definition.h"

namespace reprise::sim {

// A control as the game finds it in a step.
struct ControlRow {
  uint64_t player = 0;
  Id control;
  double x = 0.0;  // of an axis and a stick
  double y = 0.0;  // of a stick, up
  uint64_t is_down = 0;
  uint64_t was_down = 0;  // a step before
  Tick changed_at = 0;    // the step in which it last went down or up

  static constexpr std::string_view kTable = "controls";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ControlRow, player, ""),
                      REPRISE_FIELD(ControlRow, control, ""),
                      REPRISE_FIELD(ControlRow, x, ""),
                      REPRISE_FIELD(ControlRow, y, ""),
                      REPRISE_FIELD(ControlRow, is_down, ""),
                      REPRISE_FIELD(ControlRow, was_down, ""),
                      REPRISE_FIELD(ControlRow, changed_at, "tick")};
  }
};

struct ContextRow {
  uint64_t player = 0;
  Id context;
  uint64_t is_enabled = 0;

  static constexpr std::string_view kTable = "contexts";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ContextRow, player, ""),
                      REPRISE_FIELD(ContextRow, context, ""),
                      REPRISE_FIELD(ContextRow, is_enabled, "")};
  }
};

// What a binding is bound to by now, and its value where it is smoothed.
struct BindingRow {
  uint64_t player = 0;
  Id binding;
  std::array<Id, kBindingSlots> actions = {};
  double x = 0.0;
  double y = 0.0;

  static constexpr std::string_view kTable = "bindings";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(BindingRow, player, ""),
                      REPRISE_FIELD(BindingRow, binding, ""),
                      REPRISE_FIELD(BindingRow, actions, ""),
                      REPRISE_FIELD(BindingRow, x, ""),
                      REPRISE_FIELD(BindingRow, y, "")};
  }
};

// How far a pattern has come that remembers more than its controls do.
struct PatternRow {
  uint64_t player = 0;
  Id control;
  // Of a double tap the last press; of a sequence when each step, and all
  // before it, were last done. One more than the step of the game; 0: never.
  std::array<uint64_t, kSequenceStepsMax> done = {};
  uint64_t direction = 0;  // of a sequence's stick, a step before
  Tick direction_since = 0;

  static constexpr std::string_view kTable = "patterns";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(PatternRow, player, ""),
                      REPRISE_FIELD(PatternRow, control, ""),
                      REPRISE_FIELD(PatternRow, done, "tick"),
                      REPRISE_FIELD(PatternRow, direction, ""),
                      REPRISE_FIELD(PatternRow, direction_since, "tick")};
  }
};

// The fingers that a binding follows; there is a row while there are any.
struct FingerRow {
  uint64_t player = 0;
  Id binding;
  uint64_t touch = 0;  // the first finger
  uint64_t other = 0;  // of a pinch, the second
  uint64_t x = 0;      // where the first came down, 1/65535 of the view
  uint64_t y = 0;
  Tick began = 0;
  double distance = 0.0;  // of a pinch, at its beginning

  static constexpr std::string_view kTable = "fingers";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(FingerRow, player, ""),
                      REPRISE_FIELD(FingerRow, binding, ""),
                      REPRISE_FIELD(FingerRow, touch, ""),
                      REPRISE_FIELD(FingerRow, other, ""),
                      REPRISE_FIELD(FingerRow, x, "1/65535"),
                      REPRISE_FIELD(FingerRow, y, "1/65535"),
                      REPRISE_FIELD(FingerRow, began, "tick"),
                      REPRISE_FIELD(FingerRow, distance, "")};
  }
};

// A place through which a stroke went that isn't over.
struct StrokePointRow {
  uint64_t player = 0;
  Id binding;
  uint64_t point = 0;  // from 0 on
  uint64_t x = 0;
  uint64_t y = 0;

  static constexpr std::string_view kTable = "strokes";
  static constexpr uint32_t kKeyFields = 3;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(StrokePointRow, player, ""),
                      REPRISE_FIELD(StrokePointRow, binding, ""),
                      REPRISE_FIELD(StrokePointRow, point, ""),
                      REPRISE_FIELD(StrokePointRow, x, "1/65535"),
                      REPRISE_FIELD(StrokePointRow, y, "1/65535")};
  }
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_ROWS_H_
