// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Spawners: objects that make others, at their own place. One that is active
// makes the first at its first tick and then one every so often; one that isn't
// lies dormant until an event asks. A behaviour does it all: what lasts is in
// its component, and a world has nothing else of it.

#ifndef REPRISE_SIM_SYSTEMS_SPAWNERS_SPAWNER_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_SPAWNERS_SPAWNER_SYSTEM_H_

#include <memory>
#include <string_view>

#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

// What packs call the component and the behaviour.
inline constexpr std::string_view kSpawnerComponent = "spawner";
inline constexpr std::string_view kSpawnBehaviour = "spawn";

// Of a pack with types whose objects make others.
struct SpawnersDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "spawners";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SPAWNERS_SPAWNER_SYSTEM_H_
