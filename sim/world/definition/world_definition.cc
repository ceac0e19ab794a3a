// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/definition/world_definition.h"

#include <algorithm>

namespace reprise::sim {
namespace {

// Packs have few kinds of things, so a walk is as fast as any index.
template <typename Definition>
std::optional<uint32_t> FindId(const std::vector<Definition>& definitions,
                               Id id) {
  const auto found = std::ranges::find(definitions, id, &Definition::id);
  if (found == definitions.end()) return std::nullopt;
  return static_cast<uint32_t>(found - definitions.begin());
}

}  // namespace

std::optional<uint32_t> WorldDefinition::FindType(Id id) const {
  return FindId(types, id);
}

std::optional<uint32_t> WorldDefinition::FindArchetype(Id id) const {
  return FindId(archetypes, id);
}

std::optional<uint32_t> WorldDefinition::FindComponent(Id id) const {
  return FindId(components, id);
}

const ObjectDefinition* WorldDefinition::FindPassingObject(Id name) const {
  const auto found = std::ranges::lower_bound(passing_objects, name, {},
                                              &ObjectDefinition::name_id);
  if (found == passing_objects.end() || found->name_id != name) return nullptr;
  return &*found;
}

}  // namespace reprise::sim
