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

absl::StatusOr<PropertyRef> BehaviourBinder::Find(std::string_view component,
                                                  std::string_view property,
                                                  PropertyType type) const {
  const auto definition =
      std::ranges::find(components_, component, &ComponentDefinition::name);
  if (definition == components_.end()) {
    return absl::InvalidArgumentError(
        fmt::format("the pack has no component '{}'", component));
  }
  const std::optional<uint32_t> index = definition->Find(property);
  if (!index.has_value()) {
    return absl::InvalidArgumentError(fmt::format(
        "the component '{}' has no property '{}'", component, property));
  }
  const PropertyDefinition& found = definition->properties[*index];
  if (found.type != type || found.capacity != 0) {
    return absl::InvalidArgumentError(fmt::format(
        "the property '{}.{}' is of another type", component, property));
  }
  return PropertyRef{
      .component = static_cast<uint32_t>(definition - components_.begin()),
      .property = *index,
      .offset = definition->schema->fields()[found.field].offset,
      .type = type};
}

absl::Status BehaviourBinder::Property(std::string_view component,
                                       std::string_view property,
                                       PropertyType type,
                                       PropertyRef& found) const {
  absl::Status status = PropertyOfOthers(component, property, type, found);
  if (!status.ok()) return status;
  if (std::ranges::find(type_components_, found.component) ==
      type_components_.end()) {
    return absl::InvalidArgumentError(
        fmt::format("the type needs the component '{}'", component));
  }
  return absl::OkStatus();
}

absl::Status BehaviourBinder::PropertyOfOthers(std::string_view component,
                                               std::string_view property,
                                               PropertyType type,
                                               PropertyRef& found) const {
  const absl::StatusOr<PropertyRef> result = Find(component, property, type);
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
