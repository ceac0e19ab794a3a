// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/definition/behaviour.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

struct Registry {
  std::map<std::string, BehaviourFactory, std::less<>> behaviours;
  std::map<std::string, ComponentDefinition, std::less<>> components;
  std::vector<EventDescription> events;
  std::set<std::string, std::less<>> words;
};

// Filled before main() and only read after it.
Registry& GlobalRegistry() {
  static Registry registry;
  return registry;
}

}  // namespace

PropertyDefinition DefinitionOf(const ParameterDeclaration& parameter) {
  const auto scalars = parameter.default_value.scalars();
  PropertyDefinition definition{
      .name = std::string(parameter.name),
      .type = parameter.default_value.type(),
      .unit = std::string(parameter.unit),
      .capacity = parameter.list_max,
      .default_value = {scalars.begin(), scalars.end()},
      .minimum = parameter.minimum,
      .maximum = parameter.maximum,
      .help = std::string(parameter.help)};
  for (const std::string_view choice : parameter.choices) {
    definition.choices.push_back(IdOf(choice));
  }
  const auto value = FitValue(definition, parameter.default_value);
  CHECK(value.ok(), "parameter {}: {}", parameter.name,
        value.status().ToString());
  return definition;
}

const PropertyValue& BehaviourBinder::Parameter(std::string_view name) const {
  const auto found =
      std::ranges::find(parameters_, name, &ParameterValue::name);
  CHECK(found != parameters_.end(), "no parameter {} is declared", name);
  return found->value;
}

absl::StatusOr<PropertyRef> BehaviourBinder::Find(std::string_view component,
                                                  std::string_view property,
                                                  PropertyType type,
                                                  bool is_list) const {
  const absl::StatusOr<PropertyRef> found =
      FindProperty(components_, component, property);
  if (!found.ok()) {
    return absl::InvalidArgumentError(found.status().message());
  }
  if (found->type != type || (found->capacity > 0) != is_list) {
    return absl::InvalidArgumentError(fmt::format(
        "the property '{}.{}' is of another type: wanted is a {}{}", component,
        property, is_list ? "list of the kind " : "", TraitsOf(type).name));
  }
  return found;
}

absl::Status BehaviourBinder::CheckOwn(const PropertyRef& found) const {
  if (std::ranges::find(type_components_, found.component) !=
      type_components_.end()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(fmt::format(
      "the type needs the component '{}'", components_[found.component].name));
}

absl::Status BehaviourBinder::Property(std::string_view component,
                                       std::string_view property,
                                       PropertyType type,
                                       PropertyRef& found) const {
  absl::Status status = PropertyOfOthers(component, property, type, found);
  return status.ok() ? CheckOwn(found) : status;
}

absl::Status BehaviourBinder::List(std::string_view component,
                                   std::string_view property, PropertyType type,
                                   PropertyRef& found) const {
  absl::Status status = ListOfOthers(component, property, type, found);
  return status.ok() ? CheckOwn(found) : status;
}

absl::Status BehaviourBinder::PropertyOfOthers(std::string_view component,
                                               std::string_view property,
                                               PropertyType type,
                                               PropertyRef& found) const {
  const absl::StatusOr<PropertyRef> result =
      Find(component, property, type, /*is_list=*/false);
  if (!result.ok()) return result.status();
  found = *result;
  return absl::OkStatus();
}

absl::Status BehaviourBinder::ListOfOthers(std::string_view component,
                                           std::string_view property,
                                           PropertyType type,
                                           PropertyRef& found) const {
  const absl::StatusOr<PropertyRef> result =
      Find(component, property, type, /*is_list=*/true);
  if (!result.ok()) return result.status();
  found = *result;
  return absl::OkStatus();
}

void Behaviour::UpdateBeforePhysics(UpdateContext& /*context*/) const {}
void Behaviour::UpdateAfterPhysics(UpdateContext& /*context*/) const {}
bool Behaviour::OnEvent(UpdateContext& /*context*/,
                        const WorldEvent& /*event*/) const {
  return false;
}

void Behaviour::OnSpawn(UpdateContext& /*context*/) const {}
void Behaviour::OnDestroy(UpdateContext& /*context*/) const {}

bool RegisterBehaviour(std::string_view name, BehaviourFactory factory) {
  const bool is_new =
      GlobalRegistry()
          .behaviours.emplace(std::string(name), std::move(factory))
          .second;
  CHECK(is_new, "two behaviours are called {}", name);
  return true;
}

bool RegisterComponent(ComponentDefinition component) {
  const std::string name = component.name;
  const bool is_new =
      GlobalRegistry().components.emplace(name, std::move(component)).second;
  CHECK(is_new, "two components are called {}", name);
  return true;
}

bool RegisterEvent(EventDescription event) {
  GlobalRegistry().events.push_back(std::move(event));
  return true;
}

bool RegisterWord(std::string_view word) {
  GlobalRegistry().words.emplace(word);
  return true;
}

std::unique_ptr<Behaviour> MakeBehaviour(std::string_view name) {
  const auto found = GlobalRegistry().behaviours.find(name);
  return found == GlobalRegistry().behaviours.end() ? nullptr : found->second();
}

std::vector<std::string> BehaviourNames() {
  std::vector<std::string> names;
  for (const auto& [name, factory] : GlobalRegistry().behaviours) {
    names.push_back(name);
  }
  return names;
}

std::vector<ComponentDefinition> RegisteredComponents() {
  std::vector<ComponentDefinition> components;
  for (const auto& [name, component] : GlobalRegistry().components) {
    components.push_back(component);
  }
  return components;
}

std::vector<std::string> RegisteredWords() {
  const auto& words = GlobalRegistry().words;
  return {words.begin(), words.end()};
}

std::vector<EventDescription> RegisteredEvents() {
  std::vector<EventDescription> events = GlobalRegistry().events;
  // Where they were registered says nothing. A total order where two of a name
  // differ in what they say.
  std::ranges::sort(events, {}, [](const EventDescription& event) {
    return std::tie(event.name, event.sender, event.receiver, event.when);
  });
  return events;
}

}  // namespace reprise::sim
