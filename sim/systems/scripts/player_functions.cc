// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts about players' devices and controls: `player`.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/nearest_name.h"
#include "sim/input/input_grammar.h"
#include "sim/systems/controls/control_system.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {
namespace {

const InputGrammar& GrammarOf(const ScriptCall& call) {
  return PlaceOf(call).context.parts().definition.info.inputs;
}

// What an action is, and what of it scripts find where.
std::string_view KindOf(const Action& action) {
  switch (action.kind) {
    case Action::Kind::kButton:
    case Action::Kind::kKey:
    case Action::Kind::kMouseButton:
      return "a button, which player.holds and player.presses tell of";
    case Action::Kind::kAxis:
      return "an axis, which player.axis tells of";
    case Action::Kind::kCommand:
    case Action::Kind::kText:
      return "one that becomes an event, which `on` hears of";
    default:
      return "of another device: player.pointer, mouse_motion, wheel, touches, "
             "acceleration or turning tells of it, and so does a control";
  }
}

// The action that argument 1 names, for the player of argument 0, if it is of
// the wanted kind: `wanted` is what people call that.
template <typename IsWanted>
absl::StatusOr<const Action*> FindAction(ScriptCall& call,
                                         std::string_view wanted,
                                         const IsWanted& is_wanted) {
  absl::Status status = CheckPlayer(call);
  if (!status.ok()) return status;
  for (const Action& action : GrammarOf(call).actions) {
    if (action.name != call.string(1)) continue;
    if (is_wanted(action)) return &action;
    return absl::InvalidArgumentError(
        fmt::format("the action '{}' is no {}: it is {}", call.string(1),
                    wanted, KindOf(action)));
  }
  std::vector<std::string_view> names;
  for (const Action& action : GrammarOf(call).actions) {
    if (is_wanted(action)) names.push_back(action.name);
  }
  return absl::InvalidArgumentError(
      fmt::format("the pack has no {} '{}'{}", wanted, call.string(1),
                  DidYouMean(call.string(1), names)));
}

absl::Status Axis(ScriptCall& call) {
  const auto action = FindAction(call, "axis", [](const Action& each) {
    return each.kind == Action::Kind::kAxis;
  });
  if (!action.ok()) return action.status();
  const DeviceRow& device =
      PlaceOf(call).context.device(static_cast<uint32_t>(call.integer(0)));
  call.Return(AxisOf(device, (*action)->device_index));
  return absl::OkStatus();
}

// A button as it is, and as it was a step before.
struct Held {
  bool is_held = false;
  bool was_held = false;
};

absl::StatusOr<Held> FindHeld(ScriptCall& call) {
  const auto found = FindAction(
      call, "button", [](const Action& each) { return each.is_button(); });
  if (!found.ok()) return found.status();
  const UpdateContext& context = PlaceOf(call).context;
  const auto player = static_cast<uint32_t>(call.integer(0));
  const uint32_t index = (*found)->device_index;
  if ((*found)->kind == Action::Kind::kKey) {
    const KeyboardRow& row = context.keyboard(player);
    return Held{.is_held = row.keys.Has(index),
                .was_held = row.keys_before.Has(index)};
  }
  if ((*found)->kind == Action::Kind::kMouseButton) {
    const MouseRow& row = context.mouse(player);
    return Held{.is_held = (row.buttons >> index & 1) != 0,
                .was_held = (row.buttons_before >> index & 1) != 0};
  }
  const DeviceRow& row = context.device(player);
  return Held{.is_held = (row.buttons >> index & 1) != 0,
              .was_held = (row.buttons_before >> index & 1) != 0};
}

absl::Status IsHeld(ScriptCall& call) {
  const absl::StatusOr<Held> held = FindHeld(call);
  if (!held.ok()) return held.status();
  call.Return(held->is_held);
  return absl::OkStatus();
}

absl::Status IsPressed(ScriptCall& call) {
  const absl::StatusOr<Held> held = FindHeld(call);
  if (!held.ok()) return held.status();
  call.Return(held->is_held && !held->was_held);
  return absl::OkStatus();
}

absl::Status IsReleased(ScriptCall& call) {
  const absl::StatusOr<Held> held = FindHeld(call);
  if (!held.ok()) return held.status();
  call.Return(!held->is_held && held->was_held);
  return absl::OkStatus();
}

absl::StatusOr<ControlState> FindControl(ScriptCall& call) {
  absl::Status status = CheckPlayer(call);
  if (!status.ok()) return status;
  const WorldParts& parts = PlaceOf(call).context.parts();
  const Controls* const controls = parts.systems->Find<Controls>();
  if (controls == nullptr) {
    return absl::InvalidArgumentError("the pack has no controls");
  }
  if (const std::optional<ControlState> found = controls->Find(
          static_cast<uint32_t>(call.integer(0)), IdOf(call.string(1)))) {
    return *found;
  }
  std::vector<std::string_view> names;
  for (const ControlDefinition& control : controls->definition().controls) {
    names.push_back(parts.definition.names.NameOf(control.name));
  }
  std::ranges::sort(names);  // a total order: names differ
  return absl::InvalidArgumentError(
      ThereIsNo("control", call.string(1), names));
}

template <typename Part>
absl::Status ReturnControl(ScriptCall& call, const Part& part) {
  const absl::StatusOr<ControlState> control = FindControl(call);
  if (!control.ok()) return control.status();
  call.Return(part(*control));
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckPlayer(const ScriptCall& call) {
  const uint32_t count = GrammarOf(call).player_count;
  if (call.integer(0) < int64_t{count}) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("there is no player {}: the pack has {}, from 0 on",
                  call.integer(0), count));
}

void AddPlayerFunctions(ScriptFunctions& functions) {
  const ScriptParameter player =
      IntegerParameter("player", "from 0", "", 0, kScriptPlayerMax);
  const ScriptParameter action =
      TextParameter("action", "an action of the pack");
  const std::string fails =
      "the pack has no such player or action, or the action is of another kind";
  functions.Add("player.axis", "Tells how far a player pushes an axis.",
                {player, action}, Gives(ScriptType::kNumber, "from -1 to 1"),
                &Axis, fails);
  functions.Add(
      "player.holds",
      "Tells whether a player holds a button, a key or a button of the mouse.",
      {player, action}, Gives(ScriptType::kBoolean, "whether"), &IsHeld, fails);
  functions.Add("player.presses",
                "Tells whether a player has pressed one since the step before.",
                {player, action}, Gives(ScriptType::kBoolean, "whether"),
                &IsPressed, fails);
  functions.Add("player.releases",
                "Tells whether a player has let go of one in this tick.",
                {player, action}, Gives(ScriptType::kBoolean, "whether"),
                &IsReleased, fails);
  const ScriptParameter control =
      TextParameter("control", "a control of the pack");
  const std::string none = "the pack has no such player or control";
  functions.Add(
      "player.value", "Tells the value of a control.", {player, control},
      Gives(ScriptType::kVector, "of an axis x, of a stick x and y"),
      [](ScriptCall& call) {
        return ReturnControl(call, [](const ControlState& state) {
          return Vector3{state.value.x, state.value.y, 0.0};
        });
      },
      none);
  functions.Add(
      "player.is_down", "Tells whether a control is down.", {player, control},
      Gives(ScriptType::kBoolean, "whether"),
      [](ScriptCall& call) {
        return ReturnControl(
            call, [](const ControlState& state) { return state.is_down; });
      },
      none);
  functions.Add(
      "player.went_down", "Tells whether a control went down in this step.",
      {player, control}, Gives(ScriptType::kBoolean, "whether"),
      [](ScriptCall& call) {
        return ReturnControl(
            call, [](const ControlState& state) { return state.is_pressed; });
      },
      none);
  functions.Add(
      "player.went_up", "Tells whether a control went up in this step.",
      {player, control}, Gives(ScriptType::kBoolean, "whether"),
      [](ScriptCall& call) {
        return ReturnControl(
            call, [](const ControlState& state) { return state.is_released; });
      },
      none);
  functions.Add(
      "player.steps", "Tells for how many steps a control has been down or up.",
      {player, control},
      Gives(ScriptType::kInteger,
            "0 in the step in which it went down or up; from the beginning of "
            "the game on where it never did"),
      [](ScriptCall& call) {
        return ReturnControl(call, [](const ControlState& state) {
          return static_cast<int64_t>(state.steps);
        });
      },
      none);
}

}  // namespace reprise::sim
