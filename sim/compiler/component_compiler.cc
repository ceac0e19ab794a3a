// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/component_compiler.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/base/pack_name.h"
#include "sim/compiler/checking/property_types.h"
#include "sim/compiler/checking/setting_name.h"
#include "sim/state/page.h"
#include "sim/world/definition/behaviour.h"

namespace reprise::sim {
namespace {

// What a pack may say of values of a type, for messages.
std::string_view WantedKind(PropertyType type) {
  switch (type) {
    case PropertyType::kBool:
      return "boolean";
    case PropertyType::kInt:
      return "integer";
    case PropertyType::kDouble:
      return "number or integer";
    case PropertyType::kVector2:
      return "vector2";
    case PropertyType::kVector3:
      return "vector3";
    case PropertyType::kQuaternion:
      return "rotation_degrees";
    default:
      return "text";
  }
}

bool KindFits(PropertyType type, v1::Value::KindCase kind) {
  switch (type) {
    case PropertyType::kBool:
      return kind == v1::Value::kBoolean;
    case PropertyType::kInt:
      return kind == v1::Value::kInteger;
    case PropertyType::kDouble:
      return kind == v1::Value::kNumber || kind == v1::Value::kInteger;
    case PropertyType::kVector2:
      return kind == v1::Value::kVector2;
    case PropertyType::kVector3:
      return kind == v1::Value::kVector3;
    case PropertyType::kQuaternion:
      return kind == v1::Value::kRotationDegrees;
    default:
      return kind == v1::Value::kText;
  }
}

// A value that stands for nothing set.
std::vector<FieldValue> ZeroOf(const PropertyDefinition& property) {
  if (property.capacity > 0) return {};
  switch (property.type) {
    case PropertyType::kQuaternion:
      return {FieldValue::OfDouble(0.0), FieldValue::OfDouble(0.0),
              FieldValue::OfDouble(0.0), FieldValue::OfDouble(1.0)};
    case PropertyType::kEnum:
      if (!property.choices.empty()) {
        return {FieldValue::OfId(property.choices[0])};
      }
      break;
    default:
      break;
  }
  return std::vector<FieldValue>(ScalarsOf(property.type),
                                 {ScalarTypeOf(property.type), 0});
}

// The names of a property's choices, which has their ids alone; empty where the
// pack doesn't say them.
std::vector<std::string> ChoiceNamesOf(const PropertyDefinition& property,
                                       const MessageChecker& checker) {
  if (checker.manifest() == nullptr) return {};
  for (const v1::Component& component : checker.manifest()->components()) {
    for (const v1::Property& each : component.properties()) {
      const auto& choices = each.choices();
      if (each.name() == property.name &&
          std::ranges::equal(choices, property.choices, {},
                             [](const auto& name) { return IdOf(name); })) {
        return {choices.begin(), choices.end()};
      }
    }
  }
  return {};
}

// Where a value stands: a field of the message of a checker.
struct ValuePlace {
  const MessageChecker& checker;
  std::string_view field;
  std::string name;  // what messages begin with, as SettingName says

