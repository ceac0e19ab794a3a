// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs what a script says for one object, for as long as one call of its
// behaviour: handlers, transitions between states, and the steps of a state.
// What lasts is in the object's ScriptRow, so it goes on from any tick.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_AGENT_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_AGENT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/script/functions/script_value.h"
#include "sim/script/script_machine.h"
#include "sim/systems/scripts/script_hooks.h"
#include "sim/systems/scripts/script_place.h"
#include "sim/systems/scripts/script_rows.h"
#include "sim/systems/scripts/script_states.h"
#include "sim/systems/scripts/script_system.h"
#include "sim/world/events/world_event.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

// A transition happens when the handler that asked for it has returned: `exit`
// of the old state, then `enter` of the new one, whose steps begin with the
// next update. Handlers that a state lacks are those of the file.
class ScriptAgent {
 public:
  // `object` is one of the context's. All outlive this.
  ScriptAgent(Scripts& scripts, const ScriptHooks& hooks, const ScriptUse& use,
              UpdateContext& context, uint32_t object);

  void Spawn();   // and into the initial state
  void Update();  // and the steps of the state
  void UpdateAfterPhysics();
  // Returns whether the event is handled.
  bool Handle(const WorldEvent& event);
  void Destroy();

 private:
  using FileHook = std::optional<ScriptEntry> ScriptHooks::*;
  using StateHook = std::optional<ScriptEntry> ScriptState::*;

  bool has_states() const { return use_.component.has_value(); }
  const ScriptRow& row() const;
  ScriptRow& mutable_row();
  const ScriptState* state() const;  // null: none is entered

  // Runs a function, and no more after one has failed. Returns nothing then.
  std::optional<ScriptValue> Run(ScriptEntry entry,
                                 const WorldEvent* event = nullptr,
                                 bool is_leaving = false);
  void RunUpdate(StateHook of_state, FileHook of_file);
  // `line` is where the mistake is in the file; 0: nowhere.
  void Fail(int line, std::string message);
  // A mistake of what a function says, if one does, or of the step.
  void FailStep(std::optional<ScriptEntry> function,
                const std::string& message);

  // Makes the transitions that are due.
  void Settle();
  void Leave();
  void Enter(Id name);

  void DoSteps();
  // Each returns false after a mistake.
  bool Begin(const ScriptStep& step);
  bool BeginWait(const ScriptStep& step);
  bool BeginMove(const ScriptStep& step);
  bool BeginPlay(const ScriptStep& step);
  // Goes on with a step.
  bool IsDone(const ScriptStep& step);
  bool Move();
  void Finish(const ScriptState& state);
  void SetBegun(Tick until, Vector3 from = {}, Vector3 to = {});

  // What a step is given; nothing after a mistake, which is told of.
  std::optional<double> Number(const ScriptArgument& argument, double minimum);
  std::optional<Tick> Ticks(const ScriptArgument& argument, double minimum);
  std::optional<Vector3> Vector(const ScriptArgument& argument);

  Scripts& scripts_;
  const ScriptHooks& hooks_;
  const ScriptUse& use_;
  UpdateContext& context_;
  uint32_t object_;
  bool is_update_ = false;
  bool has_failed_ = false;
  std::optional<Id> go_to_;
  uint32_t transitions_ = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_AGENT_H_
