// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/spawners/spawner_system.h"

#include "sim/systems/spawners/spawner_events.h"

namespace reprise::sim {

const SystemDeclaration& SpawnersDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "objects that make others at their place",
      .events = kSpawnerEvents};
  return declaration;
}

std::unique_ptr<System> SpawnersDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<System>(place);
}

}  // namespace reprise::sim
