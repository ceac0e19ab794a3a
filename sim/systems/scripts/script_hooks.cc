// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_hooks.h"

#include <algorithm>
#include <array>
#include <variant>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "sim/base/math.h"
#include "sim/base/nearest_name.h"
#include "sim/world/components/component.h"

namespace reprise::sim {
namespace {

constexpr auto kHookNames = std::to_array<std::string_view>(
    {"spawn", "update", "after_physics", "destroyed"});

// All that is read of the table.
constexpr auto kFileKeys = std::to_array<std::string_view>(
    {"after", "after_physics", "before", "destroyed", "help", "initial",
     "marks_timelines", "on", "parameters", "queries", "reads_others", "spawn",
     "states", "update"});

// Tables of hooks on functions of ours, which the machine finds.
constexpr auto kWatchingTables =
    std::to_array<std::string_view>({"before", "after"});

absl::Status Mistake(std::string_view file, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", file, what));
}

std::optional<double> NumberAt(ScriptMachine& machine, std::string_view file,
                               const std::string& path) {
  const ScriptValue value = machine.Value(file, path);
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  if (const auto* const integer = std::get_if<int64_t>(&value)) {
    return static_cast<double>(*integer);
  }
  return std::nullopt;
}

std::string TextAt(ScriptMachine& machine, std::string_view file,
                   const std::string& path) {
  const ScriptValue value = machine.Value(file, path);
  const auto* const text = std::get_if<std::string_view>(&value);
  return text == nullptr ? std::string() : std::string(*text);
}

bool IsTrueAt(ScriptMachine& machine, std::string_view file,
              std::string_view path) {
  const ScriptValue value = machine.Value(file, path);
  const auto* const is_true = std::get_if<bool>(&value);
  return is_true != nullptr && *is_true;
}

// The type of a parameter is that of its default.
std::optional<PropertyValue> DefaultOf(const ScriptValue& value) {
  switch (ScriptTypeOf(value)) {
    case ScriptType::kBoolean:
      return PropertyValue::OfBool(*std::get_if<bool>(&value));
    case ScriptType::kInteger:
      return PropertyValue::OfInt(*std::get_if<int64_t>(&value));
    case ScriptType::kNumber:
      return PropertyValue::OfNumber(*std::get_if<double>(&value));
    case ScriptType::kString:
      return PropertyValue::OfText(
          IdOf(*std::get_if<std::string_view>(&value)));
    case ScriptType::kVector:
      return PropertyValue::OfVector3(*std::get_if<Vector3>(&value));
    default:
      return std::nullopt;
  }
}

absl::StatusOr<ScriptParameterDeclaration> ReadParameter(
    ScriptMachine& machine, std::string_view file, const std::string& name) {
  const std::string path = "parameters." + name;
  const bool is_short =
      !std::holds_alternative<std::monostate>(machine.Value(file, path));
  const ScriptValue value =
      machine.Value(file, is_short ? path : path + ".default");
  std::string text;
  if (const auto* const given = std::get_if<std::string_view>(&value)) {
    text = *given;
  }
  const std::optional<PropertyValue> default_value = DefaultOf(value);
  if (!default_value.has_value()) {
    return Mistake(file, fmt::format("the parameter '{}' has no default that "
                                     "is true or false, a number, a string or "
                                     "a vector",
                                     name));
  }
  ScriptParameterDeclaration parameter = {
      .name = name,
      .default_value = *default_value,
      .text = std::move(text),
      .help = TextAt(machine, file, path + ".help"),
      .unit = TextAt(machine, file, path + ".unit"),
      .minimum = NumberAt(machine, file, path + ".minimum"),
      .maximum = NumberAt(machine, file, path + ".maximum")};
  // Not infinity, which is the bound of none: packs may have it.
  if (IsNan(parameter.minimum.value_or(0.0)) ||
      IsNan(parameter.maximum.value_or(0.0))) {
    return Mistake(
        file, fmt::format("a bound of the parameter '{}' is no number", name));
  }
  const absl::StatusOr<PropertyValue> fits =
      FitValue({.name = name,
                .type = parameter.default_value.type(),
                .minimum = parameter.minimum,
                .maximum = parameter.maximum},
               parameter.default_value);
  if (!fits.ok()) {
    return Mistake(file, fmt::format("the default of the parameter {}",
                                     std::string(fits.status().message())));
  }
  return parameter;
}

}  // namespace

const ScriptEntry* ScriptHooks::FindHandler(Id event) const {
  const auto found = std::ranges::lower_bound(
      handlers, event, {}, [](const auto& each) { return each.first; });
  return found != handlers.end() && found->first == event ? &found->second
                                                          : nullptr;
}

ScriptHooks FindHooks(ScriptMachine& machine, std::string_view file) {
  ScriptHooks hooks{.spawn = machine.Find(file, "spawn"),
                    .update = machine.Find(file, "update"),
                    .after_physics = machine.Find(file, "after_physics"),
                    .destroyed = machine.Find(file, "destroyed"),
                    .handlers = {},
                    .states = FindStates(machine, file)};
  for (const std::string& event : machine.Keys(file, "on")) {
    if (const auto entry = machine.Find(file, "on." + event)) {
      hooks.handlers.emplace_back(IdOf(event), *entry);
    }
  }
  // A total order: events differ.
  std::ranges::sort(hooks.handlers, {},
                    [](const auto& each) { return each.first; });
  return hooks;
}

absl::StatusOr<ScriptDeclaration> ReadDeclaration(ScriptMachine& machine,
                                                  std::string_view file) {
  ScriptDeclaration declaration{
      .help = TextAt(machine, file, "help"),
      .events = machine.Keys(file, "on"),
      .states = machine.Keys(file, "states"),
      .parameters = {},
      .reads_others = IsTrueAt(machine, file, "reads_others"),
      .queries = IsTrueAt(machine, file, "queries"),
      .marks_timelines = IsTrueAt(machine, file, "marks_timelines")};
  const std::vector<std::string> keys = machine.Keys(file, "");
  bool has_any = !declaration.events.empty() || !declaration.states.empty();
  for (const std::string_view hook : kHookNames) {
    if (std::ranges::find(keys, hook) == keys.end()) continue;
    has_any = true;
    if (!machine.Find(file, hook).has_value()) {
      return Mistake(file, fmt::format("'{}' is no function", hook));
    }
  }
  for (const std::string_view table : kWatchingTables) {
    if (std::ranges::find(keys, table) == keys.end()) continue;
    has_any = true;
    if (machine.Keys(file, table).empty()) {
      return Mistake(file, fmt::format("'{}' is no table of hooks", table));
    }
  }
  if (!has_any) {
    return Mistake(file,
                   fmt::format("it returns no table with something to call: "
                               "{}, on.<event>, states, before or after",
                               fmt::join(kHookNames, ", ")));
  }
  for (const std::string& event : declaration.events) {
    if (!machine.Find(file, "on." + event).has_value()) {
      return Mistake(file, fmt::format("'on.{}' is no function", event));
    }
  }
  for (const std::string& state : declaration.states) {
    const std::vector<std::string> events =
        machine.Keys(file, fmt::format("states.{}.on", state));
    declaration.events.insert(declaration.events.end(), events.begin(),
                              events.end());
  }
  for (const std::string& name : machine.Keys(file, "parameters")) {
    absl::StatusOr<ScriptParameterDeclaration> parameter =
        ReadParameter(machine, file, name);
    if (!parameter.ok()) return parameter.status();
    declaration.parameters.push_back(*std::move(parameter));
  }
  return declaration;
}

std::vector<ScriptMistake> KeyMistakes(ScriptMachine& machine,
                                       std::string_view file) {
  std::vector<ScriptMistake> mistakes;
  for (const std::string& key : machine.Keys(file, "")) {
    if (std::ranges::find(kFileKeys, key) != kFileKeys.end()) continue;
    const std::string meant = DidYouMean(key, kFileKeys);
    if (meant.empty()) continue;
    mistakes.push_back(
        {.what = fmt::format("nobody reads '{}'{}", key, meant), .word = key});
  }
  return mistakes;
}

}  // namespace reprise::sim
