// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/idle_components.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "sim/base/id.h"
#include "sim/world/components/component.h"
#include "sim/world/definition/behaviour.h"

namespace reprise::sim {
namespace {

using Names = std::set<std::string>;

// Whether a behaviour finds all that it wants in a type with these components.
bool CanBind(const std::string& behaviour,
             const std::vector<ComponentDefinition>& components,
             const std::vector<uint32_t>& of_type) {
  const std::unique_ptr<Behaviour> instance = MakeBehaviour(behaviour);
  std::vector<ParameterValue> parameters;
  const std::vector<ParameterDeclaration> declared = instance->parameters();
  for (const ParameterDeclaration& parameter : declared) {
    parameters.push_back({parameter.name, parameter.default_value});
  }
  return instance->Bind(BehaviourBinder(components, of_type, parameters)).ok();
}

// Whom a component is for: the behaviours that do with it, and not without it.
Names BehavioursOf(uint32_t component,
                   const std::vector<ComponentDefinition>& components) {
  std::vector<uint32_t> all;
  std::vector<uint32_t> others;
  for (uint32_t i = 0; i < components.size(); ++i) {
    all.push_back(i);
    if (i != component) others.push_back(i);
  }
  Names behaviours;
  for (const std::string& behaviour : BehaviourNames()) {
    if (CanBind(behaviour, components, all) &&
        !CanBind(behaviour, components, others)) {
      behaviours.insert(behaviour);
    }
  }
  return behaviours;
}

bool HasAny(const TypeDefinition& type, const Names& behaviours) {
  return std::ranges::any_of(type.behaviours, [&](const BehaviourUse& use) {
    return behaviours.contains(use.name);
  });
}

}  // namespace

void WarnOfIdleComponents(const v1::Pack& pack, const MessageChecker& checker,
                          const WorldDefinition& world) {
  std::map<uint32_t, Names> behaviours;  // of components of the program
  for (const ComponentDefinition& component : RegisteredComponents()) {
    const std::optional<uint32_t> index = world.FindComponent(component.id);
    if (index.has_value()) behaviours[*index] = {};
  }
  std::map<uint32_t, bool> is_known;
  // The types that have a behaviour for a component, and what they extend.
  std::map<uint32_t, std::set<Id>> busy;
  const auto find = [&](uint32_t component) {
    if (is_known[component]) return;
    is_known[component] = true;
    behaviours[component] = BehavioursOf(component, world.components);
    for (const TypeDefinition& type : world.types) {
      if (!HasAny(type, behaviours[component])) continue;
      busy[component].insert(type.id);
      busy[component].insert(type.bases.begin(), type.bases.end());
    }
  };
  for (int i = 0; i < pack.types_size(); ++i) {
    const v1::Type& type = pack.types(i);
    for (int k = 0; k < type.components_size(); ++k) {
      const v1::ComponentUse& use = type.components(k);
      const std::optional<uint32_t> component =
          world.FindComponent(IdOf(use.component()));
      if (!component.has_value() || !behaviours.contains(*component)) continue;
      find(*component);
      if (behaviours[*component].empty() ||
          busy[*component].contains(IdOf(type.name()))) {
        continue;
      }
      checker.In(type, "types", i)
          .In(use, "components", k)
          .Warning("component",
                   fmt::format("'{}' does nothing here: the type has no "
                               "behaviour {}",
                               use.component(),
                               fmt::join(behaviours[*component], " or ")));
    }
  }
}

}  // namespace reprise::sim
