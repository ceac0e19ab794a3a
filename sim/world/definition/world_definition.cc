// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/definition/world_definition.h"

#include <algorithm>

namespace reprise::sim {
namespace {

// Without an index of all of them it takes a walk.
template <typename Definition>
std::optional<uint32_t> FindId(const std::vector<Definition>& definitions,
                               const IdIndex& index, Id id) {
  if (index.size() > 0 && index.size() == definitions.size()) {
    return index.Find(id);
  }
  const auto found = std::ranges::find(definitions, id, &Definition::id);
  if (found == definitions.end()) return std::nullopt;
  return static_cast<uint32_t>(found - definitions.begin());
}

}  // namespace

std::optional<uint32_t> IdIndex::Find(Id id) const {
  const auto found = std::ranges::lower_bound(entries_, id, {},
                                              &std::pair<Id, uint32_t>::first);
  if (found == entries_.end() || found->first != id) return std::nullopt;
  return found->second;
}

void WorldDefinition::IndexTypes() {
  type_index = IdIndex(types);
  archetype_index = IdIndex(archetypes);
}

std::optional<uint32_t> WorldDefinition::FindType(Id id) const {
  return FindId(types, type_index, id);
}

std::optional<uint32_t> WorldDefinition::FindArchetype(Id id) const {
  return FindId(archetypes, archetype_index, id);
}

std::optional<uint32_t> WorldDefinition::FindComponent(Id id) const {
  return FindId(components, IdIndex(), id);
}

const ObjectDefinition* WorldDefinition::FindPassingObject(Id name) const {
  const auto found = std::ranges::lower_bound(passing_objects, name, {},
                                              &ObjectDefinition::name_id);
  if (found == passing_objects.end() || found->name_id != name) return nullptr;
  return &*found;
}

}  // namespace reprise::sim
