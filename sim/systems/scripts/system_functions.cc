// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts about what game systems do: `layer`, `path`,
// `navigator`, `character`, `vehicle`; and about players' devices and controls,
// `player`.

#include <optional>
#include <string>

#include "fmt/format.h"
#include "sim/base/nearest_name.h"
#include "sim/input/input_grammar.h"
#include "sim/systems/characters/walking.h"
#include "sim/systems/controls/control_system.h"
#include "sim/systems/layers/layer_switching.h"
#include "sim/systems/navigation/path_requests.h"
#include "sim/systems/paths/path_system.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/vehicles/driving.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {
namespace {

constexpr double kPlayerMax = 63;
constexpr double kDistanceMaxM = 1e12;

// The action of that kind that argument 1 names, for the player of argument 0.
absl::StatusOr<const Action*> FindAction(ScriptCall& call, Action::Kind kind) {
  const InputGrammar& grammar =
      PlaceOf(call).context.parts().definition.info.inputs;
  if (call.integer(0) >= int64_t{grammar.player_count}) {
    return absl::InvalidArgumentError(
        fmt::format("there is no player {}", call.integer(0)));
  }
  for (const Action& action : grammar.actions) {
    if (action.kind == kind && action.name == call.string(1)) return &action;
  }
  std::vector<std::string_view> names;
  for (const Action& action : grammar.actions) {
    if (action.kind == kind) names.push_back(action.name);
  }
  return absl::InvalidArgumentError(
      fmt::format("the pack has no such action '{}'{}", call.string(1),
                  DidYouMean(call.string(1), names)));
}

const DeviceRow& DeviceOf(ScriptCall& call) {
  return PlaceOf(call).context.device(static_cast<uint32_t>(call.integer(0)));
}

absl::Status Axis(ScriptCall& call) {
  const auto action = FindAction(call, Action::Kind::kAxis);
  if (!action.ok()) return action.status();
  call.Return(AxisOf(DeviceOf(call), (*action)->device_index));
  return absl::OkStatus();
}

absl::Status IsHeld(ScriptCall& call) {
  const auto action = FindAction(call, Action::Kind::kButton);
  if (!action.ok()) return action.status();
  call.Return((DeviceOf(call).buttons >> (*action)->device_index & 1) != 0);
  return absl::OkStatus();
}

absl::Status IsPressed(ScriptCall& call) {
  const auto action = FindAction(call, Action::Kind::kButton);
  if (!action.ok()) return action.status();
  const DeviceRow& device = DeviceOf(call);
  const uint64_t pressed = device.buttons & ~device.buttons_before;
  call.Return((pressed >> (*action)->device_index & 1) != 0);
  return absl::OkStatus();
}

absl::StatusOr<ControlState> FindControl(ScriptCall& call) {
  const Controls* const controls =
      PlaceOf(call).context.parts().systems->Find<Controls>();
  std::optional<ControlState> found;
  if (controls != nullptr) {
    found = controls->Find(static_cast<uint32_t>(call.integer(0)),
                           IdOf(call.string(1)));
  }
  if (found.has_value()) return *found;
  return absl::InvalidArgumentError(
      fmt::format("the pack has no player {} or no control '{}'",
                  call.integer(0), call.string(1)));
}

template <typename Part>
absl::Status ReturnControl(ScriptCall& call, const Part& part) {
  const absl::StatusOr<ControlState> control = FindControl(call);
  if (!control.ok()) return control.status();
  call.Return(part(*control));
  return absl::OkStatus();
}

void AddPlayers(ScriptFunctions& functions) {
  const ScriptParameter player =
      IntegerParameter("player", "from 0", "", 0, kPlayerMax);
  const ScriptParameter action =
      TextParameter("action", "an action of the pack");
  const std::string fails = "the pack has no such player or action";
  functions.Add("player.axis", "Tells how far a player pushes an axis.",
                {player, action}, Gives(ScriptType::kNumber, "from -1 to 1"),
                &Axis, fails);
  functions.Add("player.holds", "Tells whether a player holds a button.",
                {player, action}, Gives(ScriptType::kBoolean, "whether"),
                &IsHeld, fails);
  functions.Add("player.presses",
                "Tells whether a player has pressed a button in this tick.",
                {player, action}, Gives(ScriptType::kBoolean, "whether"),
                &IsPressed, fails);
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
}

void AddLayers(ScriptFunctions& functions) {
  const ScriptParameter layer = TextParameter("layer", "a layer of the pack");
  functions.Add(
      "layer.switch", "Switches a layer on or off.",
      {layer, {.name = "on", .type = ScriptType::kBoolean, .help = "which"}},
      {},
      [](ScriptCall& call) {
        return Refused(SwitchLayer(PlaceOf(call).context, IdOf(call.string(0)),
                                   call.boolean(1)));
      },
      "the pack has no such layer");
  functions.Add("layer.is_on", "Tells whether a layer is on.", {layer},
                MayGive(ScriptType::kBoolean, "nil where there is none"),
                [](ScriptCall& call) {
                  const std::optional<bool> is_on =
                      IsLayerOn(PlaceOf(call).context, IdOf(call.string(0)));
                  if (is_on.has_value()) call.Return(*is_on);
                  return absl::OkStatus();
                });
}

void AddPaths(ScriptFunctions& functions) {
  const ScriptParameter path = TextParameter("path", "a path of the pack");
  functions.Add("path.length", "Tells how long a path is.", {path},
                MayGive(ScriptType::kNumber, "nil where there is none", "m"),
                [](ScriptCall& call) {
                  const Path* const found =
                      FindPath(PlaceOf(call).context, IdOf(call.string(0)));
                  if (found != nullptr) call.Return(found->length_m());
                  return absl::OkStatus();
                });
  functions.Add(
      "path.point", "Tells where a path is, so far along it.",
      {path, NumberParameter("distance", "along it", "m", -kDistanceMaxM,
                             kDistanceMaxM)},
      MayGive(ScriptType::kVector, "nil where there is no such path", "m"),
      [](ScriptCall& call) {
        const Path* const found =
            FindPath(PlaceOf(call).context, IdOf(call.string(0)));
        if (found != nullptr) call.Return(found->At(call.number(1)).point);
        return absl::OkStatus();
      });
  functions.Add(
      "navigator.request",
      "Asks for a path of the object to a place; the answer is an event with "
      "`request` and `found`, then `cost` and `points`, or `reason`.",
      {VectorParameter("goal", "where to", "m"),
       IntegerParameter("delay", "from now", "ticks", 1, kScriptTicksMax),
       TextParameter("event", "the type of the answer")},
      MayGive(ScriptType::kInteger,
              "the request; nil when too many wait, or the object is no "
              "navigator"),
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        const std::optional<uint64_t> request =
            RequestPath(place.context, place.object, call.vector(0),
                        static_cast<Tick>(call.integer(1)),
                        place.context.KeepText(call.string(2)));
        if (request.has_value()) call.Return(static_cast<int64_t>(*request));
        return absl::OkStatus();
      });
  functions.Add("navigator.count",
                "Counts the points of the object's path that are ahead.", {},
                Gives(ScriptType::kInteger, "how many"), [](ScriptCall& call) {
                  ScriptPlace& place = PlaceOf(call);
                  place.points = PathOf(place.context, place.object);
                  call.Charge(static_cast<int64_t>(place.points.size()));
                  call.Return(static_cast<int64_t>(place.points.size()));
                  return absl::OkStatus();
                });
  functions.Add("navigator.point",
                "Gives one of the points that the call has counted.",
                {IntegerParameter("index", "from 1", "", 1, 1e9)},
                MayGive(ScriptType::kVector, "nil behind the last", "m"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  const auto index = static_cast<size_t>(call.integer(0) - 1);
                  if (index < place.points.size())
                    call.Return(place.points[index]);
                  return absl::OkStatus();
                });
}

