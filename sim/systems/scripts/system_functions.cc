// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts about what game systems do: `layer`, `path`,
// `navigator`, `character`, `vehicle`.

#include <optional>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/systems/characters/walking.h"
#include "sim/systems/layers/layer_switching.h"
#include "sim/systems/navigation/path_requests.h"
#include "sim/systems/paths/path_system.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/vehicles/driving.h"

namespace reprise::sim {
namespace {

constexpr double kDistanceMaxM = 1e12;

void AddLayers(ScriptFunctions& functions) {
  const ScriptParameter layer = TextParameter("layer", "a layer of the pack");
  functions.Add(
      "layer.switch", "Switches a layer on or off.",
      {layer, {.name = "on", .type = ScriptType::kBoolean, .help = "which"}},
      {},
      [](ScriptCall& call) {
        UpdateContext& context = PlaceOf(call).context;
        const Id name = IdOf(call.string(0));
        if (!IsLayerOn(context, name).has_value()) {
          return absl::InvalidArgumentError(
              fmt::format("the pack has no layer '{}'", call.string(0)));
        }
        return Refused(SwitchLayer(context, name, call.boolean(1)));
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
  functions.Add("path.direction",
                "Tells which way a path leads, so far along it.",
                {path, NumberParameter("distance", "along it", "m",
                                       -kDistanceMaxM, kDistanceMaxM)},
                MayGive(ScriptType::kVector,
                        "of length 1; nil where there is no such path"),
                [](ScriptCall& call) {
                  const Path* const found =
                      FindPath(PlaceOf(call).context, IdOf(call.string(0)));
                  if (found != nullptr)
                    call.Return(found->At(call.number(1)).tangent);
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
        absl::Status allowed = place.event_types.Check(call.string(2));
        if (!allowed.ok()) return allowed;
        const std::optional<uint64_t> request =
            RequestPath(place.context, place.object, call.vector(0),
                        static_cast<Tick>(call.integer(1)), KeepWord(call, 2));
        if (request.has_value()) call.Return(static_cast<int64_t>(*request));
        return allowed;
      },
      "the pack has no such event, or the world alone sends it");
  functions.Add(
      "navigator.request_nearest",
      "As navigator.request, for a path to the nearest goal of a set of the "
      "pack's.",
      {TextParameter("goals", "the set"),
       IntegerParameter("delay", "from now", "ticks", 1, kScriptTicksMax),
       TextParameter("event", "the type of the answer")},
      MayGive(ScriptType::kInteger,
              "the request; nil when too many wait, the object is no "
              "navigator, or there is no such set in its space"),
      [](ScriptCall& call) {
        ScriptPlace& place = PlaceOf(call);
        absl::Status allowed = place.event_types.Check(call.string(2));
        if (!allowed.ok()) return allowed;
        const std::optional<uint64_t> request = RequestNearestPath(
            place.context, place.object, IdOf(call.string(0)),
            static_cast<Tick>(call.integer(1)), KeepWord(call, 2));
        if (request.has_value()) call.Return(static_cast<int64_t>(*request));
        return allowed;
      },
      "the pack has no such event, or the world alone sends it");
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
  functions.Add("character.ground",
                "Tells what the object, a character, stands on.", {},
                MayGive(ScriptType::kHandle,
                        "nil in the air, and when it is no character"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  const std::optional<CharacterRow> row =
                      CharacterOf(place.context, place.object);
                  if (!row.has_value() || row->ground == kNoObject) {
                    return absl::OkStatus();
                  }
                  const Handle ground = place.context.HandleOf(row->ground);
                  if (!ground.is_null()) call.Return(ground);
                  return absl::OkStatus();
                });
  functions.Add("character.velocity",
                "Tells how the object, a character, goes.", {},
                MayGive(ScriptType::kVector,
                        "on the ground against that, and level; nil when it is "
                        "no character",
                        "m/s"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  const std::optional<CharacterRow> row =
                      CharacterOf(place.context, place.object);
                  if (row.has_value()) call.Return(row->velocity);
                  return absl::OkStatus();
                });
}

void AddVehicles(ScriptFunctions& functions) {
  functions.Add("vehicle.steering",
                "Tells how far the object's steered wheels are turned.", {},
                MayGive(ScriptType::kNumber,
                        "about its y axis; nil when it is no vehicle", "rad"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  const std::optional<VehicleRow> row =
                      VehicleOf(place.context, place.object);
                  if (row.has_value()) call.Return(row->steering_angle);
                  return absl::OkStatus();
                });
  functions.Add("vehicle.gear", "Tells the gear of the object, a vehicle.", {},
                MayGive(ScriptType::kInteger,
                        "from 1, or -1: reverse; nil when it has none"),
                [](ScriptCall& call) {
                  const ScriptPlace& place = PlaceOf(call);
                  const std::optional<DrivetrainRow> row =
                      DrivetrainOf(place.context, place.object);
                  if (row.has_value()) call.Return(row->gear);
                  return absl::OkStatus();
                });
  functions.Add(
      "vehicle.engine_speed",
      "Tells how fast the engine of the object, a vehicle, turns.", {},
      MayGive(ScriptType::kNumber, "nil when it has no gears", "rad/s"),
      [](ScriptCall& call) {
        const ScriptPlace& place = PlaceOf(call);
        const std::optional<DrivetrainRow> row =
            DrivetrainOf(place.context, place.object);
        if (row.has_value()) call.Return(row->engine_speed);
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
  AddLayers(functions);
  AddPaths(functions);
  AddMovers(functions);
  AddVehicles(functions);
}

}  // namespace reprise::sim
