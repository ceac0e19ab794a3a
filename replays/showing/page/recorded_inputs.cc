// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/page/recorded_inputs.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/input/input_value.h"
#include "sim/input/key_set.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

using Json = nlohmann::json;
using Kind = sim::Action::Kind;

std::string_view NameOf(Kind kind) {
  switch (kind) {
    case Kind::kButton:
      return "button";
    case Kind::kAxis:
      return "axis";
    case Kind::kCommand:
      return "command";
    case Kind::kKey:
      return "key";
    case Kind::kMouseButton:
      return "mouse_button";
    case Kind::kPointer:
      return "pointer";
    case Kind::kMouseMotion:
      return "mouse_motion";
    case Kind::kWheel:
      return "wheel";
    case Kind::kTouch:
      return "touch";
    case Kind::kMotionSensor:
      return "motion_sensor";
    case Kind::kText:
      return "text";
  }
  return "";
}

// The numbers of the bits that are set.
Json BitsJson(uint64_t bits, uint32_t count) {
  Json set = Json::array();
  for (uint32_t i = 0; i < count; ++i) {
    if ((bits >> i & 1) != 0) set.push_back(i);
  }
  return set;
}

void PutUnlessEmpty(const char* name, Json value, Json& json) {
  if (!value.empty()) json[name] = std::move(value);
}

void AddDevice(const sim::DeviceState& device, Json& given) {
  PutUnlessEmpty("buttons", BitsJson(device.buttons, sim::kDeviceButtons),
                 given);
  Json axes = Json::object();
  for (uint32_t i = 0; i < sim::kDeviceAxes; ++i) {
    if (device.axes[i] != 0) axes[std::to_string(i)] = device.axes[i];
  }
  PutUnlessEmpty("axes", std::move(axes), given);
  Json keys = Json::array();
  for (uint32_t key = 0; key <= sim::kKeyMax; ++key) {
    if (device.keys.Has(key)) keys.push_back(key);
  }
  PutUnlessEmpty("keys", std::move(keys), given);
  PutUnlessEmpty("mouse_buttons",
                 BitsJson(device.mouse.buttons, sim::kMouseButtons), given);
  if (device.mouse.x != 0 || device.mouse.y != 0) {
    given["pointer"] = {device.mouse.x, device.mouse.y};
  }
  Json touches = Json::array();
  for (const sim::Touch& touch : device.touches) {
    touches.push_back({touch.id, touch.x, touch.y, touch.pressure});
  }
  PutUnlessEmpty("touches", std::move(touches), given);
  if (device.motion_sensor != sim::MotionSensorState{}) {
    const auto& [acceleration, turning] = device.motion_sensor;
    given["sensor"] = {acceleration, turning};
  }
}

void AddActivity(const sim::DeviceActivity& activity, Json& given) {
  if (activity.mouse_x != 0 || activity.mouse_y != 0) {
    given["moved"] = {activity.mouse_x, activity.mouse_y};
  }
  if (activity.wheel_x != 0 || activity.wheel_y != 0) {
    given["wheel"] = {activity.wheel_x, activity.wheel_y};
  }
  if (!activity.text.empty()) given["text"] = activity.text;
}

// What a person presses, and doesn't just move.
bool HasOtherPressed(const sim::DeviceState& a, const sim::DeviceState& b) {
  return a.buttons != b.buttons || a.keys != b.keys ||
         a.mouse.buttons != b.mouse.buttons ||
         a.touches.size() != b.touches.size();
}

std::string FormatCommand(const sim::Command& command,
                          const sim::Simulation& simulation) {
  std::string arguments;
  for (const sim::InputValue& value : command.arguments) {
    arguments += (arguments.empty() ? "" : ", ") + sim::FormatInputValue(value);
  }
  return fmt::format("{}({})", simulation.IdName(command.name), arguments);
}

}  // namespace

Json DescribeControls(const sim::InputGrammar& grammar) {
  Json controls = Json::array();
  for (const sim::Action& action : grammar.actions) {
    controls.push_back({{"name", action.name},
                        {"kind", NameOf(action.kind)},
                        {"index", action.device_index}});
  }
  return {{"player_count", grammar.player_count},
          {"controls", std::move(controls)}};
}

RecordedInputs::RecordedInputs(const FrameStream* stream,
                               std::unique_ptr<InputSource> inputs)
    : stream_(*stream),
      inputs_(std::move(inputs)),
      players_(stream->simulation().info().inputs.player_count),
      commands_(players_.size(), Json::array()) {}

absl::Status RecordedInputs::AddFrame() {
  const absl::Status status = GoTo(stream_.frame().tick);
  if (!status.ok()) return status;
  for (uint32_t player = 0; player < players_.size(); ++player) {
    Json given = GivenBy(player);
    const bool is_new = chunk_frames_ == 0 && !given.empty();
    if (given != players_[player].given || is_new) {
      changes_.push_back({chunk_frames_, player, given});
    }
    is_pressed_ = is_pressed_ || !commands_[player].empty();
    players_[player].given = std::move(given);
    commands_[player].clear();
  }
  if (std::exchange(is_pressed_, false) && marks_.size() < kMarksMax) {
    marks_.push_back(frame_count_);
  }
  ++frame_count_;
  ++chunk_frames_;
  return absl::OkStatus();
}

absl::Status RecordedInputs::GoTo(sim::Tick tick) {
  for (; next_tick_ <= tick; ++next_tick_) {
    const absl::StatusOr<std::span<const sim::InputFrame>> frames =
        inputs_->FramesAt(next_tick_);
    if (!frames.ok()) return frames.status();
    frames_.assign(frames->begin(), frames->end());
    // Of what lies before the first frame only what is held still counts.
    const bool is_shown = next_tick_ >= stream_.source().first;
    for (const sim::InputFrame& frame : frames_) {
      if (frame.player >= players_.size()) continue;
      sim::DeviceState& held = players_[frame.player].device;
      is_pressed_ =
          is_pressed_ || (is_shown && HasOtherPressed(held, frame.device));
      held = frame.device;
      if (!is_shown) continue;
      for (const sim::Command& command : frame.commands) {
        commands_[frame.player].push_back(
            FormatCommand(command, stream_.simulation()));
      }
    }
  }
  return absl::OkStatus();
}

Json RecordedInputs::GivenBy(uint32_t player) const {
  Json given = Json::object();
  AddDevice(players_[player].device, given);
  for (const sim::InputFrame& frame : frames_) {
    if (frame.player == player) AddActivity(frame.activity, given);
  }
  PutUnlessEmpty("commands", commands_[player], given);
  return given;
}

Json RecordedInputs::TakeChunk() {
  chunk_frames_ = 0;
  return std::exchange(changes_, Json::array());
}

}  // namespace reprise::replays
