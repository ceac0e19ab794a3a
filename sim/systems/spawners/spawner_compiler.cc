// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds out whether a pack has spawners; their component and behaviour compile
// like any other.

#include <algorithm>
#include <memory>

#include "sim/compiler/checking/system_compiler.h"
#include "sim/systems/spawners/spawner_system.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

class SpawnerCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompilePack() override {
    const bool has_any =
        std::ranges::any_of(world().types, [](const TypeDefinition& type) {
          return std::ranges::find(type.behaviours, kSpawnBehaviour,
                                   &BehaviourUse::name) !=
                 type.behaviours.end();
        });
    if (has_any) definition_ = std::make_shared<SpawnersDefinition>();
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  std::shared_ptr<const SpawnersDefinition> definition_;
};

REPRISE_REGISTER_SYSTEM(spawners, MakeSystemModule<SpawnerCompiler>(
                                      SpawnersDefinition::Declaration(), {}));

}  // namespace
}  // namespace reprise::sim
