// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/bots/player_actions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/nearest_name.h"

namespace reprise::sim {
namespace {

std::string_view KindName(Action::Kind kind) {
  switch (kind) {
    case Action::Kind::kButton:
      return "a button";
    case Action::Kind::kAxis:
      return "an axis";
    case Action::Kind::kCommand:
      return "a command";
    case Action::Kind::kKey:
      return "a key";
    case Action::Kind::kMouseButton:
      return "a button of the mouse";
    case Action::Kind::kPointer:
      return "a pointer";
    case Action::Kind::kMouseMotion:
      return "motion of a mouse";
    case Action::Kind::kWheel:
      return "a wheel";
    case Action::Kind::kTouch:
      return "touches";
    case Action::Kind::kMotionSensor:
      return "a motion sensor";
    case Action::Kind::kText:
      return "text";
  }
  return "";
}

// The whole number nearest to `value` of `scale`; INVALID_ARGUMENT beyond what
// `minimum` and 1 stand for. Written so that NaN fails.
absl::StatusOr<int64_t> Scale(std::string_view what, double value,
                              double minimum, double maximum, double scale) {
  if (!(value >= minimum && value <= maximum)) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {} is not in {}..{}", what, value, minimum, maximum));
  }
  return ToInt64Saturated(Floor(value * scale + 0.5));
}

absl::StatusOr<int16_t> ToMotion(std::string_view what, int64_t value) {
  if (value < -kAxisMax || value > kAxisMax) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: {} is not in {}..{}", what, value, -kAxisMax, kAxisMax));
  }
  return static_cast<int16_t>(value);
}

absl::StatusOr<std::pair<uint16_t, uint16_t>> ToView(std::string_view what,
                                                     double x, double y) {
  const absl::StatusOr<int64_t> right = Scale(what, x, 0.0, 1.0, kViewEdge);
  if (!right.ok()) return right.status();
  const absl::StatusOr<int64_t> down = Scale(what, y, 0.0, 1.0, kViewEdge);
  if (!down.ok()) return down.status();
  return std::pair(static_cast<uint16_t>(*right), static_cast<uint16_t>(*down));
}

// Rounded to what a sensor tells.
absl::StatusOr<std::array<int32_t, 3>> ToSensor(std::string_view what,
                                                Vector3 value) {
  constexpr double kThousandths = 1000.0;
  std::array<int32_t, 3> numbers = {};
  const std::array<double, 3> parts = {value.x, value.y, value.z};
  for (size_t i = 0; i < parts.size(); ++i) {
    constexpr double kMost = kMotionMax / kThousandths;
    const absl::StatusOr<int64_t> number =
        Scale(what, parts[i], -kMost, kMost, kThousandths);
    if (!number.ok()) return number.status();
    numbers[i] = static_cast<int32_t>(*number);
  }
  return numbers;
}

}  // namespace

PlayerActions::PlayerActions(const InputGrammar* grammar, uint32_t player)
    : grammar_(*grammar), frame_{.player = player} {}

void PlayerActions::Begin(const DeviceState& held) {
  frame_.device = held;
  frame_.activity = {};
  frame_.commands.clear();
}

absl::StatusOr<const Action*> PlayerActions::FindAny(
    std::string_view name) const {
  const Action* const action = grammar_.Find(IdOf(name));
  if (action != nullptr) return action;
  std::vector<std::string_view> names;
  for (const Action& known : grammar_.actions) names.push_back(known.name);
  return absl::InvalidArgumentError(ThereIsNo("action", name, names));
}

absl::StatusOr<const Action*> PlayerActions::Find(std::string_view name,
                                                  Action::Kind kind) const {
  const absl::StatusOr<const Action*> action = FindAny(name);
  if (!action.ok() || (*action)->kind == kind) return action;
  return absl::InvalidArgumentError(fmt::format("the action '{}' is {}, not {}",
                                                name, KindName((*action)->kind),
                                                KindName(kind)));
}

