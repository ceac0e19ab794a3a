// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/action_text.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/input/input_value.h"

namespace reprise::tools {
namespace {

using Kind = sim::Action::Kind;

bool IsHeld(const sim::Action& action, const sim::DeviceState& device) {
  if (action.kind == Kind::kKey) return device.keys.Has(action.device_index);
  const uint64_t buttons =
      action.kind == Kind::kMouseButton ? device.mouse.buttons : device.buttons;
  return (buttons >> action.device_index & 1) != 0;
}

void SetButton(const sim::Action& action, bool is_held,
               sim::DeviceState& device) {
  const uint64_t bit = uint64_t{1} << (action.device_index % 64);
  switch (action.kind) {
    case Kind::kKey:
      device.keys.Remove(action.device_index);
      if (is_held) device.keys.Add(action.device_index);
      break;
    case Kind::kMouseButton:
      device.mouse.buttons &= static_cast<uint32_t>(~bit);
      if (is_held) device.mouse.buttons |= static_cast<uint32_t>(bit);
      break;
    default:
      device.buttons &= ~bit;
      if (is_held) device.buttons |= bit;
      break;
  }
}

// Reads whole numbers with commas between them, as many as `numbers` has.
template <typename Number>
absl::Status ReadNumbers(std::string_view text, int64_t minimum,
                         int64_t maximum, std::span<Number> numbers) {
  size_t count = 0;
  for (const auto part :
       absl::StrSplit(absl::string_view(text.data(), text.size()), ',')) {
    int64_t number = 0;
    const char* const end = part.data() + part.size();
    const auto [rest, error] = std::from_chars(part.data(), end, number);
    if (error != std::errc() || rest != end || count == numbers.size() ||
        number < minimum || number > maximum) {
      count = numbers.size() + 1;
      break;
    }
    numbers[count++] = static_cast<Number>(number);
  }
  if (count == numbers.size()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      numbers.size() == 1
          ? fmt::format("the value is {} to {}", minimum, maximum)
          : fmt::format("the value is {} numbers of {} to {}, with commas "
                        "between",
                        numbers.size(), minimum, maximum));
}

absl::Status ReadPair(std::string_view text, int16_t& x, int16_t& y) {
  std::array<int16_t, 2> numbers = {};
  absl::Status status = ReadNumbers(text, -sim::kAxisMax, sim::kAxisMax,
                                    std::span<int16_t>(numbers));
  if (!status.ok()) return status;
  x = numbers[0];
  y = numbers[1];
  return absl::OkStatus();
}

absl::Status ReadPointer(std::string_view text, sim::MouseState& mouse) {
  std::array<uint16_t, 2> numbers = {};
  absl::Status status =
      ReadNumbers(text, 0, sim::kViewEdge, std::span<uint16_t>(numbers));
  if (!status.ok()) return status;
  mouse.x = numbers[0];
  mouse.y = numbers[1];
  return absl::OkStatus();
}

absl::Status ReadTouches(std::string_view text,
                         std::vector<sim::Touch>& touches) {
  std::vector<sim::Touch> read;
  for (const auto part :
       absl::StrSplit(absl::string_view(text.data(), text.size()), ';',
                      absl::SkipEmpty())) {
    std::array<uint16_t, 4> numbers = {};
    absl::Status status =
        ReadNumbers(std::string_view(part.data(), part.size()), 0,
                    sim::kViewEdge, std::span<uint16_t>(numbers));
    if (!status.ok()) return status;
    read.push_back({.id = numbers[0],
                    .x = numbers[1],
                    .y = numbers[2],
                    .pressure = numbers[3]});
  }
  touches = std::move(read);
  return absl::OkStatus();
}

absl::Status ReadMotion(std::string_view text, sim::MotionSensorState& motion) {
  std::array<int32_t, 6> numbers = {};
  absl::Status status = ReadNumbers(text, -sim::kMotionMax, sim::kMotionMax,
                                    std::span<int32_t>(numbers));
  if (!status.ok()) return status;
  motion = {.acceleration_mm_s2 = {numbers[0], numbers[1], numbers[2]},
            .angular_velocity_mrad_s = {numbers[3], numbers[4], numbers[5]}};
  return absl::OkStatus();
}

std::string FormatTouches(const std::vector<sim::Touch>& touches) {
  std::string text;
  for (const sim::Touch& touch : touches) {
    text += fmt::format("{}{},{},{},{}", text.empty() ? "" : ";", touch.id,
                        touch.x, touch.y, touch.pressure);
  }
  return text.empty() ? "none" : text;
}

}  // namespace

std::string FormatAction(const sim::Action& action,
                         const sim::InputFrame& frame) {
  const sim::DeviceState& device = frame.device;
  const sim::DeviceActivity& activity = frame.activity;
  switch (action.kind) {
    case Kind::kButton:
    case Kind::kKey:
    case Kind::kMouseButton:
      return IsHeld(action, device) ? "held" : "released";
    case Kind::kAxis:
      return fmt::format("{}", device.axes[action.device_index]);
    case Kind::kPointer:
      return fmt::format("{},{}", device.mouse.x, device.mouse.y);
    case Kind::kMouseMotion:
      return fmt::format("{},{}", activity.mouse_x, activity.mouse_y);
    case Kind::kWheel:
      return fmt::format("{},{}", activity.wheel_x, activity.wheel_y);
    case Kind::kTouch:
      return FormatTouches(device.touches);
    case Kind::kMotionSensor:
      return fmt::format(
          "{},{}", fmt::join(device.motion_sensor.acceleration_mm_s2, ","),
          fmt::join(device.motion_sensor.angular_velocity_mrad_s, ","));
    case Kind::kText:
      return sim::FormatInputValue(activity.text);
    case Kind::kCommand:
      break;
  }
  CHECK(false, "{} is a command", action.name);
  return "";
}

absl::Status SetAction(const sim::Action& action, std::string_view text,
                       sim::InputFrame& frame) {
  switch (action.kind) {
    case Kind::kButton:
    case Kind::kKey:
    case Kind::kMouseButton: {
      std::array<uint8_t, 1> is_held = {};
      absl::Status status =
          ReadNumbers(text, 0, 1, std::span<uint8_t>(is_held));
      if (status.ok()) SetButton(action, is_held[0] != 0, frame.device);
      return status;
    }
    case Kind::kAxis: {
      std::array<int16_t, 1> value = {};
      absl::Status status = ReadNumbers(text, -sim::kAxisMax, sim::kAxisMax,
                                        std::span<int16_t>(value));
      if (status.ok()) frame.device.axes[action.device_index] = value[0];
      return status;
    }
    case Kind::kPointer:
      return ReadPointer(text, frame.device.mouse);
    case Kind::kMouseMotion:
      return ReadPair(text, frame.activity.mouse_x, frame.activity.mouse_y);
    case Kind::kWheel:
      return ReadPair(text, frame.activity.wheel_x, frame.activity.wheel_y);
    case Kind::kTouch:
      return ReadTouches(text, frame.device.touches);
    case Kind::kMotionSensor:
      return ReadMotion(text, frame.device.motion_sensor);
    case Kind::kText:
      frame.activity.text = std::string(text);
      return absl::OkStatus();
    case Kind::kCommand:
      break;
  }
  return absl::InvalidArgumentError(
      "a command is nothing of a device: reprise cat makes a text of the "
      "inputs, in which commands can be changed");
}

}  // namespace reprise::tools
