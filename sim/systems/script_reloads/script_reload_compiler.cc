// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the actions by which players replace scripts.

#include <memory>

#include "reprise/v1/pack.pb.h"
#include "sim/base/id.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/systems/script_reloads/script_reloads.h"
#include "sim/systems/scripts/script_system.h"

namespace reprise::sim {
namespace {

class ScriptReloadCompiler final : public SystemCompiler {
 public:
  explicit ScriptReloadCompiler(PackCompilation& compilation)
      : SystemCompiler(compilation) {}

  void CompilePack() override {
    const v1::Players& players = pack().players();
    const bool has_scripts = compilation().Find<ScriptsDefinition>() != nullptr;
    const MessageChecker place = checker().In(players, "players");
    for (int i = 0; i < players.actions_size(); ++i) {
      const v1::Action& action = players.actions(i);
      if (!action.has_script_reload()) continue;
      const MessageChecker at = place.In(action, "actions", i);
      if (!has_scripts) {
        at.Problem("script_reload", "no type of the pack has a script");
        continue;
      }
      if (players.commands_per_tick_max() == 0) {
        at.Problem("script_reload",
                   "nobody can give it: players.commands_per_tick_max is 0");
      }
      if (definition_ == nullptr) {
        definition_ = std::make_shared<ScriptReloadsDefinition>();
      }
      definition_->actions.push_back(IdOf(action.name()));
    }
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  std::shared_ptr<ScriptReloadsDefinition> definition_;
};

REPRISE_REGISTER_SYSTEM(script_reloads,
                        MakeSystemModule<ScriptReloadCompiler>(
                            ScriptReloadsDefinition::Declaration(), {},
                            {ScriptsDefinition::kSystem}));

}  // namespace
}  // namespace reprise::sim
