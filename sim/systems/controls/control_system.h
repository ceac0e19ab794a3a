// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Controls as a system: in each step it makes of what devices report what
// players mean, tells of buttons that go down and up, and between steps follows
// players who bind other actions and contexts that come and go.

#ifndef REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/event.h"
#include "sim/game_description.h"
#include "sim/input/stroke_recognition.h"
#include "sim/state/state.h"
#include "sim/systems/controls/control_definition.h"
#include "sim/systems/controls/control_patterns.h"
#include "sim/systems/controls/control_rows.h"
#include "sim/systems/controls/device_values.h"
#include "sim/systems/controls/touch_bindings.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

// Of a pack with controls. Controls, contexts and bindings ascend by id.
struct ControlsDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "controls";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
  std::vector<Id> heard_events() const override;
  void Describe(const WorldDefinition& world,
                GameDescription& description) const override;

  // kNoIndex where there is none.
  uint32_t FindControl(Id name) const;
  uint32_t FindBinding(Id name) const;

  std::vector<ControlDefinition> controls;
  std::vector<ContextDefinition> contexts;
  std::vector<BindingDefinition> bindings;
  std::vector<uint32_t> context_order;  // by priority, the highest first
  std::vector<uint32_t> pattern_rows;   // the controls that have a PatternRow
  Id rebind;                            // kNoId: nobody can
  std::shared_ptr<const StrokeClassifier> strokes;  // null: none
  double tick_s = 0.0;
};

// A control as a game finds it: the four states of a button, and its value.
struct ControlState {
  bool is_down = false;
  bool is_pressed = false;   // went down in this step
  bool is_released = false;  // went up in this step
  Tick steps = 0;            // since it last went down or up
  Vector2 value;
};

class Controls final : public System {
 public:
  static constexpr std::string_view kSystem = ControlsDefinition::kSystem;

  Controls(const ControlsDefinition& definition, const SystemPlace& place);

  void Initialize() override;
  absl::Status CheckRows(const State& snapshot) const override;
  void Run(uint32_t step) override;

  const ControlsDefinition& definition() const { return definition_; }

  // nullopt where the pack has no such control or player.
  std::optional<ControlState> Find(uint32_t player, Id control) const;

 private:
  uint32_t player_count() const;
  uint32_t RowOfControl(uint32_t player, uint32_t control) const;
  uint32_t RowOfBinding(uint32_t player, uint32_t binding) const;
  TouchPlace TouchesOf(uint32_t player);

  void FollowDevices(uint32_t player);
  void FollowContext(uint32_t player, const ContextDefinition& context,
                     bool is_enabled);
  BindingValue Read(uint32_t player, uint32_t binding);
  Vector2 SmoothValue(uint32_t player, uint32_t binding, Vector2 value,
                      double factor);
  void Combine(const BindingDefinition& binding, const BindingValue& value);
  void FollowPatterns(uint32_t player);
  void Keep(uint32_t player);

  void FollowEvents();
  void SwitchContexts(const Event& event);
  void Rebind(const Event& event);
  bool CanRebind(const BindingDefinition& binding, uint64_t slot,
                 Id action) const;

  // By their places in the declaration.
  enum ControlTable : uint32_t {
    kControlTable,
    kContextTable,
    kBindingTable,
    kPatternTable,
    kFingerTable,
    kStrokeTable,
  };

  const ControlsDefinition& definition_;
  // Of the player and the step that are being worked on.
  DeviceValues devices_;
  std::vector<TouchRow> touches_;
  std::vector<ControlValue> values_;
};

// A control of a player, for behaviours.
std::optional<ControlState> ControlOf(const WorldParts& parts, uint32_t player,
                                      Id control);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTROLS_CONTROL_SYSTEM_H_
