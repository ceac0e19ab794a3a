// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_properties.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <variant>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/base/utf8.h"
#include "sim/input/input_frame.h"
#include "sim/world/inputs/input_texts.h"

namespace reprise::sim {
namespace {

absl::Status WrongType(const ScriptValue& value, std::string_view wanted) {
  return absl::InvalidArgumentError(fmt::format(
      "a {} is given, not {}", ScriptTypeName(ScriptTypeOf(value)), wanted));
}

// Of 8 bytes, as the state has it.
std::optional<int64_t> IntegerOf(const ScriptValue& value) {
  if (const auto* const integer = std::get_if<int64_t>(&value)) return *integer;
  const auto* const number = std::get_if<double>(&value);
  if (number == nullptr || Floor(*number) != *number) return std::nullopt;
  return ToInt64(*number);
}

std::optional<double> NumberOf(const ScriptValue& value) {
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  if (const auto* const integer = std::get_if<int64_t>(&value)) {
    return static_cast<double>(*integer);
  }
  return std::nullopt;
}

void ReturnText(ScriptCall& call, const UpdateContext& context, Id id) {
  if (id == kNoId) {
    call.Return(std::string_view());
    return;
  }
  const std::string text = context.TextOf(id);
  call.Return(std::string_view(text));
}

}  // namespace

ScriptProperties::ScriptProperties(const WorldDefinition& world)
    : world_(world) {
  for (const ComponentDefinition& component : world.components) {
    for (const PropertyDefinition& property : component.properties) {
      const absl::StatusOr<PropertyRef> found =
          FindProperty(world.components, component.name, property.name);
      if (!found.ok()) continue;
      std::string path = fmt::format("{}.{}", component.name, property.name);
      const Id id = IdOf(path);
      properties_.push_back({.id = id, .path = std::move(path), .ref = *found});
    }
  }
  // A total order: paths differ.
  std::ranges::sort(properties_, {}, &Property::id);
}

const PropertyRef* ScriptProperties::Find(std::string_view path) const {
  Recent& recent = recent_[SlotOf(path)];
  if (recent.text == path.data() && recent.property->path == path) {
    return &recent.property->ref;
  }
  const Id id = IdOf(path);
  const auto found =
      std::ranges::lower_bound(properties_, id, {}, &Property::id);
  if (found == properties_.end() || found->id != id) return nullptr;
  recent = {.text = path.data(), .property = &*found};
  return &found->ref;
}

absl::Status ScriptProperties::WhyNot(std::string_view path) const {
  const size_t dot = path.find('.');
  if (dot == std::string_view::npos) {
    return absl::InvalidArgumentError(fmt::format(
        "'{}' is no property: it is named with its component, as in "
        "\"health.points\"",
        path));
  }
  const absl::Status status =
      FindProperty(world_.components, path.substr(0, dot), path.substr(dot + 1))
          .status();
  return absl::InvalidArgumentError(status.message());
}

Vector3 RotationVectorOf(Quaternion rotation) {
  // Of the two that turn alike, the one that turns less.
  if (rotation.w < 0.0) {
    rotation = {-rotation.x, -rotation.y, -rotation.z, -rotation.w};
  }
  const Vector3 axis = {rotation.x, rotation.y, rotation.z};
  const double sine = Length(axis);
  if (sine == 0.0) return {};
  return axis * (2.0 * Atan2(sine, rotation.w) / sine);
}

absl::StatusOr<Quaternion> RotationOf(Vector3 rotation_vector) {
  const double angle_rad = Length(rotation_vector);
  if (!(angle_rad <= kRotationMaxRad)) {
    return absl::InvalidArgumentError("it turns by more than 1e9 rad");
  }
  return FromAxisAngle(rotation_vector, angle_rad);
}

void ReturnValue(ScriptCall& call, const UpdateContext& context,
                 const PropertyValue& value, uint32_t index) {
  switch (value.type()) {
    case PropertyType::kBool:
      call.Return(value.AsBool(index));
      break;
    case PropertyType::kInt:
      call.Return(value.AsInt(index));
      break;
    case PropertyType::kDouble:
      call.Return(value.AsNumber(index));
      break;
    case PropertyType::kName:
    case PropertyType::kEnum:
    case PropertyType::kText:
      ReturnText(call, context, value.AsId(index));
      break;
    case PropertyType::kVector2: {
      const Vector2 vector = value.AsVector2(index);
      call.Return(Vector3{.x = vector.x, .y = vector.y, .z = 0.0});
      break;
    }
    case PropertyType::kVector3:
      call.Return(value.AsVector3(index));
      break;
    case PropertyType::kQuaternion:
      call.Return(RotationVectorOf(value.AsRotation(index)));
      break;
    case PropertyType::kReference:
      call.Return(value.AsReference(index));
      break;
  }
}

bool ReturnPlain(ScriptCall& call, const PropertyRef& property,
                 std::span<const std::byte> row) {
  const std::byte* const at = row.data() + property.offset;
  const auto load = [at]<typename T>(T value) {
    std::memcpy(&value, at, sizeof(T));
    return value;
  };
  switch (property.type) {
    case PropertyType::kBool:
      call.Return(load(uint8_t{}) != 0);
      return true;
    case PropertyType::kInt:
      call.Return(load(int64_t{}));
      return true;
    case PropertyType::kDouble:
      call.Return(load(double{}));
      return true;
    case PropertyType::kVector3:
      call.Return(load(Vector3{}));
      return true;
    default:
      return false;
  }
}

absl::Status ReturnOneValue(ScriptCall& call, const UpdateContext& context,
                            std::string_view path, const PropertyValue& value,
                            size_t argument) {
  if (!value.is_list()) {
    if (call.has(argument)) {
      return absl::InvalidArgumentError(fmt::format("'{}' is no list", path));
    }
    ReturnValue(call, context, value, 0);
    return absl::OkStatus();
  }
  if (!call.has(argument)) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' is a list: say which of its values", path));
  }
  const int64_t index = call.integer(argument);
  if (index >= 1 && index <= int64_t{value.size()}) {
    ReturnValue(call, context, value, static_cast<uint32_t>(index - 1));
  }
  return absl::OkStatus();
}

