// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_behaviour.h"

#include <utility>

#include "sim/base/check.h"
#include "sim/systems/scripts/script_system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {
namespace {

Scripts& ScriptsOf(const UpdateContext& context) {
  auto* const scripts = context.parts().systems->Find<Scripts>();
  CHECK(scripts != nullptr);
  return *scripts;
}

}  // namespace

ScriptBehaviour::ScriptBehaviour(std::string_view file,
                                 ScriptDeclaration declaration,
                                 const ScriptHooks& hooks)
    : declaration_(std::move(declaration)),
      hooks_{.before_physics = hooks.update.has_value(),
             .after_physics = hooks.after_physics.has_value(),
             .on_event = !hooks.handlers.empty(),
             .on_spawn = hooks.spawn.has_value(),
             .on_destroy = hooks.destroyed.has_value(),
             .reads_others = declaration_.reads_others,
             .queries = declaration_.queries,
             .marks_timelines = declaration_.marks_timelines},
      use_{.file = std::string(file),
           .parameters = {},
           .reads_others = declaration_.reads_others,
           .queries = declaration_.queries,
           .marks_timelines = declaration_.marks_timelines} {}

std::vector<ParameterDeclaration> ScriptBehaviour::parameters() const {
  std::vector<ParameterDeclaration> parameters;
  for (const ScriptParameterDeclaration& each : declaration_.parameters) {
    parameters.push_back({.name = each.name,
                          .default_value = each.default_value,
                          .help = each.help,
                          .unit = each.unit,
                          .minimum = each.minimum,
                          .maximum = each.maximum});
  }
  return parameters;
}

absl::Status ScriptBehaviour::Bind(const BehaviourBinder& binder) {
  for (const ScriptParameterDeclaration& each : declaration_.parameters) {
    use_.parameters.push_back(
        {.name = each.name, .value = binder.Parameter(each.name)});
  }
  return absl::OkStatus();
}

void ScriptBehaviour::UpdateAll(UpdateContext& context, Hook hook) const {
  Scripts& scripts = ScriptsOf(context);
  const std::optional<ScriptEntry>& entry = scripts.HooksOf(use_.file).*hook;
  if (!entry.has_value()) return;
  for (uint32_t i = 0; i < context.object_count(); ++i) {
    ScriptPlace place{.context = context,
                      .object = i,
                      .use = use_,
                      .properties = scripts.properties(),
                      .is_update = true};
    scripts.Call(*entry, place);
  }
}

void ScriptBehaviour::CallOnce(UpdateContext& context, Hook hook) const {
  Scripts& scripts = ScriptsOf(context);
  const std::optional<ScriptEntry>& entry = scripts.HooksOf(use_.file).*hook;
  if (!entry.has_value()) return;
  ScriptPlace place{
      .context = context, .use = use_, .properties = scripts.properties()};
  scripts.Call(*entry, place);
}

void ScriptBehaviour::UpdateBeforePhysics(UpdateContext& context) const {
  UpdateAll(context, &ScriptHooks::update);
}

void ScriptBehaviour::UpdateAfterPhysics(UpdateContext& context) const {
  UpdateAll(context, &ScriptHooks::after_physics);
}

bool ScriptBehaviour::OnEvent(UpdateContext& context,
                              const WorldEvent& event) const {
  Scripts& scripts = ScriptsOf(context);
  const ScriptEntry* const entry =
      scripts.HooksOf(use_.file).FindHandler(event.type);
  if (entry == nullptr) return false;
  ScriptPlace place{.context = context,
                    .use = use_,
                    .properties = scripts.properties(),
                    .event = &event};
  return scripts.Call(*entry, place);
}

void ScriptBehaviour::OnSpawn(UpdateContext& context) const {
  CallOnce(context, &ScriptHooks::spawn);
}

void ScriptBehaviour::OnDestroy(UpdateContext& context) const {
  CallOnce(context, &ScriptHooks::destroyed);
}

}  // namespace reprise::sim
