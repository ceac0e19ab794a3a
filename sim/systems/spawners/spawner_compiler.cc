// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds out whether a pack has spawners; their component and behaviour compile
// like any other.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/id.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/setting_name.h"
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

  void Finish() override {
    CheckArchetypes("types", pack().types());
    CheckArchetypes("archetypes", pack().archetypes());
    CheckArchetypes("objects", pack().objects());
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  // What spawners are to make has to be there.
  template <typename Messages>
  void CheckArchetypes(std::string_view field, const Messages& messages) const {
    for (int i = 0; i < messages.size(); ++i) {
      for (int k = 0; k < messages[i].components_size(); ++k) {
        const v1::ComponentUse& use = messages[i].components(k);
        if (use.component() != "spawner") continue;
        const MessageChecker place =
            checker().In(messages[i], field, i).In(use, "components", k);
        for (int j = 0; j < use.set_size(); ++j) {
          CheckSetting(use.set(j), place.In(use.set(j), "set", j));
        }
      }
    }
  }

  void CheckSetting(const v1::PropertySetting& setting,
                    const MessageChecker& place) const {
    if (setting.property() != "archetype") return;
    const std::string& name = setting.value().text();
    if (world().FindArchetype(IdOf(name)).has_value()) return;
    place.LeadsNowhere(
        "value", fmt::format("{}there is no type or archetype '{}'{}",
                             SettingName("spawner", setting, place), name,
                             place.SuggestionFor(name, "type or archetype")));
  }

  std::shared_ptr<const SpawnersDefinition> definition_;
};

REPRISE_REGISTER_SYSTEM(spawners, MakeSystemModule<SpawnerCompiler>(
                                      SpawnersDefinition::Declaration(), {}));

}  // namespace
}  // namespace reprise::sim
