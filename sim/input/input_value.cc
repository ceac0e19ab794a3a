// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/input/input_value.h"

#include "absl/strings/escaping.h"
#include "fmt/format.h"

namespace reprise::sim {
namespace {

std::string FormatSingle(const SingleValue& value) {
  using Kind = SingleValue::Kind;
  const Vector3& numbers = value.numbers;
  switch (value.kind) {
    case Kind::kBoolean:
      return value.integer != 0 ? "true" : "false";
    case Kind::kInteger:
      return fmt::format("{}", value.integer);
    case Kind::kNumber:
      return fmt::format("{}", numbers.x);
    case Kind::kText:
      return fmt::format("\"{}\"", absl::Utf8SafeCEscape(value.text));
    case Kind::kVector2:
      return fmt::format("({}, {})", numbers.x, numbers.y);
    case Kind::kVector3:
    case Kind::kTurns:
      return fmt::format("({}, {}, {})", numbers.x, numbers.y, numbers.z);
  }
  return "";
}

}  // namespace

std::string FormatInputValue(const InputValue& value) {
  if (!value.is_list) return FormatSingle(value.values.front());
  std::string text;
  for (const SingleValue& each : value.values) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", FormatSingle(each));
  }
  return fmt::format("[{}]", text);
}

}  // namespace reprise::sim
