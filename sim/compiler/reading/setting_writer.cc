// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/reading/setting_writer.h"

#include <vector>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/nearest_name.h"

namespace reprise::sim {
namespace {

// The keys of a map, for messages.
template <typename Map>
std::vector<std::string_view> KeysOf(const Map& map) {
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

}  // namespace

FoundProperty FindProperty(
    std::string_view name, const KnownProperties& properties,
    const std::function<void(std::string message)>& problem) {
  const size_t point = name.find('.');
  if (point == name.npos) {
    std::vector<std::string> full_names;
    for (const auto& [component, of_component] : properties) {
      const auto found = of_component.find(name);
      if (found == of_component.end()) continue;
      full_names.push_back(fmt::format("{}.{}", component, found->first));
    }
    problem(fmt::format("'{}' is not component.property{}", name,
                        full_names.empty()
                            ? ""
                            : fmt::format("; did you mean '{}'?",
                                          fmt::join(full_names, "' or '"))));
    return {};
  }
  const std::string_view component = name.substr(0, point);
  const auto of_component = properties.find(component);
  if (of_component == properties.end()) {
    problem(ThereIsNo("component", component, KeysOf(properties)));
    return {};
  }
  const std::string_view property = name.substr(point + 1);
  const auto found = of_component->second.find(property);
  if (found == of_component->second.end()) {
    problem(fmt::format("'{}' has no property '{}'{}", component, property,
                        Suggestion(property, KeysOf(of_component->second))));
    return {};
  }
  return {.component = std::string(component),
          .property = std::string(property),
          .kind = found->second};
}

std::string SettingWriter::Write(const SettingOwner& owner,
                                 const FoundProperty& property, v1::Value value,
                                 const Places& places) {
  Settings& settings = SettingsOf(owner);
  if (!settings.set.emplace(property.component, property.property).second) {
    return fmt::format("'{}.{}' is set already, at {}", property.component,
                       property.property, FindPlace(owner, property));
  }
  auto& uses = UsesOf(owner);
  const auto [use, is_new] =
      settings.uses.try_emplace(property.component, uses.size());
  std::string path = fmt::format("{}[{}].components[{}]", owner.field,
                                 owner.index, use->second);
  if (is_new) {
    uses.Add()->set_component(property.component);
    places_.Fix(path, places.setting);
  }
  v1::ComponentUse& message = *uses.Mutable(use->second);
  // What may still be wrong with it is its value.
  places_.Fix(fmt::format("{}.set[{}]", path, message.set_size()),
              places.value);
  v1::PropertySetting& setting = *message.add_set();
  setting.set_property(property.property);
  *setting.mutable_value() = std::move(value);
  return "";
}

google::protobuf::RepeatedPtrField<v1::ComponentUse>& SettingWriter::UsesOf(
    const SettingOwner& owner) {
  if (owner.field == "types") {
    return *pack_.mutable_types(owner.index)->mutable_components();
  }
  if (owner.field == "archetypes") {
    return *pack_.mutable_archetypes(owner.index)->mutable_components();
  }
  CHECK(owner.field == "objects", "{} have no components", owner.field);
  return *pack_.mutable_objects(owner.index)->mutable_components();
}

SettingWriter::Settings& SettingWriter::SettingsOf(const SettingOwner& owner) {
  const auto [found, is_new] = settings_.try_emplace(owner);
  if (!is_new) return found->second;
  const auto& uses = UsesOf(owner);
  for (int i = 0; i < uses.size(); ++i) {
    found->second.uses.try_emplace(uses[i].component(), i);
    for (const v1::PropertySetting& setting : uses[i].set()) {
      found->second.set.emplace(uses[i].component(), setting.property());
    }
  }
  return found->second;
}

std::string SettingWriter::FindPlace(const SettingOwner& owner,
                                     const FoundProperty& property) {
  const google::protobuf::Message& message =
      owner.field == "types" ? static_cast<const google::protobuf::Message&>(
                                   pack_.types(owner.index))
      : owner.field == "archetypes"
          ? static_cast<const google::protobuf::Message&>(
                pack_.archetypes(owner.index))
          : pack_.objects(owner.index);
  const MessageChecker place = checker_.In(message, owner.field, owner.index);
  const auto& uses = UsesOf(owner);
  for (int i = 0; i < uses.size(); ++i) {
    if (uses[i].component() != property.component) continue;
    for (int k = 0; k < uses[i].set_size(); ++k) {
      if (uses[i].set(k).property() != property.property) continue;
      return FormatPlace(place.In(uses[i], "components", i)
                             .In(uses[i].set(k), "set", k)
                             .Place());
    }
  }
  return FormatPlace(place.Place());
}

}  // namespace reprise::sim
