// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_event_types.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/base/nearest_name.h"
#include "sim/game_description.h"
#include "sim/state/field_value.h"

namespace reprise::sim {
namespace {

// `value` as one of the type; nullopt when it can't be one.
std::optional<FieldValue> Become(FieldValue value, ScalarType type,
                                 const EventReceivers& receivers) {
  if (value.type == type) return value;
  if (value.type == ScalarType::kInt64 && type == ScalarType::kDouble) {
    return FieldValue::OfDouble(value.AsNumber());
  }
  if (value.type == ScalarType::kDouble && type == ScalarType::kInt64) {
    const double number = value.AsDouble();
    const std::optional<int64_t> whole =
        Floor(number) == number ? ToInt64(number) : std::nullopt;
    if (!whole.has_value()) return std::nullopt;
    return FieldValue::OfInt64(*whole);
  }
  if (value.type == ScalarType::kHandle && type == ScalarType::kObject) {
    return FieldValue::OfObject(receivers.ObjectOf(value.AsHandle()));
  }
  return std::nullopt;
}

std::string_view KindOf(ScalarType type) { return EventValueTypeName(type); }

}  // namespace

ScriptEventTypes::ScriptEventTypes(std::vector<ScriptEventType> types,
                                   bool is_strict)
    : types_(std::move(types)), is_strict_(is_strict) {
  // A total order: names differ.
  std::ranges::sort(types_, {}, &ScriptEventType::id);
}

const ScriptEventType* ScriptEventTypes::Find(std::string_view event) const {
  const Id id = IdOf(event);
  const auto found =
      std::ranges::lower_bound(types_, id, {}, &ScriptEventType::id);
  return found != types_.end() && found->id == id ? &*found : nullptr;
}

absl::Status ScriptEventTypes::Check(std::string_view event) const {
  const ScriptEventType* const type = Find(event);
  if (type != nullptr) {
    if (type->is_for_packs) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("'{}' is for the world alone to send", event));
  }
  if (!is_strict_) return absl::OkStatus();
  std::vector<std::string_view> names;
  for (const ScriptEventType& each : types_) {
    if (each.is_for_packs) names.push_back(each.name);
  }
  return absl::InvalidArgumentError(
      fmt::format("there is no event '{}'{}", event, DidYouMean(event, names)));
}

absl::Status ScriptEventTypes::CheckGiven(std::string_view event,
                                          std::string_view argument,
                                          ScalarType given) const {
  absl::Status status = Check(event);
  if (!status.ok()) return status;
  const ScriptEventType* const type = Find(event);
  if (type == nullptr) return status;
  const auto found = std::ranges::find(type->arguments, argument,
                                       &ScriptEventType::Argument::name);
  if (found == type->arguments.end() || !found->type.has_value() ||
      *found->type == given) {
    return status;
  }
  return absl::InvalidArgumentError(
      fmt::format("the argument '{}' of '{}' is declared to be of the type {}, "
                  "not {}",
                  argument, event, KindOf(*found->type), KindOf(given)));
}

absl::Status ScriptEventTypes::Fit(
    std::string_view event, EventArguments& arguments,
    const EventReceivers& receivers,
    absl::FunctionRef<std::string(Id)> text_of) const {
  const ScriptEventType* const type = Find(event);
  if (type == nullptr) return absl::OkStatus();
  const EventArguments given = arguments;
  for (const EventArgument& argument : given.all()) {
    const auto declared = std::ranges::find(type->arguments, argument.name,
                                            &ScriptEventType::Argument::id);
    if (declared == type->arguments.end()) {
      if (!is_strict_) continue;
      std::vector<std::string_view> names;
      for (const ScriptEventType::Argument& each : type->arguments) {
        names.push_back(each.name);
      }
      const std::string name = text_of(argument.name);
      return absl::InvalidArgumentError(
          fmt::format("the event '{}' has no argument '{}'{}", event, name,
                      DidYouMean(name, names)));
    }
    if (!declared->type.has_value()) continue;
    const std::optional<FieldValue> value =
        Become(argument.value, *declared->type, receivers);
    if (!value.has_value()) {
      return absl::InvalidArgumentError(fmt::format(
          "the argument '{}' of '{}' is of the type {}, not {}", declared->name,
          event, KindOf(*declared->type), KindOf(argument.value.type)));
    }
    absl::Status status = arguments.Set(argument.name, *value);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
