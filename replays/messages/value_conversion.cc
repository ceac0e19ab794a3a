// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/messages/value_conversion.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"

namespace reprise::replays {
namespace {

void SetVector(const sim::Vector3& vector, v1::Vector3& message) {
  message.set_x(vector.x);
  message.set_y(vector.y);
  message.set_z(vector.z);
}

sim::Vector3 VectorFromProto(const v1::Vector3& message) {
  return {message.x(), message.y(), message.z()};
}

void SetSingle(const sim::SingleValue& value, v1::Value& message) {
  using Kind = sim::SingleValue::Kind;
  switch (value.kind) {
    case Kind::kBoolean:
      message.set_boolean(value.integer != 0);
      break;
    case Kind::kInteger:
      message.set_integer(value.integer);
      break;
    case Kind::kNumber:
      message.set_number(value.numbers.x);
      break;
    case Kind::kText:
      message.set_text(value.text);
      break;
    case Kind::kVector2:
      message.mutable_vector2()->set_x(value.numbers.x);
      message.mutable_vector2()->set_y(value.numbers.y);
      break;
    case Kind::kVector3:
      SetVector(value.numbers, *message.mutable_vector3());
      break;
    case Kind::kTurns:
      SetVector(value.numbers, *message.mutable_rotation_degrees());
      break;
  }
}

absl::StatusOr<sim::SingleValue> SingleFromProto(const v1::Value& message) {
  switch (message.kind_case()) {
    case v1::Value::kBoolean:
      return sim::SingleValue(message.boolean());
    case v1::Value::kInteger:
      return sim::SingleValue(message.integer());
    case v1::Value::kNumber:
      return sim::SingleValue(message.number());
    case v1::Value::kText:
      if (message.text().size() > sim::kCommandTextBytesMax) {
        return absl::InvalidArgumentError(
            fmt::format("{} bytes of text; at most {} are possible",
                        message.text().size(), sim::kCommandTextBytesMax));
      }
      return sim::SingleValue(message.text());
    case v1::Value::kVector2:
      return sim::SingleValue(
          sim::Vector2{message.vector2().x(), message.vector2().y()});
    case v1::Value::kVector3:
      return sim::SingleValue(VectorFromProto(message.vector3()));
    case v1::Value::kRotationDegrees:
      return sim::SingleValue(
          sim::Turns{VectorFromProto(message.rotation_degrees())});
    case v1::Value::kList:
      return absl::InvalidArgumentError("a list in a list");
    case v1::Value::KIND_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("a value of no kind");
}

}  // namespace

v1::Value ToProto(const sim::InputValue& value) {
  v1::Value message;
  if (!value.is_list) {
    SetSingle(value.values.front(), message);
    return message;
  }
  v1::ValueList& list = *message.mutable_list();
  for (const sim::SingleValue& each : value.values) {
    SetSingle(each, *list.add_values());
  }
  return message;
}

absl::StatusOr<sim::InputValue> FromProto(const v1::Value& message) {
  if (!message.has_list()) {
    absl::StatusOr<sim::SingleValue> single = SingleFromProto(message);
    if (!single.ok()) return single.status();
    return sim::InputValue(*std::move(single));
  }
  // A list's length and its values stand in the event beside the player.
  constexpr int kValuesMax = sim::kCommandArgumentsMax - 1;
  const v1::ValueList& list = message.list();
  if (list.values_size() > kValuesMax) {
    return absl::InvalidArgumentError(
        fmt::format("a list of {} values; at most {} are possible",
                    list.values_size(), kValuesMax));
  }
  std::vector<sim::SingleValue> values;
  for (const v1::Value& each : list.values()) {
    absl::StatusOr<sim::SingleValue> single = SingleFromProto(each);
    if (!single.ok()) return single.status();
    values.push_back(*std::move(single));
  }
  return sim::InputValue(std::move(values));
}

}  // namespace reprise::replays
