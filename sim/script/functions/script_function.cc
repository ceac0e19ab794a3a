// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/functions/script_function.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "fmt/format.h"

namespace reprise::sim {
namespace {

constexpr std::array<std::string_view, 22> kKeywords = {
    "and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
    "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
    "repeat",   "return", "then", "true", "until",  "while"};

bool IsName(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  for (const char c : text) {
    const bool is_lower = c >= 'a' && c <= 'z';
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_lower && !is_digit && c != '_') return false;
  }
  return std::find(kKeywords.begin(), kKeywords.end(), text) == kKeywords.end();
}

bool IsFunctionName(std::string_view text) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos) return IsName(text);
  return IsName(text.substr(0, dot)) && IsName(text.substr(dot + 1));
}

absl::Status ValidateParameters(const ScriptFunction& function) {
  if (function.parameters.size() > kScriptParametersMax) {
    return absl::InvalidArgumentError(
        fmt::format("{} has {} parameters; {} is the most", function.name,
                    function.parameters.size(), kScriptParametersMax));
  }
  bool is_optional = false;
  for (const ScriptParameter& parameter : function.parameters) {
    const std::string place =
        fmt::format("{}, parameter '{}'", function.name, parameter.name);
    if (!IsName(parameter.name)) {
      return absl::InvalidArgumentError(place + ": this is no name");
    }
    if (parameter.help.empty()) {
      return absl::InvalidArgumentError(place + ": there is no help");
    }
    if (parameter.type == ScriptType::kNil) {
      return absl::InvalidArgumentError(place + ": nil is no type of one");
    }
    if (is_optional && !parameter.is_optional) {
      return absl::InvalidArgumentError(
          place + ": it must be there, behind one that needn't");
    }
    if (!(parameter.minimum <= parameter.maximum)) {
      return absl::InvalidArgumentError(place + ": no value is in its range");
    }
    is_optional = parameter.is_optional;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateScriptFunction(const ScriptFunction& function) {
  if (!IsFunctionName(function.name)) {
    return absl::InvalidArgumentError(fmt::format(
        "'{}' is no name of a function: 'name' or 'table.name', of lower "
        "letters, digits and _",
        function.name));
  }
  if (function.help.empty()) {
    return absl::InvalidArgumentError(function.name + ": there is no help");
  }
  if (function.native == nullptr) {
    return absl::InvalidArgumentError(function.name + ": there is no code");
  }
  if (function.result.type != ScriptType::kNil &&
      function.result.help.empty()) {
    return absl::InvalidArgumentError(function.name +
                                      ": its result has no help");
  }
  return ValidateParameters(function);
}

ScriptParameter TextParameter(std::string name, std::string help) {
  return {.name = std::move(name),
          .type = ScriptType::kString,
          .help = std::move(help)};
}

ScriptParameter ObjectParameter(std::string help) {
  return {
      .name = "object", .type = ScriptType::kHandle, .help = std::move(help)};
}

ScriptParameter VectorParameter(std::string name, std::string help,
                                std::string unit) {
  return {.name = std::move(name),
          .type = ScriptType::kVector,
          .help = std::move(help),
          .unit = std::move(unit)};
}

ScriptParameter NumberParameter(std::string name, std::string help,
                                std::string unit, double minimum,
                                double maximum) {
  return {.name = std::move(name),
          .type = ScriptType::kNumber,
          .help = std::move(help),
          .unit = std::move(unit),
          .minimum = minimum,
          .maximum = maximum};
}

ScriptParameter IntegerParameter(std::string name, std::string help,
                                 std::string unit, double minimum,
                                 double maximum) {
  return {.name = std::move(name),
          .type = ScriptType::kInteger,
          .help = std::move(help),
          .unit = std::move(unit),
          .minimum = minimum,
          .maximum = maximum};
}

ScriptParameter Optional(ScriptParameter parameter) {
  parameter.is_optional = true;
  return parameter;
}

ScriptResult Gives(ScriptType type, std::string help, std::string unit) {
  return {.type = type, .help = std::move(help), .unit = std::move(unit)};
}

ScriptResult MayGive(ScriptType type, std::string help, std::string unit) {
  return {.type = type,
          .help = std::move(help),
          .unit = std::move(unit),
          .may_be_nil = true};
}

}  // namespace reprise::sim
