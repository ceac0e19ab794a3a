// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The paths of a pack, for whoever follows them. They are no state: a world has
// nothing of its own of them.

#ifndef REPRISE_SIM_SYSTEMS_PATHS_PATH_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_PATHS_PATH_SYSTEM_H_

#include <memory>
#include <string_view>
#include <vector>

#include "sim/base/id.h"
#include "sim/systems/paths/paths.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/system.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

// Of a pack with paths, or with types whose objects follow them.
struct PathsDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "paths";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;

  // A path by its name; null when there is none.
  const Path* Find(Id name) const;

  std::vector<PathDefinition> definitions;  // ascending by name
  // In the same order; there once the pack is compiled.
  std::vector<Path> paths;
};

// A path of the pack, for a behaviour; null when there is none.
const Path* FindPath(const UpdateContext& context, Id name);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_PATHS_PATH_SYSTEM_H_
