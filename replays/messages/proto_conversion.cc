// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/messages/proto_conversion.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/messages/value_conversion.h"
#include "reprise/v1/run_end.pb.h"
#include "sim/base/check.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/base/utf8.h"
#include "sim/state/field_value.h"

namespace reprise::replays {
namespace {

// A number of a message in the narrower range of a struct's member; INVALID_
// ARGUMENT names it where it is outside.
template <typename Number>
absl::Status Narrow(uint32_t player, std::string_view name, int64_t value,
                    int64_t minimum, int64_t maximum, Number& number) {
  if (value < minimum || value > maximum) {
    return absl::InvalidArgumentError(
        fmt::format("player {}: {} is {}, outside {}..{}", player,
                    std::string(name), value, minimum, maximum));
  }
  number = static_cast<Number>(value);
  return absl::OkStatus();
}

absl::Status ReadAxes(const v1::DeviceState& message, uint32_t player,
                      sim::DeviceState& device) {
  if (message.axes_size() > static_cast<int>(sim::kDeviceAxes)) {
    return absl::InvalidArgumentError(
        fmt::format("player {}: {} axes; a device has {}", player,
                    message.axes_size(), sim::kDeviceAxes));
  }
  for (int axis = 0; axis < message.axes_size(); ++axis) {
    const int32_t value = message.axes(axis);
    if (value < -sim::kAxisMax || value > sim::kAxisMax) {
      return absl::InvalidArgumentError(
          fmt::format("player {}: axis {} is {}, outside -{}..{}", player, axis,
                      value, sim::kAxisMax, sim::kAxisMax));
    }
    device.axes[axis] = static_cast<int16_t>(value);
  }
  return absl::OkStatus();
}

absl::Status ReadKeys(const v1::DeviceState& message, uint32_t player,
                      sim::DeviceState& device) {
  int last = 0;
  for (const int key : message.keys()) {
    uint32_t checked = 0;
    absl::Status status =
        Narrow(player, "a key", key, sim::kKeyMin, sim::kKeyMax, checked);
    if (!status.ok()) return status;
    if (key <= last) {
      return absl::InvalidArgumentError(fmt::format(
          "player {}: key {} follows key {}; keys ascend", player, key, last));
    }
    device.keys.Add(checked);
    last = key;
  }
  return absl::OkStatus();
}

absl::Status ReadTouches(const v1::DeviceState& message, uint32_t player,
                         sim::DeviceState& device) {
  if (message.touches_size() > static_cast<int>(sim::kTouchesMax)) {
    return absl::InvalidArgumentError(
        fmt::format("player {}: {} touches; at most {} are possible", player,
                    message.touches_size(), sim::kTouchesMax));
  }
  for (const v1::Touch& each : message.touches()) {
    sim::Touch& touch = device.touches.emplace_back();
    for (const absl::Status& status :
         {Narrow(player, "a touch's id", each.id(), 0, UINT16_MAX, touch.id),
          Narrow(player, "a touch's x", each.x(), 0, sim::kViewEdge, touch.x),
          Narrow(player, "a touch's y", each.y(), 0, sim::kViewEdge, touch.y),
          Narrow(player, "a touch's pressure", each.pressure(), 0,
                 sim::kViewEdge, touch.pressure)}) {
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<sim::DeviceState> DeviceFromProto(const v1::DeviceState& message,
                                                 uint32_t player) {
  sim::DeviceState device{.buttons = message.buttons()};
  const v1::MouseState& mouse = message.mouse();
  device.mouse.buttons = mouse.buttons();
  const v1::MotionSensorState& motion = message.motion_sensor();
  device.motion_sensor = {
      .acceleration_mm_s2 = {motion.acceleration_x(), motion.acceleration_y(),
                             motion.acceleration_z()},
      .angular_velocity_mrad_s = {motion.angular_velocity_x(),
                                  motion.angular_velocity_y(),
                                  motion.angular_velocity_z()}};
  for (const absl::Status& status :
       {ReadAxes(message, player, device), ReadKeys(message, player, device),
        Narrow(player, "the mouse's x", mouse.x(), 0, sim::kViewEdge,
               device.mouse.x),
        Narrow(player, "the mouse's y", mouse.y(), 0, sim::kViewEdge,
               device.mouse.y),
        ReadTouches(message, player, device)}) {
    if (!status.ok()) return status;
  }
  return device;
}

absl::StatusOr<sim::DeviceActivity> ActivityFromProto(
    const v1::DeviceActivity& message, uint32_t player) {
  sim::DeviceActivity activity;
  const auto narrow = [player](std::string_view name, int32_t value,
                               int16_t& number) {
    return Narrow(player, name, value, -sim::kAxisMax, sim::kAxisMax, number);
  };
  for (const absl::Status& status :
       {narrow("mouse_x", message.mouse_x(), activity.mouse_x),
        narrow("mouse_y", message.mouse_y(), activity.mouse_y),
        narrow("wheel_x", message.wheel_x(), activity.wheel_x),
        narrow("wheel_y", message.wheel_y(), activity.wheel_y)}) {
    if (!status.ok()) return status;
  }
  if (message.text().size() > sim::kInputTextBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("player {}: {} bytes of text; at most {} are possible",
                    player, message.text().size(), sim::kInputTextBytesMax));
  }
  activity.text = message.text();
  return activity;
}

absl::StatusOr<sim::Command> CommandFromProto(const v1::Command& message,
                                              uint32_t player) {
  if (message.name().empty() || message.name().size() > sim::kNameBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("player {}: a command's name has 1 to {} bytes, not {}",
                    player, sim::kNameBytesMax, message.name().size()));
  }
  const auto refuse = [&](std::string problem) {
    return absl::InvalidArgumentError(fmt::format(
        "player {}: command {} {}", player, message.name(), problem));
  };
  if (message.arguments_size() > 0 && message.values_size() > 0) {
    return refuse("has values, and arguments as well");
  }
  const int count = std::max(message.arguments_size(), message.values_size());
  if (count > static_cast<int>(sim::kCommandArgumentsMax)) {
    return refuse(fmt::format("has {} arguments; at most {} are possible",
                              count, sim::kCommandArgumentsMax));
  }
  sim::Command command{.name = sim::IdOf(message.name()), .arguments = {}};
  for (const int64_t argument : message.arguments()) {
    command.arguments.push_back(argument);
  }
  for (int i = 0; i < message.values_size(); ++i) {
    absl::StatusOr<sim::InputValue> value = FromProto(message.values(i));
    if (!value.ok()) {
      return refuse(fmt::format("is given as argument {} {}", i + 1,
                                std::string(value.status().message())));
    }
    command.arguments.push_back(*std::move(value));
  }
  return command;
}

// Of a value that FromProto takes.
bool HasUtf8Text(const v1::Value& value) {
  return sim::IsUtf8(value.text()) &&
         std::ranges::all_of(value.list().values(), [](const v1::Value& each) {
           return sim::IsUtf8(each.text());
         });
}

void SetDevice(const sim::DeviceState& device, v1::DeviceState& message) {
  message.set_buttons(device.buttons);
  uint32_t used_axes = sim::kDeviceAxes;
  while (used_axes > 0 && device.axes[used_axes - 1] == 0) --used_axes;
  for (uint32_t axis = 0; axis < used_axes; ++axis) {
    message.add_axes(device.axes[axis]);
  }
  for (uint32_t key = sim::kKeyMin; key <= sim::kKeyMax; ++key) {
    if (device.keys.Has(key)) message.add_keys(static_cast<v1::Key>(key));
  }
  if (device.mouse != sim::MouseState{}) {
    v1::MouseState& mouse = *message.mutable_mouse();
    mouse.set_buttons(device.mouse.buttons);
    mouse.set_x(device.mouse.x);
    mouse.set_y(device.mouse.y);
  }
  for (const sim::Touch& touch : device.touches) {
    v1::Touch& added = *message.add_touches();
    added.set_id(touch.id);
    added.set_x(touch.x);
    added.set_y(touch.y);
    added.set_pressure(touch.pressure);
  }
  if (device.motion_sensor != sim::MotionSensorState{}) {
    v1::MotionSensorState& motion = *message.mutable_motion_sensor();
    const auto& acceleration = device.motion_sensor.acceleration_mm_s2;
    motion.set_acceleration_x(acceleration[0]);
    motion.set_acceleration_y(acceleration[1]);
    motion.set_acceleration_z(acceleration[2]);
    const auto& velocity = device.motion_sensor.angular_velocity_mrad_s;
    motion.set_angular_velocity_x(velocity[0]);
    motion.set_angular_velocity_y(velocity[1]);
    motion.set_angular_velocity_z(velocity[2]);
  }
}

void SetActivity(const sim::DeviceActivity& activity,
                 v1::DeviceActivity& message) {
  message.set_mouse_x(activity.mouse_x);
  message.set_mouse_y(activity.mouse_y);
  message.set_wheel_x(activity.wheel_x);
  message.set_wheel_y(activity.wheel_y);
  message.set_text(activity.text);
}

void SetValue(sim::FieldValue value, const sim::Simulation& simulation,
              v1::EventArgument& message) {
  switch (value.type) {
    case sim::ScalarType::kBool:
      message.set_bool_value(value.bits != 0);
      break;
    case sim::ScalarType::kInt16:
      message.set_int_value(static_cast<int16_t>(value.bits));
      break;
    case sim::ScalarType::kInt32:
      message.set_int_value(static_cast<int32_t>(value.bits));
      break;
    case sim::ScalarType::kInt64:
      message.set_int_value(static_cast<int64_t>(value.bits));
      break;
    case sim::ScalarType::kUint32:
    case sim::ScalarType::kUint64:
      message.set_uint_value(value.bits);
      break;
    case sim::ScalarType::kDouble:
      message.set_double_value(value.AsDouble());
      break;
    case sim::ScalarType::kId:
      message.set_id_value(simulation.IdName(sim::Id{value.bits}));
      break;
    case sim::ScalarType::kObject:
      message.set_object_value(
          simulation.ObjectName(sim::ObjectId{value.bits}));
      break;
    case sim::ScalarType::kHandle:
      message.set_object_value(
          sim::FormatFieldValue(value, sim::NamesOf(simulation)));
      break;
  }
}

void SetVector(const sim::Vector3& vector, v1::Vector3& message) {
  message.set_x(vector.x);
  message.set_y(vector.y);
  message.set_z(vector.z);
}

void SetQuaternion(const sim::Quaternion& rotation, v1::Quaternion& message) {
  message.set_x(rotation.x);
  message.set_y(rotation.y);
  message.set_z(rotation.z);
  message.set_w(rotation.w);
}

v1::FrameShape::Kind KindOf(sim::FrameShape::Kind kind) {
  switch (kind) {
    case sim::FrameShape::Kind::kSphere:
      return v1::FrameShape::KIND_SPHERE;
    case sim::FrameShape::Kind::kBox:
      return v1::FrameShape::KIND_BOX;
    case sim::FrameShape::Kind::kCapsule:
      return v1::FrameShape::KIND_CAPSULE;
    case sim::FrameShape::Kind::kCylinder:
      return v1::FrameShape::KIND_CYLINDER;
    case sim::FrameShape::Kind::kPlane:
      return v1::FrameShape::KIND_PLANE;
    case sim::FrameShape::Kind::kCone:
      return v1::FrameShape::KIND_CONE;
    case sim::FrameShape::Kind::kHull:
      return v1::FrameShape::KIND_HULL;
    case sim::FrameShape::Kind::kMesh:
      return v1::FrameShape::KIND_MESH;
  }
  return v1::FrameShape::KIND_UNSPECIFIED;
}

void SetObject(const sim::FrameObject& object, v1::FrameObject& message) {
  message.set_object(object.object.serial);
  message.set_name(object.name);
  message.set_type(object.type);
  SetVector(object.position, *message.mutable_position());
  SetQuaternion(object.rotation, *message.mutable_rotation());
  for (const sim::FrameShape& shape : object.shapes) {
    v1::FrameShape& added = *message.add_shapes();
    added.set_kind(KindOf(shape.kind));
    SetVector(shape.position, *added.mutable_position());
    SetQuaternion(shape.rotation, *added.mutable_rotation());
    SetVector(shape.size, *added.mutable_size());
    added.set_mesh(shape.mesh);
  }
}

}  // namespace

v1::InputFrame ToProto(const sim::InputFrame& frame,
                       const sim::InputGrammar& grammar) {
  v1::InputFrame message;
  message.set_player(frame.player);
  if (frame.device != sim::DeviceState{}) {
    SetDevice(frame.device, *message.mutable_device());
  }
  if (frame.activity != sim::DeviceActivity{}) {
    SetActivity(frame.activity, *message.mutable_activity());
  }
  for (const sim::Command& command : frame.commands) {
    const sim::Action* const action = grammar.Find(command.name);
    CHECK(action != nullptr, "command {:x}", command.name.value);
    v1::Command& added = *message.add_commands();
    added.set_name(action->name);
    for (const sim::InputValue& argument : command.arguments) {
      *added.add_values() = ToProto(argument);
    }
  }
  return message;
}

absl::StatusOr<sim::InputFrame> FromProto(const v1::InputFrame& message) {
  sim::InputFrame frame{.player = message.player()};
  absl::StatusOr<sim::DeviceState> device =
      DeviceFromProto(message.device(), message.player());
  if (!device.ok()) return device.status();
  frame.device = *std::move(device);
  absl::StatusOr<sim::DeviceActivity> activity =
      ActivityFromProto(message.activity(), message.player());
  if (!activity.ok()) return activity.status();
  frame.activity = *std::move(activity);
  if (message.commands_size() > static_cast<int>(sim::kCommandsPerTickMax)) {
    return absl::ResourceExhaustedError(fmt::format(
        "player {}: {} commands at one tick; at most {} are possible",
        message.player(), message.commands_size(), sim::kCommandsPerTickMax));
  }
  for (const v1::Command& command : message.commands()) {
    absl::StatusOr<sim::Command> converted =
        CommandFromProto(command, message.player());
    if (!converted.ok()) return converted.status();
    frame.commands.push_back(*std::move(converted));
  }
  return frame;
}

absl::StatusOr<std::vector<sim::InputFrame>> FromProto(
    const google::protobuf::RepeatedPtrField<v1::InputFrame>& messages) {
  std::vector<sim::InputFrame> frames;
  std::bitset<sim::kPlayersMax> seen;
  for (const v1::InputFrame& message : messages) {
    if (message.player() >= sim::kPlayersMax) {
      return absl::InvalidArgumentError(
          fmt::format("player {}: there can be {} players, from 0 on",
                      message.player(), sim::kPlayersMax));
    }
    if (seen[message.player()]) {
      return absl::InvalidArgumentError(fmt::format(
          "player {} gives two frames at one tick", message.player()));
    }
    seen.set(message.player());
    absl::StatusOr<sim::InputFrame> frame = FromProto(message);
    if (!frame.ok()) return frame.status();
    frames.push_back(*std::move(frame));
  }
  std::ranges::sort(frames, {}, &sim::InputFrame::player);
  return frames;
}

bool HasUtf8Texts(const v1::InputFrame& message) {
  return sim::IsUtf8(message.activity().text()) &&
         std::ranges::all_of(
             message.commands(), [](const v1::Command& command) {
               return sim::IsUtf8(command.name()) &&
                      std::ranges::all_of(command.values(), &HasUtf8Text);
             });
}

v1::Event ToProto(const sim::Event& event, const sim::Simulation& simulation) {
  v1::Event message;
  message.set_tick(event.tick);
  message.set_type(simulation.IdName(event.type));
  if (event.object != sim::kNoObject) {
    message.set_object(event.object.serial);
    message.set_object_name(simulation.ObjectName(event.object));
  }
  for (const sim::EventArgument& argument : event.arguments) {
    v1::EventArgument& added = *message.add_arguments();
    added.set_name(simulation.IdName(argument.name));
    SetValue(argument.value, simulation, added);
  }
  return message;
}

v1::Frame ToProto(const sim::Frame& frame, sim::TickRate rate) {
  v1::Frame message;
  message.set_tick(frame.tick);
  message.set_time_ns(sim::LogTimeNs(frame.tick, rate));
  for (const sim::FrameObject& object : frame.objects) {
    SetObject(object, *message.add_objects());
  }
  return message;
}

void AddMeshes(const std::vector<sim::FrameMesh>& meshes, v1::Frame& message) {
  for (const sim::FrameMesh& mesh : meshes) {
    const int number = message.meshes_size();
    v1::FrameMesh& added = *message.add_meshes();
    added.set_mesh(static_cast<uint32_t>(number));
    for (const sim::Vector3& vertex : mesh.vertices) {
      added.add_vertices(vertex.x);
      added.add_vertices(vertex.y);
      added.add_vertices(vertex.z);
    }
    for (const auto& corners : mesh.triangles) {
      added.mutable_triangles()->Add(corners.begin(), corners.end());
    }
  }
}

v1::RunEnd::Outcome ToProto(sim::Outcome::Status status) {
  switch (status) {
    case sim::Outcome::Status::kRunning:
      return v1::RunEnd::OUTCOME_RUNNING;
    case sim::Outcome::Status::kWon:
      return v1::RunEnd::OUTCOME_WON;
    case sim::Outcome::Status::kLost:
      return v1::RunEnd::OUTCOME_LOST;
  }
  return v1::RunEnd::OUTCOME_UNSPECIFIED;
}

absl::StatusOr<sim::Outcome::Status> FromProto(v1::RunEnd::Outcome outcome) {
  switch (outcome) {
    case v1::RunEnd::OUTCOME_RUNNING:
      return sim::Outcome::Status::kRunning;
    case v1::RunEnd::OUTCOME_WON:
      return sim::Outcome::Status::kWon;
    case v1::RunEnd::OUTCOME_LOST:
      return sim::Outcome::Status::kLost;
    default:
      return absl::InvalidArgumentError(
          fmt::format("{} is no outcome", static_cast<int>(outcome)));
  }
}

}  // namespace reprise::replays
