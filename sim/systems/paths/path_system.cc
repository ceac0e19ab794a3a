// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/paths/path_system.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/check.h"
#include "sim/systems/paths/path_events.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

const SystemDeclaration& PathsDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "curves through given points, and objects that follow them",
      .events = kPathEvents};
  return declaration;
}

std::unique_ptr<System> PathsDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<System>(place);
}

const Path* PathsDefinition::Find(Id name) const {
  CHECK(paths.size() == definitions.size());
  const auto found =
      std::ranges::lower_bound(definitions, name, {}, &PathDefinition::name);
  if (found == definitions.end() || found->name != name) return nullptr;
  return &paths[static_cast<size_t>(found - definitions.begin())];
}

const Path* FindPath(const UpdateContext& context, Id name) {
  const auto* const paths =
      FindSystem<PathsDefinition>(context.parts().definition);
  return paths == nullptr ? nullptr : paths->Find(name);
}

}  // namespace reprise::sim
