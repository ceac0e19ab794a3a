// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/bots/native_bots.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/nearest_name.h"

namespace reprise::sim {
namespace {

using Registry = std::map<std::string, NativeBot, std::less<>>;

// Made on first use: registration happens before main, in any order.
Registry& NativeBots() {
  static auto& registry = *new Registry();
  return registry;
}

const NativeBotParameter* FindParameter(const NativeBot& bot,
                                        std::string_view name) {
  const auto found =
      std::ranges::find(bot.parameters, name, &NativeBotParameter::name);
  return found == bot.parameters.end() ? nullptr : &*found;
}

std::variant<double, std::string> ValueOf(const BotDescription& description,
                                          std::string_view parameter) {
  for (const BotParameterValue& value : description.parameters) {
    if (value.name == parameter) return value.value;
  }
  const NativeBot* const bot = FindNativeBot(description.native);
  CHECK(bot != nullptr, "{}", description.native);
  const NativeBotParameter* const found = FindParameter(*bot, parameter);
  CHECK(found != nullptr, "{}.{}", description.native, parameter);
  return found->default_value;
}

}  // namespace

bool RegisterBot(std::string_view name, NativeBot bot) {
  CHECK(bot.make != nullptr, "{}", name);
  const bool is_new =
      NativeBots().emplace(std::string(name), std::move(bot)).second;
  CHECK(is_new, "two bots are called '{}'", name);
  return true;
}

const NativeBot* FindNativeBot(std::string_view name) {
  const auto found = NativeBots().find(name);
  return found == NativeBots().end() ? nullptr : &found->second;
}

std::vector<std::string> NativeBotNames() {
  std::vector<std::string> names;
  for (const auto& [name, bot] : NativeBots()) names.push_back(name);
  return names;
}

absl::Status CheckBotParameter(const NativeBot& bot,
                               const BotParameterValue& value) {
  const NativeBotParameter* const parameter = FindParameter(bot, value.name);
  if (parameter == nullptr) {
    std::vector<std::string_view> names;
    for (const NativeBotParameter& known : bot.parameters) {
      names.push_back(known.name);
    }
    return absl::InvalidArgumentError(
        ThereIsNo("parameter", value.name, names));
  }
  if (value.value.index() != parameter->default_value.index()) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' is a {}", value.name,
                    parameter->default_value.index() == 0 ? "number" : "text"));
  }
  const auto* const number = std::get_if<double>(&value.value);
  if (number != nullptr &&
      !(*number >= parameter->minimum && *number <= parameter->maximum)) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' is {}, which is not in {}..{}", value.name, *number,
                    parameter->minimum, parameter->maximum));
  }
  return absl::OkStatus();
}

double NumberOf(const BotDescription& description, std::string_view parameter) {
  return std::get<double>(ValueOf(description, parameter));
}

std::string TextOf(const BotDescription& description,
                   std::string_view parameter) {
  return std::get<std::string>(ValueOf(description, parameter));
}

}  // namespace reprise::sim
