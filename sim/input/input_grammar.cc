// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/input/input_grammar.h"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/base/utf8.h"

namespace reprise::sim {
namespace {

constexpr char kUnused[] = "which no action of the pack uses";

constexpr std::array<std::string_view, kDeviceAxes> kAxisNames = {
    "axis 0", "axis 1", "axis 2", "axis 3",
    "axis 4", "axis 5", "axis 6", "axis 7"};

// What of a device the actions of a grammar use.
struct DeclaredDevice {
  uint64_t buttons = 0;
  std::array<bool, kDeviceAxes> axes = {};
  KeySet keys;
  uint32_t mouse_buttons = 0;
  bool has_pointer = false;
  bool has_mouse_motion = false;
  bool has_wheel = false;
  bool has_motion_sensor = false;
  uint32_t touches_max = 0;
  uint32_t text_bytes_max = 0;
};

DeclaredDevice DeclaredBy(const InputGrammar& grammar) {
  DeclaredDevice declared;
  for (const Action& action : grammar.actions) {
    switch (action.kind) {
      case Action::Kind::kButton:
        declared.buttons |= uint64_t{1} << action.device_index;
        break;
      case Action::Kind::kAxis:
        declared.axes[action.device_index] = true;
        break;
      case Action::Kind::kCommand:
        break;
      case Action::Kind::kKey:
        declared.keys.Add(action.device_index);
        break;
      case Action::Kind::kMouseButton:
        declared.mouse_buttons |= uint32_t{1} << action.device_index;
        break;
      case Action::Kind::kPointer:
        declared.has_pointer = true;
        break;
      case Action::Kind::kMouseMotion:
        declared.has_mouse_motion = true;
        break;
      case Action::Kind::kWheel:
        declared.has_wheel = true;
        break;
      case Action::Kind::kTouch:
        declared.touches_max = std::max(declared.touches_max, action.maximum);
        break;
      case Action::Kind::kMotionSensor:
        declared.has_motion_sensor = true;
        break;
      case Action::Kind::kText:
        declared.text_bytes_max =
            std::max(declared.text_bytes_max, action.maximum);
        break;
    }
  }
  return declared;
}

// Checks what one player gives of devices. What it finds first is kept.
class DeviceChecker {
 public:
  DeviceChecker(const DeclaredDevice& declared, uint32_t player)
      : declared_(declared), player_(player) {}

  absl::Status Check(const DeviceState& device,
                     const DeviceActivity& activity) {
    CheckButtons(device);
    for (uint32_t axis = 0; axis < kDeviceAxes; ++axis) {
      if (device.axes[axis] == 0) continue;  // at rest, as most are
      CheckSigned(kAxisNames[axis], device.axes[axis], declared_.axes[axis]);
    }
    const bool has_pointer = device.mouse.x != 0 || device.mouse.y != 0;
    if (has_pointer && !declared_.has_pointer) {
      Refuse("the mouse points somewhere, {}", kUnused);
    }
    CheckTouches(device.touches);
    CheckMotion(device.motion_sensor);
    CheckSigned("mouse_x", activity.mouse_x, declared_.has_mouse_motion);
    CheckSigned("mouse_y", activity.mouse_y, declared_.has_mouse_motion);
    CheckSigned("wheel_x", activity.wheel_x, declared_.has_wheel);
    CheckSigned("wheel_y", activity.wheel_y, declared_.has_wheel);
    CheckText(activity.text);
    return status_;
  }

 private:
  template <typename... Values>
  void Refuse(fmt::format_string<Values...> format, Values&&... values) {
    if (!status_.ok()) return;
    status_ = absl::InvalidArgumentError(
        fmt::format("player {}: {}", player_,
                    fmt::format(format, std::forward<Values>(values)...)));
  }

  void CheckButtons(const DeviceState& device) {
    const uint64_t buttons = device.buttons & ~declared_.buttons;
    if (buttons != 0) {
      Refuse("button {} is held, {}", std::countr_zero(buttons), kUnused);
    }
    const uint32_t mouse_buttons =
        device.mouse.buttons & ~declared_.mouse_buttons;
    if (mouse_buttons != 0) {
      Refuse("mouse button {} is held, {}", std::countr_zero(mouse_buttons),
             kUnused);
    }
    if (device.keys == KeySet{}) return;
    for (uint32_t key = 0; key < 64 * device.keys.bits.size(); ++key) {
      if (device.keys.Has(key) && !declared_.keys.Has(key)) {
        Refuse("key {} is held, {}", key, kUnused);
      }
    }
  }

