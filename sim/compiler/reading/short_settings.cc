// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/reading/short_settings.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/compiler/reading/value_text.h"

namespace reprise::sim {
namespace {

// The value of a setting; nullopt after reporting that it has none.
std::optional<v1::Value> ValueOf(const v1::PropertySetting& setting,
                                 const KnownProperty& kind,
                                 const MessageChecker& checker) {
  if (setting.has_value()) {
    if (setting.to_size() == 0) return setting.value();
    checker.Problem("to", "a value stands there, too");
    return std::nullopt;
  }
  const std::vector<std::string> texts(setting.to().begin(),
                                       setting.to().end());
  absl::StatusOr<v1::Value> value =
      ParseValueTexts(kind.type, kind.is_list, texts);
  if (value.ok()) return *std::move(value);
  checker.Problem("to", fmt::format("'{}': {}", setting.property(),
                                    std::string(value.status().message())));
  return std::nullopt;
}

// Gives the settings of a component their values, where they are.
void ExpandUse(const KnownProperties& properties, const MessageChecker& checker,
               v1::ComponentUse& use) {
  const auto component = properties.find(use.component());
  if (component == properties.end()) return;  // the compiler reports it
  for (int i = 0; i < use.set_size(); ++i) {
    v1::PropertySetting& setting = *use.mutable_set(i);
    if (setting.has_value() && setting.to_size() == 0) continue;
    const auto property = component->second.find(setting.property());
    if (property == component->second.end()) continue;  // as above
    std::optional<v1::Value> value =
        ValueOf(setting, property->second, checker.In(setting, "set", i));
    setting.clear_value();
    if (!value.has_value()) continue;
    *setting.mutable_value() = *std::move(value);
    setting.clear_to();
  }
}

// Where the value of `setting` stands, which `checker` is of.
FixedPlace PlaceOfValue(const v1::PropertySetting& setting,
                        const MessageChecker& checker) {
  const bool is_short = setting.to_size() > 0;
  FixedPlace place = is_short ? checker.In(setting, "to", 0).Place()
                              : checker.In(setting.value(), "value").Place();
  // Of several texts it is all of them.
  place.field =
      fmt::format("{}.{}", checker.Place().field, is_short ? "to" : "value");
  return place;
}

// Moves what a type, an archetype or an object sets to its components.
template <typename Message>
void Expand(std::string_view field, int index,
            const KnownProperties& properties, const MessageChecker& checker,
            Message& message, SettingWriter& writer) {
  for (int i = 0; i < message.components_size(); ++i) {
    v1::ComponentUse& use = *message.mutable_components(i);
    ExpandUse(properties, checker.In(use, "components", i), use);
  }
  google::protobuf::RepeatedPtrField<v1::PropertySetting> settings;
  settings.Swap(message.mutable_set());
  for (int i = 0; i < settings.size(); ++i) {
    const MessageChecker place = checker.In(settings[i], "set", i);
    const FoundProperty property = FindProperty(
        settings[i].property(), properties, [&](std::string problem) {
          place.Problem("property", std::move(problem));
        });
    if (property.component.empty()) continue;
    std::optional<v1::Value> value = ValueOf(settings[i], property.kind, place);
    if (!value.has_value()) continue;
    const std::string problem = writer.Write(
        {.field = field, .index = index}, property, *std::move(value),
        {.setting = place.Place(), .value = PlaceOfValue(settings[i], place)});
    if (!problem.empty()) place.Problem("property", problem);
  }
}

}  // namespace

void ExpandShortSettings(const KnownProperties& properties,
                         const MessageChecker& checker, v1::Pack& pack,
                         SettingWriter& writer) {
  const auto expand = [&](std::string_view field, auto& messages) {
    for (int i = 0; i < messages.size(); ++i) {
      auto& message = *messages.Mutable(i);
      if (message.components().empty() && message.set().empty()) continue;
      Expand(field, i, properties, checker.In(message, field, i), message,
             writer);
    }
  };
  expand("types", *pack.mutable_types());
  expand("archetypes", *pack.mutable_archetypes());
  expand("objects", *pack.mutable_objects());
}

}  // namespace reprise::sim
