// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/controls/control_system.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <variant>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/input/conditioning.h"
#include "sim/input/input_grammar.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"
#include "sim/systems/controls/control_events.h"
#include "sim/systems/controls/control_row_checks.h"
#include "sim/systems/controls/device_bindings.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/waiting_events.h"
#include "sim/world/systems/systems.h"
#include "sim/world/time/game_clock.h"

namespace reprise::sim {
namespace {

enum ControlStep : uint32_t { kControlsStep, kChangesStep };

// What is nearer to its value than that is there: smoothing ends.
constexpr double kSmoothedEnough = 1e-6;

template <typename Definitions>
uint32_t IndexOf(const Definitions& definitions, Id name) {
  using Definition = typename Definitions::value_type;
  const auto found =
      std::ranges::lower_bound(definitions, name, {}, &Definition::name);
  if (found == definitions.end() || found->name != name) return kNoIndex;
  return static_cast<uint32_t>(found - definitions.begin());
}

}  // namespace

const SystemDeclaration& ControlsDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "what players mean: bindings, contexts, patterns and strokes",
      .tables = {RowSchema::Of<ControlRow>(), RowSchema::Of<ContextRow>(),
                 RowSchema::Of<BindingRow>(), RowSchema::Of<PatternRow>(),
                 RowSchema::Of<FingerRow>(), RowSchema::Of<StrokePointRow>()},
      // Presses are heard of in the step in which they happen.
      .steps = {{.name = "controls",
                 .point = StepPoint::kEvents,
                 .after = {"timers", "answers"},
                 .before = {"event queue"},
                 .writes = {"events"}},
                {.name = "control changes",
                 .point = StepPoint::kCommit,
                 .after = {"event queue"},
                 .before = {"objects"},
                 .writes = {"events"}}},
      .events = kControlEvents};
  return declaration;
}

std::unique_ptr<System> ControlsDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Controls>(*this, place);
}

std::vector<Id> ControlsDefinition::heard_events() const {
  std::vector<Id> types;
  if (rebind != kNoId) types.push_back(rebind);
  for (const ContextDefinition& context : contexts) {
    if (context.enabled_by != kNoId) types.push_back(context.enabled_by);
    if (context.disabled_by != kNoId) types.push_back(context.disabled_by);
  }
  return types;
}

void ControlsDefinition::Describe(const WorldDefinition& world,
                                  GameDescription& description) const {
  const auto add = [&](Id type, Id control, std::string_view what) {
    if (type == kNoId) return;
    description.events.push_back(
        {.name = std::string(world.names.NameOf(type)),
         .sender = std::string(kByWorld),
         .receiver = std::string(kToInterested),
         .when = fmt::format("the control {} {}", world.names.NameOf(control),
                             std::string(what)),
         .arguments = {
             {.name = "player", .type = ScalarType::kInt64, .unit = ""},
             {.name = "control", .type = ScalarType::kId, .unit = ""}}});
  };
  for (const ControlDefinition& control : controls) {
    add(control.pressed_event, control.name, "goes down");
    add(control.released_event, control.name, "goes up");
  }
}

uint32_t ControlsDefinition::FindControl(Id name) const {
  return IndexOf(controls, name);
}

uint32_t ControlsDefinition::FindBinding(Id name) const {
  return IndexOf(bindings, name);
}

Controls::Controls(const ControlsDefinition& definition,
                   const SystemPlace& place)
    : System(place),
      definition_(definition),
      devices_(place.parts.definition.info.inputs, place.parts.tables.input,
               place.parts.state),
      values_(definition.controls.size()) {}

uint32_t Controls::player_count() const {
  return parts().definition.info.inputs.player_count;
}

uint32_t Controls::RowOfControl(uint32_t player, uint32_t control) const {
  return player * static_cast<uint32_t>(definition_.controls.size()) + control;
}

uint32_t Controls::RowOfBinding(uint32_t player, uint32_t binding) const {
  return player * static_cast<uint32_t>(definition_.bindings.size()) + binding;
}

