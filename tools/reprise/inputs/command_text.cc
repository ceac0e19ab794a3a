// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/command_text.h"

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "sim/base/property_type.h"
#include "sim/input/action_argument.h"
#include "sim/input/input_value.h"

namespace reprise::tools {
namespace {

using sim::PropertyType;

absl::StatusOr<std::string> ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(sim::kCommandTextBytesMax + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) {
    return absl::ErrnoToStatus(errno, "@" + path);
  }
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

template <typename Number>
absl::StatusOr<sim::InputValue> ReadNumber(std::string_view text,
                                           std::string_view wanted) {
  Number number = {};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && rest == end) return sim::InputValue(number);
  return absl::InvalidArgumentError(fmt::format("'{}' is no {}", text, wanted));
}

absl::StatusOr<sim::InputValue> ReadValue(const sim::ActionArgument& argument,
                                          std::string_view text) {
  if (argument.capacity > 0) {
    return absl::InvalidArgumentError("there is no text for a list");
  }
  switch (argument.type) {
    case PropertyType::kBool:
      if (text == "true" || text == "false") {
        return sim::InputValue(text == "true");
      }
      return absl::InvalidArgumentError(
          fmt::format("'{}' is neither true nor false", text));
    case PropertyType::kInt:
      return ReadNumber<int64_t>(text, "whole number");
    case PropertyType::kDouble:
      return ReadNumber<double>(text, "number");
    case PropertyType::kText:
      if (text.starts_with('@')) {
        auto contents = ReadText(std::string(text.substr(1)));
        if (!contents.ok()) return contents.status();
        return sim::InputValue(*std::move(contents));
      }
      return sim::InputValue(std::string(text));
    case PropertyType::kVector2:
    case PropertyType::kVector3:
    case PropertyType::kQuaternion:
      return absl::InvalidArgumentError(
          "there is no text for vectors and rotations");
    default:
      return sim::InputValue(std::string(text));
  }
}

}  // namespace

absl::StatusOr<sim::Command> ParseCommand(const sim::Action& action,
                                          std::string_view text) {
  std::vector<std::string> parts;
  if (!text.empty() || action.arguments.size() == 1) {
    parts = absl::StrSplit(absl::string_view(text.data(), text.size()), ',');
  }
  if (parts.size() != action.arguments.size()) {
    return absl::InvalidArgumentError(
        fmt::format("the command has {} arguments, and the value {}",
                    action.arguments.size(), parts.size()));
  }
  sim::Command command{.name = action.id, .arguments = {}};
  for (size_t i = 0; i < parts.size(); ++i) {
    auto value = ReadValue(action.arguments[i], parts[i]);
    if (!value.ok()) {
      return absl::Status(value.status().code(),
                          fmt::format("{}: {}", action.arguments[i].name,
                                      std::string(value.status().message())));
    }
    command.arguments.push_back(*std::move(value));
  }
  return command;
}

}  // namespace reprise::tools
