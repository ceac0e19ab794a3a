// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_behaviour.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/systems/scripts/script_agent.h"
#include "sim/systems/scripts/script_system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {
namespace {

Scripts& ScriptsOf(const UpdateContext& context) {
  auto* const scripts = context.parts().systems->Find<Scripts>();
  CHECK(scripts != nullptr);
  return *scripts;
}

bool AnyState(const ScriptHooks& hooks, auto has) {
  return std::ranges::any_of(hooks.states.states, has);
}

Behaviour::Hooks HooksFor(const ScriptHooks& hooks, bool has_states) {
  return {// Whoever has states may be told to change, or be at a step.
          .before_physics = hooks.update.has_value() || has_states,
          .after_physics = hooks.after_physics.has_value() ||
                           AnyState(hooks,
                                    [](const ScriptState& state) {
                                      return state.after_physics.has_value();
                                    }),
          .on_event = !hooks.handlers.empty() ||
                      AnyState(hooks,
                               [](const ScriptState& state) {
                                 return !state.handlers.empty();
                               }),
          .on_spawn = hooks.spawn.has_value() || has_states,
          .on_destroy = hooks.destroyed.has_value()};
}

}  // namespace

ScriptBehaviour::ScriptBehaviour(
    std::string_view file, ScriptDeclaration declaration,
    const std::optional<ScriptHooks>& hooks, std::optional<uint32_t> component,
    std::vector<ScriptCollisionLayer> collision_layers)
    : declaration_(std::move(declaration)),
      hooks_(hooks.has_value() ? HooksFor(*hooks, component.has_value())
                               : Hooks{.before_physics = true,
                                       .after_physics = true,
                                       .on_event = true,
                                       .on_spawn = true,
                                       .on_destroy = true}),
      use_{.file = std::string(file),
           .parameters = {},
           .reads_others = declaration_.reads_others,
           .queries = declaration_.queries,
           .marks_timelines = declaration_.marks_timelines,
           .component = component,
           .collision_layers = std::move(collision_layers)} {
  hooks_.reads_others = declaration_.reads_others;
  hooks_.queries = declaration_.queries;
  hooks_.marks_timelines = declaration_.marks_timelines;
}

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

bool ScriptBehaviour::Handles(std::string_view event) const {
  return std::ranges::find(declaration_.events, event) !=
         declaration_.events.end();
}

absl::Status ScriptBehaviour::Bind(const BehaviourBinder& binder) {
  for (const ScriptParameterDeclaration& each : declaration_.parameters) {
    use_.parameters.push_back(
        {.name = each.name, .value = binder.Parameter(each.name)});
  }
  return absl::OkStatus();
}

void ScriptBehaviour::UpdateBeforePhysics(UpdateContext& context) const {
  Scripts& scripts = ScriptsOf(context);
  const ScriptHooks& hooks = scripts.HooksOf(use_);
  for (uint32_t i = 0; i < context.object_count(); ++i) {
    ScriptAgent(scripts, hooks, use_, context, i).Update();
  }
}

void ScriptBehaviour::UpdateAfterPhysics(UpdateContext& context) const {
  Scripts& scripts = ScriptsOf(context);
  const ScriptHooks& hooks = scripts.HooksOf(use_);
  for (uint32_t i = 0; i < context.object_count(); ++i) {
    ScriptAgent(scripts, hooks, use_, context, i).UpdateAfterPhysics();
  }
}

bool ScriptBehaviour::OnEvent(UpdateContext& context,
                              const WorldEvent& event) const {
  Scripts& scripts = ScriptsOf(context);
  return ScriptAgent(scripts, scripts.HooksOf(use_), use_, context, 0)
      .Handle(event);
}

void ScriptBehaviour::OnSpawn(UpdateContext& context) const {
  Scripts& scripts = ScriptsOf(context);
  ScriptAgent(scripts, scripts.HooksOf(use_), use_, context, 0).Spawn();
}

void ScriptBehaviour::OnDestroy(UpdateContext& context) const {
  Scripts& scripts = ScriptsOf(context);
  ScriptAgent(scripts, scripts.HooksOf(use_), use_, context, 0).Destroy();
}

}  // namespace reprise::sim