absl::StatusOr<Id> KeepGivenText(ScriptCall& call, UpdateContext& context,
                                 std::string_view text) {
  // What the pack says itself may be of any length.
  if (context.parts().definition.names.NameOf(IdOf(text)).empty()) {
    if (text.size() > kInputTextBytesMax) {
      return absl::InvalidArgumentError(
          fmt::format("a string of {} bytes is given; at most {} are kept",
                      text.size(), kInputTextBytesMax));
    }
    if (!IsUtf8(text)) {
      return absl::InvalidArgumentError(
          "a string is given that is no UTF-8, which can't be kept");
    }
    if (!text.empty() && !context.parts().texts.HasRoomFor(IdOf(text))) {
      return absl::InvalidArgumentError(fmt::format(
          "{} strings are kept, and there is no room for one more in this tick",
          kValueTextRowsMax));
    }
    call.Charge(kKeepTextInstructions);
  }
  return context.KeepText(text);
}

absl::StatusOr<PropertyValue> ValueOf(ScriptCall& call, UpdateContext& context,
                                      PropertyType type,
                                      const ScriptValue& value) {
  switch (type) {
    case PropertyType::kBool:
      if (const auto* const given = std::get_if<bool>(&value)) {
        return PropertyValue::OfBool(*given);
      }
      return WrongType(value, "true or false");
    case PropertyType::kInt:
      if (const auto integer = IntegerOf(value)) {
        return PropertyValue::OfInt(*integer);
      }
      return WrongType(value, "a whole number");
    case PropertyType::kDouble:
      if (const auto number = NumberOf(value)) {
        return PropertyValue::OfNumber(*number);
      }
      return WrongType(value, "a number");
    case PropertyType::kName:
    case PropertyType::kEnum:
    case PropertyType::kText: {
      const auto* const text = std::get_if<std::string_view>(&value);
      if (text == nullptr) return WrongType(value, "a string");
      if (type == PropertyType::kEnum) {
        return PropertyValue::OfChoice(IdOf(*text));
      }
      const absl::StatusOr<Id> id = KeepGivenText(call, context, *text);
      if (!id.ok()) return id.status();
      return type == PropertyType::kName ? PropertyValue::OfName(*id)
                                         : PropertyValue::OfText(*id);
    }
    case PropertyType::kVector2:
      if (const auto* const vector = std::get_if<Vector3>(&value)) {
        return PropertyValue::OfVector2({vector->x, vector->y});
      }
      return WrongType(value, "a vector");
    case PropertyType::kVector3:
      if (const auto* const vector = std::get_if<Vector3>(&value)) {
        return PropertyValue::OfVector3(*vector);
      }
      return WrongType(value, "a vector");
    case PropertyType::kQuaternion:
      if (const auto* const vector = std::get_if<Vector3>(&value)) {
        const absl::StatusOr<Quaternion> rotation = RotationOf(*vector);
        if (!rotation.ok()) return rotation.status();
        return PropertyValue::OfRotation(*rotation);
      }
      return WrongType(value, "a rotation vector");
    case PropertyType::kReference:
      if (std::holds_alternative<std::monostate>(value)) {
        return PropertyValue::OfReference({});
      }
      if (const auto* const handle = std::get_if<Handle>(&value)) {
        return PropertyValue::OfReference(*handle);
      }
      return WrongType(value, "an object");
  }
  return WrongType(value, "a value");
}

void ReturnScalar(ScriptCall& call, const UpdateContext& context,
                  FieldValue value) {
  switch (value.type) {
    case ScalarType::kBool:
      call.Return(value.bits != 0);
      break;
    case ScalarType::kDouble:
      call.Return(value.AsNumber());
      break;
    case ScalarType::kId:
      ReturnText(call, context, Id{value.bits});
      break;
    case ScalarType::kObject:
      call.Return(context.HandleOf(ObjectId{value.bits}));
      break;
    case ScalarType::kHandle:
      call.Return(value.AsHandle());
      break;
    default:
      call.Return(static_cast<int64_t>(value.bits));
      break;
  }
}

absl::StatusOr<FieldValue> ScalarOf(ScriptCall& call, UpdateContext& context,
                                    const ScriptValue& value) {
  if (const auto* const given = std::get_if<bool>(&value)) {
    return FieldValue{.type = ScalarType::kBool, .bits = *given ? 1u : 0u};
  }
  if (const auto* const integer = std::get_if<int64_t>(&value)) {
    return FieldValue::OfInt64(*integer);
  }
  if (const auto* const number = std::get_if<double>(&value)) {
    return FieldValue::OfDouble(*number);
  }
  if (const auto* const text = std::get_if<std::string_view>(&value)) {
    const absl::StatusOr<Id> id = KeepGivenText(call, context, *text);
    if (!id.ok()) return id.status();
    return FieldValue::OfId(*id);
  }
  if (const auto* const handle = std::get_if<Handle>(&value)) {
    return FieldValue::OfHandle(*handle);
  }
  return WrongType(value, "one of its numbers: give x, y and z");
}

}  // namespace reprise::sim