void AddMovers(ScriptFunctions& functions) {
  functions.Add(
      "character.walk",
      "Tells the object, a character, where to go until told "
      "otherwise.",
      {VectorParameter("velocity", "level", "m/s")},
      Gives(ScriptType::kBoolean, "false when it is none"),
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        call.Return(Walk(place.context, place.object, call.vector(0)));
        return absl::OkStatus();
      });
  functions.Add("character.jump", "Tells the object, a character, to jump.", {},
                Gives(ScriptType::kBoolean, "false when it is none"),
                [](ScriptCall& call) {
                  ScriptPlace& place = PlaceOf(call);
                  call.Return(Jump(place.context, place.object));
                  return absl::OkStatus();
                });
  functions.Add("character.stands",
                "Tells whether the object, a character, stands.", {},
                MayGive(ScriptType::kBoolean, "nil when it is no character"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  const std::optional<CharacterRow> row =
                      CharacterOf(place.context, place.object);
                  if (row.has_value()) call.Return(row->ground != kNoObject);
                  return absl::OkStatus();
                });
  functions.Add(
      "vehicle.drive",
      "Tells the object, a vehicle, how to drive until told otherwise.",
      {NumberParameter("throttle", "of all it has", "", -1, 1),
       NumberParameter("steer", "to its -x or +x", "", -1, 1),
       Optional(NumberParameter("brake", "of all it has", "", 0, 1)),
       Optional(NumberParameter("handbrake", "of all it has", "", 0, 1))},
      Gives(ScriptType::kBoolean, "false when it is none"),
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        call.Return(Drive(place.context, place.object,
                          {.throttle = call.number(0),
                           .steer = call.number(1),
                           .brake = call.has(2) ? call.number(2) : 0.0,
                           .handbrake = call.has(3) ? call.number(3) : 0.0}));
        return absl::OkStatus();
      });
}

}  // namespace

void AddSystemFunctions(ScriptFunctions& functions) {
  AddPlayers(functions);
  AddLayers(functions);
  AddPaths(functions);
  AddMovers(functions);
}

}  // namespace reprise::sim