  // What is at rest at 0, and goes equally far in both directions.
  void CheckSigned(std::string_view name, int16_t value, bool is_declared) {
    if (value != 0 && !is_declared) {
      Refuse("{} is not used by any action of the pack", std::string(name));
    }
    if (value == std::numeric_limits<int16_t>::min()) {
      Refuse("{} is -32768, below the lowest value -32767", std::string(name));
    }
  }

  void CheckTouches(const std::vector<Touch>& touches) {
    if (touches.size() > declared_.touches_max) {
      Refuse("{} touches; the pack allows {}", touches.size(),
             declared_.touches_max);
    }
    for (size_t i = 1; i < touches.size(); ++i) {
      if (touches[i].id <= touches[i - 1].id) {
        Refuse("touch {} follows touch {}; ids ascend", touches[i].id,
               touches[i - 1].id);
      }
    }
  }

  void CheckMotion(const MotionSensorState& motion) {
    if (motion == MotionSensorState{}) return;
    if (!declared_.has_motion_sensor) {
      Refuse("a motion sensor moves, {}", kUnused);
    }
    for (const auto& [name, values] :
         {std::pair("acceleration", motion.acceleration_mm_s2),
          std::pair("angular velocity", motion.angular_velocity_mrad_s)}) {
      for (const int32_t value : values) {
        if (value < -kMotionMax || value > kMotionMax) {
          Refuse("{} {} is outside -{}..{}", name, value, kMotionMax,
                 kMotionMax);
        }
      }
    }
  }

  void CheckText(const std::string& text) {
    if (text.size() > declared_.text_bytes_max) {
      Refuse("{} bytes of text; the pack allows {}", text.size(),
             declared_.text_bytes_max);
    }
    if (!IsUtf8(text)) Refuse("the text is no UTF-8");
  }

  const DeclaredDevice& declared_;
  const uint32_t player_;
  absl::Status status_;
};

absl::Status ValidateCommand(const InputGrammar& grammar, uint32_t player,
                             const Command& command) {
  const Action* const action = grammar.Find(command.name);
  if (action == nullptr) {
    // Whoever knows the name behind the id puts it in its place.
    return absl::InvalidArgumentError(
        fmt::format("player {}: the pack declares no command #{:016x}", player,
                    command.name.value));
  }
  if (action->kind != Action::Kind::kCommand) {
    return absl::InvalidArgumentError(
        fmt::format("player {}: the pack declares no command '{}': the action "
                    "of that name is another input",
                    player, action->name));
  }
  if (command.arguments.size() != action->arguments.size()) {
    return absl::InvalidArgumentError(fmt::format(
        "player {}: command {} takes {} arguments, not {}", player,
        action->name, action->arguments.size(), command.arguments.size()));
  }
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    const ActionArgument& argument = action->arguments[i];
    const absl::Status status = CheckArgument(argument, command.arguments[i]);
    if (!status.ok()) {
      return absl::InvalidArgumentError(fmt::format(
          "player {}: command {}, argument {}: {}", player, action->name,
          argument.name, std::string(status.message())));
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool Action::is_button() const {
  return kind == Kind::kButton || kind == Kind::kKey ||
         kind == Kind::kMouseButton;
}

const Action* InputGrammar::Find(Id id) const {
  for (const Action& action : actions) {
    if (action.id == id) return &action;
  }
  return nullptr;
}

bool InputGrammar::Has(Action::Kind kind) const {
  return std::ranges::find(actions, kind, &Action::kind) != actions.end();
}

absl::Status ValidateInputs(const InputGrammar& grammar,
                            std::span<const InputFrame> frames) {
  const DeclaredDevice declared = DeclaredBy(grammar);
  std::bitset<kPlayersMax> seen;
  for (const InputFrame& frame : frames) {
    if (frame.player >= grammar.player_count) {
      return absl::InvalidArgumentError(
          fmt::format("player {} is not one of the pack's {}", frame.player,
                      grammar.player_count));
    }
    if (seen[frame.player]) {
      return absl::InvalidArgumentError(
          fmt::format("player {} gives two frames at one tick", frame.player));
    }
    seen.set(frame.player);
    absl::Status status = DeviceChecker(declared, frame.player)
                              .Check(frame.device, frame.activity);
    if (!status.ok()) return status;
    if (frame.commands.size() > grammar.commands_per_tick_max) {
      return absl::ResourceExhaustedError(fmt::format(
          "player {} gives {} commands at one tick; the pack allows {}",
          frame.player, frame.commands.size(), grammar.commands_per_tick_max));
    }
    for (const Command& command : frame.commands) {
      status = ValidateCommand(grammar, frame.player, command);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
