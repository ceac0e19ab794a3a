// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bindings that follow fingers: sticks where a finger comes down, swipes,
// pinches and strokes. What they remember is a row while there is a finger, and
// the points of a stroke.

#ifndef REPRISE_SIM_SYSTEMS_CONTROLS_TOUCH_BINDINGS_H_
#define REPRISE_SIM_SYSTEMS_CONTROLS_TOUCH_BINDINGS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/tick.h"
#include "sim/geometry/vector2.h"
#include "sim/input/stroke_recognition.h"
#include "sim/state/table.h"
#include "sim/systems/controls/control_definition.h"
#include "sim/systems/controls/control_rows.h"
#include "sim/world/inputs/input_rows.h"

namespace reprise::sim {

// What a binding gives in a step.
struct BindingValue {
  Vector2 value;
  bool is_down = false;
};

// What a binding finds: the touches of its player, ascending by id, and where
// it remembers things.
struct TouchPlace {
  uint32_t player = 0;
  Tick now = 0;
  double tick_s = 0.0;
  std::span<const TouchRow> touches;
  Table& fingers;  // of FingerRow
  Table& strokes;  // of StrokePointRow
};

// Has the binding, whose source follows touches, take one more step.
// `classifier` is that of the pack; null where no binding is a stroke.
BindingValue FollowTouches(const BindingDefinition& binding,
                           const StrokeClassifier* classifier,
                           const TouchPlace& place);

// Forgets the fingers that it follows.
void ForgetTouches(const BindingDefinition& binding, const TouchPlace& place);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTROLS_TOUCH_BINDINGS_H_
