// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts about what devices report, whatever it is bound to: the
// part of `player` that is about pointers, wheels, touches and sensors.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/value_name.h"
#include "sim/geometry/vector3.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/world/inputs/input_rows.h"

namespace reprise::sim {
namespace {

constexpr double kMilli = 1e-3;

// Whether there is the player of argument 0, and an action of that kind.
absl::Status CheckDevice(const ScriptCall& call, Action::Kind kind,
                         std::string_view what) {
  absl::Status status = CheckPlayer(call);
  if (!status.ok()) return status;
  const InputGrammar& inputs =
      PlaceOf(call).context.parts().definition.info.inputs;
  if (inputs.Has(kind)) return status;
  return absl::InvalidArgumentError(
      fmt::format("no action of the pack is {}", what));
}

uint32_t PlayerOf(const ScriptCall& call) {
  return static_cast<uint32_t>(call.integer(0));
}

double OfView(uint32_t place) { return static_cast<double>(place) / kViewEdge; }

absl::Status Pointer(ScriptCall& call) {
  absl::Status status = CheckDevice(call, Action::Kind::kPointer, "a pointer");
  if (!status.ok()) return status;
  const MouseRow& mouse = PlaceOf(call).context.mouse(PlayerOf(call));
  call.Return(Vector3{OfView(mouse.x), OfView(mouse.y), 0.0});
  return status;
}

absl::Status MouseMotion(ScriptCall& call) {
  absl::Status status =
      CheckDevice(call, Action::Kind::kMouseMotion, "a mouse_motion");
  if (!status.ok()) return status;
  const MouseRow& mouse = PlaceOf(call).context.mouse(PlayerOf(call));
  call.Return(Vector3{static_cast<double>(mouse.moved_x),
                      static_cast<double>(mouse.moved_y), 0.0});
  return status;
}

absl::Status Wheel(ScriptCall& call) {
  absl::Status status = CheckDevice(call, Action::Kind::kWheel, "a wheel");
  if (!status.ok()) return status;
  const MouseRow& mouse = PlaceOf(call).context.mouse(PlayerOf(call));
  call.Return(Vector3{static_cast<double>(mouse.wheel_x) / kWheelStep,
                      static_cast<double>(mouse.wheel_y) / kWheelStep, 0.0});
  return status;
}

// Of a motion sensor, in units of a thousandth.
absl::Status SensorPart(ScriptCall& call,
                        std::array<int32_t, 3> MotionSensorRow::*part) {
  absl::Status status =
      CheckDevice(call, Action::Kind::kMotionSensor, "a motion_sensor");
  if (!status.ok()) return status;
  const auto& [x, y, z] =
      PlaceOf(call).context.motion_sensor(PlayerOf(call)).*part;
  call.Return(Vector3{x * kMilli, y * kMilli, z * kMilli});
  return status;
}

absl::Status Touches(ScriptCall& call) {
  absl::Status status = CheckDevice(call, Action::Kind::kTouch, "a touch");
  if (!status.ok()) return status;
  ScriptPlace& place = PlaceOf(call);
  place.touches = place.context.Touches(PlayerOf(call));
  call.Return(static_cast<int64_t>(place.touches.size()));
  return status;
}

// One of the touches that the call has counted; null behind the last.
const TouchRow* TouchAt(const ScriptCall& call) {
  const auto& touches = PlaceOf(call).touches;
  const auto index = static_cast<size_t>(call.integer(0) - 1);
  return index < touches.size() ? &touches[index] : nullptr;
}

absl::Status ReturnTouchPhase(ScriptCall& call) {
  const TouchRow* const touch = TouchAt(call);
  if (touch == nullptr) return absl::OkStatus();
  const auto* const name = std::ranges::find(
      kTouchPhaseNames, static_cast<int64_t>(touch->phase), &ValueName::value);
  if (name != kTouchPhaseNames.end()) call.Return(name->name);
  return absl::OkStatus();
}

void AddTouches(ScriptFunctions& functions, const ScriptParameter& player,
                const std::string& fails) {
  functions.Add("player.touches", "Counts the fingers on a player's view.",
                {player},
                Gives(ScriptType::kInteger,
                      "how many, ascending by their numbers; those that are "
                      "lifted in this step included"),
                &Touches, fails);
  const ScriptParameter index =
      IntegerParameter("index", "from 1", "", 1, kTouchesMax);
  functions.Add("player.touch", "Tells where one of those is.", {index},
                MayGive(ScriptType::kVector,
                        "x and y from the left upper corner, 0 to 1, and z its "
                        "pressure, 0 to 1; nil behind the last"),
                [](ScriptCall& call) {
                  if (const TouchRow* const touch = TouchAt(call)) {
                    call.Return(Vector3{OfView(touch->x), OfView(touch->y),
                                        OfView(touch->pressure)});
                  }
                  return absl::OkStatus();
                });
  functions.Add("player.touch_id", "Tells the number of that finger.", {index},
                MayGive(ScriptType::kInteger,
                        "the same until it is lifted; nil behind the last"),
                [](ScriptCall& call) {
                  if (const TouchRow* const touch = TouchAt(call)) {
                    call.Return(static_cast<int64_t>(touch->touch));
                  }
                  return absl::OkStatus();
                });
  functions.Add(
      "player.touch_phase", "Tells what that finger does.", {index},
      MayGive(ScriptType::kString,
              "\"began\", \"held\" or \"ended\"; nil behind the last"),
      &ReturnTouchPhase);
}

}  // namespace

void AddDeviceFunctions(ScriptFunctions& functions) {
  const ScriptParameter player =
      IntegerParameter("player", "from 0", "", 0, kScriptPlayerMax);
  const std::string fails =
      "the pack has no such player, or no action of such a device";
  functions.Add(
      "player.pointer", "Tells where a player's mouse points.", {player},
      Gives(ScriptType::kVector, "x and y from the left upper corner, 0 to 1"),
      &Pointer, fails);
  functions.Add("player.mouse_motion",
                "Tells how far a player has moved the mouse since the step "
                "before.",
                {player}, Gives(ScriptType::kVector, "x and y, in its counts"),
                &MouseMotion, fails);
  functions.Add("player.wheel",
                "Tells how far a player has turned the mouse's wheel since the "
                "step before.",
                {player}, Gives(ScriptType::kVector, "x and y, in its steps"),
                &Wheel, fails);
  functions.Add(
      "player.acceleration", "Tells what a player's motion sensor feels.",
      {player}, Gives(ScriptType::kVector, "along its axes", "m/s^2"),
      [](ScriptCall& call) {
        return SensorPart(call, &MotionSensorRow::acceleration);
      },
      fails);
  functions.Add(
      "player.turning", "Tells how a player turns the motion sensor.", {player},
      Gives(ScriptType::kVector, "about its axes", "rad/s"),
      [](ScriptCall& call) {
        return SensorPart(call, &MotionSensorRow::angular_velocity);
      },
      fails);
  AddTouches(functions, player, fails);
}

}  // namespace reprise::sim