absl::Status PlayerActions::Hold(std::string_view name, bool is_held) {
  const absl::StatusOr<const Action*> found = FindAny(name);
  if (!found.ok()) return found.status();
  const Action& action = **found;
  DeviceState& device = frame_.device;
  switch (action.kind) {
    case Action::Kind::kButton: {
      const uint64_t bit = uint64_t{1} << action.device_index;
      device.buttons = is_held ? device.buttons | bit : device.buttons & ~bit;
      return absl::OkStatus();
    }
    case Action::Kind::kKey:
      if (is_held) {
        device.keys.Add(action.device_index);
      } else {
        device.keys.Remove(action.device_index);
      }
      return absl::OkStatus();
    case Action::Kind::kMouseButton: {
      const uint32_t bit = uint32_t{1} << action.device_index;
      uint32_t& buttons = device.mouse.buttons;
      buttons = is_held ? buttons | bit : buttons & ~bit;
      return absl::OkStatus();
    }
    default:
      return absl::InvalidArgumentError(
          fmt::format("the action '{}' is {}, and can't be held", name,
                      KindName(action.kind)));
  }
}

void PlayerActions::ReleaseAll() { frame_.device = {}; }

absl::Status PlayerActions::SetAxis(std::string_view name, double value) {
  const absl::StatusOr<const Action*> action = Find(name, Action::Kind::kAxis);
  if (!action.ok()) return action.status();
  const absl::StatusOr<int64_t> scaled =
      Scale(name, value, -1.0, 1.0, kAxisMax);
  if (!scaled.ok()) return scaled.status();
  frame_.device.axes[(*action)->device_index] = static_cast<int16_t>(*scaled);
  return absl::OkStatus();
}

absl::Status PlayerActions::Point(std::string_view name, double x, double y) {
  const absl::StatusOr<const Action*> action =
      Find(name, Action::Kind::kPointer);
  if (!action.ok()) return action.status();
  const auto place = ToView(name, x, y);
  if (!place.ok()) return place.status();
  std::tie(frame_.device.mouse.x, frame_.device.mouse.y) = *place;
  return absl::OkStatus();
}

absl::Status PlayerActions::MoveMouse(std::string_view name, int64_t x,
                                      int64_t y) {
  const absl::StatusOr<const Action*> action =
      Find(name, Action::Kind::kMouseMotion);
  if (!action.ok()) return action.status();
  const absl::StatusOr<int16_t> right = ToMotion(name, x);
  if (!right.ok()) return right.status();
  const absl::StatusOr<int16_t> down = ToMotion(name, y);
  if (!down.ok()) return down.status();
  frame_.activity.mouse_x = *right;
  frame_.activity.mouse_y = *down;
  return absl::OkStatus();
}

absl::Status PlayerActions::TurnWheel(std::string_view name, int64_t x,
                                      int64_t y) {
  const absl::StatusOr<const Action*> action = Find(name, Action::Kind::kWheel);
  if (!action.ok()) return action.status();
  const absl::StatusOr<int16_t> right = ToMotion(name, x);
  if (!right.ok()) return right.status();
  const absl::StatusOr<int16_t> away = ToMotion(name, y);
  if (!away.ok()) return away.status();
  frame_.activity.wheel_x = *right;
  frame_.activity.wheel_y = *away;
  return absl::OkStatus();
}

absl::Status PlayerActions::Touch(std::string_view name, int64_t finger,
                                  double x, double y, double pressure) {
  const absl::StatusOr<const Action*> action = Find(name, Action::Kind::kTouch);
  if (!action.ok()) return action.status();
  const auto place = ToView(name, x, y);
  if (!place.ok()) return place.status();
  const absl::StatusOr<int64_t> pressed =
      Scale(name, pressure, 0.0, 1.0, kViewEdge);
  if (!pressed.ok()) return pressed.status();
  if (finger < 0 || finger > UINT16_MAX) {
    return absl::InvalidArgumentError(
        fmt::format("{}: there is no finger {}", name, finger));
  }
  const sim::Touch touch = {.id = static_cast<uint16_t>(finger),
                            .x = place->first,
                            .y = place->second,
                            .pressure = static_cast<uint16_t>(*pressed)};
  std::vector<sim::Touch>& touches = frame_.device.touches;
  const auto found =
      std::ranges::lower_bound(touches, touch.id, {}, &sim::Touch::id);
  if (found != touches.end() && found->id == touch.id) {
    *found = touch;
    return absl::OkStatus();
  }
  if (touches.size() >= (*action)->maximum) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {} fingers are the most", name, (*action)->maximum));
  }
  touches.insert(found, touch);
  return absl::OkStatus();
}