void Controls::Initialize() {
  const auto resize = [this](uint32_t table, size_t each) {
    mutable_table(table).Resize(player_count() * static_cast<uint32_t>(each));
  };
  resize(kControlTable, definition_.controls.size());
  resize(kContextTable, definition_.contexts.size());
  resize(kBindingTable, definition_.bindings.size());
  resize(kPatternTable, definition_.pattern_rows.size());
  uint32_t context_row = 0;
  uint32_t pattern_row = 0;
  for (uint32_t player = 0; player < player_count(); ++player) {
    for (uint32_t i = 0; i < definition_.controls.size(); ++i) {
      auto& row = mutable_table(kControlTable)
                      .Mutable<ControlRow>(RowOfControl(player, i));
      row.player = player;
      row.control = definition_.controls[i].name;
    }
    for (const ContextDefinition& context : definition_.contexts) {
      mutable_table(kContextTable).Mutable<ContextRow>(context_row++) = {
          .player = player,
          .context = context.name,
          .is_enabled = context.is_enabled ? 1u : 0u};
    }
    for (uint32_t i = 0; i < definition_.bindings.size(); ++i) {
      auto& row = mutable_table(kBindingTable)
                      .Mutable<BindingRow>(RowOfBinding(player, i));
      row.player = player;
      row.binding = definition_.bindings[i].name;
      row.actions = definition_.bindings[i].actions;
    }
    for (const uint32_t control : definition_.pattern_rows) {
      auto& row =
          mutable_table(kPatternTable).Mutable<PatternRow>(pattern_row++);
      row.player = player;
      row.control = definition_.controls[control].name;
    }
  }
}

absl::Status Controls::CheckRows(const State& snapshot) const {
  const Tick now =
      snapshot.table(parts().tables.clocks).Get<GameClockRow>(0).game_tick;
  return CheckControlRows(definition_, parts().definition.info.inputs, now,
                          {.controls = snapshot.table(index(kControlTable)),
                           .contexts = snapshot.table(index(kContextTable)),
                           .bindings = snapshot.table(index(kBindingTable)),
                           .patterns = snapshot.table(index(kPatternTable)),
                           .fingers = snapshot.table(index(kFingerTable)),
                           .strokes = snapshot.table(index(kStrokeTable))});
}

void Controls::Run(uint32_t step) {
  if (step == kChangesStep) {
    FollowEvents();
    return;
  }
  for (uint32_t player = 0; player < player_count(); ++player) {
    FollowDevices(player);
    FollowPatterns(player);
    Keep(player);
  }
}

TouchPlace Controls::TouchesOf(uint32_t player) {
  return {.player = player,
          .now = parts().game_tick,
          .tick_s = definition_.tick_s,
          .touches = touches_,
          .fingers = mutable_table(kFingerTable),
          .strokes = mutable_table(kStrokeTable)};
}

// Fills values_ for all controls that aren't patterns.
void Controls::FollowDevices(uint32_t player) {
  devices_.Begin(player);
  touches_.clear();
  if (parts().tables.input.touches.has_value()) devices_.GetTouches(touches_);
  for (uint32_t i = 0; i < definition_.controls.size(); ++i) {
    const auto& row =
        table(kControlTable).Get<ControlRow>(RowOfControl(player, i));
    values_[i] = {.was_down = row.is_down != 0,
                  .changed_before = row.changed_at};
  }
  const auto contexts = static_cast<uint32_t>(definition_.contexts.size());
  for (const uint32_t context : definition_.context_order) {
    const bool is_enabled = table(kContextTable)
                                .Get<ContextRow>(player * contexts + context)
                                .is_enabled != 0;
    FollowContext(player, definition_.contexts[context], is_enabled);
  }
}

void Controls::FollowContext(uint32_t player, const ContextDefinition& context,
                             bool is_enabled) {
  for (const uint32_t binding : context.bindings) {
    const BindingDefinition& definition = definition_.bindings[binding];
    if (is_enabled) {
      Combine(definition, Read(player, binding));
    } else if (definition.follows_touches()) {
      ForgetTouches(definition, TouchesOf(player));
    }
  }
  if (!is_enabled || !context.captures) return;
  for (const uint32_t binding : context.bindings) {
    const auto& row =
        table(kBindingTable).Get<BindingRow>(RowOfBinding(player, binding));
    for (uint32_t i = 0; i < definition_.bindings[binding].slot_count; ++i) {
      devices_.Capture(row.actions[i]);
    }
  }
}

BindingValue Controls::Read(uint32_t player, uint32_t binding) {
  const BindingDefinition& definition = definition_.bindings[binding];
  const auto& row =
      table(kBindingTable).Get<BindingRow>(RowOfBinding(player, binding));
  if (definition.follows_touches()) {
    const TouchPlace place = TouchesOf(player);
    if (devices_.IsCaptured(row.actions[0])) {
      ForgetTouches(definition, place);
      return {};
    }
    return FollowTouches(definition, definition_.strokes.get(), place);
  }
  Vector2 value = ReadDevices(definition.source, row.actions, devices_);
  if (const auto* const stick = std::get_if<StickSource>(&definition.source)) {
    value = SmoothValue(player, binding, value, stick->factor);
  }
  double threshold = 1.0;
  if (const auto* const axis = std::get_if<AxisSource>(&definition.source)) {
    value = SmoothValue(player, binding, value, axis->factor);
    threshold = axis->threshold;
  }
  return {.value = value, .is_down = value.x >= threshold};
}

