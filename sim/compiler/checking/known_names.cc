// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/known_names.h"

#include <algorithm>

#include "sim/world/components/component.h"
#include "sim/world/definition/behaviour.h"

namespace reprise::sim {
namespace {

using Names = std::vector<std::string>;

template <typename Messages>
void Append(const Messages& messages, Names& names) {
  for (const auto& message : messages) {
    if (!message.name().empty()) names.push_back(message.name());
  }
}

bool IsButton(v1::Action::BindingCase binding) {
  return binding == v1::Action::kButton || binding == v1::Action::kKey ||
         binding == v1::Action::kMouseButton;
}

void AppendActions(const v1::Pack& manifest, bool buttons, Names& names) {
  for (const v1::Action& action : manifest.players().actions()) {
    const bool fits = buttons ? IsButton(action.binding_case())
                              : action.binding_case() == v1::Action::kAxis;
    if (fits && !action.name().empty()) names.push_back(action.name());
  }
}

}  // namespace

std::vector<std::string> KnownNames(const v1::Pack& manifest,
                                    std::string_view kind) {
  Names names;
  if (kind == "type" || kind == "type or archetype") {
    Append(manifest.types(), names);
    if (kind != "type") Append(manifest.archetypes(), names);
  } else if (kind == "object") {
    Append(manifest.objects(), names);
  } else if (kind == "component") {
    Append(manifest.components(), names);
    for (const ComponentDefinition& each : RegisteredComponents()) {
      names.push_back(each.name);
    }
  } else if (kind == "region") {
    Append(manifest.regions(), names);
  } else if (kind == "layer") {
    Append(manifest.layers(), names);
  } else if (kind == "chunk") {
    Append(manifest.chunk_plan().chunks(), names);
  } else if (kind == "set of goals") {
    Append(manifest.navigation().goal_sets(), names);
  } else if (kind == "path") {
    Append(manifest.paths(), names);
  } else if (kind == "objective") {
    Append(manifest.objectives(), names);
  } else if (kind == "predicate") {
    Append(manifest.predicates(), names);
  } else if (kind == "material") {
    Append(manifest.materials(), names);
  } else if (kind == "collision layer") {
    Append(manifest.collision_layers(), names);
  } else if (kind == "behaviour") {
    names = BehaviourNames();
  } else if (kind == "axis action" || kind == "button action") {
    AppendActions(manifest, kind == "button action", names);
  }
  // A total order: equal names are the same.
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace reprise::sim
