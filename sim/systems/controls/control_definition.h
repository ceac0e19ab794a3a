// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Controls as a pack declares them: what the game asks for, and the bindings
// and patterns that make it of what devices report.

#ifndef REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_DEFINITION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/geometry/vector2.h"
#include "sim/input/conditioning.h"

namespace reprise::sim {

inline constexpr size_t kControlsMax = 256;
inline constexpr size_t kBindingsMax = 256;
inline constexpr size_t kContextsMax = 64;
inline constexpr size_t kSequenceStepsMax = 8;
inline constexpr uint32_t kStrokePointsMax = 128;

// Controls, bindings, strokes and actions are known by their indices, and not
// having one is:
inline constexpr uint32_t kNoIndex = UINT32_MAX;

struct HoldPattern {
  uint32_t control = 0;
  Tick ticks = 1;
};
struct TapPattern {
  uint32_t control = 0;
  Tick ticks = 1;
};
struct DoubleTapPattern {
  uint32_t control = 0;
  Tick ticks = 1;
};
struct ChordPattern {
  std::vector<uint32_t> controls;
  Tick ticks = 1;
};
struct SequenceStep {
  std::optional<StickDirection> direction;
  std::vector<uint32_t> press;
  Tick ticks = 1;       // since the step before, at most
  Tick held_ticks = 0;  // above 0: done when left after as many
};
struct SequencePattern {
  uint32_t stick = kNoIndex;
  std::vector<SequenceStep> steps;
};
using ControlPattern =
    std::variant<std::monostate, HoldPattern, TapPattern, DoubleTapPattern,
                 ChordPattern, SequencePattern>;

enum class ControlKind : uint8_t { kButton, kAxis, kStick };

struct ControlDefinition {
  Id name;
  ControlKind kind = ControlKind::kButton;
  Id pressed_event;  // kNoId: none
  Id released_event;
  ControlPattern pattern;

  bool is_pattern() const { return pattern.index() != 0; }
};

// Where bindings take their values from. The actions that they use are those of
// their slots.
struct ButtonSource {};
struct AxisSource {
  AxisRange range;
  bool is_inverted = false;
  double factor = 1.0;  // of Smooth
  double threshold = 0.5;
};
struct ButtonPairSource {};
struct StickSource {
  AxisRange range;
  bool is_inverted_y = false;
  double factor = 1.0;
};
struct ButtonStickSource {};
struct TouchStickSource {
  Vector2 from;  // in units of the view's sides
  Vector2 to;
  double radius = 0.1;
  AxisRange range;
};
struct MouseSource {
  double counts = 64.0;
};
struct TiltSource {
  uint32_t axis = 0;
  double full_mm_s2 = 0.0;
};
struct SwipeSource {
  Vector2 direction;  // of length 1, y downwards
  double length = 0.15;
  Tick ticks = 1;
};
struct PinchSource {};
struct StrokeSource {
  uint32_t stroke = 0;
};
using BindingSource =
    std::variant<ButtonSource, AxisSource, ButtonPairSource, StickSource,
                 ButtonStickSource, TouchStickSource, MouseSource, TiltSource,
                 SwipeSource, PinchSource, StrokeSource>;

inline constexpr size_t kBindingSlots = 4;

struct BindingDefinition {
  Id name;
  uint32_t control = 0;
  BindingSource source;
  // The actions that it begins with; those behind `slot_count` are kNoId.
  std::array<Id, kBindingSlots> actions = {};
  uint32_t slot_count = 0;

  // Whether players can bind its slots to other actions.
  bool is_rebindable() const { return source.index() <= 4; }
  // Whether its slots are buttons. REQUIRES: is_rebindable().
  bool uses_buttons() const {
    return !std::holds_alternative<AxisSource>(source) &&
           !std::holds_alternative<StickSource>(source);
  }
  // Whether it follows fingers.
  bool follows_touches() const {
    return std::holds_alternative<TouchStickSource>(source) ||
           std::holds_alternative<SwipeSource>(source) ||
           std::holds_alternative<PinchSource>(source) ||
           std::holds_alternative<StrokeSource>(source);
  }
};

struct ContextDefinition {
  Id name;
  int64_t priority = 0;
  bool is_enabled = true;  // at tick 0
  bool captures = false;
  Id enabled_by;  // types of events; kNoId: none
  Id disabled_by;
  std::vector<uint32_t> bindings;  // by name
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_DEFINITION_H_