Vector2 Controls::SmoothValue(uint32_t player, uint32_t binding, Vector2 value,
                              double factor) {
  if (factor == 1.0) return value;
  const uint32_t at = RowOfBinding(player, binding);
  const auto& row = table(kBindingTable).Get<BindingRow>(at);
  const auto smooth = [factor](double before, double wanted) {
    const double smoothed = Smooth(before, wanted, factor);
    return Abs(wanted - smoothed) < kSmoothedEnough ? wanted : smoothed;
  };
  const Vector2 smoothed = {smooth(row.x, value.x), smooth(row.y, value.y)};
  if (smoothed != Vector2{row.x, row.y}) {
    auto& changed = mutable_table(kBindingTable).Mutable<BindingRow>(at);
    changed.x = smoothed.x;
    changed.y = smoothed.y;
  }
  return smoothed;
}

void Controls::Combine(const BindingDefinition& binding,
                       const BindingValue& value) {
  ControlValue& control = values_[binding.control];
  if (definition_.controls[binding.control].kind == ControlKind::kButton) {
    control.is_down |= value.is_down;
  } else if (LengthSquared(value.value) > LengthSquared(control.value)) {
    control.value = value.value;
  }
}

void Controls::FollowPatterns(uint32_t player) {
  uint32_t row =
      player * static_cast<uint32_t>(definition_.pattern_rows.size());
  for (uint32_t i = 0; i < definition_.controls.size(); ++i) {
    const ControlPattern& pattern = definition_.controls[i].pattern;
    if (!definition_.controls[i].is_pattern()) continue;
    PatternRow progress;
    const bool has_row = HasPatternRow(pattern);
    if (has_row) progress = table(kPatternTable).Get<PatternRow>(row);
    const PatternRow before = progress;
    values_[i].is_down =
        FollowPattern(pattern, values_, parts().game_tick, progress);
    if (!has_row) continue;
    if (progress.done != before.done ||
        progress.direction != before.direction) {
      mutable_table(kPatternTable).Mutable<PatternRow>(row) = progress;
    }
    ++row;
  }
}

// Writes what has changed, and tells of buttons.
void Controls::Keep(uint32_t player) {
  for (uint32_t i = 0; i < definition_.controls.size(); ++i) {
    const uint32_t at = RowOfControl(player, i);
    const ControlValue& control = values_[i];
    const auto& row = table(kControlTable).Get<ControlRow>(at);
    // -0 + 0 is 0.
    const Vector2 value = {control.value.x + 0.0, control.value.y + 0.0};
    const bool is_same = (row.is_down != 0) == control.is_down &&
                         row.is_down == row.was_down && row.x == value.x &&
                         row.y == value.y;
    if (is_same) continue;
    auto& changed = mutable_table(kControlTable).Mutable<ControlRow>(at);
    changed.x = value.x;
    changed.y = value.y;
    changed.was_down = changed.is_down;
    changed.is_down = control.is_down ? 1 : 0;
    if (changed.is_down == changed.was_down) continue;
    changed.changed_at = parts().game_tick;
    const ControlDefinition& definition = definition_.controls[i];
    const Id type =
        control.is_down ? definition.pressed_event : definition.released_event;
    if (type == kNoId) continue;
    parts().router->Post(
        {.type = type,
         .arguments = {{kPlayer, FieldValue::OfInt64(player)},
                       {kControl, FieldValue::OfId(definition.name)}}});
  }
}

std::optional<ControlState> Controls::Find(uint32_t player, Id control) const {
  const uint32_t found = definition_.FindControl(control);
  if (found == kNoIndex || player >= player_count()) return std::nullopt;
  const auto& row =
      table(kControlTable).Get<ControlRow>(RowOfControl(player, found));
  const bool is_down = row.is_down != 0;
  const bool was_down = row.was_down != 0;
  return ControlState{.is_down = is_down,
                      .is_pressed = is_down && !was_down,
                      .is_released = !is_down && was_down,
                      .steps = parts().game_tick - row.changed_at,
                      .value = {row.x, row.y}};
}

std::optional<ControlState> ControlOf(const WorldParts& parts, uint32_t player,
                                      Id control) {
  const auto* const controls = parts.systems->Find<Controls>();
  if (controls == nullptr) return std::nullopt;
  return controls->Find(player, control);
}

}  // namespace reprise::sim
