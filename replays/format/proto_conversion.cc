// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/proto_conversion.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/field_value.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"

namespace reprise::replays {
namespace {

absl::StatusOr<sim::DeviceState> DeviceFromProto(const v1::DeviceState& message,
                                                 uint32_t player) {
  if (message.axes_size() > static_cast<int>(sim::kDeviceAxes)) {
    return absl::InvalidArgumentError(
        fmt::format("player {}: {} axes; a device has {}", player,
                    message.axes_size(), sim::kDeviceAxes));
  }
  sim::DeviceState device{.buttons = message.buttons()};
  for (int axis = 0; axis < message.axes_size(); ++axis) {
    const int32_t value = message.axes(axis);
    if (value < -sim::kAxisMax || value > sim::kAxisMax) {
      return absl::InvalidArgumentError(
          fmt::format("player {}: axis {} is {}, outside -{}..{}", player, axis,
                      value, sim::kAxisMax, sim::kAxisMax));
    }
    device.axes[axis] = static_cast<int16_t>(value);
  }
  return device;
}

absl::StatusOr<sim::Command> CommandFromProto(const v1::Command& message,
                                              uint32_t player) {
  if (message.name().empty() || message.name().size() > sim::kNameBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("player {}: a command's name has 1 to {} bytes, not {}",
                    player, sim::kNameBytesMax, message.name().size()));
  }
  if (message.arguments_size() > static_cast<int>(sim::kCommandArgumentsMax)) {
    return absl::InvalidArgumentError(fmt::format(
        "player {}: command {} has {} arguments; at most {} are possible",
        player, message.name(), message.arguments_size(),
        sim::kCommandArgumentsMax));
  }
  return sim::Command{
      .name = sim::IdOf(message.name()),
      .arguments = {message.arguments().begin(), message.arguments().end()}};
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
    v1::DeviceState& device = *message.mutable_device();
    device.set_buttons(frame.device.buttons);
    uint32_t used_axes = sim::kDeviceAxes;
    while (used_axes > 0 && frame.device.axes[used_axes - 1] == 0) --used_axes;
    for (uint32_t axis = 0; axis < used_axes; ++axis) {
      device.add_axes(frame.device.axes[axis]);
    }
  }
  for (const sim::Command& command : frame.commands) {
    const sim::Action* const action = grammar.Find(command.name);
    CHECK(action != nullptr, "command {:x}", command.name.value);
    v1::Command& added = *message.add_commands();
    added.set_name(action->name);
    added.mutable_arguments()->Add(command.arguments.begin(),
                                   command.arguments.end());
  }
  return message;
}

absl::StatusOr<sim::InputFrame> FromProto(const v1::InputFrame& message) {
  sim::InputFrame frame{
      .player = message.player(), .device = {}, .commands = {}};
  absl::StatusOr<sim::DeviceState> device =
      DeviceFromProto(message.device(), message.player());
  if (!device.ok()) return device.status();
  frame.device = *device;
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