  void Problem(std::string_view text) const {
    checker.Problem(field, fmt::format("{}{}", name, text));
  }
};

std::vector<FieldValue> CompileText(const PropertyDefinition& property,
                                    const std::string& text,
                                    const ValuePlace& place,
                                    const ValueScope& scope) {
  if (property.type == PropertyType::kReference) {
    if (!scope.find_object) {
      place.Problem("an object can only be referred to by an object");
      return {};
    }
    const std::optional<Handle> handle = scope.find_object(text);
    if (!handle.has_value()) {
      place.Problem(fmt::format("there is no object '{}'{}", text,
                                place.checker.SuggestionFor(text, "object")));
      return {};
    }
    return {FieldValue::OfHandle(*handle)};
  }
  if (property.type == PropertyType::kEnum) {
    if (std::ranges::find(property.choices, IdOf(text)) ==
        property.choices.end()) {
      place.Problem(
          fmt::format("'{}' is not among the choices{}", text,
                      place.checker.SuggestionFor(
                          text, ChoiceNamesOf(property, place.checker))));
      return {};
    }
    return {FieldValue::OfId(IdOf(text))};
  }
  if (property.type == PropertyType::kName) {
    place.checker.Name(place.field, text);
  } else if (text.empty() || text.size() > kNameBytesMax) {
    place.Problem(
        fmt::format("{} bytes are not in 1..{}", text.size(), kNameBytesMax));
    return {};
  }
  if (scope.words != nullptr) scope.words->insert(text);
  return {FieldValue::OfId(IdOf(text))};
}

std::vector<FieldValue> CompileSingle(const PropertyDefinition& property,
                                      const v1::Value& value,
                                      const ValuePlace& place,
                                      const ValueScope& scope) {
  if (!KindFits(property.type, value.kind_case())) {
    place.Problem(fmt::format("'{}' wants a value of the kind {}",
                              property.name, WantedKind(property.type)));
    return {};
  }
  switch (value.kind_case()) {
    case v1::Value::kBoolean:
      return {{ScalarType::kBool, value.boolean() ? 1u : 0u}};
    case v1::Value::kInteger:
      if (property.type == PropertyType::kDouble) {
        return {FieldValue::OfDouble(static_cast<double>(value.integer()))};
      }
      return {FieldValue::OfInt64(value.integer())};
    case v1::Value::kNumber:
      return {FieldValue::OfDouble(value.number())};
    case v1::Value::kText:
      return CompileText(property, value.text(), place, scope);
    case v1::Value::kVector2:
      return {FieldValue::OfDouble(value.vector2().x()),
              FieldValue::OfDouble(value.vector2().y())};
    case v1::Value::kVector3:
      return {FieldValue::OfDouble(value.vector3().x()),
              FieldValue::OfDouble(value.vector3().y()),
              FieldValue::OfDouble(value.vector3().z())};
    case v1::Value::kRotationDegrees: {
      const Quaternion turn =
          place.checker.Rotation(place.field, value.rotation_degrees());
      return {FieldValue::OfDouble(turn.x), FieldValue::OfDouble(turn.y),
              FieldValue::OfDouble(turn.z), FieldValue::OfDouble(turn.w)};
    }
    default:
      return {};
  }
}

std::vector<FieldValue> CompileScalars(const PropertyDefinition& property,
                                       const v1::Value& value,
                                       const ValuePlace& place,
                                       const ValueScope& scope) {
  std::vector<FieldValue> scalars;
  if (property.capacity == 0) {
    scalars = CompileSingle(property, value, place, scope);
    if (scalars.empty()) return {};
  } else {
    if (value.kind_case() != v1::Value::kList) {
      place.Problem(fmt::format("'{}' wants a list", property.name));
      return {};
    }
    for (const v1::Value& element : value.list().values()) {
      const std::vector<FieldValue> single =
          CompileSingle(property, element, place, scope);
      if (single.empty()) return {};
      scalars.insert(scalars.end(), single.begin(), single.end());
    }
  }
  const absl::Status status = CheckPropertyValue(property, scalars);
  if (!status.ok()) {
    place.Problem(std::string(status.message()));
    return {};
  }
  return scalars;
}

void CompileBounds(const v1::Property& message, const MessageChecker& checker,
                   PropertyDefinition& property) {
  const bool has_bounds = message.has_minimum() || message.has_maximum();
  const bool is_number = property.type == PropertyType::kInt ||
                         property.type == PropertyType::kDouble ||
                         property.type == PropertyType::kVector2 ||
                         property.type == PropertyType::kVector3;
  if (has_bounds && !is_number) {
    checker.Problem(message.has_minimum() ? "minimum" : "maximum",
                    "only numbers and vectors have bounds");
    return;
  }
  constexpr double kAny = std::numeric_limits<double>::max();
  if (message.has_minimum()) {
    property.minimum =
        checker.Number("minimum", message.minimum(), -kAny, kAny);
  }
  if (message.has_maximum()) {
    const double minimum = property.minimum.value_or(-kAny);
    checker.Number("maximum", message.maximum(), minimum, kAny);
    // One that is reported must not make the default wrong, too.
    if (message.maximum() >= minimum) property.maximum = message.maximum();
  }
}

// Units are printed, and recordings carry them.
bool IsUnit(std::string_view unit) {
  return unit.size() <= kPackNameBytesMax &&
         std::ranges::none_of(unit, [](char character) {
           return static_cast<unsigned char>(character) < 0x20 ||
                  character == 0x7f;
         });
}

PropertyDefinition CompileProperty(const v1::Property& message,
                                   const MessageChecker& checker,
                                   std::set<std::string>& words) {
  PropertyDefinition property{.name = checker.Name("name", message.name()),
                              .unit = message.unit(),
                              .help = message.help()};
  words.insert(message.name());
  if (!IsUnit(message.unit())) {
    checker.Problem("unit", fmt::format("at most {} bytes of text in one line",
                                        kPackNameBytesMax));
  }
  const std::optional<PropertyType> type = PropertyTypeOf(message.type());
  if (!type.has_value()) checker.Problem("type", "required");
  property.type = type.value_or(PropertyType::kDouble);
  if (message.list_max() > 0) {
    checker.Count("list_max", message.list_max(), 1, kListCapacityMax);
    property.capacity = std::min(message.list_max(), kListCapacityMax);
  }
  for (const std::string& choice : message.choices()) {
    checker.Name("choices", choice);
    words.insert(choice);
    if (std::ranges::find(property.choices, IdOf(choice)) !=
        property.choices.end()) {
      checker.Problem("choices",
                      fmt::format("'{}' stands there twice", choice));
    }
    property.choices.push_back(IdOf(choice));
  }
  const bool is_choice = property.type == PropertyType::kEnum;
  if (is_choice != !property.choices.empty()) {
    checker.Problem("choices", is_choice ? "required for a TYPE_CHOICE"
                                         : "only a TYPE_CHOICE has choices");
  }
  CompileBounds(message, checker, property);
  property.default_value = ZeroOf(property);
  if (is_choice && property.choices.empty()) return property;  // reported
  if (message.has_default_()) {
    std::vector<FieldValue> value =
        CompileValue(property, message.default_(), "default", checker,
                     {.components = {}, .find_object = {}, .words = &words});
    if (!value.empty()) property.default_value = std::move(value);
  } else if (absl::Status status =
                 CheckPropertyValue(property, property.default_value);
             !status.ok()) {
    checker.Problem("default", fmt::format("required: 0 doesn't do, {}",
                                           std::string(status.message())));
  }
  return property;
}

// nullopt after reporting what makes it impossible.
std::optional<ComponentDefinition> CompileComponent(
    const v1::Component& message, const MessageChecker& checker,
    std::set<std::string>& words) {
  std::vector<PropertyDefinition> properties;
  std::set<std::string> names = {"object", "overridden"};
  for (int i = 0; i < message.properties_size(); ++i) {
    const MessageChecker place =
        checker.In(message.properties(i), "properties", i);
    properties.push_back(CompileProperty(message.properties(i), place, words));
    const PropertyDefinition& property = properties.back();
    bool is_new = names.insert(property.name).second;
    if (property.capacity > 0) {
      is_new = names.insert(property.name + "_count").second && is_new;
    }
    if (!is_new) {
      place.Problem("name", fmt::format("'{}' is taken in this component",
                                        property.name));
      return std::nullopt;
    }
  }
  if (properties.size() > kPropertiesMax) {
    checker.Problem("properties",
                    fmt::format("more than {} of them", kPropertiesMax));
    return std::nullopt;
  }
  if (ComponentRowSize(properties) > kPageSize) {
    checker.Problem("properties",
                    fmt::format("they take {} bytes, more than {}",
                                ComponentRowSize(properties), kPageSize));
    return std::nullopt;
  }
  checker.Name("name", message.name());
  return MakeComponent(message.name(), message.help(), std::move(properties));
}

}  // namespace

std::vector<ComponentDefinition> CompileComponents(
    const v1::Pack& pack, const MessageChecker& checker,
    std::vector<ComponentDefinition> of_systems, std::set<std::string>& words) {
  std::vector<ComponentDefinition> components = RegisteredComponents();
  std::ranges::move(of_systems, std::back_inserter(components));
  for (const ComponentDefinition& component : components) {
    for (const PropertyDefinition& property : component.properties) {
      words.insert(property.name);
    }
  }
  for (int i = 0; i < pack.components_size(); ++i) {
    const v1::Component& message = pack.components(i);
    const MessageChecker place = checker.In(message, "components", i);
    std::optional<ComponentDefinition> component =
        CompileComponent(message, place, words);
    if (!component.has_value()) continue;
    if (std::ranges::find(components, component->name,
                          &ComponentDefinition::name) != components.end()) {
      place.Problem("name", fmt::format("there are two components '{}'",
                                        component->name));
      continue;
    }
    components.push_back(*std::move(component));
  }
  // A total order: names are unique.
  std::ranges::sort(components, {}, &ComponentDefinition::name);
  for (const ComponentDefinition& component : components) {
    words.insert(component.name);
  }
  return components;
}

std::vector<FieldValue> CompileValue(const PropertyDefinition& property,
                                     const v1::Value& value,
                                     std::string_view field,
                                     const MessageChecker& checker,
                                     const ValueScope& scope) {
  return CompileScalars(
      property, value, {.checker = checker, .field = field, .name = ""}, scope);
}

std::vector<std::string> PropertyNamesOf(const ComponentDefinition& component) {
  std::vector<std::string> names;
  for (const PropertyDefinition& property : component.properties) {
    names.push_back(property.name);
  }
  return names;
}

void CompileSettings(const v1::ComponentUse& use,
                     const ComponentDefinition& component,
                     const MessageChecker& checker, const ValueScope& scope,
                     bool mark_overridden, std::span<std::byte> row) {
  std::set<std::string> names;
  for (int i = 0; i < use.set_size(); ++i) {
    const v1::PropertySetting& setting = use.set(i);
    const MessageChecker place = checker.In(setting, "set", i);
    const std::optional<uint32_t> property = component.Find(setting.property());
    if (!property.has_value()) {
      place.Problem("property", fmt::format("'{}' has no property '{}'{}",
                                            component.name, setting.property(),
                                            place.SuggestionFor(
                                                setting.property(),
                                                PropertyNamesOf(component))));
      continue;
    }
    if (!names.insert(setting.property()).second) {
      place.Problem("property",
                    fmt::format("'{}' is set twice", setting.property()));
      continue;
    }
    // What can't be read as a value was reported where it was read.
    if (!setting.has_value() && setting.to_size() > 0) continue;
    const PropertyDefinition& definition = component.properties[*property];
    const std::vector<FieldValue> value =
        CompileScalars(definition, setting.value(),
                       {.checker = place,
                        .field = "value",
                        .name = SettingName(component.name, setting, place)},
                       scope);
    const bool is_empty_list = definition.capacity > 0 &&
                               setting.value().has_list() &&
                               setting.value().list().values().empty();
    if (value.empty() && !is_empty_list) continue;  // reported
    WriteProperty(component, *property, value, row);
    if (mark_overridden) MarkOverridden(*property, row);
  }
}

void CompileOverrides(
    const google::protobuf::RepeatedPtrField<v1::ComponentUse>& settings,
    std::span<const ComponentUse> uses, const MessageChecker& checker,
    const ValueScope& scope, bool mark_overridden,
    std::vector<std::vector<std::byte>>& rows) {
  std::set<std::string> names;
  for (int i = 0; i < settings.size(); ++i) {
    const MessageChecker place = checker.In(settings[i], "components", i);
    const auto use = std::ranges::find_if(uses, [&](const ComponentUse& each) {
      return scope.components[each.component].name == settings[i].component();
    });
    if (use == uses.end()) {
      std::vector<std::string> names;
      for (const ComponentUse& each : uses) {
        names.push_back(scope.components[each.component].name);
      }
      place.Problem(
          "component",
          fmt::format("the type has no component '{}'{}",
                      settings[i].component(),
                      place.SuggestionFor(settings[i].component(), names)));
      continue;
    }
    if (!names.insert(settings[i].component()).second) {
      place.Problem("component", fmt::format("'{}' stands there twice",
                                             settings[i].component()));
      continue;
    }
    CompileSettings(settings[i], scope.components[use->component], place, scope,
                    mark_overridden, rows[use - uses.begin()]);
  }
}

}  // namespace reprise::sim