absl::Status PlayerActions::Lift(std::string_view name, int64_t finger) {
  const absl::StatusOr<const Action*> action = Find(name, Action::Kind::kTouch);
  if (!action.ok()) return action.status();
  std::erase_if(frame_.device.touches,
                [&](const sim::Touch& touch) { return touch.id == finger; });
  return absl::OkStatus();
}

absl::Status PlayerActions::Tilt(std::string_view name, Vector3 acceleration,
                                 Vector3 angular_velocity) {
  const absl::StatusOr<const Action*> action =
      Find(name, Action::Kind::kMotionSensor);
  if (!action.ok()) return action.status();
  const auto pull = ToSensor(name, acceleration);
  if (!pull.ok()) return pull.status();
  const auto turn = ToSensor(name, angular_velocity);
  if (!turn.ok()) return turn.status();
  frame_.device.motion_sensor = {.acceleration_mm_s2 = *pull,
                                 .angular_velocity_mrad_s = *turn};
  return absl::OkStatus();
}

absl::Status PlayerActions::Say(std::string_view name, std::string_view text) {
  const absl::StatusOr<const Action*> action = Find(name, Action::Kind::kText);
  if (!action.ok()) return action.status();
  if (frame_.activity.text.size() + text.size() > (*action)->maximum) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {} bytes of text are the most at a tick", name,
                    (*action)->maximum));
  }
  frame_.activity.text += text;
  return absl::OkStatus();
}

absl::Status PlayerActions::Command(std::string_view name) {
  const absl::StatusOr<const Action*> action =
      Find(name, Action::Kind::kCommand);
  if (!action.ok()) return action.status();
  sim::Command command{.name = (*action)->id, .arguments = {}};
  for (const ActionArgument& argument : (*action)->arguments) {
    command.arguments.emplace_back(std::vector<SingleValue>());
    command.arguments.back().is_list = argument.capacity > 0;
  }
  frame_.commands.push_back(std::move(command));
  return absl::OkStatus();
}

absl::Status PlayerActions::Give(std::string_view name, SingleValue value) {
  if (frame_.commands.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' is of no command; one comes first", name));
  }
  sim::Command& command = frame_.commands.back();
  const Action& action = *grammar_.Find(command.name);
  for (size_t i = 0; i < action.arguments.size(); ++i) {
    const ActionArgument& argument = action.arguments[i];
    if (argument.name != name) continue;
    InputValue given = command.arguments[i];
    if (!given.is_list) given.values.clear();
    given.values.push_back(std::move(value));
    const absl::Status status = CheckArgument(argument, given);
    if (status.ok()) command.arguments[i] = std::move(given);
    return status;
  }
  std::vector<std::string_view> names;
  for (const ActionArgument& known : action.arguments) {
    names.push_back(known.name);
  }
  return absl::InvalidArgumentError(fmt::format(
      "the command {}: {}", action.name, ThereIsNo("argument", name, names)));
}

void PlayerActions::SetFrame(const InputFrame& frame) {
  const uint32_t player = frame_.player;
  frame_ = frame;
  frame_.player = player;
}

absl::Status PlayerActions::CheckCommands() const {
  for (const sim::Command& command : frame_.commands) {
    const Action* const action = grammar_.Find(command.name);
    if (action == nullptr) continue;  // ValidateInputs says so
    const size_t count =
        std::min(action->arguments.size(), command.arguments.size());
    for (size_t i = 0; i < count; ++i) {
      const InputValue& value = command.arguments[i];
      if (value.is_list || !value.values.empty()) continue;
      return absl::InvalidArgumentError(
          fmt::format("the command {} was not given '{}'", action->name,
                      action->arguments[i].name));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<InputFrame> PlayerActions::Finish() {
  absl::Status status = CheckCommands();
  if (status.ok()) status = ValidateInputs(grammar_, std::span(&frame_, 1));
  if (!status.ok()) return status;
  return frame_;
}

}  // namespace reprise::sim
