// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/input/action_argument.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "fmt/format.h"
#include "sim/base/pack_name.h"
#include "sim/base/utf8.h"
#include "sim/input/input_frame.h"

namespace reprise::sim {
namespace {

absl::Status Refuse(const std::string& problem) {
  return absl::InvalidArgumentError(problem);
}

bool Fits(PropertyType type, SingleValue::Kind kind) {
  using Kind = SingleValue::Kind;
  switch (type) {
    case PropertyType::kBool:
      return kind == Kind::kBoolean;
    case PropertyType::kInt:
      return kind == Kind::kInteger;
    case PropertyType::kDouble:
      return kind == Kind::kNumber || kind == Kind::kInteger;
    case PropertyType::kName:
    case PropertyType::kEnum:
    case PropertyType::kText:
    case PropertyType::kReference:
      return kind == Kind::kText;
    case PropertyType::kVector2:
      return kind == Kind::kVector2;
    case PropertyType::kVector3:
      return kind == Kind::kVector3;
    case PropertyType::kQuaternion:
      return kind == Kind::kTurns;
  }
  return false;
}

absl::Status CheckText(const ActionArgument& argument,
                       const std::string& text) {
  if (!IsUtf8(text)) return Refuse("the text is no UTF-8");
  switch (argument.type) {
    case PropertyType::kEnum: {
      if (std::ranges::find(argument.choices, text) != argument.choices.end()) {
        return absl::OkStatus();
      }
      return Refuse(fmt::format("'{}' is none of the choices {}", text,
                                fmt::join(argument.choices, ", ")));
    }
    case PropertyType::kName:
      if (text.empty() || IsPackName(text)) return absl::OkStatus();
      return Refuse(
          fmt::format("'{}' is not a name: up to {} of a-z, 0-9 and "
                      "_, starting with a letter",
                      text, kPackNameBytesMax));
    default: {
      const size_t bytes_max = argument.type == PropertyType::kText
                                   ? argument.bytes_max
                                   : kInputTextBytesMax;
      if (text.size() <= bytes_max) return absl::OkStatus();
      return Refuse(fmt::format("{} bytes of text; at most {} are allowed",
                                text.size(), bytes_max));
    }
  }
}

absl::Status CheckInteger(const ActionArgument& argument, int64_t value) {
  if (value >= argument.minimum && value <= argument.maximum) {
    return absl::OkStatus();
  }
  return Refuse(fmt::format("{} is not in {}..{}", value, argument.minimum,
                            argument.maximum));
}

absl::Status CheckNumbers(const ActionArgument& argument,
                          std::initializer_list<double> numbers) {
  for (const double number : numbers) {
    // Written so that NaN fails.
    if (number >= argument.number_minimum &&
        number <= argument.number_maximum) {
      continue;
    }
    return Refuse(fmt::format("{} is not in {}..{}", number,
                              argument.number_minimum,
                              argument.number_maximum));
  }
  return absl::OkStatus();
}

absl::Status CheckSingle(const ActionArgument& argument,
                         const SingleValue& value) {
  using Kind = SingleValue::Kind;
  if (!Fits(argument.type, value.kind)) {
    return Refuse(fmt::format("{} is no {}", FormatInputValue(value),
                              std::string(TraitsOf(argument.type).name)));
  }
  const Vector3& numbers = value.numbers;
  switch (value.kind) {
    case Kind::kBoolean:
      return absl::OkStatus();
    case Kind::kInteger:
      return argument.type == PropertyType::kDouble
                 ? CheckNumbers(argument, {static_cast<double>(value.integer)})
                 : CheckInteger(argument, value.integer);
    case Kind::kNumber:
      return CheckNumbers(argument, {numbers.x});
    case Kind::kText:
      return CheckText(argument, value.text);
    case Kind::kVector2:
      return CheckNumbers(argument, {numbers.x, numbers.y});
    case Kind::kVector3:
    case Kind::kTurns:
      return CheckNumbers(argument, {numbers.x, numbers.y, numbers.z});
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckArgument(const ActionArgument& argument,
                           const InputValue& value) {
  if (value.is_list != (argument.capacity > 0)) {
    return Refuse(value.is_list
                      ? fmt::format("{} is a list, and not one {}",
                                    FormatInputValue(value),
                                    std::string(TraitsOf(argument.type).name))
                      : fmt::format("{} is no list", FormatInputValue(value)));
  }
  if (value.is_list && value.values.size() > argument.capacity) {
    return Refuse(fmt::format("{} values, but the list holds {}",
                              value.values.size(), argument.capacity));
  }
  for (const SingleValue& each : value.values) {
    absl::Status status = CheckSingle(argument, each);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
