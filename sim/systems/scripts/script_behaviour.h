// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A behaviour that a script of the pack describes. It is made by the compiler
// for each type that names the file; worlds run it on machines of their own.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_BEHAVIOUR_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_BEHAVIOUR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/script/script_machine.h"
#include "sim/systems/scripts/script_hooks.h"
#include "sim/systems/scripts/script_place.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/events/world_event.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

class ScriptBehaviour final : public Behaviour {
 public:
  // `hooks` are the file's in any machine: which of them there are counts;
  // nothing: any may come. `component` is that of ScriptRow, of a file with
  // states. `collision_layers` are the pack's.
  ScriptBehaviour(std::string_view file, ScriptDeclaration declaration,
                  const std::optional<ScriptHooks>& hooks,
                  std::optional<uint32_t> component,
                  std::vector<ScriptCollisionLayer> collision_layers);

  std::string_view help() const override { return declaration_.help; }
  std::vector<ParameterDeclaration> parameters() const override;
  absl::Status Bind(const BehaviourBinder& binder) override;
  void UpdateBeforePhysics(UpdateContext& context) const override;
  void UpdateAfterPhysics(UpdateContext& context) const override;
  bool OnEvent(UpdateContext& context, const WorldEvent& event) const override;
  void OnSpawn(UpdateContext& context) const override;
  void OnDestroy(UpdateContext& context) const override;
  Hooks hooks() const override { return hooks_; }

  // Whether the file, or a state of it, has something to do for an event.
  bool Handles(std::string_view event) const;

 private:
  ScriptDeclaration declaration_;
  Hooks hooks_;
  ScriptUse use_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_BEHAVIOUR_H_
